/**
 * Runs of the command: arguments give an exit code, what is printed, what is written and what is
 * sent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createIndependentService } from '../self-test/independent/index.ts';
import type { Service, ServiceRequest } from '../self-test/service.ts';
import {
  coreService,
  implementation,
  rawServer,
  wrongDescription,
  wrongReads,
} from './testing/services.ts';
import { folderWith } from './testing/folder.ts';
import { only, reportOf, suite } from './testing/suite.ts';

const READ = 'edges.read-your-write';
const known = (id: string, expires = '2999-12-31') => ({ id, reason: 'a ticket', expires });
const READ_AND_STABLE = [known(READ), known('edges.stable')];

const folder = folderWith({
  'both.json': JSON.stringify(READ_AND_STABLE),
  'one.json': JSON.stringify([known(READ)]),
  'expired.json': JSON.stringify([known(READ), known('edges.stable', '2020-01-31')]),
  'passing.json': JSON.stringify([...READ_AND_STABLE, known('edges.location')]),
  'others.json': JSON.stringify([...READ_AND_STABLE, known('getEdge.406')]),
});
afterAll(() => folder[Symbol.dispose]());

/** Both are only read, so one of each is enough. */
const correct = await implementation();
const wrong = await implementation(wrongDescription);
afterAll(() => Promise.all([correct[Symbol.asyncDispose](), wrong[Symbol.asyncDispose]()]));

/** The step `seeds` of CI tries random seeds, and prints what fails. */
const CREATE = '--runs 1 --level core --only create --seed 1';
const BROKEN = `${only(READ, 'edges.stable', 'edges.location')} --runs 5 --seed 1 --known-failures`;

describe('a run', () => {
  const runs: [line: string, code: number, ...printed: RegExp[]][] = [
    [CREATE, 0, /^\d+\/\d+ requirements, .*, 0 broken$/m, /^– needs --token.* and \d+ more$/m],
    [`${CREATE} --verbose`, 0, /^pass +createEdge\.201 +\d+ cases$/m],
    [
      '--runs 3 --only edges.stable',
      0,
      /^pass +edges\.stable +\d+ cases$/m,
      /^Conformant\./m,
      /Exit code 0/,
    ],
    ['--only getEdge.200 --runs 2 --seed 8', 0, /seed 8[^]*seed 8/],
    [
      '--only getEdge. --only edges.uri --skip "getEdge.path=why" --runs 2',
      0,
      /^disabled getEdge\.path.*why\)$/m,
    ],
    ['--only getEdge.401', 2, /^nothing was verified/m, /^skip +getEdge\.401 .*needs --token/m],
    ['--only createEdge.403', 2, /^skip +createEdge\.403 .*needs --read-only-token/m],
    [
      '--only getEdge.200 --skip "getEdge=for a test"',
      2,
      /^disabled getEdge\.200 .*\(for a test\)$/m,
    ],
    ['--skip getEgde=typo', 2, /--skip getEgde matches no requirement/],
    [
      '--origin source --only getEdge.406',
      2,
      /--only getEdge\.406 matches no requirement of level core/,
    ],
    ['--replay getEdge.200', 2, /--replay getEdge\.200 is not the name of a case/],
    ['--replay getEgde.200@0.1.0', 2, /--replay getEgde\.200@0\.1\.0 names no requirement/],
    [
      '--replay getEdge.200@99.1.0',
      2,
      /--replay names no case of getEdge\.200: copy it from a failure/,
    ],
    [
      '--level extended --only edges.delete.gone --runs 2',
      1,
      /level extended/,
      /^fail +edges\.delete\.gone/m,
    ],
  ];
  it.each(runs)('against a correct service: %s', async (line, code, ...printed) => {
    const finished = await suite(`${correct.url} ${line}`);
    for (const pattern of printed) {
      expect(finished.stdout + finished.stderr).toMatch(pattern);
    }
    expect(finished.code, finished.stdout).toBe(code);
    expect(finished.stdout).not.toMatch(/[^\P{C}\n]/u);
  });

  const failing: typeof runs = [
    [
      `--only ${READ} --seed 1`,
      1,
      /yaml:\d+[^]*expected[^]*got[^]*"another"[^]*show it with curl[^]*--replay/,
    ],
    [
      `${BROKEN} both.json`,
      0,
      /known failure until 2999-12-31: a ticket/,
      /2 broken \(2 known and excused\)/,
    ],
    [`${BROKEN} one.json`, 1, /^1 finding: The item changed by itself /m],
    [`${BROKEN} both.json --bail --concurrency 1`, 0, /^pass +edges\.location/m],
    [`${BROKEN} one.json --bail --concurrency 1`, 1, /^Requirements: 2 failed, 1 disabled$/m],
    [
      `${BROKEN} expired.json`,
      1,
      /^1 finding: .*edges\.stable is known, but expired on 2020-01-31\)$/m,
    ],
    [
      `${BROKEN} passing.json`,
      1,
      /edges\.location is listed as a known failure, but it passes: remove it$/m,
    ],
    [`${BROKEN} others.json`, 0],
  ];
  it.each(failing)('against a wrong one: %s', async (line, code, ...printed) => {
    const finished = await suite(`${wrong.url} ${line}`, { cwd: folder.path });
    for (const pattern of printed) {
      expect(finished.stdout).toMatch(pattern);
    }
    expect([finished.code, finished.stderr]).toEqual([code, '']);
  });

  const pages = {
    json: 'report.json',
    junit: 'junit.xml',
    markdown: 'report.md',
    html: 'report.html',
  };
  const files = { ...pages, sarif: 'report.sarif', har: 'failures.har' };
  it.each(Object.entries(files))(
    'writes %s to stdout as to its file, and the rest to stderr',
    async (format, file) => {
      using reports = folderWith();
      const line = `${only('edges.location', READ)} --runs 2`;
      const output = `--format ${format} --report ${reports.path}/a/b`;
      const { code, stdout, stderr } = await suite(`${wrong.url} ${line} ${output}`);
      expect([code, stdout]).toEqual([1, readFileSync(reports.file(`a/b/${file}`), 'utf8')]);
      expect(stderr).toMatch(/^pass +edges\.location/m);
      expect(readdirSync(reports.file('a/b')).toSorted()).toEqual(Object.values(files).toSorted());
      const { stderr: reason } = await suite(`http://127.0.0.1:9 --format ${format}`);
      expect(reason).toMatch(/^edge-conformance: .* gives no response/m);
    },
  );

  it('begins when the user began to wait', async () => {
    const { report } = await reportOf(`${correct.url} --only getEdge.200`, {
      startedAt: Date.UTC(2020, 0, 1),
    });
    expect(report.started_at).toBe('2020-01-01T00:00:00.000Z');
    expect(report.duration_ms).toBeGreaterThan(Date.UTC(2026, 0, 1) - Date.UTC(2020, 0, 1));
  });

  it.each([
    ['core', '', 'core'],
    ['extended', '', 'extended'],
    ['extended', '--level core', 'core'],
  ] as const)(
    'against a service that offers %s with %j is at level %s',
    async (offered, option, level) => {
      await using served = await implementation(createIndependentService({ level: offered }));
      const { report } = await reportOf(`${served.url} ${option} --only edges. --runs 1`);
      expect(report.target.level).toBe(level);
      expect(report.requirements.some(({ id }) => id === 'edges.delete.gone')).toBe(
        level === 'extended',
      );
      // A run at the core level deletes its edges, too, if the service can.
      expect(report.left_behind['edges'] === 0).toBe(offered === 'extended');
    },
  );
});

