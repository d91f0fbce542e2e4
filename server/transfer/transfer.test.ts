import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createEdge } from '../domain/edge.ts';
import { openLowdbStore } from '../store/lowdb/open.ts';
import { createMemoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { edit, quiet } from '../store/store.suite.ts';
import { runMain } from '../testing/in-process.ts';
import { it, temporaryFolder } from '../../tools/temporary-folder.ts';
import { exportLines, importLines, linesOf } from './records.ts';

async function fill(store: Store, count: number): Promise<Store> {
  for (let n = 0; n < count; n++) {
    const id = `e${String(n).padStart(4, '0')}`;
    const sent = {
      description: `${n} \0 \u2028 \u2029 \r\n é \u{1f600} "quoted" \\`,
      metadata: '',
      hostports: [],
    };
    await store.edges.create(createEdge(sent, { id, created_at: '2026-01-15T09:30:00.000Z' }));
  }
  await store.subscriptions.create({ id: 's', types: ['a.v0', 'b.v0'] });
  return store;
}

/** A folder that no server uses. */
async function filledFolder(
  count: number,
): Promise<{ folder: string; journal: string; lines: string[] }> {
  const folder = await temporaryFolder();
  const store = await fill(await openLowdbStore(folder, quiet), count);
  const lines = await exported(store);
  await store.close();
  return { folder, journal: join(folder, 'journal-1'), lines };
}

async function exported(store: Store): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(store)) {
    lines.push(line);
  }
  return lines;
}

describe('an import', () => {
  const read = (store: Store, texts: string[], resume = false) =>
    importLines(store, linesOf(Readable.from(texts)), { resume });

  test('gives the same export again, whatever pieces it comes in', async () => {
    const lines = await exported(await fill(createMemoryStore(), 40));
    for (const size of [1, 7, 1000]) {
      const store = createMemoryStore();
      const pieces = lines.join('').match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      expect(await read(store, pieces)).toEqual({ written: 41, same: 0 });
      expect(await exported(store)).toEqual(lines);
    }
  });

  test('refuses a store that is not empty, and continues one that broke off', async () => {
    const lines = await exported(await fill(createMemoryStore(), 70));
    const store = createMemoryStore();
    await expect(read(store, lines.slice(0, 50))).rejects.toThrow(
      /not whole: it breaks off after 50 lines/,
    );
    await expect(read(store, lines)).rejects.toThrow(/not empty/);
    expect(await read(store, lines, true)).toEqual({ written: 22, same: 49 });
    expect(await exported(store)).toEqual(lines);
  });

  test('overwrites nothing that differs', async () => {
    const lines = await exported(await fill(createMemoryStore(), 3));
    const store = createMemoryStore();
    await store.subscriptions.create({ id: 's', types: ['mine.v0'] });
    await expect(read(store, lines, true)).rejects.toThrow(
      's of subscriptions exists already and differs',
    );
    expect(await store.subscriptions.get('s')).toEqual({ id: 's', types: ['mine.v0'] });
  });

  test.for<[RegExp, (lines: string[]) => string[]]>([
    [/not whole/, () => []],
    [/line 1: this is not an export/, () => ['{"a":1}\n']],
    [/another version/, () => ['{"format":"edge-contract-export","version":2}\n']],
    [/^line 2: this is not a record of an export$/, ([head]) => [head!, '{"hush\n']],
    [
      /^line 2: this is not a record/,
      ([head]) => [head!, '{"collection":"edges","record":{"id":"../x"}}\n'],
    ],
    [/not whole/, (lines) => lines.toSpliced(1, 1)],
    [/not whole/, (lines) => [...lines.slice(0, -1), '{"end":{"edges":3,"subscri']],
    [/more after the end/, (lines) => [...lines, lines[1]!]],
  ])('is refused: %s', async ([message, change]) => {
    const lines = change(await exported(await fill(createMemoryStore(), 3)));
    await expect(read(createMemoryStore(), lines)).rejects.toThrow(message);
  });
});

