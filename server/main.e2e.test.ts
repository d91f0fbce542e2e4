/**
 * Tests that need processes: signals, exit codes, closed pipes, and PostgreSQL. `testing/faults`
 * shows what is left after `kill -9`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from './testing/in-process.ts';
import { send } from './testing/send.ts';
import { ROOT } from '../tools/build.js';
import { SERVER_MAIN, type ServerProcess, startServer } from '../tools/reference-server.ts';
import { it } from '../tools/temporary-folder.ts';
import { describeWithPostgres } from './testing/with-postgres.ts';

const EDGES = '/edges/https';

async function start(args: string[], env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ args, env: { VALIDATE_RESPONSES: 'on', ...env } });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}

it('a data folder belongs to one process, and a start that fails ends with 1', async ({
  folder,
}) => {
  await start(['--data-dir', folder]);
  const message =
    'the server ended with 1: edge-server: ' +
    `the data folder ${folder} is held by another process`;
  await expect(start(['--data-dir', folder])).rejects.toThrow(message);
});

it('a server whose log is not read any more continues, and ends with 0', async ({ folder }) => {
  const { url, child, end } = await start(['--data-dir', folder]);
  child.stdout!.destroy();
  for (let n = 0; n < 50; n++) {
    expect((await send(url, { path: EDGES })).status).toBe(200);
  }
  expect(await end('SIGTERM')).toBe(0);
});

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

/** Ends what was started as soon as the server listens. @returns the log of the server */
async function logOfTerminated(command: string, args: string[], cwd: string): Promise<string> {
  // With a separate process group, so that the test leaves nothing behind when it fails.
  const options = { cwd, stdio: 'pipe', detached: true } as const;
  const child = spawn(command, args, options);
  onTestFinished(() => killGroup(child.pid!));
  // Both streams end with the last process that has them.
  const log = text(child.stdout);
  const untilListening = async (): Promise<void> => {
    for await (const chunk of child.stderr) {
      if (String(chunk).includes('Data ')) {
        return;
      }
    }
    throw new Error(`${command} ended before the server listened`);
  };
  await untilListening();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return await log;
}

it('npm start and npx edge-server end the server with them', async ({ folder }) => {
  const args = ['--port', '0', '--data-dir', join(folder, 'data')];
  const checkout = await logOfTerminated('npm', ['start', '--', ...args], ROOT);
  expect(checkout).toContain('"msg":"stopped"');

  const commands = join(folder, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const program = `#!/usr/bin/env node\nimport '${SERVER_MAIN}';\n`;
  writeFileSync(join(commands, 'edge-server'), program, { mode: 0o755 });
  const installed = await logOfTerminated('npx', ['edge-server', ...args], folder);
  expect(installed).toContain('"msg":"stopped"');
});

describeWithPostgres('servers on a database', (database) => {
  test('return 503 while it is away, serve again afterwards, and show no password', async () => {
    const url = await database().createDatabase();
    const server = await start([], { DATABASE_URL: url, DATA_DIR: '' });
    const { json: made } = await send(server.url, { method: 'POST', path: EDGES, body: {} });
    const read = { path: made.uri.slice(server.url.length) as string };
    const statusOf = async (path: string) => (await send(server.url, { path })).status;
    const statuses = () => Promise.all(['/readyz', '/livez', read.path, EDGES].map(statusOf));
    await database().kill();
    expect(await statuses()).toEqual([503, 200, 503, 503]);
    await database().restart();
    // On a busy machine, the first new connection can take longer than a probe waits.
    await expect.poll(statuses, { timeout: 30_000 }).toEqual([200, 200, 200, 200]);
    expect((await send(server.url, read)).json).toEqual(made);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.stderr()).toContain(`Data  ${url.replace('edge:hush@', '')}\n`);
    expect(server.stdout()).toContain('the storage does not answer');
    expect(server.stdout() + server.stderr()).not.toContain('hush');
  });

  it('export what a folder holds, live, and import it, in both directions', async ({ folder }) => {
    const url = await database().createDatabase();
    const server = await start(['--data-dir', join(folder, 'from')]);
    const description = '\u2028 \u2029 \r\n é \u{1f600} "quoted" \\';
    for (let n = 0; n < 30; n++) {
      await send(server.url, { method: 'POST', path: EDGES, body: { description } });
    }
    await send(server.url, {
      method: 'POST',
      path: '/event_subscriptions/s/sources',
      body: { type: 'a.v0' },
    });
    const out = await runMain(['export', '--data-dir', join(folder, 'from')]);
    expect((await runMain(['import', '--database-url', url], out.stdout)).stderr).toBe(
      'imported 31 records\n',
    );
    const again = await runMain(['export', '--database-url', url]);
    await runMain(['import', '--data-dir', join(folder, 'back')], again.stdout);
    expect(await runMain(['export', '--data-dir', join(folder, 'back')])).toEqual(out);
  });
});
