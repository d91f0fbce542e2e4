/**
 * The hostile cases, by kind. They show what needs a socket: framing, floods, sizes and time. JSON that is invalid, ambiguous
 * or not UTF-8, odd numbers and names of built-ins are tested by the conformance suite and by the unit tests of `http/`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { exchange, flood, type Reply, Wire } from './wire.ts';

/** Neither may be in the log. */
export const TOKEN = 'hostile-token-4f1d';
const SECRET = 'hostile-secret-9b72';
export const SECRETS = [TOKEN, SECRET];

export interface Case {
  name: string;
  send: (port: number) => Promise<Reply[]>;
  /** A response without an error is right, too; nothing is stored all the same. */
  mayBeServed: boolean;
  /** Takes too long for a quick run. */
  long: boolean;
}

export interface Kind {
  name: string;
  cases: Case[];
  /** How many cases run at once. */
  atOnce: number;
}

export interface Choice {
  seed: number;
  /** How many mutations. */
  rounds: number;
  /** Files that this process and the server may open each. */
  openFiles: number;
}

/** Bytes that are sent as they are, or what bytes alone cannot do. */
type Sending = string | Buffer | ((port: number) => Promise<Reply | Reply[]>);

function toCase(name: string, sending: Sending, more: { mayBeServed?: boolean; long?: boolean } = {}): Case {
  const send = async (port: number) =>
    [typeof sending === 'function' ? await sending(port) : await exchange(port, sending)].flat();
  return { name, send, mayBeServed: false, long: false, ...more };
}

function refused(sendings: Record<string, Sending>): Case[] {
  return Object.entries(sendings).map(([name, sending]) => toCase(name, sending));
}

function served(sendings: Record<string, Sending>): Case[] {
  return Object.entries(sendings).map(([name, sending]) => toCase(name, sending, { mayBeServed: true }));
}

function long(sendings: Record<string, Sending>, mayBeServed = false): Case[] {
  return Object.entries(sendings).map(([name, sending]) => toCase(name, sending, { long: true, mayBeServed }));
}

