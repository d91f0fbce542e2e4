/** Senders who never come to an end: slowloris. The server looks at its limits of time each second. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Case, Kind, Reply } from '../case.ts';
import { EDGES, framed, HEADERS, JSON_HEADERS } from '../requests.ts';
import { open } from '../wire.ts';

/** Many connections at once, each of which sends `start`, and then a byte at a time of `rest` over and over. */
function slowly(name: string, connections: number, start: string, rest: string, everyMs: number): Case {
  return {
    name,
    long: true,
    send: async ({ port }) => {
      const one = async (): Promise<Reply> => {
        const wire = await open(port);
        wire.socket.write(start);
        for (let n = 0; !wire.socket.destroyed && wire.socket.writable; n++) {
          wire.socket.write(rest[n % rest.length]!);
          await Promise.race([pause(everyMs), wire.closed]);
        }
        return wire.outlast();
      };
      return Promise.all(Array.from({ length: connections }, one));
    },
  };
}

/** Leaves in the middle. */
function gone(name: string, start: string): Case {
  return {
    name,
    send: async ({ port }) => {
      const wire = await open(port);
      wire.socket.write(start);
      await pause(100);
      return [await wire.finish()];
    },
  };
}

/** Sends nothing more and waits. */
function silent(name: string, start: string): Case {
  return {
    name,
    long: true,
    send: async ({ port }) => {
      const wire = await open(port);
      if (start !== '') wire.socket.write(start);
      return [await wire.outlast()];
    },
  };
}

const BODY = `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}Content-Length: 1000\r\n\r\n`;
const CHUNKED = `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}Transfer-Encoding: chunked\r\n\r\n`;

export const slow: Kind = {
  name: 'slow senders',
  atOnce: 100,
  cases: [
    slowly('300 heads byte by byte', 300, '', `GET ${EDGES} HTTP/1.1\r\n${HEADERS}${'X-Slow: a\r\n'.repeat(100)}`, 100),
    slowly('100 bodies byte by byte', 100, BODY, ' ', 200),
    slowly('100 bodies chunk by chunk', 100, CHUNKED, '1\r\n \r\n', 200),
    silent('half a head', `GET ${EDGES} HTTP/1.1\r\nHost: a\r\n`),
    silent('half a body', `${BODY}{`),
    silent('half a chunk', `${CHUNKED}5\r\n{`),
    silent('nothing at all', ''),
    gone('half a head, and gone', `GET ${EDGES} HTTP/1.1\r\nHost: a\r\n`),
    gone('half a body, and gone', `${BODY}{"description":"a`),
    gone('half a chunk, and gone', `${CHUNKED}5\r\n{`),
    gone(
      'half a compressed body, and gone',
      framed('Content-Encoding: gzip\r\nContent-Length: 100\r\n', '\x1f\x8b\x08'),
    ),
  ],
};
