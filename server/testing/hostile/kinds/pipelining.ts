/** Many requests on a connection, one behind the other, before any response is read. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Case, Kind, Reply } from '../case.ts';
import { EDGES, GET, HEADERS, JSON_HEADERS, post, SOURCES } from '../requests.ts';
import { open } from '../wire.ts';

const BAD = post('{"unknown":1}').toString();

/** Sends all and reads nothing; after a while, the client goes. */
function unread(name: string, bytes: string, connections: number): Case {
  return {
    name,
    mayBeServed: true,
    send: async ({ port }) => {
      const one = async (): Promise<Reply> => {
        const wire = await open(port);
        wire.socket.pause();
        wire.socket.write(bytes);
        await pause(2000);
        wire.cut();
        // The responses went into buffers of the network, or nowhere: that the server goes on is all that can be seen.
        return { statuses: [200], problems: [], closed: true, sent: 0 };
      };
      return Promise.all(Array.from({ length: connections }, one));
    },
  };
}

/** Each response comes, in order. */
function all(name: string, requests: string[], statuses: number[]): Case {
  return {
    name,
    mayBeServed: true,
    send: async ({ port }) => {
      const wire = await open(port);
      wire.socket.write(requests.join(''));
      const reply = await wire.finish(3000);
      const right = JSON.stringify(reply.statuses) === JSON.stringify(statuses);
      return [
        right
          ? reply
          : {
              ...reply,
              problems: [
                ...reply.problems,
                `responses ${reply.statuses.slice(0, 10).join(' ')} …, ${reply.statuses.length} of ${statuses.length}`,
              ],
            },
      ];
    },
  };
}

export const pipelining: Kind = {
  name: 'pipelining',
  atOnce: 2,
  cases: [
    all('1,000 requests', Array(1000).fill(GET), Array(1000).fill(200)),
    all('500 refused bodies', Array(500).fill(BAD), Array(500).fill(400)),
    all(
      'refused and served in turn',
      Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? GET : BAD)),
      Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 200 : 400)),
    ),
    all('a request, then garbage', [GET, 'GARBAGE\r\n\r\n'], [200, 400]),
    all(
      'two requests, then a bad chunk',
      [GET, GET, `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}Transfer-Encoding: chunked\r\n\r\nxx\r\n`],
      [200, 200, 400],
    ),
    all(
      'a request, then one that is too long',
      [GET, `GET ${EDGES} HTTP/1.1\r\n${HEADERS}X: ${'a'.repeat(30_000)}\r\n\r\n`],
      [200, 431],
    ),
    {
      // What one of them costs must not depend on how many are waiting.
      name: '60,000 small requests without a token',
      send: async ({ port }) => {
        const wire = await open(port);
        wire.socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(60_000));
        return [await wire.finish(3000)];
      },
    },
    all('one to end with, then more', [GET.replace('Host', 'Connection: close\r\nHost'), GET, GET], [200]),
    unread('1,000 requests whose responses nobody reads', GET.repeat(1000), 1),
    unread(
      '20 times 5,000 requests whose responses nobody reads',
      `GET /openapi.json HTTP/1.1\r\n${HEADERS}\r\n`.repeat(5000),
      20,
    ),
    unread(
      '1,000 refused requests whose responses nobody reads',
      `GET ${SOURCES}?limit=x HTTP/1.1\r\n${HEADERS}\r\n`.repeat(1000),
      4,
    ),
  ],
};
