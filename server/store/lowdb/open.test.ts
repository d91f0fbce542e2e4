import { EventEmitter, once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { it, temporaryFolder } from '../../../tools/temporary-folder.ts';
import { packageFolder } from '../../contract.ts';
import { createMemoryStore } from '../memory.ts';
import { DamagedRecord, type Store, type StoreEvents, StoreUnavailable } from '../store.ts';
import { describeStore, edit, quiet } from '../store.suite.ts';
import { type Files, nodeFiles, type OpenFile } from './files.ts';
import { loadFolder, readFolder } from './load.ts';
import { type LowdbOptions, openLowdbStore } from './open.ts';
import { salvageFolder } from './salvage.ts';

async function openIn(
  folder: string,
  events: Partial<StoreEvents> = {},
  options: LowdbOptions = {},
): Promise<Store> {
  const store = await openLowdbStore(folder, { ...quiet, ...events }, options);
  onTestFinished(() => store.close());
  return store;
}

const record = (id: string, type = 'a.v0') => ({ id, types: [type] });

async function idsOf(store: Store): Promise<string[]> {
  return (await store.subscriptions.list({ limit: 9, before: undefined })).records.map(
    ({ id }) => id,
  );
}

/** A folder with the records r, s and t in a journal, whose server was stopped. */
async function filled(): Promise<{ folder: string; journal: string }> {
  const folder = await temporaryFolder();
  const store = await openLowdbStore(folder, quiet);
  for (const id of ['r', 's', 't']) {
    await store.subscriptions.create(record(id));
  }
  await store.close();
  return { folder, journal: join(folder, 'journal-1') };
}

async function untilReady(store: Store): Promise<void> {
  await expect.poll(() => store.check().then(() => 'ready', String), { interval: 5 }).toBe('ready');
}

/** Files of Node, some calls of which are replaced. */
function filesWith(change: (file: OpenFile, path: string) => Partial<OpenFile>): Files {
  const open: Files['open'] = async (path, how) => {
    const file = await nodeFiles.open(path, how);
    return { ...file, ...change(file, path) };
  };
  return { ...nodeFiles, open };
}

describeStore('the memory store', { openAt: async () => createMemoryStore() });

for (const [name, options] of [
  ['the lowdb store', {}],
  ['the lowdb store with a snapshot after each change', { journalBytes: 1 }],
] as const) {
  describeStore(name, { place: temporaryFolder, openAt: (folder) => openIn(folder, {}, options) });
}

describe('a data folder', () => {
  test('is made with its parents, for its owner alone', async () => {
    const base = await temporaryFolder();
    const store = await openIn(join(base, 'a', 'b'));
    await store.subscriptions.create(record('s'));
    expect(await readFile(join(base, 'a/b/store.json'), 'utf8')).toBe(
      '{"format":"edge-contract","version":3}',
    );
    for (const path of [
      'a',
      'a/b',
      ...(await readdir(join(base, 'a/b'))).map((name) => `a/b/${name}`),
    ]) {
      expect([path, (await stat(join(base, path))).mode & 0o077]).toEqual([path, 0]);
    }
  });

  test('that others can read is named in a warning', async () => {
    const { folder, journal } = await filled();
    await chmod(journal, 0o644);
    const warnings: string[] = [];
    await openIn(folder, { warning: (message) => warnings.push(message) });
    expect(warnings).toEqual([
      `others on this machine can read or change ${journal}: chmod -R go-rwx ${folder}`,
    ]);
  });

  const manifest = (version: number) => ({
    'store.json': `{"format":"edge-contract","version":${version}}`,
  });

  it.for<[RegExp, Record<string, string>]>([
    [/has no data of this server/, { 'thesis.txt': 'mine' }],
    [/names a format that this version cannot read/, manifest(4)],
    [/names a format that this version cannot read/, { 'store.json': '{"version' }],
    [/names a format that this version cannot read/, { 'store.json': 'null' }],
    [/journal-2 is missing/, { ...manifest(2), 'journal-1': '', 'journal-3': '' }],
    [/journal-1 is missing; .* salvage/, manifest(3)],
    [/journal-1 has lost its beginning/, { ...manifest(3), 'journal-1': '' }],
    [/has a journal and no store.json: restore/, { 'journal-1': 'ffffffff commit 1 0\n' }],
    [/journal-4 is missing/, { ...manifest(2), 'snapshot-4': '' }],
  ])('is refused and left as it is: %s', async ([message, contents], { folder }) => {
    for (const [name, content] of Object.entries(contents)) {
      await writeFile(join(folder, name), content, { mode: 0o600 });
    }
    await expect(openIn(folder)).rejects.toThrow(message);
    for (const [name, content] of Object.entries(contents)) {
      expect(await readFile(join(folder, name), 'utf8')).toBe(content);
    }
  });

  test('may hold files of others, and loses what a process was writing when it ended', async () => {
    const { folder } = await filled();
    const others = ['.hidden', 'journal-01', 'journal-1.bak', 'notes.txt', 'snapshot-x'];
    for (const name of [
      ...others,
      '.snapshot-2.tmp',
      '.journal-2.tmp',
      '.stopped.tmp',
      '.store.json.tmp',
    ]) {
      await writeFile(join(folder, name), 'mine', { mode: 0o600 });
    }
    await mkdir(join(folder, 'mine'), { mode: 0o700 });
    expect(await idsOf(await openIn(folder))).toEqual(['t', 's', 'r']);
    const left = ['.lock', 'journal-1', 'mine', 'store.json', ...others];
    expect((await readdir(folder)).toSorted()).toEqual(left.toSorted());
  });

  it('of version 0.4 needs no first lines, and gets them', async ({ folder }) => {
    await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":2}', {
      mode: 0o600,
    });
    await (await openIn(folder)).close();
    await rm(join(folder, 'journal-2'));
    await expect(openIn(folder)).rejects.toThrow(/journal-2 is missing/);
  });

  test.for(['removed', 'replaced'])(
    'whose journal is %s refuses a change, and gets all data again',
    async (how) => {
      const { folder, journal } = await filled();
      const store = await openIn(folder, {}, { retryMs: 0 });
      await store.subscriptions.create(record('u'));
      const content = await readFile(journal);
      await rm(journal);
      if (how === 'replaced') {
        await writeFile(journal, content);
      }
      const message =
        `cannot flush ${journal}: ${journal} was removed or replaced while the server ran; ` +
        'put it back, or restart the server';
      await expect(store.subscriptions.create(record('v'))).rejects.toThrow(message);
      await untilReady(store);
      await store.close();
      expect(await idsOf(await openIn(folder))).toEqual(['u', 't', 's', 'r']);
    },
  );

  describe('whose .lock was removed', () => {
    const held = /is held by another process$/;

    test.for([1, 1_000_000])(
      'belongs to its server still, with snapshots after %d bytes',
      async (journalBytes) => {
        const { folder } = await filled();
        const store = await openIn(folder, {}, { journalBytes });
        for (const id of ['u', 'v', 'w']) {
          await rm(join(folder, '.lock'));
          await expect(openIn(folder)).rejects.toThrow(held);
          await expect(salvageFolder(folder)).rejects.toThrow(held);
          expect(await store.subscriptions.create(record(id))).toBe(true);
        }
        await store.close();
        expect(await idsOf(await openIn(folder))).toEqual(['w', 'v', 'u', 't', 's', 'r']);
      },
    );

    it('belongs to its server also if a listed file is gone', async ({ folder }) => {
      await openIn(folder);
      await rm(join(folder, '.lock'));
      const names: Files['names'] = async (path) => [
        ...(await nodeFiles.names(path)),
        '.snapshot-2.tmp',
      ];
      const files = { ...nodeFiles, names };
      await expect(openIn(folder, {}, { files })).rejects.toThrow(held);
    });

    it('cannot be made in a folder that takes no others', async ({ folder }) => {
      const makeFolder: Files['makeFolder'] = async (path) => {
        if (path.startsWith(folder)) {
          throw Object.assign(new Error('no such place'), { code: 'ENOENT' });
        }
        await nodeFiles.makeFolder(path);
      };
      const files = { ...nodeFiles, makeFolder };
      const opened = openIn(join(folder, 'a', 'b'), {}, { files });
      await expect(opened).rejects.toThrow(/b cannot be made or read \(ENOENT\)/);
    });

    it('belongs to its server also while that begins a journal', async ({ folder }) => {
      const other: { opening?: Promise<unknown> | undefined } = {};
      // When the new journal has its name, and before its server holds it.
      const open: Files['open'] = async (path, how) => {
        if (path.endsWith('journal-2') && how === 'r+') {
          const lock = async () => async () => undefined;
          other.opening ??= openIn(folder, {}, { lock });
          await other.opening.catch(() => undefined);
        }
        return nodeFiles.open(path, how);
      };
      const store = await openIn(folder, {}, { files: { ...nodeFiles, open }, journalBytes: 1 });
      await store.subscriptions.create(record('s'));
      await expect.poll(() => readdir(folder)).toContain('snapshot-2');
      await expect(other.opening).rejects.toThrow(held);
    });

    it.for(['kept', 'removed'])(
      'belongs to its server also if that has just begun a journal, with the one before %s',
      async (before, { folder }) => {
        const store = await openIn(folder, {}, { journalBytes: 1 });
        const old = await readFile(join(folder, 'journal-1'));
        await store.subscriptions.create(record('s'));
        await expect.poll(() => readdir(folder)).not.toContain('journal-1');
        await rm(join(folder, '.lock'));
        if (before === 'kept') {
          await writeFile(join(folder, 'journal-1'), old, { mode: 0o600 });
        }
        // Another process listed the folder before, and takes what it found then.
        let isStale = true;
        const names: Files['names'] = async (path) =>
          isStale ? ['store.json', 'journal-1'] : nodeFiles.names(path);
        const open: Files['open'] = async (path, how) => {
          isStale &&= how !== 'r+';
          return nodeFiles.open(path, how);
        };
        const files = { ...nodeFiles, names, open, mode: async () => 0o600 };
        const lock = async () => async () => undefined;
        await expect(openIn(folder, {}, { files, lock })).rejects.toThrow(held);
        expect(await store.subscriptions.create(record('t'))).toBe(true);
      },
    );
  });

  it('that becomes read-only: a store goes on, and is not ready; another does not open', async ({
    folder,
  }) => {
    const refuse = () =>
      Promise.reject(Object.assign(new Error('read-only file system'), { code: 'EROFS' }));
    let readOnly = false;
    const files = {
      ...nodeFiles,
      checkAccess: (path: string) => (readOnly ? refuse() : nodeFiles.checkAccess(path)),
    };
    const store = await openIn(folder, {}, { files });
    readOnly = true;
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
    await store.subscriptions.create(record('s'));
    expect(await idsOf(store)).toEqual(['s']);
    readOnly = false;
    await store.check();
    await store.close();
    readOnly = true;
    for (const options of [{ files }, { lock: refuse }]) {
      await expect(openIn(folder, {}, options)).rejects.toThrow(
        `the data folder ${folder} is not writable (EROFS): ` +
          `run the server as its owner, and chmod u+rwx ${folder}`,
      );
    }
  });

  it('that is gone is no longer ready, and takes no changes', async ({ folder }) => {
    const store = await openIn(folder);
    await store.check();
    await rm(folder, { recursive: true });
    await mkdir(folder);
    const other = await openIn(folder, { warning: () => undefined });
    await expect(store.check()).rejects.toThrow(StoreUnavailable);
    await expect(store.subscriptions.create(record('s'))).rejects.toThrow(StoreUnavailable);
    await store.close();
    expect(await idsOf(other)).toEqual([]);
    expect(await readdir(folder)).toEqual(expect.not.arrayContaining(['stopped', 'snapshot-2']));
  });

  it('can be read while a server writes and makes snapshots', async ({ folder }) => {
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
    for (const name of ['edges', 'subscriptions']) {
      await mkdir(join(folder, name, '.tmp'), { recursive: true });
    }
    await writeFile(join(folder, 'store.json'), '{"format":"edge-contract","version":1}');
    await writeFile(join(folder, '.lock'), '');
    const document = (name: string, content: unknown) =>
      writeFile(join(folder, name), JSON.stringify(content));
    await document('edges/=-edghts_01.json', {
      id: 'edghts_01',
      metadata: 'é\u2028',
      routes: [{ id: 'r', signing }],
    });
    await document('subscriptions/=-s.json', record('s'));
    await document('subscriptions/=-=sub_=x.json', record('Sub_X'));
    await writeFile(join(folder, 'subscriptions', '=-torn.json'), '{"id":"to');
    await writeFile(join(folder, 'subscriptions', '=-none.json'), 'null');
    // Files that a crash left, and files of others.
    await writeFile(join(folder, 'subscriptions', '=-u.json.0b1f.tmp'), '{"id":');
    await writeFile(join(folder, 'subscriptions', 'notes.txt'), 'mine');
    return folder;
  }

  test('is converted at the first start, and its documents are kept', async () => {
    const folder = await old();
    expect((await readFolder(folder))!.subscriptions.size).toBe(4);
    const warnings: string[] = [];
    const events = {
      warning: (message: string) => warnings.push(message),
      damaged: () => undefined,
    };
    const store = await openIn(folder, events);
    await store.subscriptions.create(record('new'));
    await store.close();
    expect(warnings[0]).toMatch(
      /^the 5 documents of version 0\.3 in .* were converted; .*version-1/,
    );
    expect(await readFile(join(folder, 'version-1/subscriptions/=-torn.json'), 'utf8')).toBe(
      '{"id":"to',
    );
    expect(await readFile(join(folder, 'snapshot-1'), 'utf8')).not.toContain('hush');

    const again = await openIn(folder, events);
    const routes = [{ id: 'r', signing: { certificate_pem: 'public' } }];
    expect(await again.edges.get('edghts_01')).toEqual({
      id: 'edghts_01',
      metadata: 'é\u2028',
      routes,
    });
    expect(await idsOf(again)).toEqual(['s', 'new', 'Sub_X']);
    for (const id of ['torn', 'none']) {
      await expect(again.subscriptions.get(id)).rejects.toThrow(DamagedRecord);
    }
  });

  test('is converted whole when the conversion is interrupted at any moment', async () => {
    const events = { ...quiet, warning: () => undefined, damaged: () => undefined };
    for (let most = 0; ; most += 2) {
      const folder = await old();
      let calls = 0;
      const files = new Proxy(nodeFiles, {
        get: (target, name: keyof Files) => {
          if (calls++ >= most) {
            throw new Error('interrupted');
          }
          return target[name];
        },
      });
      const first = await openLowdbStore(folder, events, { files }).catch(() => undefined);
      await first?.close();
      const store = await openIn(folder, events);
      expect([most, await store.edges.count(), await idsOf(store)]).toEqual([
        most,
        1,
        ['s', 'Sub_X'],
      ]);
      await store.close();
      if (first) {
        break;
      }
    }
  });
});

