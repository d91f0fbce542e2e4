/** No empty success: whatever a server does, the command ends after little work, with a verdict and a line that helps. */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createIndependentService } from '../self-test/independent/index.ts';
import type { Service } from '../self-test/service.ts';
import { unavailable } from '../self-test/services/index.ts';
import {
  coreService,
  faulty,
  implementation,
  rawTarget,
  withJson,
  wrongReads,
} from './services.ts';
import { folderWith, only, reportOf, suite } from './suite.ts';

const ids = [
  'getEdge.200',
  'createEdge.201',
  'createEdge.body.description',
  'edges.stable',
  'sources.listed',
];
/** One of each kind. */
const FEW = `--level core ${only(...ids, 'protocol.404')} --runs 1`;

async function runAgainst(url: string, line: string, env: Record<string, string> = {}) {
  const finished = await suite(`${url} ${line}`, { env });
  expect(finished.stdout + finished.stderr).not.toMatch(
    /^\s+at .*:\d+:\d+\)?$|unexpected:|node:internal|\[object/m,
  );
  expect(finished.stdout).toContain(`Exit code ${finished.code}:`);
  return finished;
}

function always(status: number, body = '', type = 'application/json'): Service {
  const headers = { 'content-type': type, 'retry-after': '0', location: 'https://a.example/' };
  return () => Promise.resolve({ status, headers, body });
}

/** The core service, where it does not respond in another way to a request of that method and number. */
function except(
  isOther: (method: string, number: number) => boolean,
  other: Service,
  inner = coreService(),
): Service {
  let number = 0;
  return (request) => {
    if (isOther(request.method, number++)) {
      return other(request);
    }
    return inner(request);
  };
}
const closed: Service = () => Promise.reject(new Error('closed'));

/** `main.e2e.test.ts` has whole runs against a service that always responds with one status. */
describe('a server that responds', () => {
  const detail = 'at x ('.repeat(100_000);
  const stalling = faulty((response) => {
    if (response.status >= 400) {
      return withJson(response, (problem) => ({ ...problem, detail }));
    }
    return response;
  });
  const cases: [string, Service, number, RegExp, env?: Record<string, string>][] = [
    ['200 without a body', always(200), 1, /^\d+ broken: /m],
    ['200 and null', always(200, 'null'), 1, /^\d+ broken: /m],
    [
      '200 and JSON that nests deeply',
      always(200, '['.repeat(100_000) + ']'.repeat(100_000)),
      1,
      /^\d+ broken: /m,
    ],
    ['401', always(401), 2, /asks for credentials \(401\): give them with --token or --header$/m],
    [
      '401 to a token',
      always(401),
      2,
      /refuses the token \(401\): check --token$/m,
      { CONFORMANCE_TOKEN: 'wrong' },
    ],
    ['403', always(403), 2, /asks for credentials \(403\)/],
    [
      '404',
      always(404),
      2,
      /returns 404 to every operation that was tried: is the base URL right\?/,
    ],
    ['502', always(502), 2, /returns 502 to every operation that was tried: is the service up\?$/m],
    [
      'an HTML page',
      always(500, '<h1>Oops</h1>', 'text/html'),
      2,
      /with an HTML page: is the base URL that of the/,
    ],
    ['a redirect', always(302), 2, /leads to https:\/\/a\.example\/: aim at the service itself$/m],
    ['429 for ever', always(429), 2, /limits requests \(429\), also after waiting/],
    [
      '429 after some',
      except((_, number) => number > 10, always(429)),
      2,
      /limits requests \(429\)[^]*Exit code 2/,
    ],
    [
      'nothing after some',
      except((_, number) => number > 20, closed),
      2,
      /It stopped while \S+ was tried: --only /,
    ],
    [
      'no writes',
      except((method) => method !== 'GET', closed),
      1,
      /No response: the[^]*^Warning: .* not stable: /m,
    ],
    ['a text that is made to stall a pattern', stalling, 1, /^\d+ broken: /m],
  ];
  it.each(cases)('%s', async (_, service, exit, line, env) => {
    await using hostile = await implementation(service);
    const { code, stdout } = await runAgainst(hostile.url, FEW, env);
    expect(stdout).toMatch(line);
    expect(code).toBe(exit);
    expect(hostile.requests.length).toBeLessThan(500);
  });

  it.each([
    ['in a circle', (base: string) => `${base}?cursor=1`],
    ['for ever', (base: string, page: number) => `${base}?cursor=${page}`],
    ['to no URL of the web', () => 'mailto:a b'],
    ['elsewhere', () => 'https://elsewhere.example/'],
  ])('with a list whose pages lead %s', async (_, uri) => {
    let page = 0;
    const inner = coreService();
    const service: Service = async (request) => {
      const [path = ''] = request.target.split('?');
      const response = await inner({ ...request, target: path });
      const isList =
        request.method === 'GET' && path.endsWith('/sources') && response.status === 200;
      const next = uri(`http://${request.headers['host']}${path}`, page++);
      if (isList) {
        return withJson(response, (list) => ({ ...list, uri: next }));
      }
      return response;
    };
    await using hostile = await implementation(service);
    expect((await runAgainst(hostile.url, '--only sources.empty --runs 1')).code).toBe(1);
    expect(hostile.requests.length).toBeLessThan(4_000);
  });
});

