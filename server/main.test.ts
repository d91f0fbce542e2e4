/** The process as a user starts it: what `npm run build` made. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { send } from './testing/send.ts';
import { SERVER_MAIN, type ServerProcess, startServer } from './testing/server-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

async function start(args: string[]): Promise<ServerProcess> {
  const server = await startServer({ args });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}

async function fail(args: string[], env: Record<string, string> = {}): Promise<{ code: number; stderr: string }> {
  const child = spawn(process.execPath, [SERVER_MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stderr };
}

async function takenPort(): Promise<string> {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  onTestFinished(() => void blocker.close());
  return String((blocker.address() as { port: number }).port);
}

describe('a start that cannot succeed ends with one line and a status', () => {
  test.for([
    ['an unknown flag', async () => ['--colour', 'red'], /--colour/],
    ['a bad value', async () => ['--port', 'http'], /--port must be/],
    [
      'a seed file that breaks the contract',
      async (folder: string) => {
        await writeFile(join(folder, 'seed.json'), '{"edges":[{"id":"e","colour":"red"}]}');
        return ['--data-dir', join(folder, 'data'), '--seed-file', join(folder, 'seed.json')];
      },
      /seed\.json: \/edges\/0 must NOT have additional properties: "colour"/,
    ],
    [
      'a token file that is not there',
      async () => ['--token-file', '/nowhere/tokens'],
      /token file \/nowhere\/tokens cannot be read \(ENOENT\)/,
    ],
    [
      'a token file of another form',
      async (folder: string) => {
        await writeFile(join(folder, 'tokens'), 'hush hush\n');
        return ['--token-file', join(folder, 'tokens')];
      },
      /line 1 of the token file \S+ has more than a token/,
    ],
    ['a taken port', async (folder: string) => ['--data-dir', folder, '--port', await takenPort()], /is taken/],
    [
      'a host of another machine',
      async (folder: string) => ['--data-dir', folder, '--host', '192.0.2.1', '--token', 't'],
      /no address of this machine/,
    ],
    ['an open host', async (folder: string) => ['--data-dir', folder, '--host', '0.0.0.0'], /set --token-file/],
    [
      'an unwritable folder',
      async (folder: string) => {
        await writeFile(join(folder, 'file'), '');
        return ['--data-dir', join(folder, 'file', 'data')];
      },
      /data folder .* cannot be made/,
    ],
  ] as const)('%s', async ([, args, message]) => {
    const folder = await temporaryFolder();
    const { code, stderr } = await fail(await args(folder));
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^edge-server: [^\n]+\n$/);
  });

  test('a data folder that another process holds', async () => {
    const folder = await temporaryFolder();
    await start(['--data-dir', folder]);
    const { code, stderr } = await fail(['--data-dir', folder, '--port', '0']);
    expect([code, stderr]).toEqual([1, `edge-server: the data folder ${folder} is held by another process\n`]);
  });
});

test('a damaged document makes its own edge answer 500, with a line in the log, and nothing else', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'edges'));
  await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":1}');
  const file = join(folder, 'edges', '=-e.json');
  await writeFile(file, '{"id":"e"');
  const { url, stdout } = await start(['--data-dir', folder]);
  const made = await send(url, { method: 'POST', path: '/edges/https', body: {} });
  expect(made.status).toBe(201);
  for (const method of ['GET', 'DELETE']) {
    const { status, json } = await send(url, { method, path: '/edges/https/e' });
    expect([status, json.code]).toEqual([500, 'internal_error']);
    expect(json.detail).toContain('damaged');
  }
  const listed = await send(url, { path: '/edges/https' });
  expect([listed.status, listed.json]).toEqual([200, { edges: [made.json], uri: null }]);
  const lines = stdout()
    .split('\n')
    .filter((line) => line.includes('damaged'));
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toContain(file);
  expect(await readFile(file, 'utf8')).toBe('{"id":"e"');
});

test('a seed file is there from the first request on, and what became of it stays', async () => {
  const folder = await temporaryFolder();
  const seed = join(folder, 'seed.json');
  await writeFile(
    seed,
    JSON.stringify({ edges: [{ id: 'edghts_shop' }], event_sources: [{ subscription_id: 's', type: 'a.v0' }] }),
  );
  const args = ['--data-dir', join(folder, 'data'), '--seed-file', seed, '--test-token', 'for-tests'];
  const first = await start(args);
  expect((await send(first.url, { path: '/edges/https/edghts_shop' })).status).toBe(200);
  await send(first.url, { method: 'PATCH', path: '/edges/https/edghts_shop', body: { description: 'changed' } });
  await first.end('SIGTERM');
  const { url } = await start(args);
  expect((await send(url, { path: '/edges/https/edghts_shop' })).json.description).toBe('changed');
  const reset = await send(url, {
    method: 'POST',
    path: '/testing/reset',
    headers: { authorization: 'Bearer for-tests' },
  });
  expect(reset.status).toBe(204);
  expect((await send(url, { path: '/edges/https/edghts_shop' })).json.description).toBe('');
  expect((await send(url, { path: '/event_subscriptions/s/sources' })).json.sources).toHaveLength(1);
});

test('tokens of a file are replaced without a restart, and a broken file takes none away', async () => {
  const folder = await temporaryFolder();
  const tokens = join(folder, 'tokens');
  await writeFile(tokens, 'old-secret\nread-secret read-only\n', { mode: 0o644 });
  const { url, stdout, stderr } = await start(['--data-dir', join(folder, 'data'), '--token-file', tokens]);
  expect(stderr()).toContain('bearer token needed');
  const status = async (token: string, method = 'GET') =>
    (
      await send(url, {
        method,
        path: '/edges/https',
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' ? { body: {} } : {}),
      })
    ).status;
  expect([
    await status('old-secret', 'POST'),
    await status('read-secret'),
    await status('read-secret', 'POST'),
    await status('guess'),
  ]).toEqual([201, 200, 403, 401]);
  const told = (text: string) => vi.waitFor(() => expect(stdout()).toContain(text), { timeout: 60_000, interval: 50 });
  await told('chmod 640 or 600');
  // Not before the first look at it, which would find the change there already.
  await new Promise((resolve) => setTimeout(resolve, 1000));

  await writeFile(tokens, 'new-secret old-secret\n');
  await told('THE TOKEN FILE HAS CHANGED AND CANNOT BE USED');
  expect(await status('old-secret')).toBe(200);
  await writeFile(tokens, 'new-secret\n');
  await told('its tokens are those that count now');
  expect([await status('new-secret'), await status('old-secret')]).toEqual([200, 401]);
  expect(stdout() + stderr()).not.toMatch(/(old|new|read)-secret/);
});

test('the log warns of what is better not left as it is, and tells no secret', async () => {
  const folder = await temporaryFolder();
  const hush = await start([
    '--data-dir',
    join(folder, 'a'),
    '--token',
    'hush-a',
    '--test-token',
    'hush-b',
    '--faults',
  ]);
  const open = await startServer({ args: ['--data-dir', join(folder, 'b')], env: { CORS_ORIGIN: '*' } });
  onTestFinished(() => void open.child.kill('SIGKILL'));
  const warnings = (server: ServerProcess) =>
    server
      .stdout()
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { level: number; msg: string })
      .filter(({ level }) => level === 40);
  await vi.waitFor(() => expect(warnings(hush)).toHaveLength(2));
  expect(warnings(hush)).toMatchObject([
    { flags: ['--token', '--test-token'], msg: expect.stringContaining('process listings') },
    { msg: expect.stringContaining('FAULTS ARE ON') },
  ]);
  expect(hush.stdout() + hush.stderr()).not.toContain('hush');
  await vi.waitFor(() =>
    expect(warnings(open)).toMatchObject([{ msg: expect.stringContaining('--cors-origin is *') }]),
  );
});

test('the start says where API, docs and data are', async () => {
  const folder = await temporaryFolder();
  const { url } = await start(['--data-dir', folder]);
  expect((await send(url, { path: '/readyz' })).status).toBe(200);
  expect(await readdir(folder)).toContain('store.json');
});

test('what was acknowledged is there after kill -9, and nothing is half-written', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const acknowledged = new Map<string, string>();
  const sources = new Set<string>();
  for (let round = 0; round < 4; round++) {
    const { url, child } = await start(['--data-dir', folder, '--log-level', 'silent']);
    for (const [id, text] of acknowledged) {
      expect((await send(url, { path: `/edges/https/${id}` })).text.replaceAll(/http:\/\/[^/]+/g, '')).toBe(text);
    }
    for (const type of sources)
      expect((await send(url, { path: `/event_subscriptions/s/sources/${type}` })).status).toBe(200);

    const killAt = sources.size + 3 + 11 * round;
    const write = async (writer: number) => {
      for (let n = 0; ; n++) {
        try {
          const body = { description: `${round}/${writer}/${n}`, metadata: 'm'.repeat(4096) };
          const edge = await send(url, { method: 'POST', path: '/edges/https', body });
          if (edge.status === 201) acknowledged.set(edge.json.id, edge.text.replaceAll(/http:\/\/[^/]+/g, ''));
          const type = `r${round}_${writer}_${n}.v0`;
          const added = await send(url, { method: 'POST', path: '/event_subscriptions/s/sources', body: { type } });
          if (added.status === 201) sources.add(type);
          // At a moment that the writers' progress decides, not the clock: a slow machine sees as many writes.
          if (sources.size >= killAt) child.kill('SIGKILL');
        } catch {
          return; // the server is gone
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => write(n)));
    for (const name of await readdir(join(folder, 'edges'))) {
      if (name.endsWith('.json')) JSON.parse(await readFile(join(folder, 'edges', name), 'utf8'));
    }
  }
  expect(sources.size).toBeGreaterThanOrEqual(3 + 14 + 25 + 36);
  expect(acknowledged.size).toBeGreaterThanOrEqual(sources.size);
});

test('SIGTERM finishes what is in flight and exits with 0', async () => {
  const folder = await temporaryFolder();
  const { url, child, stdout } = await start(['--data-dir', folder]);
  const answers = Array.from({ length: 30 }, () => send(url, { method: 'POST', path: '/edges/https', body: {} }));
  const last = await Promise.race(answers);
  child.kill('SIGTERM');
  const outcomes = await Promise.allSettled(answers);
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  expect(last.status).toBe(201);
  const kept = await readdir(join(folder, 'edges'));
  for (const outcome of outcomes) {
    // A connection that was not yet accepted may be refused; one that was gets its answer.
    if (outcome.status === 'fulfilled') expect(kept).toContain(`=-${outcome.value.json.id}.json`);
  }
  expect(
    stdout()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
      .at(-1),
  ).toBe('stopped');
});