describe('damage', () => {
  test('to the text of a record makes it alone unreadable, until it is written again', async () => {
    const { folder, journal } = await filled();
    await edit(journal, '{"id":"s","types":["a.v0"]}', '{"id":"s","types":["hush"]}');
    const left: string[] = [];
    const store = await openIn(folder, { damaged: ({ message }) => left.push(message) });
    await expect(store.subscriptions.get('s')).rejects.toThrow(DamagedRecord);
    await expect(store.subscriptions.update('s', () => null)).rejects.toThrow(DamagedRecord);
    expect(await store.subscriptions.create(record('s'))).toBe(false);
    expect(await idsOf(store)).toEqual(['t', 'r']);
    const message = /^the record subscriptions\/s is damaged in .*journal-1 at byte \d+$/;
    expect(left).toEqual([expect.stringMatching(message)]);
    await store.subscriptions.replace('s', record('s', 'b.v0'));
    expect(await store.subscriptions.get('s')).toEqual(record('s', 'b.v0'));
    await store.close();
    expect(await idsOf(await openIn(folder))).toEqual(['t', 's', 'r']);
  });

  test('to the last texts of a record stays in snapshots; salvage has the one before', async () => {
    const { folder, journal } = await filled();
    const damaged = () => undefined;
    for (const [id, type] of ['rb', 'rc', 'tb'].map((one) => [...one] as [string, string])) {
      const store = await openIn(folder);
      await store.subscriptions.replace(id, record(id, `${type}.v0`));
      await store.close();
      await edit(journal, `${type}.v0`, 'hush');
    }
    await edit(journal, '{"id":"s","types":["a.v0"]}', '{"id":"s","types":["hush"]}');
    const store = await openIn(folder, { damaged }, { journalBytes: 1 });
    await store.subscriptions.create(record('u'));
    await store.close();
    const again = await openIn(folder, { damaged });
    await expect(again.subscriptions.get('r')).rejects.toThrow(/damaged in .*snapshot-2 at byte/);
    expect(await idsOf(again)).toEqual(['u']);
    await again.close();
    const [r, s, t] = ['r', 's', 't'].map((id) => `subscriptions/${id}`);
    expect(await salvageFolder(folder)).toMatchObject({ records: 3, damaged: [s], older: [r, t] });
    const salvaged = await openIn(folder, { damaged });
    expect(await idsOf(salvaged)).toEqual(['u', 't', 'r']);
    expect(await salvaged.subscriptions.get('r')).toEqual(record('r'));
  });

  test.for([
    ['the name of a record', 'subscriptions/s', 'subscriptions/x', ['t', 'r']],
    ['the end of a batch', 'commit 2', 'commit 3', ['t', 's', 'r']],
  ] as const)('to %s stops the start, and salvage keeps the rest', async ([, from, to, kept]) => {
    const { folder, journal } = await filled();
    const before = await readFile(journal, 'utf8');
    await edit(journal, from, to);
    const damaged = await readFile(journal, 'utf8');
    const offset = before.slice(0, before.indexOf(from)).lastIndexOf('\n') + 1;
    await expect(openIn(folder)).rejects.toThrow(
      `${journal} cannot be read at byte ${offset}; nothing was changed: ` +
        `restore a backup, or keep what can be read by edge-server salvage --data-dir ${folder}`,
    );
    expect(await readFile(journal, 'utf8')).toBe(damaged);

    const salvaged = await salvageFolder(folder);
    expect(salvaged.unreadable[0]).toMatchObject({ file: 'journal-1', offset });
    expect(await readFile(join(folder, salvaged.before, 'journal-1'), 'utf8')).toBe(damaged);
    const store = await openIn(folder);
    expect(await idsOf(store)).toEqual(kept);
    await store.subscriptions.create(record('u'));
    await store.close();
    expect(await idsOf(await openIn(folder))).toContain('u');
  });

  test('after a stop is found at each byte: the start fails, or one record is bad', async () => {
    const { folder } = await filled();
    const load = async () => [
      ...(await loadFolder(nodeFiles, folder, 3)).data.subscriptions.entries(),
    ];
    for (const name of ['journal-1', 'snapshot-2']) {
      const whole = await load();
      const text = await readFile(join(folder, name), 'utf8');
      const damaged = [...text].flatMap((_, at) => [
        text.slice(0, at),
        `${text.slice(0, at)}#${text.slice(at + 1)}`,
      ]);
      for (const content of [
        ...damaged,
        ...text.split(/(?<=\n)/).map((line) => text.replace(line, '')),
      ]) {
        await writeFile(join(folder, name), content);
        const found = await load().catch(
          (error: Error) => void expect(error.name).toBe('UnreadableFile'),
        );
        if (!found) {
          continue;
        }
        const readable = whole.filter((_, at) => typeof found[at]![1] === 'string');
        expect([content, found.filter(([, one]) => typeof one === 'string')]).toEqual([
          content,
          readable,
        ]);
        expect(readable.length).toBeGreaterThanOrEqual(whole.length - 1);
      }
      await writeFile(join(folder, name), text);
      const store = await openIn(folder, {}, { journalBytes: 1 });
      await store.subscriptions.create(record('u'));
      await store.close();
    }
  });

  test('to what comes after the last flush is cut off, and kept in a file beside', async () => {
    const { folder, journal } = await filled();
    const whole = await readFile(journal, 'utf8');
    // As a crash leaves it: a batch that is not whole, in several ways.
    await rm(join(folder, 'stopped'));
    const lastBatch = whole.slice(whole.indexOf('\n', whole.indexOf('commit 2')) + 1);
    const flushed = whole.slice(0, -lastBatch.length);
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
      expect(warnings).toEqual([
        expect.stringMatching(/bytes of a batch that was not flushed: .* kept in /),
      ]);
      const kept = warnings[0]!.split(' kept in ')[1]!;
      expect(await readFile(kept, 'utf8')).toBe(tail);
      expect(await readFile(journal, 'utf8')).toBe(flushed);
      await store.close();
      await rm(join(folder, 'stopped'));
    }
  });
});

