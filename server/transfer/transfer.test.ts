import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEdge } from '../domain/edge.ts';
import { objectIn, resolve } from '../openapi/document.ts';
import type { EdgeCreate } from '../domain/types.ts';
import { createRoute } from '../domain/route.ts';
import { openLowdbStore } from '../store/lowdb/open.ts';
import { createMemoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { edit, quiet } from '../store/store.suite.ts';
import { runMain } from '../testing/in-process.ts';
import { it, temporaryFolder } from '../../tools/temporary-folder.ts';
import { contract, serveApp } from '../testing/serve.ts';
import { recordCheck } from './check-record.ts';
import { exportLines, importLines, linesOf } from './records.ts';

const check = recordCheck(contract);

async function fill(store: Store, count: number): Promise<Store> {
  for (let n = 0; n < count; n++) {
    const id = `e${String(n).padStart(4, '0')}`;
    const sent = {
      description: `${n} \0 \u2028 \u2029 \r\n é \u{1f600} "quoted" \\`,
      metadata: '',
      hostports: [],
    };
    await store.edges.create(createEdge(sent, { id, created_at: '2026-01-15T09:30:00.000Z' }));
  }
  await store.subscriptions.create({ id: 's', types: ['a.v0', 'b.v0'] });
  return store;
}

/** A folder that no server uses. */
async function filledFolder(
  count: number,
): Promise<{ folder: string; journal: string; lines: string[] }> {
  const folder = await temporaryFolder();
  const store = await fill(await openLowdbStore(folder, quiet), count);
  const lines = await exported(store);
  await store.close();
  return { folder, journal: join(folder, 'journal-1'), lines };
}

async function exported(store: Store): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(store)) {
    lines.push(line);
  }
  return lines;
}

describe('an import', () => {
  const read = (store: Store, texts: string[], resume = false) =>
    importLines(store, linesOf(texts.map((text) => Buffer.from(text))), { resume, check });

  test('gives the same export again, whatever pieces it comes in', async () => {
    const lines = await exported(await fill(createMemoryStore(), 40));
    for (const size of [1, 7, 1000]) {
      const store = createMemoryStore();
      // Within characters, too.
      const bytes = Buffer.from(lines.join(''));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      const options = { resume: false, check };
      expect(await importLines(store, linesOf(pieces), options)).toEqual({ written: 41, same: 0 });
      expect(await exported(store)).toEqual(lines);
    }
  });

  test('refuses a store that is not empty, and continues one that broke off', async () => {
    const lines = await exported(await fill(createMemoryStore(), 70));
    const store = createMemoryStore();
    await expect(read(store, lines.slice(0, 50))).rejects.toThrow(
      /not whole: it breaks off after 50 lines/,
    );
    await expect(read(store, lines)).rejects.toThrow(/not empty/);
    expect(await read(store, lines, true)).toEqual({ written: 22, same: 49 });
    expect(await exported(store)).toEqual(lines);
  });

  test('overwrites nothing that differs', async () => {
    const lines = await exported(await fill(createMemoryStore(), 3));
    const store = createMemoryStore();
    await store.subscriptions.create({ id: 's', types: ['mine.v0'] });
    await expect(read(store, lines, true)).rejects.toThrow(
      's of subscriptions exists already and differs',
    );
    expect(await store.subscriptions.get('s')).toEqual({ id: 's', types: ['mine.v0'] });
  });

  test.for<[RegExp, (lines: string[]) => string[]]>([
    [/not whole/, () => []],
    [/line 1: this is not an export/, () => ['{"a":1}\n']],
    [/another version/, () => ['{"format":"edge-contract-export","version":2}\n']],
    [/^line 2: this is not a record of an export$/, ([head]) => [head!, '{"hush\n']],
    [
      /^line 2: this is not a record/,
      ([head]) => [head!, '{"collection":"edges","record":{"id":"../x"}}\n'],
    ],
    [/not whole/, (lines) => lines.toSpliced(1, 1)],
    [/not whole/, (lines) => [...lines.slice(0, -1), '{"end":{"edges":3,"subscri']],
    [/more after the end/, (lines) => [...lines, lines[1]!]],
  ])('is refused: %s', async ([message, change]) => {
    const lines = change(await exported(await fill(createMemoryStore(), 3)));
    await expect(read(createMemoryStore(), lines)).rejects.toThrow(message);
  });
});

