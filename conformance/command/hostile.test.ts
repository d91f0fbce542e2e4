/**
 * No empty success: whatever a server does, the command ends after little work, with a verdict and a line that helps.
 */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Service, ServiceResponse } from '../self/service.ts';
import { coreService, faulty, rawTarget, implementation, withJson } from './services.ts';
import { type Finished, only, suite } from './suite.ts';

function expectOrderly({ stdout, stderr }: Finished): void {
  for (const text of [stdout, stderr])
    expect(text).not.toMatch(/^\s+at .*:\d+:\d+\)?$|unexpected:|node:internal|\[object Object\]|the suite failed/m);
}

const always =
  (status: number, headers: Record<string, string> = {}, body = ''): Service =>
  () =>
    Promise.resolve({ status, headers, body });
const json = { 'content-type': 'application/json' };
/** One of each kind; whole runs against such servers are in `whole-runs.e2e.test.ts`. */
const FEW = [
  '--level',
  'core',
  ...only(
    'getEdge.200',
    'createEdge.201',
    'createEdge.body.description',
    'edges.stable',
    'sources.listed',
    'protocol.404',
  ),
];
const html = { 'content-type': 'text/html; charset=utf-8' };

describe('a server that answers everything in one way', () => {
  const cases: [string, Service, number, RegExp][] = [
    ['200 without a body', always(200), 1, /^\d+ broken: /m],
    ['204', always(204), 1, /^\d+ broken: /m],
    ['200 and {}', always(200, json, '{}'), 1, /^\d+ broken: /m],
    ['201 and {}', always(201, json, '{}'), 1, /^\d+ broken: /m],
    ['200 and null', always(200, json, 'null'), 1, /^\d+ broken: /m],
    [
      '200 and JSON that nests deeply',
      always(200, json, '['.repeat(100_000) + ']'.repeat(100_000)),
      1,
      /^\d+ broken: /m,
    ],
    ['200 and no JSON', always(200, json, '<'), 1, /^\d+ broken: /m],
    ['500', always(500), 1, /^\d+ broken: /m],
    ['401', always(401), 2, /asks for credentials \(401\): give them with --token or --header$/m],
    ['403', always(403), 2, /asks for credentials \(403\)/],
    ['404', always(404), 2, /returns 404 to every operation that was tried: is the base URL right\?/],
    ['502', always(502), 2, /returns 502 to every operation that was tried: is the service up\?$/m],
    ['503', always(503), 2, /returns 503 .*: is the service up\?$/m],
    [
      'an HTML page',
      always(200, html, '<!doctype html><title>Welcome</title>'),
      2,
      /with an HTML page: is the base URL that of the API\?$/m,
    ],
    ['an HTML page as an error', always(500, html, '<h1>Oops</h1>'), 2, /with an HTML page/],
    [
      'a redirect',
      always(302, { location: 'https://elsewhere.example/api' }),
      2,
      /leads to https:\/\/elsewhere\.example\/api: aim at the service itself$/m,
    ],
    ['429 for ever', always(429, { 'retry-after': '0' }), 2, /limits requests \(429\), also after waiting/],
  ];

  it.each(cases)('%s', async (_, service, code, line) => {
    await using hostile = await implementation(service);
    const finished = await suite([hostile.url, '--runs', '1', ...FEW]);
    expectOrderly(finished);
    expect(finished.stdout).toMatch(line);
    expect(finished.code).toBe(code);
    expect(finished.stdout).toContain(`Exit code ${code}:`);
    expect(finished.stdout).not.toMatch(/^Conformant/m);
    // One who is broken throughout shows it with little work.
    expect(hostile.requests.length).toBeLessThan(code === 2 ? 20 : 500);
  });

  it('401 with a token', async () => {
    await using hostile = await implementation(always(401));
    const { code, stdout } = await suite([hostile.url, ...FEW], { env: { CONFORMANCE_TOKEN: 'the-wrong-one' } });
    expect(stdout).toMatch(/refuses the token \(401\): check --token$/m);
    expect(code).toBe(2);
  });
});