test('a change between the beginning of a journal and that of its snapshot is kept', async () => {
  const { folder } = await filled();
  const opened: { store?: Store; change?: Promise<boolean> | undefined } = {};
  const files = filesWith((file, path) => ({
    close: async () => {
      // The journal before is closed in between.
      if (path.endsWith('journal-1')) {
        await (opened.change ??= opened.store?.subscriptions.create(record('v')));
      }
      await file.close();
    },
  }));
  opened.store = await openIn(folder, {}, { files, journalBytes: 1 });
  await opened.store.subscriptions.create(record('u'));
  await opened.store.close();
  expect(await idsOf(await openIn(folder))).toEqual(['v', 'u', 't', 's', 'r']);
});

test('a change that was refused may be there after a crash, as the contract says', async () => {
  const { folder, journal } = await filled();
  const fault = { failing: false };
  const files = filesWith((file) => ({
    flush: () => (fault.failing ? Promise.reject(new Error('EIO')) : file.flush()),
  }));
  const copy = await temporaryFolder();
  const store = await openIn(folder, {}, { files });
  fault.failing = true;
  await expect(store.subscriptions.create(record('u'))).rejects.toThrow(StoreUnavailable);
  // As a kill leaves the folder.
  for (const name of ['store.json', basename(journal)]) {
    await writeFile(join(copy, name), await readFile(join(folder, name)), { mode: 0o600 });
  }
  fault.failing = false;
  expect(await idsOf(store)).toEqual(['t', 's', 'r']);
  expect(await idsOf(await openIn(copy))).toEqual(['u', 't', 's', 'r']);
  for (const file of ['openapi.yaml', 'docs/run-the-server.md']) {
    const text = await readFile(join(packageFolder(), file), 'utf8');
    expect([file, text]).toEqual([file, expect.stringMatching(/the change may\s+have been made/)]);
  }
});

