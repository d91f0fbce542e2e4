/** Tests that need processes: signals, exit codes, closed pipes, and PostgreSQL. `testing/faults` shows what is left after `kill -9`. */
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

describeWithPostgres('servers on a database', (database) => {
  test('return 503 while it is away, serve again when it is back, and show its password to nobody', async () => {
    const url = await database().createDatabase();
    const server = await start([], { DATABASE_URL: url, DATA_DIR: '' });
    const { json: made } = await send(server.url, { method: 'POST', path: EDGES, body: {} });
    const read = { path: made.uri.slice(server.url.length) as string };
    const statuses = () =>
      Promise.all(['/readyz', '/livez', read.path].map(async (path) => (await send(server.url, { path })).status));
    await database().kill();
    expect(await statuses()).toEqual([503, 200, 503]);
    await database().restart();
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await send(server.url, read)).json).toEqual(made);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.stderr()).toContain(`Data  ${url.replace('edge:hush@', '')}\n`);
    expect(server.stdout()).toContain('the storage does not answer');
    expect(server.stdout() + server.stderr()).not.toContain('hush');
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