describe('the URL', () => {
  it('keeps its prefix, without the slash at its end', async () => {
    let inner: Service | undefined;
    await using served = await implementation((request) => {
      inner ??= coreService({ publicUrl: `http://${request.headers['host']}/api/v0` });
      return inner({ ...request, target: request.target.replace(/^\/api\/v0(?=\/)/, '') });
    });
    const few = only('edges.uri', 'edges.location', 'sources.uri', 'sources.pages', 'protocol.404');
    expect((await suite(`${served.url}/api/v0/ --runs 1 ${few}`)).code).toBe(0);
    expect(served.requests.filter(({ target }) => !/^\/api\/v0\/(?!\/)/.test(target))).toEqual([]);
  });

  it('may name an IPv6 address', async () => {
    const heads: string[] = [];
    await using six = await rawServer((socket) => {
      socket.once('data', (head) => heads.push(String(head)));
      socket.resume().end('HTTP/1.1 500 Wrong\r\ncontent-length: 0\r\n\r\n');
    }, '::1');
    expect((await suite(`${six.url} --only edges.uri`)).code).toBe(1);
    expect(heads[0]).toContain(`host: ${new URL(six.url).host}\r\n`);
  });
});

describe('what a run sends', () => {
  /** Ids that the service gives, and names of the run. */
  const VARYING = /(https\/|conformance-|cursor=)[^/?]+/g;
  const essence = ({ method, target, body }: ServiceRequest) => {
    return `${method} ${target.replace(VARYING, '$1')} ${body.toString('base64')}`;
  };
  const sentBy = async (line: string) => {
    await using served = await implementation();
    await suite(`${served.url} ${line} --concurrency 1 --runs 2`);
    return served.requests.map(essence);
  };

  it('is the same for the same seed, whatever else is tried', async () => {
    const first = await sentBy('--only edges.echo --seed 3');
    expect(await sentBy('--only edges.echo --seed 3')).toEqual(first);
    expect(await sentBy('--only edges.echo --seed 4')).not.toEqual(first);
    expect(await sentBy('--only edges.stable --only edges.echo --seed 3')).toEqual(
      expect.arrayContaining(first),
    );
  });

  it.each([1, 3])('is at most --concurrency %i at once', async (width) => {
    const inner = coreService();
    let now = 0;
    let most = 0;
    await using served = await implementation(async (request) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return inner(request);
    });
    await suite(`${served.url} --only getEdge. --runs 5 --concurrency ${width}`);
    expect(most).toBe(width);
  });

  it('is at most --rate requests a second', async () => {
    await using served = await implementation();
    const began = performance.now();
    await suite(`${served.url} --only getEdge.200 --runs 1 --rate 4 --level core`);
    expect(served.requests.length).toBeGreaterThan(4);
    expect(performance.now() - began).toBeGreaterThan((served.requests.length - 2) * 250);
  });
});

