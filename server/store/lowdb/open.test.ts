import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { DamagedRecord, type Store, type StoreEvents, StoreUnavailable } from '../store.ts';
import { describeStore, quiet } from '../store.suite.ts';
import { readFolder } from './load.ts';
import { type Files, nodeFiles } from './files.ts';
import { type LowdbOptions, openLowdbStore } from './open.ts';
import { salvageFolder } from './salvage.ts';

const folders = new WeakMap<Store, string>();

async function openIn(folder: string, events: Partial<StoreEvents> = {}, options: LowdbOptions = {}): Promise<Store> {
  const store = await openLowdbStore(folder, { ...quiet, ...events }, options);
  folders.set(store, folder);
  onTestFinished(() => store.close());
  return store;
}

const open = (folder: string) => openLowdbStore(folder, quiet);
const record = (id: string, type = 'a.v0') => ({ id, types: [type] });
const FIRST_PAGE = { limit: 9, before: undefined };

async function idsOf(store: Store): Promise<string[]> {
  return (await store.subscriptions.list(FIRST_PAGE)).records.map(({ id }) => id);
}

/** A folder with the records r, s and t in a journal, whose server was stopped. */
async function filled(): Promise<{ folder: string; journal: string }> {
  const folder = await temporaryFolder();
  const store = await openLowdbStore(folder, quiet);
  for (const id of ['r', 's', 't']) await store.subscriptions.create(record(id));
  await store.close();
  return { folder, journal: join(folder, 'journal-1') };
}

