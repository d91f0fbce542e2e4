import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createEdge } from '../domain/edge.ts';
import { createMemoryStore } from '../store/memory.ts';
import { openLowdbStore } from '../store/lowdb/open.ts';
import type { Store } from '../store/store.ts';
import { quiet } from '../store/store.suite.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { transfer, type TransferCommand } from './command.ts';
import { exportLines } from './export.ts';
import { importLines } from './import.ts';
import { linesOf } from './lines.ts';

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
      's of subscriptions exists already and differs',
    );
    expect(await store.subscriptions.get('s')).toEqual({ id: 's', types: ['mine.v0'] });
  });

  test.for([
    ['nothing', () => [], /not whole/],
    ['another file', () => ['{"a":1}\n'], /line 1: this is not an export/],
    ['a newer version', () => ['{"format":"edge-contract-export","version":2}\n'], /another version/],
    [
      'a line that is not JSON',
      (lines: string[]) => [lines[0]!, '{"hush\n'],
      /^line 2: this is not a record of an export$/,
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

/** As the program does it, in this process. */
async function run(args: string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [command, ...rest] = args as [TransferCommand, ...string[]];
  const code = await transfer(command, rest, {}, { stdin: Readable.from([Buffer.from(input)]), stdout, stderr }).then(
    () => 0,
    (error: Error) => {
      stderr.write(`edge-server: ${error.message}\n`);
      return 1;
    },
  );
  return { code, stdout: await textOf(stdout.end()), stderr: await textOf(stderr.end()) };
}

describe('the commands', () => {
  test('export into a file for its owner alone, once, and go on with it', async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const file = join(folder, 'file');
    const store = await fill(await openLowdbStore(data, quiet), 30);
    const lines = await exported(store);
    // While a server has the folder.
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
    expect((await run(['import', '--data-dir', data, '--file', file])).stderr).toMatch(/held by another process/);
    await store.close();
  });

  test('import writes damaged records again', async () => {
    const folder = await temporaryFolder();
    const store = await fill(await openLowdbStore(folder, quiet), 3);
    const backup = (await exported(store)).join('');
    await store.close();
    const journal = join(folder, 'journal-1');
    await writeFile(journal, (await readFile(journal, 'utf8')).replace('"description":"1 ', '"description":"7 '));
    expect((await run(['export', '--data-dir', folder])).code).toBe(1);
    const again = await run(['import', '--data-dir', folder, '--resume'], backup);
    expect(again).toEqual({ code: 0, stdout: '', stderr: 'imported 1 records; 3 existed already\n' });
    expect((await run(['export', '--data-dir', folder])).stdout).toBe(backup);
  });

  test('salvage keeps what can be read, and the files before', async () => {
    const folder = await temporaryFolder();
    await (await fill(await openLowdbStore(folder, quiet), 3)).close();
    const journal = join(folder, 'journal-1');
    await writeFile(journal, (await readFile(journal, 'utf8')).replace('edges/e0001', 'edges/e0009'));
    expect((await run(['export', '--data-dir', folder])).stderr).toMatch(
      /cannot be read at byte \d+; .* edge-server salvage --data-dir /,
    );
    const { code, stderr } = await run(['salvage', '--data-dir', folder]);
    expect([code, stderr.split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(/^journal-1: \d+ bytes at byte \d+ cannot be read$/),
        'kept 3 records; the files before are in before-salvage-1',
        'of the records in what cannot be read, an older state is kept, or none',
        '',
      ],
    ]);
    expect((await run(['export', '--data-dir', folder])).stdout.split('\n')).toHaveLength(6);
  });

  test('import leaves the private keys of certificates out that version 0.3 exported', async () => {
    const folder = await temporaryFolder();
    const lines = await exported(await fill(createMemoryStore(), 1));
    const routes = (key: object) => [{ id: 'r', signing: { certificate_pem: 'public', ...key } }];
    const record = (JSON.parse(lines[1]!) as { record: object }).record;
    const line = (key: object) =>
      `${JSON.stringify({ collection: 'edges', record: { ...record, routes: routes(key) } })}\n`;
    const old = lines.with(1, line({ private_key_pem: 'hush' })).join('');
    expect((await run(['import', '--data-dir', folder], old)).code).toBe(0);
    expect(await readFile(join(folder, 'journal-1'), 'utf8')).not.toContain('hush');
    expect((await run(['export', '--data-dir', folder])).stdout).toBe(lines.with(1, line({})).join(''));
  });

  test('tell of a damaged record that is not in the export', async () => {
    const folder = await temporaryFolder();
    await (await fill(await openLowdbStore(folder, quiet), 2)).close();
    const journal = join(folder, 'journal-1');
    const content = await readFile(journal, 'utf8');
    await writeFile(journal, content.replace('"description":"0 ', '"description":"1 '));
    const { code, stdout, stderr } = await run(['export', '--data-dir', folder]);
    expect([code, stdout.split('\n').length]).toEqual([1, 5]);
    expect(stderr).toMatch(
      /1 damaged records are not in the export: the record edges\/e0000 is damaged in .*journal-1 at byte 0/,
    );
  });

  test.for([
    [['export'], /export needs --data-dir or --database-url/],
    [['export', '--data-dir', '/nowhere/data'], /has no data of this server/],
    [['export', '--data-dir', '/nowhere', '--resume'], /needs --file/],
    [['import', '--data-dir', '/d', '--database-url', 'postgres://a/b'], /cannot be set together/],
    [['import', '--data-dir', '/d', '--file', '/nowhere/file'], /\/nowhere\/file cannot be read \(ENOENT\)/],
    [['import', '--colour'], /--colour/],
    [['salvage'], /salvage needs --data-dir \(/],
    [['salvage', '--database-url', 'postgres://a/b'], /salvage works on a data folder/],
  ] as const)('%j is refused in one line', async ([args, message]) => {
    const { code, stderr } = await run([...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^edge-server: [^\n]+\n$/)]);
    expect(stderr).toMatch(message);
  });
});
