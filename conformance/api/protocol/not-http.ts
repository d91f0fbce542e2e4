/** Input that is not HTTP, or that an HTTP server may refuse before the service sees it (D29). */
import { expectRefusedAnyhow, expectStatus } from '../../engine/http/expect-response.ts';
import { each } from '../../engine/requirements/requirement.ts';
import { core, INFO } from '../define.ts';
import { unknownId } from '../implementation.ts';

export const notHttp = core(
  {
    id: 'protocol.not-http',
    origin: 'D29',
    clause: INFO,
    quotes: ['The HTTP server below', 'It responds with any status'],
    sentence:
      'What an HTTP server may refuse by itself gets a status of HTTP, or the connection is ' +
      'closed; the service goes on.',
  },
  (implementation) =>
    each(inputsFor(implementation.client.base), async (text, session) => {
      const send = () => session.sendBytes(Buffer.from(text, 'latin1'));
      await expectRefusedAnyhow(send, 'An HTTP server need not read this.');
      const target = `/edges/https/${unknownId()}`;
      const response = await session.send({ method: 'GET', target });
      expectStatus(response, [404], 'The next request is right.');
    }),
);

/** Methods that servers need not know, and need not pass to the service. */
const RARE_METHODS = ['FOO', 'TRACE', 'CONNECT', 'PROPFIND'];

/** Texts that are sent as they are, by a label; each character is one byte. */
function inputsFor({ pathname, host }: URL): Record<string, string> {
  const base = pathname.replace(/\/$/, '');
  const fields = `Host: ${host}\r\nConnection: close\r\n`;
  const get = `GET ${base}/edges/https/${unknownId()} HTTP/1.1\r\n${fields}`;
  const post = `POST ${base}/event_subscriptions/${unknownId()}/sources HTTP/1.1\r\n${fields}`;
  const inputs: Record<string, string> = {};
  for (const method of RARE_METHODS) {
    inputs[method] = `${get.replace('GET', method)}\r\n`;
  }
  const longSegment = 'x'.repeat(200_000);
  return {
    ...inputs,
    'bytes in a path that are not ASCII': `${get.replace(' HTTP', '\xe9\xff HTTP')}\r\n`,
    'a path of 200,000 bytes': `${get.replace(' HTTP', `${longSegment} HTTP`)}\r\n`,
    'a line of text': 'hello\r\n\r\n',
    'another protocol': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n',
    'another version of HTTP': `${get.replace('HTTP/1.1', 'HTTP/9.9')}\r\n`,
    'a header without a name': `${get}: x\r\n\r\n`,
    'a space in a name': `${get}X Y: x\r\n\r\n`,
    'a header of 200,000 bytes': `${get}X-Long: ${longSegment}\r\n\r\n`,
    'two lengths': `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'a length that is not a number': `${post}Content-Length: two\r\n\r\n{}`,
    'a chunk without a size': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  };
}
