/** Input that is not HTTP, or a request that does not come to its end: a status that HTTP has for it, or the connection closes. */
import { statusesFrom } from '../../engine/contract/operations.ts';
import { expectStatus } from '../../engine/http/expect-response.ts';
import { NoResponse } from '../../engine/http/response.ts';
import { unknownId } from '../unknown-ids.ts';
import { each, type Requirement } from '../../engine/requirements/requirement.ts';
import { expectProblem } from './problem.ts';
import { stated } from '../stated.ts';

/** Any refusal: these have no token, which may be seen first, and a lenient parser may read what is left of them. */
const STATUSES = [...statusesFrom(400), 501, 505];

export function notHttp(): Requirement {
  return {
    id: 'protocol.not-http',
    level: 'core',
    origin: 'D29',
    ...stated('Input that is not HTTP'),
    sentence:
      'Input that is not HTTP is refused with a status of HTTP, or the connection is closed; the service goes on.',
    properties: (implementation) =>
      each(inputs(implementation.client.base), async (bytes, session) => {
        try {
          const response = await session.sendBytes(bytes);
          expectStatus(response, STATUSES, 'This is not HTTP.');
          if (response.bytes > 0) expectProblem(implementation, response, undefined);
        } catch (error) {
          if (!(error instanceof NoResponse && error.kind === 'closed')) throw error;
        }
        const target = `/edges/https/${unknownId()}`;
        expectStatus(await session.send({ method: 'GET', target }), [404], 'The next request is right.');
      }),
  };
}

function inputs(base: URL): Record<string, Buffer> {
  const path = `${base.pathname.replace(/\/$/, '')}/edges/https/${unknownId()}`;
  const head = `Host: ${base.host}\r\nConnection: close\r\n`;
  const list = `${base.pathname.replace(/\/$/, '')}/event_subscriptions/${unknownId()}/sources`;
  const texts = {
    'a line of text': 'hello\r\n\r\n',
    'another protocol': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n',
    'another version of HTTP': `GET ${path} HTTP/9.9\r\n${head}\r\n`,
    'a header without a name': `GET ${path} HTTP/1.1\r\n${head}: x\r\n\r\n`,
    'a space in a name': `GET ${path} HTTP/1.1\r\n${head}X Y: x\r\n\r\n`,
    'a header of 200,000 bytes': `GET ${path} HTTP/1.1\r\n${head}X-Long: ${'x'.repeat(200_000)}\r\n\r\n`,
    'two lengths': `POST ${list} HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'a length that is no number': `POST ${list} HTTP/1.1\r\n${head}Content-Length: two\r\n\r\n{}`,
    'a chunk without a size': `POST ${list} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  };
  return Object.fromEntries(Object.entries(texts).map(([label, text]) => [label, Buffer.from(text, 'latin1')]));
}