describe('a record', () => {
  const edge = {
    id: 'edghts_x',
    created_at: '2026-01-15T09:30:00.000Z',
    description: '',
    metadata: '',
    hostports: [],
    mutual_tls: null,
    tls_termination: null,
    routes: [] as unknown[],
  };
  const supplies = { id: 'r', created_at: edge.created_at, signing: null };
  const sent = { match_type: 'exact_path', match: '/', description: '', metadata: '' } as const;
  const route = createRoute(sent, supplies);
  const saml = {
    enabled: true,
    options_passthrough: false,
    cookie_prefix: 'edge.',
    inactivity_timeout: 0,
    maximum_duration: 0,
    idp_metadata: '<EntityDescriptor/>',
    force_authn: false,
    allow_idp_initiated: true,
    authorized_groups: [],
    nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  };
  const withRoute = (change: object) => ({ ...edge, routes: [{ ...route, ...change }] });
  const nested = '['.repeat(100_000) + ']'.repeat(100_000);
  const linesWith = (collection: string, record: unknown): string[] => [
    '{"format":"edge-contract-export","version":1}\n',
    `${JSON.stringify({ collection, record }).replace('"nested"', nested)}\n`,
    `${JSON.stringify({ end: { edges: 0, subscriptions: 0, [collection]: 1 } })}\n`,
  ];
  const importing = (lines: string[], store = createMemoryStore()) =>
    importLines(store, linesOf([Buffer.from(lines.join(''))]), { resume: false, check });

  test('that the server could have made is imported', async () => {
    const both = withRoute({ saml, signing: { certificate_pem: 'public' } });
    for (const record of [edge, withRoute({}), both]) {
      expect(await importing(linesWith('edges', record))).toEqual({ written: 1, same: 0 });
    }
  });

  test.for<[RegExp, string, unknown]>([
    [/: the record must have required property '\w+'$/, 'edges', { id: 'edghts_x' }],
    [/: \/routes must be array/, 'edges', { ...edge, routes: null }],
    [/: \/description must be string/, 'edges', { ...edge, description: null }],
    [/: the record must NOT have .*: "colour"/, 'edges', { ...edge, colour: 'hush' }],
    [/: \/created_at must match format "date-time"/, 'edges', { ...edge, created_at: 'hush' }],
    [/: \/metadata must have at most 4096 bytes/, 'edges', { ...edge, metadata: 'é'.repeat(2049) }],
    [/: \/hostports\/0 must be `host:port`/, 'edges', { ...edge, hostports: ['hush'] }],
    [/: \/description has a lone surrogate/, 'edges', { ...edge, description: '\ud800' }],
    [
      /: \/tls_termination must have required property 'min_version'/,
      'edges',
      { ...edge, tls_termination: { enabled: true, terminate_at: 'edge' } },
    ],
    [
      /: The edge with its routes would have more than 4194304 bytes/,
      'edges',
      {
        ...edge,
        routes: Array.from({ length: 90 }, (_, n) => ({
          ...route,
          id: `r${n}`,
          match: `/${n}`,
          traffic_policy: { enabled: true, value: 'x'.repeat(65_536) },
        })),
      },
    ],
    [/: \/routes\/0 must have required property 'oidc'/, 'edges', withRoute({ oidc: undefined })],
    [/: \/routes\/0\/match must be `\/path`/, 'edges', withRoute({ match: 'hush me' })],
    [
      /: \/routes\/0\/ip_restriction must have required property 'ip_policy_ids'/,
      'edges',
      withRoute({ ip_restriction: { enabled: true } }),
    ],
    [
      /: \/routes\/0\/user_agent_filter\/deny\/0 must match format "re2"/,
      'edges',
      withRoute({ user_agent_filter: { enabled: true, allow: [], deny: ['(hush'] } }),
    ],
    [/: \/routes\/0\/signing must be a certificate/, 'edges', withRoute({ saml })],
    [/: \/routes\/1\/id occurs twice/, 'edges', { ...edge, routes: [route, route] }],
    [
      /: The edge has a route with this match_type and match already/,
      'edges',
      { ...edge, routes: [route, { ...route, id: 's' }] },
    ],
    [
      /: \/record\/types.* must be nested in at most 50/,
      'subscriptions',
      { id: 's', types: 'nested' },
    ],
    [/: \/types must NOT have fewer than 1 items/, 'subscriptions', { id: 's', types: [] }],
    [/: \/types\/0 must be a name of lower-case/, 'subscriptions', { id: 's', types: ['hush'] }],
    [
      /: \/types\/1 must come after the one before it/,
      'subscriptions',
      { id: 's', types: ['b.v0', 'a.v0'] },
    ],
  ])('is refused with its line: %s', async ([message, collection, record]) => {
    const store = createMemoryStore();
    const error = await importing(linesWith(collection, record), store).catch((one: Error) => one);
    expect(String(error)).toMatch(/^CannotTransfer: line 2: /);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toMatch(/hush|\n/);
    expect(await store.edges.count()).toBe(0);
  });

  test('of a line that has the same name twice, or is not UTF-8, is refused', async () => {
    const lines = linesWith('edges', edge);
    const twice = lines.with(
      1,
      lines[1]!.replace('"metadata":""', '"metadata":"","metadata":"hush"'),
    );
    await expect(importing(twice)).rejects.toThrow(
      'line 2: /record/metadata occurs more than once in its object',
    );
    const latin1 = Buffer.from(lines[1]!.replace('"metadata":""', '"metadata":"é"'), 'latin1');
    const parts = linesOf([Buffer.from(lines[0]!), latin1, Buffer.from(lines[2]!)]);
    await expect(importLines(createMemoryStore(), parts, { resume: false, check })).rejects.toThrow(
      'line 2: it is not UTF-8',
    );
  });

  test('that was accepted before is not lost when a later one is refused', async () => {
    const store = createMemoryStore();
    const lines = linesWith('edges', edge).with(2, linesWith('edges', { id: 'x' })[1]!);
    await expect(importing(lines, store)).rejects.toThrow(/^line 3: /);
    expect(await store.edges.count()).toBe(1);
  });
});

