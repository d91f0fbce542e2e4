/** Through the program itself, and with PostgreSQL. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEdge } from '../domain/edge.ts';
import { openLowdbStore } from '../store/lowdb/open.ts';
import { openPostgresStore } from '../store/postgres/open.ts';
import type { Store } from '../store/store.ts';
import { BARE_EDGE } from '../testing/bare-edge.ts';
import { quiet } from '../store/store.suite.ts';
import { SERVER_MAIN } from '../../tools/reference-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { describeWithPostgres } from '../testing/with-postgres.ts';
import { exportLines } from './export.ts';

const ODD = '\0 \u2028 \u2029 \r\n é \u{1f600} "quoted" \\';

async function fill(store: Store, count: number): Promise<Store> {
  for (let n = 0; n < count; n++) {
    const id = `e${String(n).padStart(4, '0')}`;
    await store.edges.create(
      createEdge({ ...BARE_EDGE, description: `${n} ${ODD}` }, { id, created_at: '2026-01-15T09:30:00.000Z' }),
    );
  }
  await store.subscriptions.create({ id: 's', types: ['a.v0', 'b.v0'] });
  return store;
}

async function exported(store: Store): Promise<string> {
  let text = '';
  for await (const line of exportLines(store, undefined)) text += line;
  return text;
}

/** @throws Error when the exit code is not 0 */
function run(args: string[], input = ''): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DATA_DIR: '', DATABASE_URL: '' };
    const child = execFile(process.execPath, [SERVER_MAIN, ...args], { env }, (error, stdout, stderr) =>
      error ? reject(error) : resolve({ stdout, stderr }),
    );
    child.stdin!.end(input);
  });
}

test('a live folder can be exported by the program', async () => {
  const folder = await temporaryFolder();
  const store = await fill(await openLowdbStore(folder, quiet), 30);
  expect((await run(['export', '--data-dir', folder])).stdout).toBe(await exported(store));
  await store.close();
});

describeWithPostgres('between the stores', (server) => {
  test('everything arrives as it was, in both directions', async () => {
    const folder = await temporaryFolder();
    const [from, back] = [join(folder, 'from'), join(folder, 'back')];
    const url = await server().createDatabase();
    await (await fill(await openLowdbStore(from, quiet), 50)).close();

    const out = await run(['export', '--data-dir', from]);
    expect((await run(['import', '--database-url', url], out.stdout)).stderr).toBe('imported 51 records\n');
    const database = await openPostgresStore({ url, connections: 2 }, quiet);
    expect(await exported(database)).toBe(out.stdout);
    await database.close();

    const again = await run(['export', '--database-url', url]);
    await run(['import', '--data-dir', back], again.stdout);
    expect(await run(['export', '--data-dir', back])).toEqual(out);
  });
});