const MIB = 1024 * 1024;
const EDGES = '/edges/https';
const SOURCES = '/event_subscriptions/hostile/sources';
const HEADERS = `Host: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n`;
const JSON_HEADERS = `${HEADERS}Content-Type: application/json\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
/** The head of a read, without its end. */
const START = `GET ${EDGES} HTTP/1.1\r\n${HEADERS}`;
const GET = `${START}\r\n`;
/** A body that is invalid, so that nothing is stored. */
const BAD = '{"x":1}';
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

const endless = (head: string, piece: string) => (port: number) =>
  flood(port, head, Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length))), 64 * MIB);

export function kindsOf(edgePath: string, choice: Choice): Kind[] {
  const idle = Math.max(50, Math.min(10_300, choice.openFiles - 200));
  return [
    { name: 'request lines', cases: lines(), atOnce: 16 },
    { name: 'headers', cases: headers(), atOnce: 16 },
    { name: 'lengths, smuggling', cases: lengths(), atOnce: 16 },
    { name: 'chunks', cases: chunks(), atOnce: 16 },
    { name: 'pipelining', cases: pipelining(), atOnce: 2 },
    { name: 'deep and wide JSON', cases: json(edgePath), atOnce: 4 },
    { name: 'large bodies', cases: largeBodies(), atOnce: 8 },
    { name: '400 bodies of 1 MiB at once', cases: manyBodies(), atOnce: 1 },
    { name: `${choice.rounds} mutations`, cases: mutations(edgePath, choice), atOnce: 32 },
    { name: 'slow senders', cases: slow(), atOnce: 100 },
    { name: `${idle} idle connections`, cases: idling(idle), atOnce: 1 },
  ];
}

function lines(): Case[] {
  const all: Record<string, string> = {
    'no words': '\r\n\r\n\r\n',
    'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'no target': 'GET  HTTP/1.1\r\n',
    'no version': `GET ${EDGES}\r\n`,
    'an unknown method': `FETCH ${EDGES} HTTP/1.1\r\n`,
    'a method of 10,000 letters': `${'G'.repeat(10_000)} / HTTP/1.1\r\n`,
    'version 0.9': `GET ${EDGES} HTTP/0.9\r\n`,
    'version 2.0': `GET ${EDGES} HTTP/2.0\r\n`,
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a tab between words': `GET\t${EDGES} HTTP/1.1\r\n`,
    'a NUL in the target': `GET /edges/\0https HTTP/1.1\r\n`,
    'bytes beyond ASCII in the target': `GET /edges/\xff\xfe HTTP/1.1\r\n`,
    'a bare line feed': `GET ${EDGES} HTTP/1.1\n`,
    'a bare carriage return': `GET ${EDGES} HTTP/1.1\r`,
    'a target of 100,000 characters': `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n`,
    'an encoded path out of the root': 'GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n',
    'an escaped line break': 'GET /edges/https/a%0d%0aX:%20y HTTP/1.1\r\n',
    'the asterisk': 'GET * HTTP/1.1\r\n',
    CONNECT: 'CONNECT example.com:80 HTTP/1.1\r\n',
    TRACE: `TRACE ${EDGES} HTTP/1.1\r\n`,
    'a query of names of built-ins': `GET ${EDGES}?__proto__[a]=1&constructor=2&toString=3 HTTP/1.1\r\n`,
  };
  return Object.entries(all).map(([name, line]) => toCase(name, `${line}${HEADERS}\r\n`));
}

function headers(): Case[] {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a\r\n`).join('');
  const host = (value: string) => GET.replace('127.0.0.1', value);
  const token = (value: string) => `GET ${EDGES} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer${value}\r\n\r\n`;
  return [
    ...refused({
      '100,000 headers': `${START}${many(100_000)}\r\n`,
      'a header of 1 MiB': `${START}X: ${'a'.repeat(MIB)}\r\n\r\n`,
      'a name of 1 MiB': `${START}${'a'.repeat(MIB)}: a\r\n\r\n`,
      'headers without an end': endless(START, 'X-A: b\r\n'),
      'a header without an end': endless(`${START}X: `, 'a'),
      'no Host': `GET ${EDGES} HTTP/1.1\r\n\r\n`,
      'two Hosts': `${START}Host: example.com\r\n\r\n`,
      'an invalid Host': host('a b/c'),
      'a Host with an invalid port': host('a:99999'),
      'two tokens': `${START}Authorization: Bearer x\r\n\r\n`,
      'a token of 10,000 letters': token(` ${'x'.repeat(10_000)}`),
      'a token behind white space': token(`${' '.repeat(15_000)}\x7f`),
      'no name': `${START}: a\r\n\r\n`,
      'no colon': `${START}X\r\n\r\n`,
      'a folded line': `${START}X: a\r\n b\r\n\r\n`,
      'a NUL': `${START}X: a\0b\r\n\r\n`,
      'a bare carriage return': `${START}X: a\rb\r\n\r\n`,
      '3,500 media types': `${START}Accept: ${'a/b,'.repeat(3500)}x/y\r\n\r\n`,
      'incomplete media types': `${START}Accept: ${'a/b;q='.repeat(2500)}\r\n\r\n`,
    }),
    ...served({
      '1,000 headers': `${START}${many(1000)}\r\n`,
      '3,000 headers of one letter': `${START}${'a:\r\n'.repeat(3000)}\r\n`,
      'an unknown expectation': `${START}Expect: the-unexpected\r\n\r\n`,
      'an upgrade': `${START}Connection: Upgrade\r\nUpgrade: h2c, websocket\r\n\r\n`,
      'names of built-ins': `${START}__proto__: a\r\nconstructor: b\r\ntoString: c\r\n\r\n`,
    }),
  ];
}

