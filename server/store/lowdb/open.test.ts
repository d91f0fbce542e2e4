import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { DamagedRecord, type Store, StoreUnavailable } from '../store.ts';
import { describeStore, noTrouble } from '../store.suite.ts';
import { openLowdbStore } from './open.ts';

const folders = new WeakMap<Store, string>();

async function openIn(folder: string, damaged = noTrouble.damaged): Promise<Store> {
  const store = await openLowdbStore(folder, { ...noTrouble, damaged });
  folders.set(store, folder);
  onTestFinished(() => store.close());
  return store;
}

const open = (folder: string) => openLowdbStore(folder, noTrouble);

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
    await expect(open(folder)).rejects.toThrow(/held by another process/);
    await first.close();
    await openIn(folder);
  });

  test('is refused when it holds the files of somebody else', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'thesis.txt'), 'mine');
    await expect(open(folder)).rejects.toThrow(/holds no data of this server/);
    expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual(['thesis.txt']);
  });

  test('is refused when it is a file', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    await expect(open(path)).rejects.toThrow(/cannot be made or read/);
  });

  test('is refused with a manifest of another version', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":2}');
    await expect(open(folder)).rejects.toThrow(/cannot read/);
  });

  test('may hold what a crash left behind', async () => {
    const folder = await temporaryFolder();
    await (await openIn(folder)).close();
    // As earlier versions left it, and as this one does.
    await writeFile(join(folder, 'subscriptions', '=-s.json.0b1f.tmp'), '{"id":');
    await writeFile(join(folder, 'subscriptions', '.tmp', '=-s.json.0b1f'), '{"id":');
    const store = await openIn(folder);
    expect(await store.subscriptions.get('s')).toBeUndefined();
    expect(await store.subscriptions.list({ limit: 9, before: undefined })).toEqual([]);
    expect(await readdir(join(folder, 'subscriptions', '.tmp'))).toEqual([]);
  });

  test('that an earlier version wrote opens as it is', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'edges'));
    await mkdir(join(folder, 'subscriptions'));
    await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":1}');
    await writeFile(join(folder, 'subscriptions', '=-s.json'), JSON.stringify(subscription));
    const store = await openIn(folder);
    expect(await store.subscriptions.get('s')).toEqual(subscription);
  });

  test('is no longer ready when it is gone', async () => {
    const folder = await temporaryFolder();
    const store = await openIn(folder);
    await store.check();
    await rm(folder, { recursive: true });
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
  });
});

describe('a document', () => {
  test.for([
    ['not JSON', '{"id":"s","ty'],
    ['empty', ''],
    ['null', 'null'],
    ['another record', '{"id":"t","types":[]}'],
  ])('that is damaged (%s) concerns its own record alone, and stays as it is', async ([, content]) => {
    const folder = await temporaryFolder();
    const store = await openIn(folder);
    for (const id of ['r', 's', 't']) await store.subscriptions.update(id, () => ({ id, types: ['a.v0'] }));
    await store.close();
    const file = join(folder, 'subscriptions', '=-s.json');
    await writeFile(file, content!);

    const left: string[] = [];
    const again = await openIn(folder, ({ message }) => left.push(message));
    await expect(again.subscriptions.get('s')).rejects.toThrow(DamagedRecord);
    await expect(again.subscriptions.update('s', () => subscription)).rejects.toThrow(DamagedRecord);
    await expect(again.subscriptions.update('s', () => null)).rejects.toThrow(DamagedRecord);
    const listed = await again.subscriptions.list({ limit: 2, before: undefined });
    expect(listed.map(({ id }) => id)).toEqual(['t', 'r']);
    expect(left).toEqual([expect.stringContaining(file)]);
    expect(await readFile(file, 'utf8')).toBe(content);
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
    await expect(store.subscriptions.update('t', () => ({ id: 't', types: ['a.v0'] }))).rejects.toThrow(
      StoreUnavailable,
    );
    expect(await readFile(file, 'utf8')).toBe(before);
    expect((await readdir(join(folder, 'subscriptions'))).toSorted()).toEqual(['.tmp', '=-s.json', '=-t.json']);
    expect(await readdir(join(folder, 'subscriptions', '.tmp'))).toEqual([]);
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
