/** Bodies of 64 MiB: refused by what is announced, or with the first byte too many, and the rest is not read. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Case, Kind } from '../case.ts';
import { EDGES, HEADERS, JSON_HEADERS } from '../requests.ts';
import { flood, open } from '../wire.ts';

const MIB = 1024 * 1024;
const BODY = 64 * MIB;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);

/** Of these, the server may read some; buffers of the network take several MiB more. */
const MOST_TAKEN = 24 * MIB;

/**
 * Node skips line ends without a word, so the server looks for them from time to time. How much comes until then depends
 * on the client alone: what counts is that it ends.
 */
const ENDLESS = 4096 * MIB;

function big(name: string, head: string, piece: Buffer, expected: number, length = BODY, mostTaken = MOST_TAKEN): Case {
  return {
    name,
    send: async ({ port }) => {
      const reply = await flood(port, head, piece, length);
      const problems = [...reply.problems];
      // A reset may overtake the response.
      if (reply.statuses.length > 0 && reply.statuses[0] !== expected)
        problems.push(`${reply.statuses[0]} and not ${expected}`);
      if (reply.sent > mostTaken) problems.push(`${reply.sent} bytes were taken`);
      return [{ ...reply, problems }];
    },
  };
}

const length = `Content-Length: ${BODY}\r\n\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';

export const bigBodies: Kind = {
  name: 'bodies of 64 MiB',
  atOnce: 8,
  cases: [
    ...Array.from({ length: 4 }, (_, n) =>
      big(`announced (${n})`, `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}${length}`, PIECE, 413),
    ),
    ...Array.from({ length: 4 }, (_, n) =>
      big(`in chunks (${n})`, `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}${chunked}`, CHUNK, 413),
    ),
    big(
      'compressed, announced',
      `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}Content-Encoding: gzip\r\n${length}`,
      PIECE,
      413,
    ),
    big(
      'compressed, in chunks',
      `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}Content-Encoding: br\r\n${chunked}`,
      CHUNK,
      400,
    ),
    big('without a token', `POST ${EDGES} HTTP/1.1\r\nHost: a\r\n${length}`, PIECE, 401),
    big('without a token, in chunks', `POST ${EDGES} HTTP/1.1\r\nHost: a\r\n${chunked}`, CHUNK, 401),
    big('to no path', `POST /nowhere HTTP/1.1\r\n${JSON_HEADERS}${length}`, PIECE, 404),
    big('of another type', `POST ${EDGES} HTTP/1.1\r\n${HEADERS}Content-Type: text/plain\r\n${length}`, PIECE, 415),
    big('with a method that is not allowed', `PUT ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}${chunked}`, CHUNK, 405),
    big('line ends and nothing else', '\r\n', Buffer.from('\r\n'.repeat(32 * 1024)), 400, ENDLESS, ENDLESS / 4),
    { ...big('beside a read', `GET ${EDGES} HTTP/1.1\r\n${HEADERS}${chunked}`, CHUNK, 200), mayBeServed: true },
  ],
};

/** Each body but for its last byte, so that the server has to keep what it took of all of them. */
export const manyBodies: Kind = {
  name: '400 bodies of 1 MiB at once',
  cases: [
    {
      name: 'held back',
      mayBeServed: true,
      send: async ({ port }) => {
        const text = Buffer.alloc(MIB, ' ');
        const wires = await Promise.all(Array.from({ length: 400 }, () => open(port)));
        for (const { socket } of wires) {
          socket.write(`POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}Content-Length: ${MIB}\r\n\r\n`);
          socket.write(text.subarray(1));
        }
        await pause(3000);
        const problems = wires.flatMap((wire) => wire.cut().problems).filter((one) => one !== 'response 503');
        return [{ statuses: [200], problems, closed: true, sent: 0 }];
      },
    },
  ],
};