/** Lengths of bodies that are wrong or stated in two ways: the means of request smuggling. */
function lengths(): Case[] {
  const values = [
    '99999999999',
    '9'.repeat(10_000),
    '-1',
    '+7',
    '0x7',
    '7.0',
    'seven',
    '',
    '7, 7',
    '7\r\nContent-Length: 7',
  ];
  const hiding: Record<string, string> = {
    'CL.TE': `Content-Length: ${5 + HIDDEN.length}\r\n${CHUNKED}`,
    'TE.TE, the second unknown': `${CHUNKED}Transfer-Encoding: cow\r\n`,
    xchunked: 'Transfer-Encoding: xchunked\r\n',
    identity: 'Transfer-Encoding: identity\r\n',
    'chunked before gzip': 'Transfer-Encoding: chunked, gzip\r\n',
    'a space before the colon': 'Transfer-Encoding : chunked\r\n',
    'a tab before chunked': 'Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n',
    'a vertical tab before chunked': 'Transfer-Encoding: \x0bchunked\r\nContent-Length: 5\r\n',
    'chunked in quotes': 'Transfer-Encoding: "chunked"\r\n',
    'behind a folded line': 'X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
    'behind a bare line feed': 'X: a\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n',
  };
  const twice = [7, 7 + HIDDEN.length].map((length) => `Content-Length: ${length}\r\n`);
  const chunk = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
  return [
    ...values.map((value) => toCase(`length ${value.slice(0, 20)}`, framed(`Content-Length: ${value}\r\n`, BAD))),
    ...Object.entries(hiding).map(([name, framing]) => toCase(name, framed(framing, `0\r\n\r\n${HIDDEN}`))),
    ...refused({
      'two lengths': framed(twice.join(''), BAD + HIDDEN),
      'two lengths in the other order': framed(twice.toReversed().join(''), BAD + HIDDEN),
      'TE.CL': framed(`${CHUNKED}Content-Length: 4\r\n`, chunk),
      'TE.TE, the first unknown': framed(`Transfer-Encoding: cow\r\n${CHUNKED}`, chunk),
      'chunked twice': framed('Transfer-Encoding: chunked, chunked\r\n', chunk),
      'chunked in HTTP/1.0': framed(CHUNKED, `0\r\n\r\n${HIDDEN}`).replace('HTTP/1.1', 'HTTP/1.0'),
      'less than announced': framed('Content-Length: 100\r\n', BAD),
      'more than announced': framed('Content-Length: 7\r\n', `${BAD}garbage`),
      'a body of GET': `${START}Content-Length: 7\r\n${CHUNKED}\r\n0\r\n\r\n${HIDDEN}`,
    }),
  ];
}

/** Chunked bodies that are broken, or that cost more than they carry. */
function chunks(): Case[] {
  const chunked = (body: string) => framed(CHUNKED, body);
  const whole = `7\r\n${BAD}\r\n`;
  const sizes = ['zz', '-2', '', 'fffffffffffffffff', 'ffffffffffffffff', '0x7', `${'0'.repeat(100_000)}7`, '2', 'f'];
  return [
    ...sizes.map((size) => toCase(`size ${size.slice(0, 20)}`, chunked(`${size}\r\n${BAD}\r\n0\r\n\r\n`))),
    ...refused({
      'a trailer with a token': chunked(`${whole}0\r\nAuthorization: Bearer x\r\nHost: b\r\n\r\n`),
      'a trailer that frames': chunked(`${whole}0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`),
      'a trailer of 1 MiB': chunked(`${whole}0\r\nX: ${'a'.repeat(MIB)}\r\n\r\n`),
      'trailers without an end': endless(chunked(`${whole}0\r\n`), 'X-A: b\r\n'),
      'no line break behind a chunk': chunked(`7\r\n${BAD}0\r\n\r\n`),
      'bare line feeds': chunked(`7\n${BAD}\n0\n\n`),
      'no last chunk': chunked(whole),
      'an extension of 1 MiB': chunked(`7;${'a'.repeat(MIB)}\r\n${BAD}\r\n0\r\n\r\n`),
      'an extension without an end': endless(chunked('7;'), 'a'),
      'an extension with a line feed': chunked(`7;a\nb\r\n${BAD}\r\n0\r\n\r\n`),
      'extensions on each chunk': chunked(`${`1;${'a'.repeat(100)}\r\n \r\n`.repeat(5000)}${whole}0\r\n\r\n`),
      '1 MiB in chunks of one byte': chunked(`${'1\r\n \r\n'.repeat(MIB - 7)}${whole}0\r\n\r\n`),
      'chunks of one byte without an end': endless(chunked(''), '1\r\n \r\n'),
    }),
  ];
}

