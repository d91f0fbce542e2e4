/**
 * The hostile cases, by kind. They show what needs a socket: framing, floods, sizes and time. JSON that is invalid, ambiguous
 * or not UTF-8, odd numbers and names of built-ins are tested by the conformance suite and by the unit tests of `http/`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { flood, type Reply, Wire } from './wire.ts';

/** It may not be in the log. */
export const TOKEN = 'hostile-token-4f1d';

/** By name: bytes that are sent as they are, or what bytes alone cannot do. */
type Cases = Record<string, string | Buffer | ((port: number) => Promise<Reply | Reply[]>)>;

export interface Kind {
  name: string;
  /** How many cases run at once. */
  atOnce: number;
  refused?: Cases;
  /** They may also be refused. Nothing is stored all the same. */
  served?: Cases;
  /** Takes too long for a quick run. */
  long?: boolean;
}

/** One case for each text, which is in its name. */
function each(what: string, texts: readonly string[], bytesOf: (text: string) => string): Cases {
  return Object.fromEntries(texts.map((text) => [`${what} ${JSON.stringify(text.slice(0, 40))}`, bytesOf(text)]));
}

const MIB = 1024 * 1024;
const EDGES = '/edges/https';
const HEADERS = `Host: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n`;
const JSON_HEADERS = `${HEADERS}Content-Type: application/json\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
/** The head of a read, without its end. */
const START = `GET ${EDGES} HTTP/1.1\r\n${HEADERS}`;
const GET = `${START}\r\n`;
/** A body that is invalid, so that nothing is stored; in a chunk of seven bytes. */
const BAD = '{"x":1}';
const CHUNK = `7\r\n${BAD}\r\n`;
/** A request that would create an edge, if the server took it for one. */
const HIDDEN = post('{}').toString();

/** A request with the right length. */
function post(body: string | Buffer, path = EDGES, more = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = `POST ${path} HTTP/1.1\r\n${JSON_HEADERS}${more}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** A request with the framing that is given. */
function framed(framing: string, body: string): string {
  return `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}${framing}\r\n${body}`;
}

/** The beginnings of requests. */
const HALVES = [`${START}X`, `${framed('Content-Length: 1000\r\n', '')}{`, `${framed(CHUNKED, '')}5\r\n{`];

const endless = (head: string, piece: string) => (port: number) =>
  flood(port, head, Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length))), 64 * MIB);

/** Opens so many connections, and sends the bytes on each. */
async function openAll(port: number, count: number, bytes: string | Buffer = ''): Promise<Wire[]> {
  const wires: Wire[] = [];
  while (wires.length < count) {
    const group = Array.from({ length: Math.min(200, count - wires.length) }, () => Wire.open(port, bytes));
    wires.push(...(await Promise.all(group)));
  }
  return wires;
}

/** The replies of a client who leaves: that the server works on is all that can be seen. */
function leave(wires: readonly Wire[]): Reply[] {
  return wires.map((wire) => ({ ...wire.cut(), closed: true }));
}

/** @param openFiles that this process and the server may open each */
export function kindsOf(openFiles: number): Kind[] {
  const idle = Math.max(50, Math.min(10_300, openFiles - 200));
  const hold = (request: string) => async (port: number) =>
    Promise.all((await openAll(port, idle, request)).map((wire) => wire.outlast()));
  return [
    { name: 'request lines, headers', atOnce: 16, ...heads() },
    { name: 'lengths, chunks', atOnce: 16, refused: lengthsAndChunks() },
    { name: 'half requests', atOnce: 16, refused: each('half', HALVES, (half) => half) },
    { name: 'pipelining', atOnce: 2, ...pipelining() },
    { name: 'bodies of 64 MiB', atOnce: 8, ...largeBodies() },
    { name: 'many connections', atOnce: 1, served: manyConnections() },
    { name: 'slow senders', atOnce: 100, refused: slow(), long: true },
    // As many as the server takes, and some beyond.
    { name: `${idle} connections without a request`, atOnce: 1, refused: { all: hold('') }, long: true },
    { name: `${idle} idle connections after one`, atOnce: 1, served: { all: hold(GET) }, long: true },
  ];
}