const CLOSED = /the connection was closed without a response/;
const SILENT = /no response within 300 ms/;
const HALF = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{';
const ENDLESS = `HTTP/1.1 200 OK\r\n\r\n${'['.repeat(10_000_000)}`;
const talks: [string, (socket: Socket) => unknown, RegExp][] = [
  [
    'another protocol',
    (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    /the response is not HTTP/,
  ],
  ['nothing at all', (socket) => socket.resume(), SILENT],
  ['100 Continue for ever', (socket) => trickle(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), SILENT],
  ['closed connections', (socket) => socket.destroy(), CLOSED],
  [
    'a body that breaks off',
    (socket) => socket.resume().once('data', () => socket.end(HALF)),
    CLOSED,
  ],
  ['a body without end', (socket) => socket.resume().end(ENDLESS), /does not end after \d+ bytes/],
];
it.concurrent.each(talks)(
  'a server that does not speak HTTP as it should: %s',
  async (_, talk, line) => {
    await using hostile = await rawTarget(talk);
    // A short time-out only where no response comes, so that a busy machine is no other reason.
    const timeout = line === SILENT ? 300 : 30_000;
    const { code, stdout } = await runAgainst(hostile.url, `--timeout-ms ${timeout} --level core`);
    expect(stdout).toMatch(line);
    expect(stdout).toMatch(/gives no response \(.*\): is the service running there\?$/m);
    expect(code).toBe(2);
    expect(hostile.connections.length).toBeLessThan(7);
  },
);

/** A piece again and again, 20 ms apart. */
function trickle(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.resume().on('close', () => clearInterval(timer));
}

describe('a service that is not stable', () => {
  const ARGS = '--runs 3 --seed 1 --concurrency 1';
  const READ = 'edges.read-your-write';
  const down: Service = async (request) => unavailable(request);
  /** The first request that creates an edge is for `other`. */
  const firstPost = (other: Service, inner: Service) => {
    let left = 1;
    return except((method) => method === 'POST' && left-- > 0, other, inner);
  };
  /** It is carried out, and its response is another one. */
  const lost = (response: Service, inner: Service) =>
    firstPost((request) => inner(request).then(() => response(request)), inner);

  it('is flaky where the same case passes later, unless that is known', async () => {
    using folder = folderWith({
      'known.json': JSON.stringify([{ id: READ, reason: 'why', expires: '2999-12-31' }]),
    });
    for (const [more, exit] of [
      ['', 1] as const,
      [`--known-failures ${folder.file('known.json')}`, 0] as const,
    ]) {
      await using served = await implementation(
        wrongReads((edge) => ({ ...edge, description: 'another' }), 1),
      );
      const { code, report } = await reportOf(`${served.url} ${ARGS} --only ${READ} ${more}`);
      const reason = 'the same case passed 3 times when it was tried again';
      expect([code, report.requirements[0]]).toMatchObject([exit, { status: 'flaky', reason }]);
    }
  });

  const losses = Object.entries({ 'cut off': closed, 503: down });
  it.each(losses)(
    '%s: what must not be sent twice begins its case again, and is looked for',
    async (_, response) => {
      await using core = await implementation(lost(response, coreService()));
      const { code, stdout } = await suite(`${core.url} ${ARGS} --only edges.location`);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^Sent again: 1 after (503|a lost connection), 1 case tried again from the start$/m,
      );
      expect(stdout).toMatch(/^Left behind: \d+ edges, perhaps 1 edge, since no response came$/m);
      await using extended = await implementation(lost(response, createIndependentService()));
      const { report } = await reportOf(`${extended.url} ${ARGS} --only edges.location`);
      expect(report.may_have_been_made).toEqual({ edges: 1 });
      expect(report.warnings).toEqual([
        expect.stringMatching(/no response showed them to the suite: [\w-]+\. It left/),
      ]);
    },
  );

  it('leaves nothing behind where the request was not carried out', async () => {
    await using served = await implementation(firstPost(down, createIndependentService()));
    const { report } = await reportOf(`${served.url} ${ARGS} --only edges.location`);
    expect(report).toMatchObject({ may_have_been_made: { edges: 0 }, warnings: [] });
  });
});
