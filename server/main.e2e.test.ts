/** What only processes show: signals, exit codes, closed pipes, what is left after `kill -9`, and PostgreSQL. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { send } from './testing/send.ts';
import { SERVER_MAIN, type ServerProcess, startServer } from '../tools/reference-server.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { describeWithPostgres } from './testing/with-postgres.ts';

const EDGES = '/edges/https';
const SOURCES = '/event_subscriptions/s/sources';

async function start(args: string[], env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ args, env: { VALIDATE_RESPONSES: 'on', ...env } });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}

/** Runs a command that ends by itself. @throws Error when the exit code is not 0 */
function run(args: string[], input = ''): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DATA_DIR: '', DATABASE_URL: '' };
    const child = execFile(process.execPath, [SERVER_MAIN, ...args], { env }, (error, stdout, stderr) =>
      error ? reject(error) : resolve({ stdout, stderr }),
    );
    child.stdin!.end(input);
  });
}

/** The same for every server: without its address. */
const withoutHost = (text: string) => text.replaceAll(/http:\/\/[^/]+/g, '');

test('a data folder belongs to one process, and a start that fails ends with 1', async () => {
  const folder = await temporaryFolder();
  await start(['--data-dir', folder]);
  await expect(start(['--data-dir', folder])).rejects.toThrow(
    `the server ended with 1: edge-server: the data folder ${folder} is held by another process`,
  );
});

test('a server whose log is not read any more continues, and ends with 0', async () => {
  const { url, child, end } = await start(['--data-dir', await temporaryFolder()]);
  child.stdout!.destroy();
  for (let n = 0; n < 50; n++) expect((await send(url, { path: EDGES })).status).toBe(200);
  expect(await end('SIGTERM')).toBe(0);
});

test('what was acknowledged is there after kill -9, and nothing is half-written', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const acknowledged = new Map<string, string>();
  const sources = new Set<string>();
  for (let round = 0; round < 4; round++) {
    const { url, child } = await start(['--data-dir', folder, '--log-level', 'silent']);
    for (const [id, text] of acknowledged)
      expect(withoutHost((await send(url, { path: `${EDGES}/${id}` })).text)).toBe(text);
    for (const type of sources) expect((await send(url, { path: `${SOURCES}/${type}` })).status).toBe(200);

    const killAt = sources.size + 3 + 11 * round;
    const write = async (writer: number) => {
      for (let n = 0; ; n++) {
        const body = { description: `${round}/${writer}/${n}`, metadata: 'm'.repeat(4096) };
        const edge = await send(url, { method: 'POST', path: EDGES, body });
        if (edge.status === 201) acknowledged.set(edge.json.id, withoutHost(edge.text));
        const type = `r${round}_${writer}_${n}.v0`;
        const added = await send(url, { method: 'POST', path: SOURCES, body: { type } });
        if (added.status === 201) sources.add(type);
        // At a moment that the writers' progress decides, not the clock: a slow machine sees as many writes.
        if (sources.size >= killAt) child.kill('SIGKILL');
      }
    };
    // Each ends with an error when the server is gone.
    await Promise.allSettled(Array.from({ length: 8 }, (_, n) => write(n)));
  }
  expect(sources.size).toBeGreaterThanOrEqual(3 + 14 + 25 + 36);
  expect(acknowledged.size).toBeGreaterThanOrEqual(sources.size);
});

test('SIGTERM finishes the requests in flight and exits with 0', async () => {
  const folder = await temporaryFolder();
  const { url, child, stdout } = await start(['--data-dir', folder]);
  const answers = Array.from({ length: 30 }, () => send(url, { method: 'POST', path: EDGES, body: {} }));
  const first = await Promise.race(answers);
  child.kill('SIGTERM');
  const outcomes = await Promise.allSettled(answers);
  const [code] = (await once(child, 'exit')) as [number];
  expect([first.status, code]).toEqual([201, 0]);
  expect(stdout().trim().split('\n').at(-1)).toContain('"msg":"stopped"');
  const again = await start(['--data-dir', folder]);
  for (const outcome of outcomes) {
    // A connection that was not yet accepted may be refused; one that was gets its response.
    if (outcome.status === 'rejected') continue;
    const { status } = await send(again.url, { path: `${EDGES}/${outcome.value.json.id}` });
    expect(status).toBe(200);
  }
});

describeWithPostgres('servers on one database', (database) => {
  const startOn = (url: string) => start([], { DATABASE_URL: url, DATA_DIR: '' });

  test('see the same data, and one of 64 racing adds wins', async () => {
    const url = await database().createDatabase();
    const servers = await Promise.all([startOn(url), startOn(url)]);
    const add = (n: number) => send(servers[n % 2]!.url, { method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    const statuses = (await Promise.all(Array.from({ length: 64 }, (_, n) => add(n)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 63 }, () => 409)]);
    for (const { url: base } of servers) expect((await send(base, { path: SOURCES })).json.sources).toHaveLength(1);
    expect(await servers[0].end('SIGTERM')).toBe(0);
  });

  test('return 503 while it is away, serve again when it is back, and show its password to nobody', async () => {
    const url = await database().createDatabase();
    const server = await start([], { DATABASE_URL: url, DATA_DIR: '' });
    const create = { method: 'POST', path: EDGES, body: {} };
    const { json: made } = await send(server.url, create);
    const read = { path: made.uri.slice(server.url.length) as string };
    const status = async (path: string) => (await send(server.url, { path })).status;
    await database().kill();
    for (const request of [read, create, { path: EDGES }]) {
      const response = await send(server.url, request);
      expect([response.status, response.json.code]).toEqual([503, 'service_unavailable']);
      expect(response.headers['retry-after']).toBe('1');
    }
    expect([await status('/readyz'), await status('/livez')]).toEqual([503, 200]);
    await database().restart();
    expect(await status('/readyz')).toBe(200);
    expect((await send(server.url, read)).json).toEqual(made);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.stderr()).toContain(`Data  ${url.replace('edge:hush@', '')}\n`);
    expect(server.stdout()).toContain('the storage does not answer');
    expect(server.stdout() + server.stderr()).not.toContain('hush');
  });

  test('end at the start with one line when it is away', async () => {
    await expect(startOn('postgres://edge:hush@127.0.0.1:1/x')).rejects.toThrow(
      /^the server ended with 1: edge-server: the database postgres:\/\/127.0.0.1:1\/x cannot be used: ECONNREFUSED$/,
    );
  });

  test('export what a folder holds, live, and import it, in both directions', async () => {
    const folder = await temporaryFolder();
    const url = await database().createDatabase();
    const server = await start(['--data-dir', join(folder, 'from')]);
    const description = '\u2028 \u2029 \r\n é \u{1f600} "quoted" \\';
    for (let n = 0; n < 30; n++) await send(server.url, { method: 'POST', path: EDGES, body: { description } });
    await send(server.url, { method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    const out = await run(['export', '--data-dir', join(folder, 'from')]);
    expect((await run(['import', '--database-url', url], out.stdout)).stderr).toBe('imported 31 records\n');
    const again = await run(['export', '--database-url', url]);
    await run(['import', '--data-dir', join(folder, 'back')], again.stdout);
    expect(await run(['export', '--data-dir', join(folder, 'back')])).toEqual(out);
  });
});