test('a long line is read in one pass: its pieces are joined once', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const pieces = [...Array.from({ length: 400 }, () => piece), Buffer.from('\n')];
  const concat = vi.spyOn(Buffer, 'concat');
  onTestFinished(() => concat.mockRestore());
  const found: number[] = [];
  for await (const line of linesOf(pieces)) {
    found.push(line.length);
  }
  expect(found).toEqual([400 * piece.length + 1]);
  expect(concat).toHaveBeenCalledTimes(1);
});

test('every resource of the examples of the contract is exported and imported again', async () => {
  const store = createMemoryStore();
  const { send } = await serveApp({ store });
  const create = async (path: string, body: unknown): Promise<string> => {
    const { status, json } = await send({ method: 'POST', path, body });
    expect([path, status]).toEqual([path, 201]);
    return json.id;
  };
  for (const body of examplesOf('createEdge')) {
    const id = await create('/edges/https', body);
    const upstream = (body as EdgeCreate).tls_termination?.terminate_at === 'upstream';
    const routes = upstream ? [] : [...examplesOf('createRoute'), ...ROUTES];
    for (const [n, route] of routes.entries()) {
      await create(`/edges/https/${id}/routes`, { ...(route as object), match: `/${n}` });
    }
  }
  await create('/event_subscriptions/s/sources', { type: 'b.v0' });
  await create('/event_subscriptions/s/sources', { type: 'a.v0' });
  const lines = await exported(store);
  const other = createMemoryStore();
  await importLines(other, linesOf([Buffer.from(lines.join(''))]), { resume: false, check });
  expect(await exported(other)).toEqual(lines);
});

/** One for each provider, and modules without what can be omitted. */
const ROUTES = [
  ...['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'].map(
    (provider) => ({ match_type: 'path_prefix', oauth: { provider: { [provider]: {} } } }),
  ),
  {
    match_type: 'path_prefix',
    ip_restriction: {},
    circuit_breaker: {},
    compression: {},
    request_headers: {},
    response_headers: {},
    webhook_verification: { provider: 'sns' },
    oidc: { issuer: 'https://id.example', client_id: 'c' },
    websocket_tcp_converter: {},
    user_agent_filter: {},
    traffic_policy: { value: '' },
  },
];

function examplesOf(id: string): unknown[] {
  const { path, method } = contract.operations.find((one) => one.id === id)!;
  const { document } = contract;
  const operation = objectIn(objectIn(objectIn(document, 'paths'), path), method);
  const body = resolve(document, operation['requestBody']);
  const examples = objectIn(objectIn(objectIn(body, 'content'), 'application/json'), 'examples');
  return Object.values(examples).map((one) => resolve(document, one)['value']);
}

