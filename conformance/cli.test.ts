/** The command as its users see it: options, exit codes, and one line that says what to do. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { folderWith, only, suite } from './command/suite.ts';
import { createIndependentService } from './self/independent/index.ts';
import { coreService, implementation, wrongDescription } from './command/services.ts';

const NOWHERE = 'http://127.0.0.1:9';
/** A few requirements that are quick to try. */
const FEW = ['--only', 'getEdge.200', '--runs', '2'];

describe('without a run', () => {
  it.each([
    ['none.yaml', /^edge-conformance: --contract none\.yaml: cannot read the contract/],
    ['package.json', /^edge-conformance: --contract package\.json: the contract .* is not an OpenAPI document/],
  ])('says why the contract %s cannot be used', async (file, message) => {
    const { code, stderr } = await suite(['http://127.0.0.1:1', '--contract', file]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('refuses options that only this API gives a meaning', async () => {
    const contract = 'conformance/self/contracts/tasks/openapi.yaml';
    const { code, stderr } = await suite(['http://127.0.0.1:1', '--contract', contract, '--event-type', 'a.v0']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--event-type has a meaning for the contract of this/)]);
  });

  it('explains every option', async () => {
    const { code, stdout, stderr } = await suite(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const options = `
      contract level origin token read-only-token header subscription-id event-type hostport-domain certificate-authority-id
      seed runs only skip list bail concurrency timeout-ms rate report format replay known-failures config help version
    `.trim();
    for (const option of options.split(/\s+/)) expect(stdout).toMatch(new RegExp(`^  --${option}( .+)?$`, 'm'));
    expect(stdout.match(/^ {2}--/gm)).toHaveLength(options.split(/\s+/).length);
    expect(stdout).toContain('Exit codes: 0 conformant, 1 not conformant, 2 no verdict.');
  });

  it('names its version and that of the contract', async () => {
    const { code, stdout } = await suite(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S+ \d+\.\d+\.\d+, contract \d+\.\d+\.\d+\n$/);
  });

  it('lists every requirement and sends nothing', async () => {
    await using service = await implementation();
    const { code, stdout } = await suite(['--list', service.url]);
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'));
    expect(rows.length).toBeGreaterThan(150);
    for (const [id, level, origin, clause, file, sentence, ...more] of rows) {
      expect(more).toEqual([]);
      expect(id).toMatch(/^\w+\.\S+$/);
      expect(level).toMatch(/^(core|extended)$/);
      expect(origin).toMatch(/^(source( §[\d.]+)?|D\d\d)$/);
      expect(clause).toMatch(/^openapi\.yaml:\d+$/);
      expect(file).toMatch(/^(engine|api)\/\S+\.ts$/);
      expect(sentence).toMatch(/\.$/);
    }
    expect(service.requests).toEqual([]);
  });

  it('lists without a URL, as JSON, and by level, origin and prefix', async () => {
    const { stdout } = await suite([
      '--list',
      '--format',
      'json',
      '--origin',
      'source',
      '--level',
      'core',
      '--only',
      'sources.',
    ]);
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['id', 'level', 'origin', 'clause', 'sentence', 'file']);
      expect(row).toMatchObject({
        id: expect.stringMatching(/^sources\./),
        level: 'core',
        origin: expect.stringMatching(/^source/),
        clause: { line: expect.any(Number) },
      });
    }
  });
});

describe('exit codes', () => {
  it('is 0 for a conformant service', async () => {
    await using service = await implementation();
    const { code, stdout, stderr } = await suite([
      service.url,
      '--runs',
      '3',
      ...only('edges.stable', 'sources.model'),
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^pass +sources\.model/m);
    expect(stdout).toMatch(/^Conformant\./m);
    expect(stdout).toContain('0 failed');
    expect(stdout).not.toContain('\u001b');
  });

  it('is 1 for one that is not, and shows what was expected and what came', async () => {
    await using service = await implementation(wrongDescription);
    const { code, stdout, stderr } = await suite([service.url, '--only', 'edges.read-your-write', '--seed', '1']);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('edges.read-your-write');
    for (const words of [
      'openapi.yaml:',
      'expected',
      'got',
      '"another"',
      'show it with curl',
      'run this case again',
      '--replay',
      'Exit code 1',
    ])
      expect(stdout).toContain(words);
  });

  it('is 2 for nothing that listens', async () => {
    const { code, stdout } = await suite([NOWHERE]);
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:9\/? gives no response \(the connection was refused\): is the service running there\?$/m,
    );
  });

  it('is 2 for an unknown host', async () => {
    const { code, stdout } = await suite(['http://conformance.invalid']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/gives no response \(the host is unknown\)/);
  });

  it('is 2 for a run that verified nothing', async () => {
    await using service = await implementation();
    const skipped = await suite([service.url, '--only', 'getEdge.401']);
    expect(skipped.code).toBe(2);
    expect(skipped.stdout).toMatch(/^nothing was verified/m);
    expect(skipped.stdout).toMatch(/^skip +getEdge\.401 .*needs --token/m);
    const unread = await suite([service.url, '--only', 'createEdge.403', '--only', 'getEdge.read-only-token']);
    expect(unread.code).toBe(2);
    expect(unread.stdout).toMatch(/^skip +createEdge\.403 .*needs --read-only-token/m);
    expect(unread.stdout).toMatch(/^skip +getEdge\.read-only-token .*needs --read-only-token/m);
    const disabled = await suite([service.url, '--only', 'getEdge.200', '--skip', 'getEdge=for a test']);
    expect(disabled.code).toBe(2);
    expect(disabled.stdout).toMatch(/^disabled getEdge\.200 .*\(for a test\)$/m);
  });

  it.each(['json', 'junit', 'markdown', 'html'])('is 2 with the reason on stderr in format %s', async (format) => {
    const { code, stderr } = await suite([NOWHERE, '--format', format]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^edge-conformance: .* gives no response/m);
  });
});

