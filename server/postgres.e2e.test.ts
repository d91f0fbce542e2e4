/** Several servers, as processes, on one PostgreSQL database. */
import { expect, onTestFinished, test } from 'vitest';
import { send } from './testing/send.ts';
import { type ServerProcess, startServer } from '../tools/reference-server.ts';
import { describeWithPostgres } from './testing/with-postgres.ts';

const SOURCES = '/event_subscriptions/sub_1/sources';

describeWithPostgres('servers on one database', (database) => {
  async function start(url: string): Promise<ServerProcess> {
    const server = await startServer({ args: [], env: { DATABASE_URL: url, DATA_DIR: '' } });
    onTestFinished(() => void server.child.kill('SIGKILL'));
    return server;
  }

  test('see the same data, and one of 64 racing adds wins', async () => {
    const url = await database().createDatabase();
    const servers = await Promise.all([start(url), start(url)]);
    const add = (n: number) => send(servers[n % 2]!.url, { method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    const statuses = (await Promise.all(Array.from({ length: 64 }, (_, n) => add(n)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 63 }, () => 409)]);
    for (const { url: base } of servers) expect((await send(base, { path: SOURCES })).json.sources).toHaveLength(1);
    expect(await servers[0].end('SIGTERM')).toBe(0);
  });

  test('return 503 while it is away and serve again when it is back, and tell nobody its password', async () => {
    const url = await database().createDatabase();
    const server = await start(url);
    const made = await send(server.url, { method: 'POST', path: '/edges/https', body: {} });
    await database().kill();
    for (const [method, path] of [
      ['GET', made.json.uri.slice(server.url.length)],
      ['POST', '/edges/https'],
      ['GET', '/edges/https'],
    ] as const) {
      const { status, headers, json } = await send(server.url, {
        method,
        path,
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect([status, json.code, headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
    }
    expect((await send(server.url, { path: '/readyz' })).status).toBe(503);
    expect((await send(server.url, { path: '/livez' })).status).toBe(200);
    await database().restart();
    expect((await send(server.url, { path: '/readyz' })).status).toBe(200);
    expect((await send(server.url, { path: made.json.uri.slice(server.url.length) })).json).toEqual(made.json);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.stderr()).toContain(`Data  ${url.replace('edge:hush@', '')}\n`);
    expect(server.stdout()).toContain('the storage does not answer');
    expect(server.stdout() + server.stderr()).not.toContain('hush');
  });

  test('end at the start with one line when it is away', async () => {
    const url = 'postgres://edge:hush@127.0.0.1:1/x';
    const message =
      'the server ended with 1: edge-server: the database postgres://127.0.0.1:1/x cannot be used: ECONNREFUSED';
    await expect(start(url)).rejects.toThrow(new Error(message));
  });
});