function heads(): Pick<Kind, 'refused' | 'served'> {
  const targets = ['*', '', 'a b', '/\0', '/\xff\xfe', `/${'a'.repeat(100_000)}`, '/%2e%2e/etc/passwd', '/%0d%0aX:y'];
  const methods = ['FETCH', 'TRACE', 'get', 'G'.repeat(10_000)];
  const lines = [...targets.map((target) => `GET ${target}`), ...methods.map((method) => `${method} ${EDGES}`)];
  const many = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a\r\n`).join('');
  const long = 'a'.repeat(MIB);
  const invalid = [': a', 'X', 'X: a\r\n b', 'X: a\0b', 'X: a\rb', 'X : a', 'Host: a', 'Authorization: Bearer x'];
  const costly = [`Accept: ${'a/b,'.repeat(3500)}x/y`, `Accept: ${'a/b;q='.repeat(2500)}`, `X: ${long}`, `${long}: a`];
  return {
    refused: {
      ...each('line', lines, (line) => `${line} HTTP/1.1\r\n${HEADERS}\r\n`),
      'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
      'no version': `GET ${EDGES}\r\n${HEADERS}\r\n`,
      'a bare line feed': `GET ${EDGES} HTTP/1.1\n${HEADERS}\r\n`,
      'a bare carriage return': `GET ${EDGES} HTTP/1.1\r${HEADERS}\r\n`,
      CONNECT: `CONNECT example.com:80 HTTP/1.1\r\n${HEADERS}\r\n`,
      ...each('header', [...invalid, ...costly], (header) => `${START}${header}\r\n\r\n`),
      '100,000 headers': `${START}${many(100_000)}\r\n`,
      'headers without an end': endless(START, 'X-A: b\r\n'),
      'a header without an end': endless(`${START}X: `, 'a'),
    },
    served: { '1,000 headers': `${START}${many(1000)}\r\n` },
  };
}

/** Lengths that are wrong or stated in two ways, as for request smuggling, and chunks that are broken or cost a lot. */
function lengthsAndChunks(): Cases {
  const values = ['99999999999', '9'.repeat(10_000), '-1', '+7', '0x7', '7.0', 'seven', '', '7, 7', '100'];
  const codings = ['xchunked', 'identity', 'chunked, gzip', '"chunked"', 'chunked\r\nTransfer-Encoding: cow'];
  const hiding = [
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\tchunked\r\nContent-Length: 4',
    'Transfer-Encoding: \x0bchunked\r\nContent-Length: 5',
    'X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 5',
    'X: a\nTransfer-Encoding: chunked\r\nContent-Length: 5',
    `Content-Length: ${5 + HIDDEN.length}\r\nTransfer-Encoding: chunked`,
    ...codings.map((coding) => `Transfer-Encoding: ${coding}`),
  ];
  const twice = [7, 7 + HIDDEN.length].map((length) => `Content-Length: ${length}\r\n`);
  const chunk = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
  const sizes = ['zz', '-2', '', 'fffffffffffffffff', 'ffffffffffffffff', '0x7', `${'0'.repeat(100_000)}7`, '2', 'f'];
  const extensions = [`7;${'a'.repeat(MIB)}`, '7;a\nb', `1;${'a'.repeat(100)}\r\n \r\n`.repeat(5000)];
  const trailers = ['Authorization: Bearer x\r\nHost: b', `Content-Length: 5\r\n${CHUNKED}`, `X: ${'a'.repeat(MIB)}`];
  const bodies = [CHUNK, `7\r\n${BAD}0\r\n\r\n`, `7\n${BAD}\n0\n\n`];
  return {
    ...each('length', values, (value) => framed(`Content-Length: ${value}\r\n`, BAD)),
    ...each('framing', hiding, (lines) => framed(`${lines}\r\n`, `0\r\n\r\n${HIDDEN}`)),
    'two lengths': framed(twice.join(''), BAD + HIDDEN),
    'two lengths in the other order': framed(twice.toReversed().join(''), BAD + HIDDEN),
    'TE.CL': framed(`${CHUNKED}Content-Length: 4\r\n`, chunk),
    'chunked twice': framed('Transfer-Encoding: chunked, chunked\r\n', chunk),
    'chunked in HTTP/1.0': framed(CHUNKED, `0\r\n\r\n${HIDDEN}`).replace('HTTP/1.1', 'HTTP/1.0'),
    'more than announced': framed('Content-Length: 7\r\n', `${BAD}garbage`),
    'a body of GET': `${START}Content-Length: 7\r\n${CHUNKED}\r\n0\r\n\r\n${HIDDEN}`,
    ...each('chunk size', [...sizes, ...extensions], (size) => framed(CHUNKED, `${size}\r\n${BAD}\r\n0\r\n\r\n`)),
    ...each('trailer', trailers, (trailer) => framed(CHUNKED, `${CHUNK}0\r\n${trailer}\r\n\r\n`)),
    ...each('body', bodies, (body) => framed(CHUNKED, body)),
    'trailers without an end': endless(framed(CHUNKED, `${CHUNK}0\r\n`), 'X-A: b\r\n'),
    'an extension without an end': endless(framed(CHUNKED, '7;'), 'a'),
    'chunks of one byte without an end': endless(framed(CHUNKED, ''), '1\r\n \r\n'),
    '1 MiB in chunks of one byte': framed(CHUNKED, `${'1\r\n \r\n'.repeat(MIB - 7)}${CHUNK}0\r\n\r\n`),
  };
}

/** Many requests on a connection, one behind the other, before any response is read. */
function pipelining(): Pick<Kind, 'refused' | 'served'> {
  /** Each response comes, in order; `expected` is undefined where that is not the point. */
  const all = (requests: string[], expected?: number[]) => async (port: number) => {
    const wire = await Wire.open(port, requests.join(''));
    const reply = await wire.finish(3000);
    if (expected !== undefined && reply.statuses.join() !== expected.join())
      reply.problems.push(`${reply.statuses.length} of ${expected.length} responses: ${reply.statuses.slice(0, 10)} …`);
    return reply;
  };
  const small = 'GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  return {
    served: {
      '500 requests, then 500 that are refused': all(
        [...Array(500).fill(GET), ...Array(500).fill(post(BAD))],
        [...Array(500).fill(200), ...Array(500).fill(400)],
      ),
      'a request, then a bad chunk': all([GET, framed(CHUNKED, 'xx\r\n')], [200, 400]),
      'a request, then a long head': all([GET, `${START}X: ${'a'.repeat(30_000)}\r\n\r\n`], [200, 431]),
      'requests behind the last one': all([`${START}Connection: close\r\n\r\n`, GET, GET], [200]),
      '100,000 large responses that nobody reads': async (port) => {
        const wires = await openAll(port, 20);
        for (const wire of wires) wire.socket.pause();
        for (const wire of wires) wire.socket.write(GET.replace(EDGES, '/openapi.json').repeat(5000));
        await pause(2000);
        return leave(wires);
      },
    },
    // The cost of one of them must not depend on how many wait.
    refused: { '60,000 small requests without a token': all([small.repeat(60_000)]) },
  };
}

/** Bodies of 64 MiB are refused by their announced length or with the first byte too many; the rest is not read. */
function largeBodies(): Pick<Kind, 'refused' | 'served'> {
  const size = 64 * MIB;
  const spaces = Buffer.alloc(64 * 1024, ' ');
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), spaces, Buffer.from('\r\n')]);
  const large =
    (head: string, expected: number, framing = CHUNKED) =>
    async (port: number) => {
      const reply = await flood(port, `${head}${framing}\r\n`, framing === CHUNKED ? chunk : spaces, size);
      // A reset may overtake the response.
      if (reply.statuses.length > 0 && reply.statuses[0] !== expected)
        reply.problems.push(`${reply.statuses[0]} and not ${expected}`);
      // The server may read some, and buffers of the network take several MiB more.
      if (reply.sent > 24 * MIB) reply.problems.push(`${reply.sent} bytes were taken`);
      return reply;
    };
  const announced = `Content-Length: ${size}\r\n`;
  const start = `POST ${EDGES} HTTP/1.1\r\n`;
  const bomb = Buffer.alloc(size, ' ');
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const empty = Buffer.alloc(500_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
  const deflate = Buffer.concat([Buffer.from([0x78, 0x9c]), empty]);
  return {
    refused: {
      announced: large(`${start}${JSON_HEADERS}`, 413, announced),
      'in chunks': large(`${start}${JSON_HEADERS}`, 413),
      'without a token, in chunks': large(`${start}Host: a\r\n`, 401),
      'a snapshot without a token': large('PUT /testing/snapshot HTTP/1.1\r\nHost: a\r\n', 401),
      // Node skips line ends silently, so the server looks for them from time to time.
      'line ends without an end': (port) => flood(port, '\r\n', Buffer.from('\r\n'.repeat(32 * 1024)), 4096 * MIB),
      'in a few bytes of Brotli': post(brotliCompressSync(bomb, fast), EDGES, 'Content-Encoding: br\r\n'),
      'empty blocks of deflate': post(deflate, EDGES, 'Content-Encoding: deflate\r\n'),
    },
    served: { 'beside a read': large(START, 200) },
  };
}

/** Each of the 400 bodies comes except its last byte, so that the server has to keep what it took of all of them. */
function manyConnections(): Cases {
  const body = post(Buffer.alloc(MIB, ' ')).subarray(0, -1);
  const isOther = (problem: string) => problem !== 'response 503';
  return {
    '200 that are cut at once': async (port) => leave(await openAll(port, 200)),
    '400 with bodies of 1 MiB, held back': async (port) => {
      const wires = await openAll(port, 400, body);
      await pause(3000);
      // Most of them are refused with 503, which is right here.
      return leave(wires).map(({ problems, ...reply }) => ({ ...reply, problems: problems.filter(isOther) }));
    },
  };
}

/** Senders who never finish. The server checks its limits of time each second. */
function slow(): Cases {
  /** Many connections at once, each of which sends `start`, then the bytes of `rest` one by one, over and over. */
  const slowly = (connections: number, start: string, rest: string, everyMs: number) => async (port: number) => {
    const one = async (wire: Wire) => {
      for (let n = 0; !wire.socket.destroyed && wire.socket.writable; n++) {
        wire.socket.write(rest[n % rest.length]!);
        await Promise.race([pause(everyMs), wire.closed]);
      }
      return wire.outlast();
    };
    return Promise.all((await openAll(port, connections, start)).map(one));
  };
  return {
    '300 heads byte by byte': slowly(300, '', `${START}${'X-Slow: a\r\n'.repeat(100)}`, 100),
    '100 bodies byte by byte': slowly(100, framed('Content-Length: 1000\r\n', ''), ' ', 200),
    '100 bodies chunk by chunk': slowly(100, framed(CHUNKED, ''), '1\r\n \r\n', 200),
    'silence after halves': (port) =>
      Promise.all(['', ...HALVES].map(async (half) => (await Wire.open(port, half)).outlast())),
  };
}
