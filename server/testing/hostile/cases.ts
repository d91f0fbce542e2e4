/**
 * Floods, sizes and times, which need a separate process; `listen.test.ts` has the bytes that are
 * not a request.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openFileLimit } from '../../limits.ts';
import { type Reply, Wire } from './wire.ts';

/** It may not be in the log. */
export const TOKEN = 'hostile-token-4f1d';

interface Case {
  /**
   * Those that each connection gets, in this order; empty if the server closes it without a
   * response.
   */
  statuses: readonly number[];
  /** Each connection has a response. */
  answers?: boolean;
  run(port: number): Promise<Reply[]>;
}

const MIB = 1024 * 1024;
const EDGES = '/edges/https';
const HEADERS = `Host: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
/** The head of a read, without its end. */
const START = `GET ${EDGES} HTTP/1.1\r\n${HEADERS}`;
const GET = `${START}\r\n`;
/** A body that is invalid, so that nothing is stored, in a chunk. */
const CHUNK = '7\r\n{"x":1}\r\n';

function framed(framing: string, body = ''): string {
  return (
    `POST ${EDGES} HTTP/1.1\r\n${HEADERS}Content-Type: ` +
    `application/json\r\n${framing}\r\n${body}`
  );
}

async function openAll(port: number, count: number, bytes = ''): Promise<Wire[]> {
  const wires: Wire[] = [];
  while (wires.length < count) {
    const group = Array.from({ length: Math.min(200, count - wires.length) }, () =>
      Wire.open(port, bytes),
    );
    wires.push(...(await Promise.all(group)));
  }
  return wires;
}

/** As many as the server takes, and some beyond. */
const IDLE = Math.max(50, Math.min(10_300, openFileLimit() - 200));

const idle = (bytes: string, status: number) => ({
  statuses: [status],
  run: async (port: number) =>
    Promise.all((await openAll(port, IDLE, bytes)).map((wire) => wire.outlast())),
});

const endless = (status: number, head: string, piece: string) => ({
  statuses: [status],
  run: async (port: number) => {
    return [
      await (
        await Wire.open(port, head)
      ).flood(piece.repeat(Math.ceil(65_536 / piece.length)), 64 * MIB),
    ];
  },
});

/** Many requests on a connection, one behind the other, before any response is read. */
const pipelined = (bytes: string, ...statuses: number[]) => ({
  statuses,
  answers: true,
  run: async (port: number) => [await (await Wire.open(port, bytes)).finish(3000)],
});

/**
 * Many connections at once, each of which sends `start`, then the bytes of `rest` one by one, over
 * and over.
 */
const slowly = (connections: number, start: string, rest: string, everyMs: number) => ({
  statuses: [408],
  run: async (port: number) => {
    const one = async (wire: Wire) => {
      for (let n = 0; !wire.socket.destroyed && wire.socket.writable; n++) {
        wire.socket.write(rest[n % rest.length]!);
        await Promise.race([pause(everyMs), wire.closed]);
      }
      return wire.outlast();
    };
    return Promise.all((await openAll(port, connections, start)).map(one));
  },
});

const SPACES = ' '.repeat(65_536);
const LARGE = `Content-Length: ${64 * MIB}\r\n`;
const LARGE_CHUNK = `10000\r\n${SPACES}\r\n`;
/** All of a body of 1 MiB but its last byte. */
const HELD_BACK = framed(`Content-Length: ${MIB}\r\n`, ' '.repeat(MIB - 1));
const HALVES = [
  '',
  `${START}X`,
  `${framed('Content-Length: 1000\r\n')}{`,
  `${framed(CHUNKED)}5\r\n{`,
];

/** By kind and name. The cases of a kind run at once. */
export const KINDS: Record<string, Record<string, Case>> = {
  'requests without an end, or in many pieces': {
    headers: endless(431, START, 'X-A: b\r\n'),
    'a header': endless(431, `${START}X: `, 'a'),
    trailers: endless(431, framed(CHUNKED, `${CHUNK}0\r\n`), 'X-A: b\r\n'),
    'an extension of a chunk': endless(413, framed(CHUNKED, '7;'), 'a'),
    'chunks of one byte': endless(413, framed(CHUNKED), '1\r\n \r\n'),
    'small extensions': pipelined(
      framed(CHUNKED, `${`1;${'a'.repeat(100)}\r\n \r\n`.repeat(5000)}0\r\n\r\n`),
      400,
    ),
    '1 MiB in chunks of one byte': pipelined(
      framed(CHUNKED, `${'1\r\n \r\n'.repeat(MIB - 7)}${CHUNK}0\r\n\r\n`),
      400,
    ),
  },
  // Refused by their announced length or with the first byte too many; the rest is not read.
  'bodies of 64 MiB': {
    announced: endless(413, framed(LARGE), SPACES),
    'in chunks': endless(413, framed(CHUNKED), LARGE_CHUNK),
    'without a token': endless(
      401,
      `POST ${EDGES} HTTP/1.1\r\nHost: a\r\n${CHUNKED}\r\n`,
      LARGE_CHUNK,
    ),
    'a snapshot': endless(
      401,
      `PUT /testing/snapshot HTTP/1.1\r\nHost: a\r\n${CHUNKED}\r\n`,
      LARGE_CHUNK,
    ),
    'beside a read': endless(200, `${START}${CHUNKED}\r\n`, LARGE_CHUNK),
  },
  pipelining: {
    'a request, then a bad chunk': pipelined(`${GET}${framed(CHUNKED, 'xx\r\n')}`, 200, 400),
    'a request, then a long head': pipelined(
      `${GET}${START}X: ${'a'.repeat(30_000)}\r\n\r\n`,
      200,
      431,
    ),
    'requests behind the last one': pipelined(`${START}Connection: close\r\n\r\n${GET}${GET}`, 200),
  },
  'many pipelined requests': {
    // The cost of one of them must not depend on how many wait.
    '60,000 small requests without a token': {
      statuses: [401],
      run: async (port) => {
        const wire = await Wire.open(
          port,
          'GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(60_000),
        );
        const { statuses, ...reply } = await wire.finish(3000);
        return [{ ...reply, statuses: [...new Set(statuses)] }];
      },
    },
    '100,000 large responses that nobody reads': {
      statuses: [],
      run: async (port) => {
        const wires = await openAll(port, 20);
        for (const wire of wires) {
          wire.socket.pause();
        }
        for (const wire of wires) {
          wire.socket.write(GET.replace(EDGES, '/openapi.json').repeat(5000));
        }
        await pause(2000);
        return wires.map((wire) => wire.cut());
      },
    },
  },
  'many connections': {
    '200 that are cut at once': {
      statuses: [],
      run: async (port) => (await openAll(port, 200)).map((wire) => wire.cut()),
    },
    // The server has to keep what it took of all bodies, and refuses most of them.
    '400 with bodies of 1 MiB, held back': {
      statuses: [503],
      run: async (port) => {
        const wires = await openAll(port, 400, HELD_BACK);
        await pause(3000);
        return wires.map((wire) => wire.cut());
      },
    },
  },
  // Senders who never finish. The server checks its limits of time each second.
  'slow senders': {
    '300 heads byte by byte': slowly(300, '', `${START}${'X-Slow: a\r\n'.repeat(100)}`, 100),
    '100 bodies byte by byte': slowly(100, framed('Content-Length: 1000\r\n'), ' ', 200),
    '100 bodies chunk by chunk': slowly(100, framed(CHUNKED), '1\r\n \r\n', 200),
    'silence after halves': {
      statuses: [408],
      run: (port) =>
        Promise.all(HALVES.map(async (half) => (await Wire.open(port, half)).outlast())),
    },
  },
  [`${IDLE} connections without a request`]: { all: idle('', 408) },
  [`${IDLE} idle connections after a request`]: { all: idle(GET, 200) },
};