/** Many requests on a connection, one behind the other, before any response is read. */
function pipelining(): Case[] {
  const bad = post(BAD).toString();
  /** Each response comes, in order. */
  const all = (requests: string[], statuses: number[]) => async (port: number) => {
    const wire = await Wire.open(port);
    wire.write(requests.join(''));
    const reply = await wire.finish(3000);
    if (reply.statuses.join() !== statuses.join())
      reply.problems.push(`${reply.statuses.length} of ${statuses.length} responses: ${reply.statuses.slice(0, 10)} …`);
    return reply;
  };
  /** Nothing is read, and after a while the client leaves: that the server works on is all that can be seen. */
  const unread = (bytes: string, connections: number) => async (port: number) => {
    const one = async () => {
      const wire = await Wire.open(port);
      wire.socket.pause();
      wire.write(bytes);
      await pause(2000);
      return { ...wire.cut(), closed: true };
    };
    return Promise.all(Array.from({ length: connections }, one));
  };
  const alternating = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 200 : 400));
  return [
    ...served({
      '1,000 requests': all(Array(1000).fill(GET), Array(1000).fill(200)),
      '500 refused bodies': all(Array(500).fill(bad), Array(500).fill(400)),
      'refused and served in turn': all(
        alternating.map((status) => (status === 200 ? GET : bad)),
        alternating,
      ),
      'two requests, then garbage': all([GET, GET, 'GARBAGE\r\n\r\n'], [200, 200, 400]),
      'a request, then a bad chunk': all([GET, framed(CHUNKED, 'xx\r\n')], [200, 400]),
      'a request, then a long head': all([GET, `${START}X: ${'a'.repeat(30_000)}\r\n\r\n`], [200, 431]),
      'requests behind the last one': all([`${START}Connection: close\r\n\r\n`, GET, GET], [200]),
      '1,000 requests whose responses nobody reads': unread(GET.repeat(1000), 1),
      '20 times 5,000 requests whose responses nobody reads': unread(
        `GET /openapi.json HTTP/1.1\r\n${HEADERS}\r\n`.repeat(5000),
        20,
      ),
    }),
    // The cost of one of them must not depend on how many wait.
    ...refused({
      '60,000 small requests without a token': async (port) => {
        const wire = await Wire.open(port);
        wire.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(60_000));
        return wire.finish(3000);
      },
    }),
  ];
}

