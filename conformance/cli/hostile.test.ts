/**
 * No empty success: whatever a server does, the command ends after little work, with a verdict and
 * a line that helps.
 */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createIndependentService } from '../self-test/independent/index.ts';
import type { Service } from '../self-test/service.ts';
import { unavailable } from '../self-test/services/index.ts';
import {
  coreService,
  faulty,
  implementation,
  rawServer,
  withJson,
  wrongReads,
} from './testing/services.ts';
import { folderWith } from './testing/folder.ts';
import { only, reportOf, suite } from './testing/suite.ts';

const ids = [
  'getEdge.200',
  'createEdge.201',
  'createEdge.body.description',
  'edges.stable',
  'sources.listed',
];
/** One of each kind. */
const FEW = `--level core ${only(...ids, 'protocol.404')} --runs 1`;

/** Traces of an unexpected error in the output. */
const TRACES = /^\s+at .*:\d+:\d+\)?$|unexpected:|node:internal|\[object/m;

async function runAgainst(url: string, line: string, env: Record<string, string> = {}) {
  const finished = await suite(`${url} ${line}`, { env });
  expect(finished.stdout + finished.stderr).not.toMatch(TRACES);
  expect(finished.stdout).toContain(`Exit code ${finished.code}:`);
  return finished;
}

function always(status: number, body = '', type = 'application/json'): Service {
  const headers = { 'content-type': type, 'retry-after': '0', location: 'https://a.example/' };
  return () => Promise.resolve({ status, headers, body });
}

/** The core service, except for requests to which `other` responds: by their method and number. */
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
  interface Case {
    what: string;
    service: Service;
    exit: 1 | 2;
    line: RegExp;
    env?: Record<string, string>;
  }

  const BROKEN = /^\d+ findings?: /m;
  const NESTED = '['.repeat(100_000) + ']'.repeat(100_000);

  const CASES: Case[] = [
    { what: '200 without a body', service: always(200), exit: 1, line: BROKEN },
    { what: '200 and null', service: always(200, 'null'), exit: 1, line: BROKEN },
    { what: '200 and JSON that nests deeply', service: always(200, NESTED), exit: 1, line: BROKEN },
    {
      what: '401',
      service: always(401),
      exit: 2,
      line: /asks for credentials \(bearerAuth as a bearer token\), 401: give them with --token/m,
    },
    {
      what: '401 to a token',
      service: always(401),
      exit: 2,
      line: /refuses the token \(401\): check --token$/m,
      env: { CONFORMANCE_TOKEN: 'wrong' },
    },
    {
      what: '403 and why',
      service: always(403, 'User-Agent\nneeded', 'text/plain'),
      exit: 2,
      line: /returns 403 to .* tried and says User-Agent needed: give what it asks for with/,
    },
    {
      what: '404',
      service: always(404),
      exit: 2,
      line: /returns 404 to every operation that was tried: is the base URL right\?/,
    },
    {
      what: '502',
      service: always(502),
      exit: 2,
      line: /returns 502 to every operation that was tried: is the service up\?$/m,
    },
    {
      what: 'an HTML page',
      service: always(200, '<h1>Welcome</h1>', 'text/html'),
      exit: 2,
      line: /with an HTML page: is the base URL that of the/,
    },
    {
      what: 'a redirect',
      service: always(302),
      exit: 2,
      line: /leads to https:\/\/a\.example\/: aim at the service itself$/m,
    },
    {
      what: '429 for ever',
      service: always(429),
      exit: 2,
      line: /limits requests \(429\), also after waiting/,
    },
    {
      what: '429 after some',
      service: except((_, number) => number > 10, always(429)),
      exit: 2,
      line: /limits requests \(429\)[^]*Exit code 2/,
    },
    {
      what: 'nothing after some',
      service: except((_, number) => number > 60, closed),
      exit: 1,
      line: /It stopped while \S+ was tried: --only /,
    },
    {
      what: 'no writes',
      service: except((method) => method !== 'GET', closed),
      exit: 1,
      line: /closes the connection without a response[^]*^Warning: .* not stable: /m,
    },
    { what: 'a text that is made to stall a pattern', service: stalling, exit: 1, line: BROKEN },
  ];

  it.each(CASES)('$what', async ({ service, exit, line, env }) => {
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
    await using hostile = await rawServer(talk);
    // The time-out is short only if no response comes: a busy machine must not be the reason.
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
  /** The survey makes one edge, and reads it. */
  const SURVEYED = 1;
  /** The first request of a case that creates an edge is for `other`. */
  const firstPost = (other: Service, inner: Service): Service => {
    let posts = 0;
    return (request) => {
      const isCreation = request.method === 'POST' && request.target === '/edges/https';
      const isChosen = isCreation && posts++ === SURVEYED;
      return isChosen ? other(request) : inner(request);
    };
  };
  /** The request is carried out, and its response is lost. */
  const lost = (response: Service, inner: Service) =>
    firstPost((request) => inner(request).then(() => response(request)), inner);

  const KNOWN = JSON.stringify([{ id: READ, reason: 'why', expires: '2999-12-31' }]);

  it.each([
    ['', 1],
    ['--known-failures known.json', 0],
  ])('with %j, a case that passes later is flaky, and the exit code is %i', async (more, exit) => {
    using folder = folderWith({ 'known.json': KNOWN });
    const service = wrongReads((edge) => ({ ...edge, description: 'another' }), SURVEYED);
    await using served = await implementation(service);
    const line = `${served.url} ${ARGS} --only ${READ} ${more}`;
    const { code, report } = await reportOf(line, { cwd: folder.path });
    const reason = 'the same case passed 3 times when it was tried again';
    expect([code, report.requirements[0]]).toMatchObject([exit, { status: 'flaky', reason }]);
  });

  describe.each([
    { what: 'a connection that ends', response: closed, after: 'a lost connection' },
    { what: '503', response: down, after: '503' },
  ])('that creates an edge and responds with $what', ({ response, after }) => {
    const line = `${ARGS} --only edges.location`;

    it('gets its case again from the start, and the edge may be left behind', async () => {
      await using served = await implementation(lost(response, coreService()));
      const { code, stdout } = await suite(`${served.url} ${line}`);
      expect(code).toBe(0);
      expect(stdout).toContain(
        `\nSent again: 1 after ${after}, 1 case tried again from the start\n`,
      );
      expect(stdout).toMatch(/^Left behind: \d+ edges, perhaps 1 edge, since no response came$/m);
    });

    it('has its edge found and named if edges are listed', async () => {
      await using served = await implementation(lost(response, createIndependentService()));
      const { report } = await reportOf(`${served.url} ${line}`);
      expect(report.may_have_been_made).toEqual({ edges: 1 });
      const warning = /no response showed them to the suite: [\w-]+\. It left/;
      expect(report.warnings).toEqual([expect.stringMatching(warning)]);
    });
  });

  it('has nothing left behind if the request was not carried out', async () => {
    await using served = await implementation(firstPost(down, createIndependentService()));
    const { report } = await reportOf(`${served.url} ${ARGS} --only edges.location`);
    expect(report).toMatchObject({ may_have_been_made: { edges: 0 }, warnings: [] });
  });
});
