/** The command in this process: settings, start, what it says, and its end. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Running, runMain, startMain } from './testing/in-process.ts';
import { send } from './testing/send.ts';
import { it } from '../tools/temporary-folder.ts';

it.for<[RegExp, (folder: string) => Promise<string[]> | string[], string?]>([
  [/--colour/, () => ['--colour', 'red']],
  [
    /line 1 of the token file .* test token/,
    (file) => ['--token-file', file, '--test-token', 'hush'],
    'hush\n',
  ],
  [
    /\/edges\/0 must NOT have .*: "colour"/,
    (file) => ['--seed-file', file],
    '{"edges":[{"id":"e","colour":"red"}]}',
  ],
  [
    /is in use/,
    async (file) => ['--port', new URL((await startMain(['--data-dir', `${file}-2`])).url).port],
  ],
  [/not an address of this machine/, () => ['--host', '192.0.2.1', '--token', 't']],
  [/data folder .* cannot be made/, (file) => ['--data-dir', join(file, 'data')], ''],
])(
  'a start that cannot succeed ends with 1 and one line: %s',
  async ([message, args, content], { folder }) => {
    if (content !== undefined) {
      await writeFile(join(folder, 'file'), content);
    }
    const { code, stderr } = await runMain([
      '--data-dir',
      join(folder, 'data'),
      ...(await args(join(folder, 'file'))),
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).toMatch(/^edge-server: [^\n]+\n$/);
  },
);

test('--help goes to stdout', async () => {
  const { code, stdout, stderr } = await runMain(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^edge-server: .*\n\nUsage: edge-server \[options\]/);
});

test('the help of a command for the data keeps within 100 columns and has an example', async () => {
  const { stdout } = await runMain(['export', '--help']);
  expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  expect(stdout).toMatch(/\n {2}edge-server export [^\n]+\n$/);
});

test('--version names the versions of the server and of its contract', async () => {
  const { code, stdout } = await runMain(['--version']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(VERSIONS)]);
});

const VERSIONS = /^edge-server \d+\.\d+\.\d+, contract \d+\.\d+\.\d+\n$/;

it('the start prints the places of API, docs and data, and a signal ends it with 0', async ({
  folder,
}) => {
  const { url, stderr, end } = await startMain(['--data-dir', folder]);
  expect(stderr()).toBe(
    `API   ${url} (open, no token needed)\nDocs  ${url}/docs\nData  ${folder}\n`,
  );
  expect((await send(url, { path: '/readyz' })).status).toBe(200);
  const { code, stdout } = await end('SIGINT');
  expect(code).toBe(0);
  expect(messages(stdout).slice(-2)).toMatchObject([
    { msg: 'stopping', signal: 'SIGINT' },
    { msg: 'stopped' },
  ]);
  // On a new connection: one that is kept alive may be closed at this moment.
  await expect(
    send(url, { path: '/readyz', agent: new Agent({ keepAlive: false }) }),
  ).rejects.toThrow(/ECONNREFUSED/);
});

it('a seed file is loaded before the first request, and by a reset', async ({ folder }) => {
  const seed = join(folder, 'seed.json');
  const event_sources = [{ subscription_id: 's', type: 'a.v0' }];
  await writeFile(seed, JSON.stringify({ edges: [{ id: 'edghts_shop' }], event_sources }));
  const args = [
    '--data-dir',
    join(folder, 'data'),
    '--seed-file',
    seed,
    '--test-token',
    'for-tests',
  ];
  const { url } = await startMain(args);
  const edge = { path: '/edges/https/edghts_shop' };
  const changed = await send(url, { ...edge, method: 'PATCH', body: { description: 'changed' } });
  expect(changed.json.description).toBe('changed');
  const headers = { authorization: 'Bearer for-tests' };
  expect((await send(url, { method: 'POST', path: '/testing/reset', headers })).status).toBe(204);
  expect((await send(url, edge)).json.description).toBe('');
  expect((await send(url, { path: '/event_subscriptions/s/sources' })).json.sources).toHaveLength(
    1,
  );
});

it('a changed token file replaces the tokens; an invalid or missing one takes none away', async ({
  folder,
}) => {
  const tokens = join(folder, 'tokens');
  await writeFile(tokens, 'old-secret\nread-secret read-only\n', { mode: 0o644 });
  const { url, stdout, stderr } = await startMain([
    '--data-dir',
    join(folder, 'data'),
    '--token-file',
    tokens,
  ]);
  expect(stderr()).toContain('bearer token needed');
  const status = async (token: string, request: object = {}) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await send(url, { path: '/edges/https', headers, ...request })).status;
  };
  const create = { method: 'POST', body: {} };
  expect([await status('old-secret', create), await status('read-secret')]).toEqual([201, 200]);
  expect([await status('read-secret', create), await status('guess')]).toEqual([403, 401]);
  const logged = (text: string) =>
    vi.waitFor(() => expect(stdout()).toContain(text), { timeout: 60_000 });
  await logged('chmod 640 or 600');
  await writeFile(tokens, 'new-secret old-secret\n');
  await logged('the token file has changed and cannot be used');
  expect(await status('old-secret')).toBe(200);
  await rm(tokens);
  await logged('ENOENT');
  expect(await status('old-secret')).toBe(200);
  // As tools that replace secrets do it.
  await writeFile(`${tokens}.new`, 'new-secret\n');
  await rename(`${tokens}.new`, tokens);
  await logged('its tokens are those that count now');
  expect([await status('new-secret'), await status('old-secret')]).toEqual([200, 401]);
  expect(stdout() + stderr()).not.toMatch(/(old|new|read)-secret/);
});

it('the log warns of settings that can harm, and shows no secret', async ({ folder }) => {
  const secrets = ['--token', 'hush-a', '--test-token', 'hush-b'];
  const hush = await startMain(['--data-dir', join(folder, 'a'), ...secrets, '--faults']);
  const open = await startMain(['--data-dir', join(folder, 'b')], { CORS_ORIGIN: '*' });
  const behindProxy = await startMain(['--data-dir', join(folder, 'c')], {
    PUBLIC_URL: 'https://api.example.com',
  });
  const local = await startMain(['--data-dir', join(folder, 'd')], {
    PUBLIC_URL: 'http://localhost:8080/edge',
  });
  const warnings = (server: Running) =>
    messages(server.stdout()).filter(({ level }) => level === 40);
  expect(warnings(hush)).toMatchObject([
    { flags: ['--token', '--test-token'], msg: expect.stringContaining('process listings') },
    { msg: expect.stringContaining('faults are on') },
    { setting: 'test-token', short: 1, msg: expect.stringContaining('less than 16 characters') },
    { setting: 'token', short: 1 },
  ]);
  expect(hush.stdout() + hush.stderr()).not.toContain('hush');
  expect(warnings(open)).toMatchObject([{ msg: expect.stringContaining('--cors-origin is *') }]);
  expect(warnings(behindProxy)).toMatchObject([
    { publicUrl: 'https://api.example.com', msg: expect.stringContaining('no token is required') },
  ]);
  expect(local.stdout()).toBe('');
});

it('requests for the docs wait for the command that renders them', async ({ folder }) => {
  const go = join(folder, 'go');
  const command = `until [ -e '${go}' ]; do sleep 0.05; done; echo 'no contract' >&2; exit 3`;
  const { url, stdout } = await startMain([
    '--data-dir',
    join(folder, 'data'),
    '--docs-command',
    command,
  ]);
  const docs = send(url, { path: '/docs' });
  expect((await send(url, { path: '/edges/https' })).status).toBe(200);
  await writeFile(go, '');
  const { status, json } = await docs;
  expect([status, json.code]).toEqual([500, 'internal_error']);
  expect(json.detail).toContain('The log of the server');
  expect(stdout()).toContain(
    '"reason":"it ended with 3","output":"no contract","msg":"the docs cannot be rendered"',
  );
});

it('the end of the server does not wait for the docs', async ({ folder }) => {
  const { end } = await startMain(['--data-dir', folder, '--docs-command', 'sleep 3000']);
  const { code, stdout } = await end('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).not.toContain('cannot be rendered');
});

const messages = (log: string) =>
  log.match(/.+/g)!.map((line) => JSON.parse(line) as { level: number; msg: string });