describe('the command', () => {
  test('export writes a file for its owner alone, and continues it beside a server', async () => {
    const data = await temporaryFolder();
    const file = join(await temporaryFolder(), 'file');
    const store = await fill(await openLowdbStore(data, quiet), 30);
    const lines = await exported(store);
    const command = ['export', '--data-dir', data, '--file', file];
    const whole = lines.join('');
    expect(await runMain(command)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'exported 31 records\n',
    });
    expect(await readFile(file, 'utf8')).toBe(whole);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await runMain(command)).stderr).toMatch(/exists, and an export overwrites nothing/);

    for (const [there, records] of [
      [lines.slice(0, 12).join('') + lines[12]!.slice(0, 20), 20],
      [lines.slice(0, 31).join(''), 1],
      ['', 31],
    ] as const) {
      await writeFile(file, there);
      expect((await runMain([...command, '--resume'])).stderr).toBe(
        `exported ${records} records\n`,
      );
      expect(await readFile(file, 'utf8')).toBe(whole);
    }
    expect((await runMain([...command, '--resume'])).stderr).toMatch(/complete already/);
    expect((await runMain(['import', '--data-dir', data, '--file', file])).stderr).toMatch(
      /held by another process/,
    );
    await store.close();
  });

  test('export reports damaged records, and import writes them again', async () => {
    const { folder, journal, lines } = await filledFolder(3);
    await edit(journal, '"description":"1 ', '"description":"7 ');
    const { code, stdout, stderr } = await runMain(['export', '--data-dir', folder]);
    expect([code, stdout.split('\n').length]).toEqual([1, 6]);
    const message =
      /1 damaged records are not in the export: the record edges\/e0001 is damaged in .*journal-1/;
    expect(stderr).toMatch(message);
    const again = await runMain(['import', '--data-dir', folder, '--resume'], lines.join(''));
    expect(again).toEqual({
      code: 0,
      stdout: '',
      stderr: 'imported 1 records; 3 existed already\n',
    });
    expect((await runMain(['export', '--data-dir', folder])).stdout).toBe(lines.join(''));
  });

  it('export has every record, and names those that an import refuses', async ({ folder }) => {
    const store = await openLowdbStore(folder, quiet);
    await store.subscriptions.create({ id: 's', types: ['a.v0'] });
    await store.subscriptions.create({ id: 'odd', types: ['Odder.v0'] });
    await store.close();
    const { code, stdout, stderr } = await runMain(['export', '--data-dir', folder]);
    expect([code, stdout.split('\n')]).toEqual([1, expect.objectContaining({ length: 5 })]);
    expect(stderr).toMatch(
      /an import refuses 1 records .*: subscriptions\/odd: \/types\/0 must be /,
    );
  });

  test('salvage keeps what can be read, and the files before', async () => {
    const { folder, journal } = await filledFolder(3);
    await edit(journal, 'edges/e0001', 'edges/e0009');
    const refused = await runMain(['export', '--data-dir', folder]);
    expect(refused.stderr).toMatch(
      /cannot be read at byte \d+; .* edge-server salvage --data-dir /,
    );
    const { code, stderr } = await runMain(['salvage', '--data-dir', folder]);
    const kept = 'kept 3 records; the files before are in before-salvage-1';
    const note = 'of the records in what cannot be read, an older state is kept, or none';
    const unreadable = expect.stringMatching(/^journal-1: \d+ bytes at byte \d+ cannot be read$/);
    expect([code, stderr.split('\n')]).toEqual([0, [unreadable, kept, note, '']]);
    expect((await runMain(['export', '--data-dir', folder])).stdout.split('\n')).toHaveLength(6);
  });

  it('import omits the private keys of certificates that version 0.3 exported', async ({
    folder,
  }) => {
    const lines = await exported(await fill(createMemoryStore(), 1));
    const { record } = JSON.parse(lines[1]!) as { record: object };
    const withKey = (key: object) => {
      const supplies = { id: 'r', created_at: '2026-01-15T09:30:00.000Z', signing: null };
      const sent = { match_type: 'exact_path', match: '/', description: '', metadata: '' } as const;
      const signing = { certificate_pem: 'public', ...key };
      const routes = [{ ...createRoute(sent, supplies), signing }];
      return lines
        .with(1, `${JSON.stringify({ collection: 'edges', record: { ...record, routes } })}\n`)
        .join('');
    };
    expect(
      (await runMain(['import', '--data-dir', folder], withKey({ private_key_pem: 'hush' }))).code,
    ).toBe(0);
    expect(await readFile(join(folder, 'journal-1'), 'utf8')).not.toContain('hush');
    expect((await runMain(['export', '--data-dir', folder])).stdout).toBe(withKey({}));
  });

  test.for([
    [['export'], /export needs --data-dir or --database-url/],
    [['export', '--data-dir', '/nowhere/data'], /has no data of this server/],
    [['export', '--data-dir', '/nowhere', '--resume'], /needs --file/],
    [['import', '--data-dir', '/d', '--database-url', 'postgres://a/b'], /cannot be set together/],
    [
      ['import', '--data-dir', '/d', '--file', '/nowhere/file'],
      /\/nowhere\/file cannot be read \(ENOENT\)/,
    ],
    [['import', '--colour'], /--colour/],
    [['salvage'], /salvage needs --data-dir \(/],
    [['salvage', '--database-url', 'postgres://a/b'], /salvage works on a data folder/],
  ] as const)('%j is refused in one line', async ([args, message]) => {
    const { code, stderr } = await runMain([...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^edge-server: [^\n]+\n$/)]);
    expect(stderr).toMatch(message);
  });
});