/**
 * Each is refused before anything is sent, with one line on stderr and nothing on stdout; `options.test.ts` has more.
 */
describe('what cannot be used', () => {
  const wrong: [string, string[], RegExp][] = [
    ['a typo with a value', [NOWHERE, '--tokn=secret-argument'], /Unknown option '--tokn'/],
    [
      'an event type that breaks the contract',
      [NOWHERE, '--event-type', 'Wrong'],
      /--event-type "Wrong" breaks the contract \(EventType/,
    ],
    [
      'a subscription that breaks it',
      [NOWHERE, '--subscription-id', 'a b'],
      /--subscription-id "a b" breaks the contract/,
    ],
    [
      'a certificate authority that breaks it',
      [NOWHERE, '--certificate-authority-id', ''],
      /--certificate-authority-id "" breaks the contract/,
    ],
    ['a domain that breaks it', [NOWHERE, '--hostport-domain', 'a b'], /--hostport-domain "a b" breaks the contract/],
    [
      'a missing list of known failures',
      [NOWHERE, '--known-failures', '/nowhere/k.json'],
      /--known-failures \/nowhere\/k\.json cannot be read/,
    ],
    ['a report where a file is', [NOWHERE, '--report', '/dev/null'], /--report \/dev\/null cannot be made/],
    ['a list filter that matches nothing', ['--list', '--only', 'nothing'], /--only nothing matches no requirement/],
  ];

  it.concurrent.each(wrong)('%s', async (_, args, line) => {
    const { code, stdout, stderr } = await suite(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^edge-conformance: .*\n$/);
    expect(stderr).toMatch(line);
    expect(stderr).not.toContain('unexpected');
    expect(stderr).not.toContain('secret-argument');
  });
});

/** Known to be useless once the requirements are known. */
describe('a filter that matches nothing', () => {
  it.each([
    [['--only', 'getEgde'], /--only getEgde matches no requirement/],
    [['--skip', 'getEgde=typo'], /--skip getEgde matches no requirement/],
    [['--only', 'getEdge', '--only', 'getEgde'], /--only getEgde matches/],
    [
      ['--origin', 'source', '--only', 'getEdge.406'],
      /--only getEdge\.406 matches no requirement of this level and origin/,
    ],
    [['--replay', 'getEdge.200'], /--replay getEdge\.200 is not the name of a case/],
    [['--replay', 'getEgde.200@0.1.0'], /--replay getEgde\.200@0\.1\.0 names no requirement/],
  ])('%j', async (args, line) => {
    await using service = await implementation();
    const { code, stderr } = await suite([service.url, ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(line);
  });
});

describe('the time', () => {
  it('of a report begins when the user began to wait', async () => {
    await using service = await implementation();
    const startedAt = Date.UTC(2020, 0, 1);
    const { stdout } = await suite([service.url, ...FEW, '--format', 'json'], { startedAt });
    const { started_at, duration_ms } = JSON.parse(stdout) as { started_at: string; duration_ms: number };
    expect(started_at).toBe('2020-01-01T00:00:00.000Z');
    expect(duration_ms).toBeGreaterThan(Date.UTC(2026, 0, 1) - startedAt);
  });
});

describe('relative paths', () => {
  it('of options start in the folder of the caller', async () => {
    await using service = await implementation();
    using folder = folderWith({ 'c.yaml': `url: ${service.url}\nlevel: core\n`, 'k.json': '[]' });
    const args = ['--config', 'c.yaml', '--known-failures', 'k.json', '--report', 'reports', ...FEW];
    const { code, stderr } = await suite(args, { cwd: folder.path });
    expect([code, stderr]).toEqual([0, '']);
    expect(existsSync(folder.file('reports/report.json'))).toBe(true);
  });
});

describe('the level', () => {
  const few = ['--only', 'edges.delete.gone', '--only', 'edges.stable', '--runs', '2'];

  it.each([
    ['what is offered, core', 'core', [], 'core', ['edges.stable']],
    ['what is offered, extended', 'extended', [], 'extended', ['edges.delete.gone', 'edges.stable']],
    ['less than what is offered', 'extended', ['--level', 'core'], 'core', ['edges.stable']],
  ] as const)('is %s', async (_, offered, args, level, checked) => {
    await using service = await implementation(createIndependentService({ level: offered }));
    const { code, stdout } = await suite([
      service.url,
      ...few.filter((__, at) => level === 'extended' || at > 1),
      ...args,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`, level ${level}, `));
    expect([...stdout.matchAll(/^pass +(\S+)/gm)].map(([, id]) => id).toSorted()).toEqual(checked);
  });

  it('fails where more is asked for than is offered', async () => {
    await using service = await implementation();
    const { code, stdout } = await suite([service.url, '--level', 'extended', ...few]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail +edges\.|^✗ edges\.delete\.gone/m);
  });

  it('leaves no edge behind where edges can be deleted', async () => {
    const inner = createIndependentService();
    await using service = await implementation(inner);
    const { code, stdout } = await suite([
      service.url,
      '--runs',
      '1',
      ...only('createEdge.body.description', 'createRoute.body.oauth.type', 'edges.race.delete'),
    ]);
    expect(stdout).not.toMatch(/Left behind/);
    expect(code).toBe(0);
    expect(
      ((await (await fetch(`${service.url}/edges/https`)).json()) as { https_edges: unknown[] }).https_edges,
    ).toEqual([]);
  });
});

describe('the URL', () => {
  it('may have a prefix and a slash at its end', async () => {
    let inner: ReturnType<typeof coreService> | undefined;
    await using service = await implementation((request) => {
      const prefix = '/api/v0';
      inner ??= coreService({ publicUrl: `http://${request.headers['host']}${prefix}` });
      if (!request.target.startsWith(`${prefix}/`)) return Promise.resolve({ status: 418, headers: {}, body: '' });
      return inner({ ...request, target: request.target.slice(prefix.length) });
    });
    const few = only('edges.uri', 'edges.location', 'sources.uri', 'sources.pages', 'protocol.');
    const { code, stdout } = await suite([`${service.url}/api/v0/`, '--runs', '1', ...few]);
    expect(stdout).toMatch(/^Conformant\./m);
    expect(code).toBe(0);
    expect(
      service.requests.filter(({ target: path }) => !path.startsWith('/api/v0/') || path.startsWith('/api/v0//')),
    ).toEqual([]);
  });

  it('may name an IPv6 address', async () => {
    await using service = await implementation(coreService(), '::1');
    const { code, stdout } = await suite([service.url, '--runs', '1', ...only('edges.uri', 'sources.uri')]);
    expect(stdout).toMatch(/^Conformant\./m);
    expect(code).toBe(0);
    expect(service.requests[0]?.headers['host']).toBe(new URL(service.url).host);
  });
});

describe('the config file', () => {
  it('takes the same names, in YAML and in JSON', async () => {
    await using service = await implementation(coreService({ token: 'from-the-file' }));
    const config = {
      url: service.url,
      token: 'from-the-file',
      header: ['X-Extra: 1'],
      only: 'getEdge.',
      skip: ['getEdge.406=for a test'],
      runs: 2,
      seed: 7,
      bail: true,
    };
    using folder = folderWith({
      'c.json': JSON.stringify(config),
      'c.yaml': Object.entries(config)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
        .join(''),
    });
    for (const name of ['c.json', 'c.yaml']) {
      const { code, stdout } = await suite(['--config', folder.file(name)]);
      expect(stdout).toMatch(/^disabled getEdge\.406 .*\(for a test\)$/m);
      expect(stdout).toContain('seed 7');
      expect(code).toBe(0);
    }
    expect(service.requests.every(({ headers }) => headers['x-extra'] === '1')).toBe(true);
  });

  it('gives way to the command line', async () => {
    await using service = await implementation();
    using folder = folderWith({ 'c.yaml': `url: ${NOWHERE}\nseed: 7\nonly: [nothing]\n` });
    const { code, stdout } = await suite([service.url, '--config', folder.file('c.yaml'), '--seed', '8', ...FEW]);
    expect(stdout).toContain('seed 8');
    expect(code).toBe(0);
  });
});
