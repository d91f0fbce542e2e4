import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEdge } from '../domain/edge.ts';
import { createMemoryStore } from '../store/memory.ts';
import { openLowdbStore } from '../store/lowdb/open.ts';
import { openPostgresStore } from '../store/postgres/open.ts';
import type { Store } from '../store/store.ts';
import { noTrouble } from '../store/store.suite.ts';
import { SERVER_MAIN } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { describeWithPostgres } from '../testing/with-postgres.ts';
import { exportLines } from './export.ts';
import { importLines } from './import.ts';
import { linesOf } from './lines.ts';
import { describe as describeProgress, startBar } from './progress.ts';

const ODD = '\0 \u2028 \u2029 \r\n é \u{1f600} "quoted" \\';

async function fill(store: Store, count: number): Promise<Store> {
  for (let n = 0; n < count; n++) {
    const id = `e${String(n).padStart(4, '0')}`;
    const sent = { description: `${n} ${ODD}`, metadata: '', hostports: [] };
    const edge = createEdge(sent, { id, created_at: '2026-01-15T09:30:00.000Z' });
    await store.edges.update(id, () => edge);
  }
  await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0', 'b.v0'] }));
  return store;
}

async function exported(store: Store): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(store, undefined)) lines.push(line);
  return lines;
}

const options = { resume: false, onLine: () => undefined };

async function* each(lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

describe('an import', () => {
  test('gives the same export again, whatever pieces it comes in', async () => {
    const lines = await exported(await fill(createMemoryStore(), 40));
    for (const size of [1, 7, 1000]) {
      const text = lines.join('');
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.slice(n * size, n * size + size),
      );
      const store = createMemoryStore();
      expect(await importLines(store, linesOf(each(pieces)), options)).toEqual({ written: 41, same: 0 });
      expect(await exported(store)).toEqual(lines);
    }
  });

  test('refuses a store that is not empty, and goes on with one that broke off', async () => {
    const lines = await exported(await fill(createMemoryStore(), 70));
    const store = createMemoryStore();
    await expect(importLines(store, each(lines.slice(0, 50)), options)).rejects.toThrow(
      /not whole: it breaks off after 50 lines/,
    );
    await expect(importLines(store, each(lines), options)).rejects.toThrow(/not empty/);
    expect(await importLines(store, each(lines), { ...options, resume: true })).toEqual({ written: 22, same: 49 });
    expect(await exported(store)).toEqual(lines);
  });

  test('overwrites nothing that differs', async () => {
    const lines = await exported(await fill(createMemoryStore(), 3));
    const store = createMemoryStore();
    await store.subscriptions.update('s', () => ({ id: 's', types: ['mine.v0'] }));
    await expect(importLines(store, each(lines), { ...options, resume: true })).rejects.toThrow(
      's of subscriptions is there already and differs',
    );
    expect(await store.subscriptions.get('s')).toEqual({ id: 's', types: ['mine.v0'] });
  });

  test.for([
    ['nothing', () => [], /not whole/],
    ['another file', () => ['{"a":1}\n'], /line 1: this is no export/],
    ['a newer version', () => ['{"format":"edge-contract-export","version":2}\n'], /another version/],
    [
      'a line that is not JSON',
      (lines: string[]) => [lines[0]!, '{"hush\n'],
      /^line 2: this is no record of an export$/,
    ],
    [
      'an id that is none',
      (lines: string[]) => [lines[0]!, '{"collection":"edges","record":{"id":"../x"}}\n'],
      /line 2/,
    ],
    ['a line too few', (lines: string[]) => lines.toSpliced(1, 1), /not whole/],
    [
      'a last line that is cut',
      (lines: string[]) => [...lines.slice(0, -1), '{"end":{"edges":3,"subscri'],
      /not whole/,
    ],
    ['something after the end', (lines: string[]) => [...lines, lines[1]!], /more after the end/],
  ] as const)('refuses %s in one line', async ([, make, message]) => {
    const lines = make(await exported(await fill(createMemoryStore(), 3)));
    await expect(importLines(createMemoryStore(), each([...lines]), options)).rejects.toThrow(message);
  });
});

