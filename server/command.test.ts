/** The command in this process: settings, start, what it says, and its end. */
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Running, runMain, startMain } from './testing/in-process.ts';
import { send } from './testing/send.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

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
      'a token file with the test token',
      async (folder: string) => {
        await writeFile(join(folder, 'tokens'), 'hush\n');
        return ['--token-file', join(folder, 'tokens'), '--test-token', 'hush'];
      },
      /line 1 of the token file \S+ is the test token/,
    ],
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
      /line 1 of the token file \S+ must be a token, optionally/,
    ],
    ['a taken port', async (folder: string) => ['--data-dir', folder, '--port', await takenPort()], /is in use/],
    [
      'a host of another machine',
      async (folder: string) => ['--data-dir', folder, '--host', '192.0.2.1', '--token', 't'],
      /not an address of this machine/,
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
    const { code, stderr } = await runMain(await args(folder));
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^edge-server: [^\n]+\n$/);
  });
});

test('--help goes to stdout', async () => {
  const { code, stdout, stderr } = await runMain(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^edge-server: .*\n\nUsage: edge-server \[options\]/);
});

test('the start says where API, docs and data are, and a signal ends it with 0', async () => {
  const folder = await temporaryFolder();
  const { url, stderr, end } = await startMain(['--data-dir', folder]);
  expect(stderr()).toBe(`API   ${url} (open, no token needed)\nDocs  ${url}/docs\nData  ${folder}\n`);
  expect((await send(url, { path: '/readyz' })).status).toBe(200);
  expect(await readdir(folder)).toContain('store.json');
  const { code, stdout } = await end('SIGINT');
  expect(code).toBe(0);
  const lines = stdout.trim().split('\n').slice(-2);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'stopping', signal: 'SIGINT' },
    { msg: 'stopped' },
  ]);
  // On a connection of its own: one that is kept alive may be closed at this moment.
  const agent = new Agent({ keepAlive: false });
  await expect(send(url, { path: '/readyz', agent })).rejects.toThrow(/ECONNREFUSED/);
});

test('a damaged document makes its own edge return 500, with a line in the log, and nothing else', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'edges'));
  await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":1}');
  await writeFile(join(folder, 'edges', '=-e.json'), '{"id":"e"');
  const { url, stdout } = await startMain(['--data-dir', folder]);
  const made = await send(url, { method: 'POST', path: '/edges/https', body: {} });
  expect(made.status).toBe(201);
  for (const method of ['GET', 'DELETE']) {
    const { status, json } = await send(url, { method, path: '/edges/https/e' });
    expect([status, json.code]).toEqual([500, 'internal_error']);
    expect(json.detail).toContain('damaged');
  }
  const listed = await send(url, { path: '/edges/https' });
  expect([listed.status, listed.json]).toMatchObject([200, { https_edges: [made.json], next_page_uri: null }]);
  const lines = stdout()
    .split('\n')
    .filter((line) => line.includes('damaged'));
  // The start looks for the newest edge, and leaves it out, too.
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toContain('the record edges/e is not a JSON document');
  expect(await readFile(join(folder, 'version-1', 'edges', '=-e.json'), 'utf8')).toBe('{"id":"e"');
});

test('a seed file is there from the first request on, and what became of it stays', async () => {
  const folder = await temporaryFolder();
  const seed = join(folder, 'seed.json');
  await writeFile(
    seed,
    JSON.stringify({ edges: [{ id: 'edghts_shop' }], event_sources: [{ subscription_id: 's', type: 'a.v0' }] }),
  );
  const args = ['--data-dir', join(folder, 'data'), '--seed-file', seed, '--test-token', 'for-tests'];
  const first = await startMain(args);
  expect((await send(first.url, { path: '/edges/https/edghts_shop' })).status).toBe(200);
  await send(first.url, { method: 'PATCH', path: '/edges/https/edghts_shop', body: { description: 'changed' } });
  await first.end('SIGTERM');
  const { url } = await startMain(args);
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
  const { url, stdout, stderr } = await startMain(['--data-dir', join(folder, 'data'), '--token-file', tokens]);
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
  await writeFile(tokens, 'new-secret old-secret\n');
  await told('the token file has changed and cannot be used');
  expect(await status('old-secret')).toBe(200);
  await writeFile(tokens, 'new-secret\n');
  await told('its tokens are those that count now');
  expect([await status('new-secret'), await status('old-secret')]).toEqual([200, 401]);
  expect(stdout() + stderr()).not.toMatch(/(old|new|read)-secret/);
});

test('the log warns of what is better not left as it is, and tells no secret', async () => {
  const folder = await temporaryFolder();
  const hush = await startMain([
    '--data-dir',
    join(folder, 'a'),
    '--token',
    'hush-a',
    '--test-token',
    'hush-b',
    '--faults',
  ]);
  const open = await startMain(['--data-dir', join(folder, 'b')], { CORS_ORIGIN: '*' });
  const warnings = (server: Running) =>
    server
      .stdout()
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { level: number; msg: string })
      .filter(({ level }) => level === 40);
  expect(warnings(hush)).toMatchObject([
    { flags: ['--token', '--test-token'], msg: expect.stringContaining('process listings') },
    { setting: 'test-token', short: 1, msg: expect.stringContaining('less than 16 characters') },
    { msg: expect.stringContaining('faults are on') },
    { setting: 'token', short: 1 },
  ]);
  expect(hush.stdout() + hush.stderr()).not.toContain('hush');
  expect(warnings(open)).toMatchObject([{ msg: expect.stringContaining('--cors-origin is *') }]);
});

test('requests for the docs wait for the command that renders them', async () => {
  const folder = await temporaryFolder();
  const go = join(folder, 'go');
  const command = `until [ -e '${go}' ]; do sleep 0.05; done; echo 'no contract' >&2; exit 3`;
  const { url, stdout } = await startMain(['--data-dir', join(folder, 'data'), '--docs-command', command]);
  const docs = send(url, { path: '/docs' });
  expect((await send(url, { path: '/edges/https' })).status).toBe(200);
  await writeFile(go, '');
  const { status, json } = await docs;
  expect([status, json.code, json.detail]).toEqual([
    500,
    'internal_error',
    expect.stringContaining('The log of the server'),
  ]);
  expect(stdout()).toContain('"reason":"it ended with 3","output":"no contract","msg":"the docs cannot be rendered"');
});

test('the end of the server does not wait for the docs', async () => {
  const { end } = await startMain(['--data-dir', await temporaryFolder(), '--docs-command', 'sleep 3000']);
  const { code, stdout } = await end('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).not.toContain('cannot be rendered');
});