function json(edgePath: string): Case[] {
  const nested = (levels: number, open: string, inner: string, close: string) =>
    post(open.repeat(levels) + inner + close.repeat(levels));
  /** As many of them as fit into 1 MiB. */
  const wide = (open: string, one: (n: number) => string, close: string) => {
    const count = Math.floor((MIB - 100) / (one(100_000).length + 1));
    return post(`${open}${Array.from({ length: count }, (_, n) => one(n)).join()}${close}`);
  };
  const route = (more: object) =>
    post(JSON.stringify({ match_type: 'exact_path', match: ' ', ...more }), `${edgePath}/routes`);
  const agents = (expression: string) =>
    route({ user_agent_filter: { allow: Array(100).fill(expression.slice(0, 1024)) } });
  const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('');
  return refused({
    '10,000 objects': nested(10_000, '{"a":', '1', '}'),
    'lists in 1 MiB': nested(MIB / 2, '[', '', ']'),
    'objects in 1 MiB, one name twice at the bottom': nested(174_000, '{"a":', '{"b":1,"b":2}', '}'),
    'lists in 1 MiB without an end': post('['.repeat(MIB)),
    'objects in 1 MiB without an end': post('{"a":'.repeat(MIB / 5)),
    'keys in 1 MiB': wide('{', (n) => `"${n}":1`, '}'),
    'keys in a module': wide('{"tls_termination":{', (n) => `"${n}":1`, '}}'),
    'one key 100,000 times': wide('{', () => '"a":1', '}'),
    'a key of 1 MiB': post(`{"${'a'.repeat(MIB - 10)}":1}`),
    'hostports in 1 MiB': wide('{"hostports":[', (n) => `"h${n}.example:1"`, ']}'),
    'one hostport 100,000 times': wide('{"hostports":[', () => '"a.example:1"', ']}'),
    'hostports that nearly fit': wide('{"hostports":[', (n) => `"${'a'.repeat(61)}.${'a-'.repeat(90)}${n}"`, ']}'),
    'a text of surrogates': post(`{"description":"${'\\ud800'.repeat(MIB / 6 - 10)}"}`),
    'a text of backslashes': post(
      `{"description":"${'\\\\'.repeat(MIB / 2 - 40)}","description":"${'\\"'.repeat(5)}"}`,
    ),
    'repetitions for RE2': agents('a{1000}'.repeat(145)),
    'nested repetitions for RE2': agents(`${'('.repeat(150)}a${'{2})'.repeat(150)}`),
    'classes of Unicode for RE2': agents(String.raw`\pL`.repeat(340)),
    'XML entities that grow': route({
      saml: { idp_metadata: `<!DOCTYPE a [<!ENTITY a0 "b">${entities}]><EntityDescriptor>&a20;</EntityDescriptor>` },
    }),
    'deep XML': route({ saml: { idp_metadata: `<EntityDescriptor>${'<a>'.repeat(40_000)}` } }),
    'a secret in broken JSON': post(`{"client_secret":"${SECRET}`),
  });
}

/** Bodies of 64 MiB are refused by their announced length or with the first byte too many; the rest is not read. */
function largeBodies(): Case[] {
  const size = 64 * MIB;
  const length = `Content-Length: ${size}\r\n\r\n`;
  const spaces = Buffer.alloc(64 * 1024, ' ');
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), spaces, Buffer.from('\r\n')]);
  const large = (head: string, expected: number, most = size, piece = head.endsWith(length) ? spaces : chunk) => {
    return async (port: number) => {
      const reply = await flood(port, head, piece, most);
      // A reset may overtake the response.
      if (reply.statuses.length > 0 && reply.statuses[0] !== expected)
        reply.problems.push(`${reply.statuses[0]} and not ${expected}`);
      // The server may read some, and buffers of the network take several MiB more.
      if (reply.sent > (most === size ? 24 * MIB : most / 4)) reply.problems.push(`${reply.sent} bytes were taken`);
      return reply;
    };
  };
  const start = `POST ${EDGES} HTTP/1.1\r\n`;
  const chunked = `${CHUNKED}\r\n`;
  const brotli = () => brotliCompressSync(Buffer.alloc(size, ' '), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return [
    ...refused({
      announced: large(`${start}${JSON_HEADERS}${length}`, 413),
      'in chunks': large(`${start}${JSON_HEADERS}${chunked}`, 413),
      'compressed, announced': large(`${start}${JSON_HEADERS}Content-Encoding: gzip\r\n${length}`, 413),
      'compressed, in chunks': large(`${start}${JSON_HEADERS}Content-Encoding: br\r\n${chunked}`, 400),
      'without a token': large(`${start}Host: a\r\n${length}`, 401),
      'without a token, in chunks': large(`${start}Host: a\r\n${chunked}`, 401),
      'to an unknown path': large(`POST /nowhere HTTP/1.1\r\n${JSON_HEADERS}${length}`, 404),
      'of another type': large(`${start}${HEADERS}Content-Type: text/plain\r\n${length}`, 415),
      'with a method that is not allowed': large(`PUT ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}${chunked}`, 405),
      // Node skips line ends silently, so the server looks for them from time to time.
      'line ends without an end': large('\r\n', 400, 4096 * MIB, Buffer.from('\r\n'.repeat(32 * 1024))),
      '64 MiB in 64 KiB of gzip': (port) =>
        exchange(port, post(gzipSync(Buffer.alloc(size, ' ')), EDGES, 'Content-Encoding: gzip\r\n')),
      '64 MiB in 100 bytes of Brotli': (port) => exchange(port, post(brotli(), EDGES, 'Content-Encoding: br\r\n')),
      'empty blocks of deflate': post(
        Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.alloc(500_000, Buffer.from([0, 0, 0, 0xff, 0xff]))]),
        EDGES,
        'Content-Encoding: deflate\r\n',
      ),
    }),
    ...served({ 'beside a read': large(`${START}${chunked}`, 200) }),
  ];
}