describe('progress', () => {
  test('is a bar on a terminal and words elsewhere', () => {
    expect(describeProgress('records', 1, 4, true)).toBe(`[${'#'.repeat(8)}${'.'.repeat(22)}] 25 % (1 of 4 records)`);
    expect(describeProgress('bytes', 9, undefined, true)).toBe('9 bytes');
    const written: string[] = [];
    const stream = (isTTY: boolean) =>
      ({ isTTY, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;
    startBar(stream(true), 'records', 2).at(1);
    expect(written[0]).toBe(`\r\u001b[K[${'#'.repeat(15)}${'.'.repeat(15)}] 50 % (1 of 2 records)`);
    startBar(stream(false), 'records', 2).at(1);
    expect(written).toHaveLength(1);
  });
});

async function run(args: string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [SERVER_MAIN, ...args], {
    stdio: 'pipe',
    env: { ...process.env, DATA_DIR: '', DATABASE_URL: '' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

describe('the commands', () => {
  test('export into a file for its owner alone, once, and go on with it', async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const file = join(folder, 'file');
    const store = await fill(await openLowdbStore(data, noTrouble), 30);
    const lines = await exported(store);
    expect((await run(['export', '--data-dir', data, '--file', file])).stderr).toMatch(/held by another process/);
    await store.close();

    expect(await run(['export', '--data-dir', data, '--file', file])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'exported 31 records\n',
    });
    expect(await readFile(file, 'utf8')).toBe(lines.join(''));
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await run(['export', '--data-dir', data, '--file', file])).stderr).toMatch(
      /exists, and an export overwrites nothing/,
    );

    await writeFile(file, lines.slice(0, 12).join(''));
    await appendFile(file, lines[12]!.slice(0, 20));
    expect((await run(['export', '--data-dir', data, '--file', file, '--resume'])).stderr).toBe(
      'exported 20 records\n',
    );
    expect(await readFile(file, 'utf8')).toBe(lines.join(''));
    expect((await run(['export', '--data-dir', data, '--file', file, '--resume'])).stderr).toMatch(/complete already/);
  });

  test('tell of a damaged record that is not in the export', async () => {
    const folder = await temporaryFolder();
    await (await fill(await openLowdbStore(folder, noTrouble), 2)).close();
    await writeFile(join(folder, 'edges', '=-e0000.json'), '{');
    const { code, stdout, stderr } = await run(['export', '--data-dir', folder]);
    expect([code, stdout.split('\n').length]).toEqual([1, 5]);
    expect(stderr).toMatch(/1 damaged records are not in the export: .*=-e0000\.json/);
  });

  test.for([
    [['export'], /export needs --data-dir or --database-url/],
    [['export', '--data-dir', '/nowhere/data'], /holds no data of this server/],
    [['export', '--data-dir', '/nowhere', '--resume'], /needs --file/],
    [['import', '--data-dir', '/d', '--database-url', 'postgres://a/b'], /exclude each other/],
    [['import', '--data-dir', '/d', '--file', '/nowhere/file'], /\/nowhere\/file cannot be read \(ENOENT\)/],
    [['import', '--colour'], /--colour/],
  ] as const)('%j is refused in one line', async ([args, message]) => {
    const { code, stderr } = await run([...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^edge-server: [^\n]+\n$/)]);
    expect(stderr).toMatch(message);
  });
});

describeWithPostgres('between the stores', (server) => {
  test('everything arrives as it was, in both directions', async () => {
    const folder = await temporaryFolder();
    const [from, back] = [join(folder, 'from'), join(folder, 'back')];
    const url = await server().createDatabase();
    await (await fill(await openLowdbStore(from, noTrouble), 50)).close();

    const out = await run(['export', '--data-dir', from]);
    expect((await run(['import', '--database-url', url], out.stdout)).stderr).toBe('imported 51 records\n');
    const database = await openPostgresStore({ url, connections: 2 }, noTrouble);
    expect((await exported(database)).join('')).toBe(out.stdout);
    await database.close();

    const again = await run(['export', '--database-url', url]);
    expect((await run(['import', '--data-dir', back], again.stdout)).code).toBe(0);
    expect(await run(['export', '--data-dir', back])).toEqual(out);
  });
});