describe('the command', () => {
  test('export writes a file for its owner alone, and continues it beside a server', async () => {
    const data = await temporaryFolder();
    const file = join(await temporaryFolder(), 'file');
    const store = await fill(await openLowdbStore(data, quiet), 30);
    const lines = await exported(store);
    const command = ['export', '--data-dir', data, '--file', file];
    const whole = lines.join('');
    expect(await runMain(command)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'exported 31 records\n',
    });
    expect(await readFile(file, 'utf8')).toBe(whole);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await runMain(command)).stderr).toMatch(/exists, and an export overwrites nothing/);

    for (const [there, records] of [
      [lines.slice(0, 12).join('') + lines[12]!.slice(0, 20), 20],
      [lines.slice(0, 31).join(''), 1],
      ['', 31],
    ] as const) {
      await writeFile(file, there);
      expect((await runMain([...command, '--resume'])).stderr).toBe(
        `exported ${records} records\n`,
      );
      expect(await readFile(file, 'utf8')).toBe(whole);
    }
    expect((await runMain([...command, '--resume'])).stderr).toMatch(/complete already/);
    expect((await runMain(['import', '--data-dir', data, '--file', file])).stderr).toMatch(
      /held by another process/,
    );
    await store.close();
  });

  test('export reports damaged records, and import writes them again', async () => {
    const { folder, journal, lines } = await filledFolder(3);
    await edit(journal, '"description":"1 ', '"description":"7 ');
    const { code, stdout, stderr } = await runMain(['export', '--data-dir', folder]);
    expect([code, stdout.split('\n').length]).toEqual([1, 6]);
    const message =
      /1 damaged records are not in the export: the record edges\/e0001 is damaged in .*journal-1/;
    expect(stderr).toMatch(message);
    const again = await runMain(['import', '--data-dir', folder, '--resume'], lines.join(''));
    expect(again).toEqual({
      code: 0,
      stdout: '',
      stderr: 'imported 1 records; 3 existed already\n',
    });
    expect((await runMain(['export', '--data-dir', folder])).stdout).toBe(lines.join(''));
  });

  test('salvage keeps what can be read, and the files before', async () => {
    const { folder, journal } = await filledFolder(3);
    await edit(journal, 'edges/e0001', 'edges/e0009');
    const refused = await runMain(['export', '--data-dir', folder]);
    expect(refused.stderr).toMatch(
      /cannot be read at byte \d+; .* edge-server salvage --data-dir /,
    );
    const { code, stderr } = await runMain(['salvage', '--data-dir', folder]);
    const kept = 'kept 3 records; the files before are in before-salvage-1';
    const note = 'of the records in what cannot be read, an older state is kept, or none';
    const unreadable = expect.stringMatching(/^journal-1: \d+ bytes at byte \d+ cannot be read$/);
    expect([code, stderr.split('\n')]).toEqual([0, [unreadable, kept, note, '']]);
    expect((await runMain(['export', '--data-dir', folder])).stdout.split('\n')).toHaveLength(6);
  });

  it('import omits the private keys of certificates that version 0.3 exported', async ({
    folder,
  }) => {
    const lines = await exported(await fill(createMemoryStore(), 1));
    const { record } = JSON.parse(lines[1]!) as { record: object };
    const withKey = (key: object) => {
      const routes = [{ id: 'r', signing: { certificate_pem: 'public', ...key } }];
      return lines
        .with(1, `${JSON.stringify({ collection: 'edges', record: { ...record, routes } })}\n`)
        .join('');
    };
    expect(
      (await runMain(['import', '--data-dir', folder], withKey({ private_key_pem: 'hush' }))).code,
    ).toBe(0);
    expect(await readFile(join(folder, 'journal-1'), 'utf8')).not.toContain('hush');
    expect((await runMain(['export', '--data-dir', folder])).stdout).toBe(withKey({}));
  });

  test.for([
    [['export'], /export needs --data-dir or --database-url/],
    [['export', '--data-dir', '/nowhere/data'], /has no data of this server/],
    [['export', '--data-dir', '/nowhere', '--resume'], /needs --file/],
    [['import', '--data-dir', '/d', '--database-url', 'postgres://a/b'], /cannot be set together/],
    [
      ['import', '--data-dir', '/d', '--file', '/nowhere/file'],
      /\/nowhere\/file cannot be read \(ENOENT\)/,
    ],
    [['import', '--colour'], /--colour/],
    [['salvage'], /salvage needs --data-dir \(/],
    [['salvage', '--database-url', 'postgres://a/b'], /salvage works on a data folder/],
  ] as const)('%j is refused in one line', async ([args, message]) => {
    const { code, stderr } = await runMain([...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^edge-server: [^\n]+\n$/)]);
    expect(stderr).toMatch(message);
  });
});
