import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { DamagedRecord, type Store, StoreUnavailable } from '../store.ts';
import { describeStore } from '../store.suite.ts';
import { openLowdbStore } from './open.ts';

const folders = new WeakMap<Store, string>();

async function openIn(folder: string): Promise<Store> {
  const store = await openLowdbStore(folder);
  folders.set(store, folder);
  onTestFinished(() => store.close());
  return store;
}

describeStore('the lowdb store', {
  open: async () => openIn(await temporaryFolder()),
  reopen: async (store) => {
    await store.close();
    return openIn(folders.get(store)!);
  },
});

const subscription = { id: 's', types: ['a.v0'] };

describe('a data folder', () => {
  test('is made with its parents', async () => {
    const folder = join(await temporaryFolder(), 'a', 'b');
    await openIn(folder);
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'store.json'), 'utf8'));
    expect(manifest).toEqual({ format: 'edge-contract', version: 1 });
  });

  test('is refused while another store holds it, and free after that', async () => {
    const folder = await temporaryFolder();
    const first = await openIn(folder);
    await expect(openLowdbStore(folder)).rejects.toThrow(/held by another process/);
    await first.close();
    await openIn(folder);
  });

  test('is refused when it holds the files of somebody else', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'thesis.txt'), 'mine');
    await expect(openLowdbStore(folder)).rejects.toThrow(/holds no data of this server/);
    expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual(['thesis.txt']);
  });

  test('is refused when it is a file', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    await expect(openLowdbStore(path)).rejects.toThrow(/cannot be made or read/);
  });

  test.for([['not JSON', '{"id":"s","ty'], ['empty', ''], ['null', 'null'], ['another record', '{"id":"t","types":[]}']])(
    'is refused with a damaged document (%s), which stays as it is',
    async ([, content]) => {
      const folder = await temporaryFolder();
      const store = await openIn(folder);
      await store.subscriptions.update('s', () => subscription);
      await store.close();
      const file = join(folder, 'subscriptions', '=-s.json');
      await writeFile(file, content!);
      await expect(openLowdbStore(folder)).rejects.toThrow(/damaged data/);
      expect(await readFile(file, 'utf8')).toBe(content);
    },
  );

  test('is refused with a manifest of another version', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":2}');
    await expect(openLowdbStore(folder)).rejects.toThrow(/cannot read/);
  });

  test('may hold what a crash left behind', async () => {
    const folder = await temporaryFolder();
    await (await openIn(folder)).close();
    await writeFile(join(folder, 'subscriptions', '=-s.json.0b1f.tmp'), '{"id":');
    const store = await openIn(folder);
    expect(await store.subscriptions.get('s')).toBeUndefined();
  });
});

describe('a document', () => {
  test('that is damaged while the store is open is not overwritten', async () => {
    const folder = await temporaryFolder();
    const store = await openIn(folder);
    await store.subscriptions.update('s', () => subscription);
    const file = join(folder, 'subscriptions', '=-s.json');
    await writeFile(file, '{');
    await expect(store.subscriptions.get('s')).rejects.toThrow(DamagedRecord);
    await expect(store.subscriptions.update('s', () => subscription)).rejects.toThrow(DamagedRecord);
    expect(await readFile(file, 'utf8')).toBe('{');
  });

  test('that cannot be written leaves the old one and no temporary file', async () => {
    const folder = await temporaryFolder();
    const store = await openIn(folder);
    await store.subscriptions.update('s', () => subscription);
    const file = join(folder, 'subscriptions', '=-s.json');
    // A folder in the place of the file makes the rename fail, for root, too.
    const before = await readFile(file, 'utf8');
    const blocked = join(folder, 'subscriptions', '=-t.json');
    await mkdir(join(blocked, 'x'), { recursive: true });
    await expect(store.subscriptions.update('t', () => ({ id: 't', types: ['a.v0'] }))).rejects.toThrow(StoreUnavailable);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect((await readdir(join(folder, 'subscriptions'))).toSorted()).toEqual(['=-s.json', '=-t.json']);
  });

  test.skipIf(process.getuid?.() === 0)('in a folder without write permission is refused, not lost', async () => {
    const folder = await temporaryFolder();
    const store = await openIn(folder);
    await store.subscriptions.update('s', () => subscription);
    await chmod(join(folder, 'subscriptions'), 0o500);
    await expect(store.subscriptions.update('s', () => null)).rejects.toThrow(StoreUnavailable);
    await chmod(join(folder, 'subscriptions'), 0o700);
    expect(await store.subscriptions.get('s')).toEqual(subscription);
  });
});