it('a replay fails again with the same case, and passes against a fixed service', async () => {
  let isFixed = false;
  const service = wrongReads((edge) => {
    if (isFixed) {
      return edge;
    }
    return { ...edge, hostports: edge.hostports.slice(0, 1) };
  });
  await using served = await implementation(service);
  const failureOf = async (option: string) => {
    const { report } = await reportOf(`${served.url} ${option}`);
    const [result] = report.requirements;
    const { cause, exchanges = [], replay = '' } = result?.failure ?? {};
    return { cause, replay, bodies: exchanges.map(({ request }) => request.body) };
  };
  const { cause, bodies, replay } = await failureOf(`--only ${READ} --seed 5`);
  // Minimal: two hostports and nothing else.
  expect(Object.keys(JSON.parse(bodies[0] ?? '{}'))).toEqual(['hostports']);
  const [again = ''] = /--replay \S+$/.exec(replay) ?? [];
  expect(await failureOf(again)).toMatchObject({ cause, bodies });
  isFixed = true;
  const { stdout } = await suite(`${served.url} ${again}`);
  expect(stdout).toMatch(/^pass .* 1 cases$[^]*Exit code 0/m);
});

describe('a hostile service that repeats each secret in every way that it can', () => {
  const TOKEN = 'me:tok-5f"3\'c&9<d2>';
  const READER = 'look-8a"1&e<6>';
  const PASSWORD = 'pass word-9d1';
  const BASIC = Buffer.from(`user:${PASSWORD}`).toString('base64');
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  const echo: Service = async ({ headers }) => {
    const forms = Object.values(headers).flatMap((value) => [
      value,
      encodeURIComponent(value),
      base64(value),
      value.replace(/^\w+ /, ''),
      value.split(/[=:]/)[1] ?? '',
      Buffer.from(value.slice('Basic '.length), 'base64').toString(),
    ]);
    const visible = forms.join('|').replaceAll(/[^!-~]/g, '');
    return {
      status: 400,
      headers: { 'content-type': 'application/json', 'x-echo': visible },
      body: JSON.stringify({ forms: JSON.stringify(forms) }),
    };
  };

  it('gets them, and no output has any', async () => {
    await using served = await implementation(echo);
    using reports = folderWith();
    const headers = [
      '--header X-Key:key-71b0e4a6',
      `--header "X-Basic: Basic ${BASIC}"`,
      '--header "Cookie: a=cookie-8c41f2d7; b=c"',
    ];
    const few = only(
      'createEdge.body.json',
      'edges.uri',
      'createEdge.403',
      'getEdge.read-only-token',
      // It sends the token without its last character.
      'authentication.',
    );
    const env = { CONFORMANCE_TOKEN: TOKEN, CONFORMANCE_READ_ONLY_TOKEN: READER };
    const line = `${headers.join(' ')} ${few} --runs 2 --report ${reports.path} --level core`;
    const { stdout, stderr } = await suite(`${served.url} ${line}`, { env });
    const files = readdirSync(reports.path).map((file) => readFileSync(reports.file(file), 'utf8'));
    const secrets = [
      TOKEN,
      TOKEN.slice(0, -1),
      TOKEN.slice('me:'.length),
      READER,
      BASIC,
      PASSWORD,
      'cookie-8c41f2d7',
      'key-71b0e4a6',
      encodeURIComponent(TOKEN),
      encodeURIComponent(READER),
      base64(`Bearer ${TOKEN}`),
      base64(`Bearer ${READER}`),
    ];
    for (const output of [stdout, stderr, ...files]) {
      expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
    }
    const sent = served.requests.map((request) => request.headers['authorization']);
    expect(sent).toEqual(expect.arrayContaining([`Bearer ${TOKEN}`, `Bearer ${READER}`]));
    expect(files.every((file) => file.includes('[redacted]'))).toBe(true);
  });
});

it('a terminal shows a bar with what is under way, and each cause in a line', async () => {
  const line = `${wrong.url} ${only('edges.location', READ, 'edges.defaults')} --runs 3 --seed 1`;
  const { stdout } = await suite(line, { columns: 100 });
  // Both failures have one cause.
  expect(stdout.split('1 finding')[0]!.match(/✗/g)).toHaveLength(1);
  expect(stdout).toMatch(/looking at the service[^]*0\/6 {2}0 cases {2}0 broken {2}edges\.\S+/);
  expect(stdout).toMatch(
    /✗ edges\.[\w-]+: Reading an edge shows[^]*█{24} 6\/6 [^]*expected[^]*\[32m/u,
  );
  // A terminal that does not know its size has 0 columns.
  const plain = await suite(line, { columns: 0, env: { NO_COLOR: '1' } });
  expect(plain.stdout).not.toMatch(/\[3\dm/);
  expect(plain.stdout).toMatch(/^ {4}POST http:\/\/127\.0\.0\.1:\d+\/edges\/https → 201$/m);
});