describe('a disk that hangs', () => {
  /** From now on, flushes of a file whose name begins so do this. */
  interface Fault {
    of: string | undefined;
    flush: () => Promise<void>;
  }

  async function openWithFault(options: LowdbOptions) {
    const folder = await temporaryFolder();
    const fault: Partial<Fault> = {};
    const files = filesWith((file, path) => ({
      flush: () => {
        const applies = fault.of !== undefined && basename(path).startsWith(fault.of);
        return applies && fault.flush ? fault.flush() : file.flush();
      },
    }));
    const store = await openIn(folder, {}, { files, ...options });
    return { store, fault };
  }

  function hanging() {
    const events = new EventEmitter();
    const ended = once(events, 'end');
    const flush = async () => {
      events.emit('begin');
      await ended;
    };
    return { flush, begun: once(events, 'begin'), end: () => events.emit('end') };
  }

  const reasonOf = (store: Store) =>
    store.check().then(
      () => 'ready',
      (error: StoreUnavailable) => error.reason,
    );

  test('while it flushes is not ready, until the flush is done', async () => {
    const { store, fault } = await openWithFault({ stalledMs: 0 });
    const { flush, begun, end } = hanging();
    Object.assign(fault, { of: 'journal', flush });
    const change = store.subscriptions.create(record('s'));
    await begun;
    expect(await reasonOf(store)).toBe('a write to the disk takes more than 0 ms');
    end();
    expect(await change).toBe(true);
    expect(await reasonOf(store)).toBe('ready');
  });

  test('for a moment is still ready', async () => {
    const { store, fault } = await openWithFault({ stalledMs: 60_000 });
    const { flush, begun, end } = hanging();
    Object.assign(fault, { of: 'journal', flush });
    const change = store.subscriptions.create(record('s'));
    await begun;
    expect(await reasonOf(store)).toBe('ready');
    end();
    await change;
  });

  test('while the store recovers does not keep refused changes in memory', async () => {
    const { store, fault } = await openWithFault({ retryMs: 0 });
    Object.assign(fault, { of: 'journal', flush: () => Promise.reject(new Error('EIO')) });
    await expect(store.subscriptions.create(record('s'))).rejects.toThrow(StoreUnavailable);
    const { flush, begun, end } = hanging();
    Object.assign(fault, { of: '.', flush });
    await store.check().catch(() => begun);
    const before = bytesOfBuffers();
    for (let n = 0; n < 200; n++) {
      const large = store.subscriptions.replace(`s${n}`, record('s', 'x'.repeat(1024 * 1024)));
      await expect(large).rejects.toThrow(StoreUnavailable);
    }
    expect(bytesOfBuffers() - before).toBeLessThan(20 * 1024 * 1024);
    fault.of = undefined;
    end();
    await untilReady(store);
  });

  /** After a garbage collection: each line of the journal is a separate buffer. */
  function bytesOfBuffers(): number {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    return process.memoryUsage().arrayBuffers;
  }

  test('while the store recovers is not ready, and says so at once', async () => {
    const { store, fault } = await openWithFault({ retryMs: 0 });
    const eio = Object.assign(new Error('EIO'), { code: 'EIO' });
    Object.assign(fault, { of: 'journal', flush: () => Promise.reject(eio) });
    await expect(store.subscriptions.create(record('s'))).rejects.toThrow(StoreUnavailable);
    const { flush, begun, end } = hanging();
    Object.assign(fault, { of: '.', flush });
    for (let probe = 0; probe < 3; probe++) {
      expect(await reasonOf(store)).toBe('the last flush of a change failed (EIO)');
    }
    await begun;
    expect(await reasonOf(store)).toBe('the last flush of a change failed (EIO)');
    fault.of = undefined;
    end();
    await untilReady(store);
    expect(await store.subscriptions.create(record('s'))).toBe(true);
  });
});

test('many clients share one flush', async () => {
  let flushes = 0;
  const files = filesWith((file) => ({
    flush: () => {
      flushes += 1;
      return file.flush();
    },
  }));
  const store = await openIn(await temporaryFolder(), {}, { files });
  flushes = 0;
  await Promise.all(
    Array.from({ length: 32 }, (_, n) => store.subscriptions.create(record(`s${n}`))),
  );
  expect(flushes).toBe(1);
});