/** Each body comes except its last byte, so that the server has to keep what it took of all of them. */
function manyBodies(): Case[] {
  const head = framed(`Content-Length: ${MIB}\r\n`, '');
  const body = Buffer.alloc(MIB - 1, ' ');
  const held = async (port: number) => {
    const wires = await Promise.all(Array.from({ length: 400 }, () => Wire.open(port)));
    for (const wire of wires) {
      wire.write(head);
      wire.write(body);
    }
    await pause(3000);
    const problems = wires.flatMap((wire) => wire.cut().problems).filter((one) => one !== 'response 503');
    return { statuses: [200], problems, closed: true, sent: 0 };
  };
  return served({ 'held back': held });
}

/**
 * Right requests with random changes, the same for the same seed. A change may leave a request right, and nothing may be
 * stored: so each is a read, or has more than one error.
 */
function mutations(edgePath: string, { seed, rounds }: Choice): Case[] {
  const route = {
    match_type: 'path_prefix',
    match: ' never',
    description: 'é漢😀',
    request_headers: { add: { 'X-A': 'b' }, remove: ['Server'] },
    circuit_breaker: { num_buckets: 10, error_threshold_percentage: 0.5 },
    oidc: { issuer: 'https://login.example.com', client_id: 'a', client_secret: SECRET, scopes: ['openid'] },
    user_agent_filter: { allow: ['^curl/[0-9]+'], deny: ['(?i)bot'] },
    unknown: 1,
  };
  const edge = { description: 'a', hostports: ['a.example:443', 'no port'], unknown: 1, mutual_tls: 5 };
  const originals = [
    Buffer.from(GET),
    Buffer.from(GET.replace(EDGES, `${SOURCES}?limit=5`)),
    post(JSON.stringify(edge)),
    post(JSON.stringify(route), `${edgePath}/routes`),
    post(JSON.stringify({ type: 'Not an event type', unknown: [1] }), SOURCES),
    Buffer.from(framed(CHUNKED, `7\r\n${BAD}\r\n0\r\n\r\n`)),
  ];
  const texts = [...'\0\n "\\{}[]:,%-;\t\x7f\xff', '\r\n', '%00', '__proto__', '1e999', 'null', '\xed\xa0\x80'];
  const edit = fc.record({
    how: fc.constantFrom<Edit>('flip', 'insert', 'remove', 'repeat', 'cut', 'mix', 'fill'),
    at: fc.noBias(fc.nat()),
    size: fc.integer({ min: 1, max: 16 }),
    text: fc.constantFrom(...texts).map((text) => Buffer.from(text, 'latin1')),
    other: fc.constantFrom(...originals),
  });
  const mutant = fc.tuple(fc.constantFrom(...originals), fc.array(edit, { minLength: 1, maxLength: 4 }));
  return fc.sample(mutant, { seed, numRuns: rounds }).map(([original, edits], n) => {
    const bytes = edits.reduce((before, { how, at: anywhere, size, text, other }) => {
      const at = anywhere % Math.max(1, before.length);
      const replaced = (length: number, by: Buffer) =>
        Buffer.concat([before.subarray(0, at), by, before.subarray(at + length)]);
      const result: Record<Edit, () => Buffer> = {
        flip: () => replaced(1, Buffer.from([(before[at] ?? 0) ^ (1 << (size % 8))])),
        insert: () => replaced(0, text),
        remove: () => replaced(size, Buffer.alloc(0)),
        repeat: () => replaced(0, before.subarray(at, at + size)),
        cut: () => before.subarray(0, at),
        mix: () => replaced(0, other.subarray(0, 12 * size)),
        fill: () => replaced(0, Buffer.alloc(120 * size, text)),
      };
      return result[how]();
    }, original);
    return toCase(`seed ${seed}, mutation ${n}`, bytes, { mayBeServed: true });
  });
}