/** Puts a text in the place of the first that is found, in a file. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const content = await readFile(file, 'utf8');
  expect(content).toContain(from);
  await writeFile(file, content.replace(from, to));
}

describeStore('the lowdb store', {
  open: async () => openIn(await temporaryFolder()),
  reopen: async (store) => {
    await store.close();
    return openIn(folders.get(store)!);
  },
});

describeStore('the lowdb store with a snapshot after each change', {
  open: async () => openIn(await temporaryFolder(), {}, { journalBytes: 1 }),
  reopen: async (store) => {
    await store.close();
    return openIn(folders.get(store)!);
  },
});

describe('a data folder', () => {
  test('is made with its parents, for its owner alone', async () => {
    const base = await temporaryFolder();
    const store = await openIn(join(base, 'a', 'b'));
    await store.subscriptions.create(record('s'));
    const manifest: unknown = JSON.parse(await readFile(join(base, 'a/b/store.json'), 'utf8'));
    expect(manifest).toEqual({ format: 'edge-contract', version: 2 });
    for (const path of ['a', 'a/b', ...(await readdir(join(base, 'a/b'))).map((name) => `a/b/${name}`)]) {
      expect([path, (await stat(join(base, path))).mode & 0o077]).toEqual([path, 0]);
    }
  });

  test('that others can read is named in a warning', async () => {
    const { folder, journal } = await filled();
    await chmod(journal, 0o644);
    const warnings: string[] = [];
    await openIn(folder, { warning: (message) => warnings.push(message) });
    expect(warnings).toEqual([`others on this machine can read or change ${journal}: chmod -R go-rwx ${folder}`]);
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
    await expect(open(folder)).rejects.toThrow(/has no data of this server/);
    expect(await readdir(folder)).toEqual(['thesis.txt']);
  });

  test('is refused when it is a file', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    await expect(open(path)).rejects.toThrow(/cannot be made or read/);
  });

  test('is refused with a manifest of another version', async () => {
    const folder = await temporaryFolder();
    for (const content of ['{"format":"edge-contract","version":3}', '{"version', 'null']) {
      await writeFile(join(folder, 'store.json'), content);
      await expect(open(folder)).rejects.toThrow(/cannot read/);
    }
  });

  test('may hold files that are not ours', async () => {
    const { folder } = await filled();
    for (const name of ['notes.txt', 'journal-1.bak', 'snapshot-x', 'journal-01', '.hidden'])
      await writeFile(join(folder, name), 'mine', { mode: 0o600 });
    await mkdir(join(folder, 'mine'), { mode: 0o700 });
    expect(await idsOf(await openIn(folder))).toEqual(['t', 's', 'r']);
  });

  test('is no longer ready when it is gone, and takes no changes', async () => {
    const folder = await temporaryFolder();
    const store = await openIn(folder);
    await store.check();
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
    await expect(store.subscriptions.create(record('s'))).rejects.toThrow(StoreUnavailable);
  });

  test('with a missing journal is refused', async () => {
    const { folder, journal } = await filled();
    await writeFile(join(folder, 'journal-3'), '', { mode: 0o600 });
    await expect(open(folder)).rejects.toThrow(/journal-2 is missing/);
    await rm(join(folder, 'journal-3'));
    await rm(journal);
    await writeFile(join(folder, 'snapshot-4'), '', { mode: 0o600 });
    await expect(open(folder)).rejects.toThrow(/journal-4 is missing/);
  });

  test('can be read while a server writes and makes snapshots', async () => {
    const folder = await temporaryFolder();
    const store = await openIn(folder, {}, { journalBytes: 2000 });
    const progress = { written: -1 };
    const writing = (async () => {
      for (let n = 0; n < 100; n++) {
        await store.subscriptions.replace('s', record('s', `t${n}.v0`));
        progress.written = n;
      }
    })();
    while (progress.written < 99) {
      const before = progress.written;
      const { subscriptions } = (await readFolder(folder))!;
      const text = subscriptions.get('s') as string | undefined;
      const found = text === undefined ? -1 : Number(/t(\d+)\.v0/.exec(text)![1]);
      expect(found).toBeGreaterThanOrEqual(before);
    }
    await writing;
  });
});

describe('a folder of version 0.3', () => {
  const signing = { certificate_pem: 'public', private_key_pem: 'hush' };

  async function old(): Promise<string> {
    const folder = await temporaryFolder();
    for (const name of ['edges', 'subscriptions']) await mkdir(join(folder, name, '.tmp'), { recursive: true });
    await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":1}');
    await writeFile(join(folder, '.lock'), '');
    const document = (name: string, content: unknown) => writeFile(join(folder, name), JSON.stringify(content));
    await document('edges/=-edghts_01.json', { id: 'edghts_01', metadata: 'é\u2028', routes: [{ id: 'r', signing }] });
    await document('subscriptions/=-s.json', record('s'));
    await document('subscriptions/=-=sub_=x.json', record('Sub_X'));
    await writeFile(join(folder, 'subscriptions', '=-torn.json'), '{"id":"to');
    await writeFile(join(folder, 'subscriptions', '=-none.json'), 'null');
    // What a crash left behind, and what is not ours.
    await writeFile(join(folder, 'subscriptions', '=-u.json.0b1f.tmp'), '{"id":');
    await writeFile(join(folder, 'subscriptions', 'notes.txt'), 'mine');
    return folder;
  }

  test('is converted at the first start, and its documents are kept', async () => {
    const folder = await old();
    const warnings: string[] = [];
    const damaged: string[] = [];
    const events = {
      warning: (message: string) => warnings.push(message),
      damaged: ({ message }: DamagedRecord) => damaged.push(message),
    };
    const store = await openIn(folder, events);
    const look = async (one: Store) => {
      expect(await one.edges.get('edghts_01')).toEqual({
        id: 'edghts_01',
        metadata: 'é\u2028',
        routes: [{ id: 'r', signing: { certificate_pem: 'public' } }],
      });
      expect(await idsOf(one)).toEqual(['s', 'Sub_X']);
      for (const id of ['torn', 'none']) await expect(one.subscriptions.get(id)).rejects.toThrow(DamagedRecord);
    };
    await look(store);
    await store.subscriptions.create(record('new'));
    await store.close();
    expect(warnings[0]).toMatch(/^the 5 documents of version 0\.3 in .* were converted; .*version-1/);
    expect(await readFile(join(folder, 'version-1/subscriptions/=-torn.json'), 'utf8')).toBe('{"id":"to');
    expect(await readFile(join(folder, 'snapshot-1'), 'utf8')).not.toContain('hush');

    const again = await openIn(folder, events);
    expect(await again.subscriptions.get('new')).toEqual(record('new'));
    expect(damaged).toHaveLength(2);
  });

  test('is converted whole when the conversion is interrupted at any moment', async () => {
    for (let most = 0; ; most += 2) {
      const folder = await old();
      let calls = 0;
      const files = Object.fromEntries(
        Object.entries(nodeFiles).map(([name, call]) => [
          name,
          async (...args: never[]) => {
            if (calls++ >= most) throw new Error('interrupted');
            return (call as (...all: never[]) => Promise<unknown>)(...args);
          },
        ]),
      ) as unknown as Files;
      const warning = () => undefined;
      const first = await openLowdbStore(folder, { ...quiet, warning }, { files }).catch(() => undefined);
      await first?.close();
      const store = await openIn(folder, { warning, damaged: () => undefined });
      expect([most, await store.edges.count(), await idsOf(store)]).toEqual([most, 1, ['s', 'Sub_X']]);
      await store.close();
      if (first) break;
    }
  });

  test('can be exported as it is', async () => {
    const data = await readFolder(await old());
    expect([data!.edges.size, data!.subscriptions.size]).toEqual([1, 4]);
  });
});

describe('damage', () => {
  test('to the text of a record concerns that record alone, until it is written again', async () => {
    const { folder, journal } = await filled();
    await edit(journal, '{"id":"s","types":["a.v0"]}', '{"id":"s","types":["hush"]}');
    const left: string[] = [];
    const store = await openIn(folder, { damaged: ({ message }) => left.push(message) });
    await expect(store.subscriptions.get('s')).rejects.toThrow(DamagedRecord);
    await expect(store.subscriptions.update('s', () => record('s'))).rejects.toThrow(DamagedRecord);
    await expect(store.subscriptions.update('s', () => null)).rejects.toThrow(DamagedRecord);
    expect(await store.subscriptions.create(record('s'))).toBe(false);
    expect(await idsOf(store)).toEqual(['t', 'r']);
    expect(left).toEqual([
      expect.stringMatching(/^the record subscriptions\/s is damaged in .*journal-1 at byte \d+$/),
    ]);
    await store.subscriptions.replace('s', record('s', 'b.v0'));
    expect(await store.subscriptions.get('s')).toEqual(record('s', 'b.v0'));
    await store.close();
    expect(await idsOf(await openIn(folder))).toEqual(['t', 's', 'r']);
  });

  test('to the text of a record stays in snapshots', async () => {
    const { folder, journal } = await filled();
    await edit(journal, '"types":["a.v0"]}', '"types":["hush"]}');
    const damaged = () => undefined;
    const store = await openIn(folder, { damaged }, { journalBytes: 1 });
    await store.subscriptions.create(record('u'));
    await store.close();
    expect(await readdir(folder)).toContain('snapshot-2');
    const again = await openIn(folder, { damaged });
    await expect(again.subscriptions.get('r')).rejects.toThrow(/damaged in .*snapshot-2 at byte/);
    expect(await idsOf(again)).toEqual(['u', 't', 's']);
  });

  test.for([
    ['the name of a record', 'subscriptions/s', 'subscriptions/x'],
    ['its length', 'subscriptions/s 27', 'subscriptions/s 28'],
    ['the end of a batch', 'commit 2', 'commit 3'],
    ['a whole line', 'subscriptions/s 27', ''],
  ])('to %s stops the start, with the place and the command that salvages the rest', async ([, from, to]) => {
    const { folder, journal } = await filled();
    const before = await readFile(journal, 'utf8');
    await edit(journal, from!, to!);
    const damagedText = await readFile(journal, 'utf8');
    const offset = before.slice(0, before.indexOf(from!)).lastIndexOf('\n') + 1;
    await expect(open(folder)).rejects.toThrow(
      `${journal} cannot be read at byte ${offset}; nothing was changed: restore a backup, or keep what can be read by edge-server salvage --data-dir ${folder}`,
    );
    expect(await readFile(journal, 'utf8')).toBe(damagedText);

    const salvaged = await salvageFolder(folder);
    expect(salvaged.unreadable[0]).toMatchObject({ file: 'journal-1', offset });
    expect(await readFile(join(folder, salvaged.before, 'journal-1'), 'utf8')).toBe(damagedText);
    const store = await openIn(folder);
    expect(await idsOf(store)).toEqual(from!.startsWith('commit') ? ['t', 's', 'r'] : ['t', 'r']);
    await store.subscriptions.create(record('u'));
    await store.close();
    expect(await idsOf(await openIn(folder))).toContain('u');
  });

  test('to a snapshot is found', async () => {
    const folder = await temporaryFolder();
    const store = await openIn(folder, {}, { journalBytes: 1 });
    for (const id of ['r', 's']) await store.subscriptions.create(record(id));
    await store.close();
    const snapshot = join(
      folder,
      (await readdir(folder)).find((name) => name.startsWith('snapshot'))!,
    );
    const content = await readFile(snapshot, 'utf8');
    await writeFile(snapshot, content.slice(0, content.lastIndexOf('\n', content.length - 2) + 1));
    await expect(open(folder)).rejects.toThrow(/snapshot-\d+ breaks off; .*salvage/);
    await writeFile(snapshot, content.replace('subscriptions/r', 'subscriptions/x'));
    await expect(open(folder)).rejects.toThrow(/snapshot-\d+ cannot be read at byte 0; .*salvage/);
  });

  test('to what comes behind the last flush is cut off, and kept in a file beside', async () => {
    const { folder, journal } = await filled();
    const whole = await readFile(journal, 'utf8');
    // Without the last batch of a stop, as a crash leaves it; then a batch that is not whole, in several ways.
    const crashed = whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 1);
    const lastBatch = crashed.slice(crashed.indexOf('\n', crashed.indexOf('commit 2')) + 1);
    const flushed = crashed.slice(0, -lastBatch.length);
    for (const tail of [
      lastBatch.slice(0, 20),
      lastBatch.slice(0, lastBatch.indexOf('\n') + 1),
      lastBatch.slice(0, -1),
      lastBatch.replace('a.v0', 'x.v0'),
      lastBatch.replace('tions/t', 'tions/x'),
      '\0'.repeat(3000),
      lastBatch.replace(/./g, '\0'),
    ]) {
      await writeFile(journal, flushed + tail);
      const warnings: string[] = [];
      const store = await openIn(folder, { warning: (message) => warnings.push(message) });
      expect([tail, await idsOf(store)]).toEqual([tail, ['s', 'r']]);
      expect(warnings).toEqual([expect.stringMatching(/bytes of a batch that was not flushed: .* kept in /)]);
      const kept = warnings[0]!.split(' kept in ')[1]!;
      expect(await readFile(kept, 'utf8')).toBe(tail);
      expect(await readFile(journal, 'utf8')).toBe(flushed);
      await store.close();
    }
  });

  test('to the last batch is no torn tail after a stop', async () => {
    const { folder, journal } = await filled();
    await edit(journal, 'subscriptions/t', 'subscriptions/x');
    await expect(open(folder)).rejects.toThrow(/cannot be read at byte/);
  });
});

describe('an error of the disk', () => {
  /** Files that fail in one call, as long as they are told to. */
  function failing(call: 'append' | 'flush', code: string) {
    const state = { fails: false };
    const fail = () => {
      if (state.fails) throw Object.assign(new Error(code), { code });
    };
    const files: Files = {
      ...nodeFiles,
      open: async (path, how) => {
        const file = await nodeFiles.open(path, how);
        return {
          ...file,
          append: async (data) => {
            if (call === 'append' && state.fails) await file.append(Buffer.from(data).subarray(0, 10));
            if (call === 'append') fail();
            await file.append(data);
          },
          flush: async () => {
            if (call === 'flush') fail();
            await file.flush();
          },
        };
      },
    };
    return { state, files };
  }

  test.for([
    ['flush', 'EIO'],
    ['append', 'ENOSPC'],
  ] as const)('in a %s (%s) refuses changes, shows none of them, and is over when it is', async ([call, code]) => {
    const folder = await temporaryFolder();
    const { state, files } = failing(call, code);
    const store = await openIn(folder, {}, { files, retryMs: 0 });
    await store.subscriptions.create(record('s'));
    state.fails = true;
    const refused = new RegExp(`cannot ${call} .*journal-\\d+: ${code}`);
    await expect(store.subscriptions.update('s', () => null)).rejects.toThrow(refused);
    await expect(store.subscriptions.create(record('t'))).rejects.toThrow(StoreUnavailable);
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
    // A change that was refused is not seen: the second DELETE is refused as the first one was.
    await expect(store.subscriptions.update('s', () => null)).rejects.toThrow(StoreUnavailable);
    expect(await idsOf(store)).toEqual(['s']);
    expect(await store.subscriptions.get('s')).toEqual(record('s'));
    state.fails = false;
    await store.check();
    await store.subscriptions.create(record('u'));
    expect(await idsOf(store)).toEqual(['u', 's']);
    await store.close();
    expect(await idsOf(await openIn(folder))).toEqual(['u', 's']);
  });

  test('ends without a check, too: a refused change has the store try to recover', async () => {
    const { state, files } = failing('flush', 'EIO');
    const store = await openIn(await temporaryFolder(), {}, { files, retryMs: 0 });
    state.fails = true;
    await expect(store.subscriptions.create(record('s'))).rejects.toThrow(StoreUnavailable);
    state.fails = false;
    await expect
      .poll(() => store.subscriptions.create(record('s')).catch((error: unknown) => error), { interval: 5 })
      .toBe(true);
  });

  test('while a snapshot is written leaves the journals before it', async () => {
    const folder = await temporaryFolder();
    const warnings: string[] = [];
    const files: Files = { ...nodeFiles, rename: () => Promise.reject(Object.assign(new Error(), { code: 'EROFS' })) };
    await (await openIn(folder)).close();
    const events = { warning: (message: string) => warnings.push(message) };
    const store = await openIn(folder, events, { files, journalBytes: 300 });
    for (let n = 0; n < 20; n++) await store.subscriptions.create(record(`s${n}`));
    await store.close();
    expect(warnings[0]).toMatch(/no snapshot of .* could be written: EROFS/);
    const again = await openIn(folder);
    expect(await again.subscriptions.count()).toBe(20);
  });
});

test('many clients share one flush', async () => {
  let flushes = 0;
  const files: Files = {
    ...nodeFiles,
    open: async (path, how) => {
      const file = await nodeFiles.open(path, how);
      return { ...file, flush: () => ((flushes += 1), file.flush()) };
    },
  };
  const store = await openIn(await temporaryFolder(), {}, { files });
  flushes = 0;
  await Promise.all(Array.from({ length: 32 }, (_, n) => store.subscriptions.create(record(`s${n}`))));
  expect(flushes).toBe(1);
});
