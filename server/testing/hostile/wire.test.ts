/** That a wrong response to a hostile case is found. */
import { expect, test } from 'vitest';
import { classify, readResponses } from './wire.ts';

function problem(status: number): string {
  const body = JSON.stringify({ status, code: 'malformed_request', request_id: 'req_1' });
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

test.for<[string, string, boolean, string[], closed?: boolean]>([
  ['a refusal', problem(400), false, []],
  ['a connection that is closed', '', false, []],
  ['a served case that may be served', OK, true, []],
  ['a served case', OK, false, ['served with 200']],
  ['500', problem(500), false, ['response 500']],
  ['a text', 'HTTP/1.1 400 X\r\nContent-Length: 2\r\n\r\nno', false, ['400 without a problem document']],
  ['another status in the problem', problem(400).replace(' 400 ', ' 401 '), false, ['401 without a problem document']],
  ['a connection that is not ended', problem(400), false, ['the server did not end the connection'], false],
  ['another protocol', 'SMTP ready\r\n\r\n', false, ['no HTTP response: "SMTP ready"']],
])('%s', ([, response, mayBeServed, problems, closed = true]) => {
  const reply = { ...readResponses(Buffer.from(response)), closed, sent: 0 };
  expect(classify([reply], mayBeServed).problems).toEqual(problems);
});

test('several responses on a connection', () => {
  const bytes = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${problem(404)}${problem(400)}`);
  expect(readResponses(bytes)).toEqual({ statuses: [404, 400], problems: [] });
});
