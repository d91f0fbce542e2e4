/** What only a process shows: signals, exit codes, closed pipes, and what is left after `kill -9`. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { send } from './testing/send.ts';
import { type ServerProcess, startServer } from '../tools/reference-server.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

async function start(args: string[]): Promise<ServerProcess> {
  const server = await startServer({ args, env: { VALIDATE_RESPONSES: 'on' } });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}

test('a start that fails ends the process with 1, although a data folder was opened', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  onTestFinished(() => void blocker.close());
  const { port } = blocker.address() as { port: number };
  await expect(start(['--data-dir', await temporaryFolder(), '--port', String(port)])).rejects.toThrow(
    `the server ended with 1: edge-server: port ${port} of 127.0.0.1 is in use`,
  );
});

test('a data folder belongs to one process', async () => {
  const folder = await temporaryFolder();
  await start(['--data-dir', folder]);
  await expect(start(['--data-dir', folder])).rejects.toThrow(
    `the server ended with 1: edge-server: the data folder ${folder} is held by another process`,
  );
});

test('a server whose log nobody reads any more goes on, and ends with 0', async () => {
  const { url, child, end } = await start(['--data-dir', await temporaryFolder()]);
  child.stdout!.destroy();
  for (let n = 0; n < 50; n++) expect((await send(url, { path: '/edges/https' })).status).toBe(200);
  expect(await end('SIGTERM')).toBe(0);
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
  const again = await start(['--data-dir', folder]);
  for (const outcome of outcomes) {
    // A connection that was not yet accepted may be refused; one that was gets its response.
    if (outcome.status === 'fulfilled') {
      const { status } = await send(again.url, { path: `/edges/https/${outcome.value.json.id}` });
      expect(status).toBe(200);
    }
  }
  expect(
    stdout()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
      .at(-1),
  ).toBe('stopped');
});