type Edit = 'flip' | 'insert' | 'remove' | 'repeat' | 'cut' | 'mix' | 'fill';

/** Senders who never finish. The server checks its limits of time each second. */
function slow(): Case[] {
  const head = `${START}${'X-Slow: a\r\n'.repeat(100)}`;
  const body = framed('Content-Length: 1000\r\n', '');
  const chunked = framed(CHUNKED, '');
  /** Many connections at once, each of which sends `start`, then the bytes of `rest` one by one, over and over. */
  const slowly = (connections: number, start: string, rest: string, everyMs: number) => (port: number) => {
    const one = async () => {
      const wire = await Wire.open(port);
      wire.write(start);
      for (let n = 0; !wire.socket.destroyed && wire.socket.writable; n++) {
        wire.write(rest[n % rest.length]!);
        await Promise.race([pause(everyMs), wire.closed]);
      }
      return wire.outlast();
    };
    return Promise.all(Array.from({ length: connections }, one));
  };
  const silent = (start: string) => async (port: number) => {
    const wire = await Wire.open(port);
    wire.write(start);
    return wire.outlast();
  };
  return [
    ...refused({
      'half a head, then the end': `${START}X`,
      'half a body, then the end': `${body}{"description":"a`,
      'half a chunk, then the end': `${chunked}5\r\n{`,
      'half a compressed body, then the end': framed(
        'Content-Encoding: gzip\r\nContent-Length: 100\r\n',
        '\x1f\x8b\x08',
      ),
    }),
    ...long({
      '300 heads byte by byte': slowly(300, '', head, 100),
      '100 bodies byte by byte': slowly(100, body, ' ', 200),
      '100 bodies chunk by chunk': slowly(100, chunked, '1\r\n \r\n', 200),
      'half a head': silent(START),
      'half a body': silent(`${body}{`),
      'half a chunk': silent(`${chunked}5\r\n{`),
      nothing: silent(''),
    }),
  ];
}

/** Connections on which nothing comes: as many as the server takes, and some beyond. */
function idling(count: number): Case[] {
  const open = async (port: number, most: number, request: string) => {
    const wires: Wire[] = [];
    while (wires.length < most) {
      const group = await Promise.all(
        Array.from({ length: Math.min(200, most - wires.length) }, () => Wire.open(port)),
      );
      for (const wire of group) wire.write(request);
      wires.push(...group);
    }
    return wires;
  };
  const holding = (request: string) => async (port: number) =>
    Promise.all((await open(port, count, request)).map((wire) => wire.outlast()));
  const leaving = async (port: number) => (await open(port, 200, '')).map((wire) => ({ ...wire.cut(), closed: true }));
  return [
    ...long({ 'none of them sends a request': holding('') }),
    ...long({ 'each of them after a request': holding(GET) }, true),
    ...served({ '200 connections that are cut at once': leaving }),
  ];
}