describe('a server that does not speak HTTP as it should', () => {
  const talks: [string, (socket: Socket) => void, RegExp][] = [
    ['garbage', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), /the response is not HTTP/],
    ['binary garbage', (socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 0x28])), /the response is not HTTP/],
    ['nothing at all', (socket) => socket.resume(), /no response within 300 ms/],
    ['half a status line', (socket) => socket.resume().write('HTTP/1.1 2'), /no response within 300 ms/],
    [
      'half a body',
      (socket) => socket.resume().write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{'),
      /no response within 300 ms/,
    ],
    [
      'a body that breaks off',
      (socket) => void socket.resume().once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{')),
      /the connection was closed without a response/,
    ],
    ['100 Continue for ever', (socket) => every(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), /no response within 300 ms/],
    [
      'another protocol',
      (socket) =>
        void socket.resume().write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      /switches to another protocol/,
    ],
    ['closed connections', (socket) => void socket.destroy(), /the connection was closed without a response/],
    [
      'closed connections after the request',
      (socket) => void socket.once('data', () => socket.destroy()),
      /the connection was closed without a response/,
    ],
    [
      'headers without end',
      (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', `x-filler: ${'a'.repeat(1_000)}\r\n`),
      /the headers do not end/,
    ],
    [
      'a body without end',
      (socket) => flood(socket, 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n', '['.repeat(65_536)),
      /does not end after \d+ bytes/,
    ],
  ];

  it.concurrent.each(talks)('%s', async (_, talk, line) => {
    await using hostile = await rawTarget(talk);
    // Only where no response comes, so that a busy machine is no other reason.
    const timeoutMs = line.source.includes('300 ms') ? '300' : '30000';
    const finished = await suite([hostile.url, '--timeout-ms', timeoutMs, '--level', 'core']);
    expectOrderly(finished);
    expect(finished.stdout).toMatch(line);
    expect(finished.stdout).toMatch(/gives no response \(.*\): is the service running there\?$/m);
    expect(finished.code).toBe(2);
    // The level and the first operation are looked at, not 160 requirements.
    expect(hostile.connections.length).toBeLessThan(5);
  });
});

const writes = (method: string) => method === 'POST' || method === 'PATCH' || method === 'DELETE';

describe('a server that answers only some requests', () => {
  it('and closes the connection at writes', async () => {
    const inner = coreService();
    await using hostile = await implementation((request) =>
      writes(request.method) ? Promise.reject(new Error('closed')) : inner(request),
    );
    const finished = await suite([hostile.url, '--runs', '2', ...FEW]);
    expectOrderly(finished);
    expect(finished.code).toBe(1);
    expect(finished.stdout).toContain('No response came: the connection was closed without a response.');
  });

  it('and is gone for good after some: not checked, and the requirement is named', async () => {
    const inner = coreService();
    let left = 20;
    await using hostile = await implementation((request) =>
      left-- > 0 ? inner(request) : Promise.reject(new Error('gone')),
    );
    const finished = await suite([hostile.url, '--runs', '2', ...FEW]);
    expectOrderly(finished);
    expect(finished.code).toBe(2);
    expect(finished.stdout).toMatch(/gives no response .* It stopped while \S+ was tried: --only \S+ may show why\.$/m);
  });

  it('and limits the rate after some: not a fault', async () => {
    const inner = coreService();
    let left = 10;
    await using hostile = await implementation((request) =>
      left-- > 0 ? inner(request) : always(429, { 'retry-after': '0' })(request),
    );
    const finished = await suite([hostile.url, '--runs', '1', ...only('sources.listed', 'sources.uri')]);
    expectOrderly(finished);
    expect(finished.code).toBe(2);
    expect(finished.stdout).toMatch(/limits requests \(429\)/);
    expect(finished.stdout).toContain(' 0 failed');
  });

  it('and limits the rate now and then: waited for', async () => {
    const inner = coreService();
    const met = new Set<string>();
    await using hostile = await implementation((request) => {
      // Once for each request, so that no order of several can meet it more often than the suite waits.
      const key = `${request.method} ${request.target} ${request.body}`;
      if (met.has(key)) return inner(request);
      met.add(key);
      return always(429, { 'retry-after': '0' })(request);
    });
    const finished = await suite([hostile.url, '--runs', '1', ...only('sources.listed', 'sources.uri')]);
    expect(finished.stdout).toMatch(/^Conformant/m);
    expect(finished.code).toBe(0);
  });
});

const next = (uri: (base: string, n: number) => string): Service => {
  let n = 0;
  return faulty((response, { method, target: path, headers }) =>
    method === 'GET' && /\/sources(\?|$)/.test(path) && response.status < 300
      ? withJson(response, (list) => ({ ...list, uri: uri(`http://${headers['host']}${path.split('?', 1)[0]}`, n++) }))
      : response,
  );
};
const pageless =
  (service: Service): Service =>
  (request) =>
    service({ ...request, target: request.target.replace(/\?.*/, '') });

describe('a list without an end', () => {
  it.each([
    ['that leads in a circle', (base: string) => `${base}?cursor=1`],
    ['whose pages are always new', (base: string, n: number) => `${base}?cursor=${n}`],
    ['whose next page is no URL of the web', () => 'mailto:a b'],
    ['whose next page is elsewhere', () => 'https://elsewhere.example/'],
  ])('%s', async (_, uri): Promise<void> => {
    await using hostile = await implementation(pageless(next(uri)));
    const finished = await suite([hostile.url, ...only('sources.empty'), '--runs', '1']);
    expectOrderly(finished);
    expect(finished.code).toBe(1);
    expect(hostile.requests.length).toBeLessThan(4_000);
  });
});

it('a response that is made to stall a pattern does not stall the suite', async () => {
  const detail = 'at x ('.repeat(100_000);
  const hostile = faulty((response: ServiceResponse) =>
    response.status >= 400 ? withJson(response, (problem) => ({ ...problem, detail })) : response,
  );
  await using service = await implementation(hostile);
  const finished = await suite([service.url, '--only', 'edges.unknown', '--runs', '3']);
  expectOrderly(finished);
  expect(finished.code).toBeLessThan(2);
});

/** A piece again and again, as long as the other side reads. */
function flood(socket: Socket, head: string, piece: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.resume().on('drain', more).write(head, more);
}

function every(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.resume().on('close', () => clearInterval(timer));
}
