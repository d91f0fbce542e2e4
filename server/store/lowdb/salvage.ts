/** Repairs a data folder in which something cannot be read, and keeps its files. */
import { basename, join, resolve } from 'node:path';
import { CannotOpenStore, COLLECTIONS } from '../store.ts';
import { ignore, nodeFiles, partsOf, withFile, writeNew } from './files.ts';
import { holdFolder, lockFolder, lockLastJournal, readVersion } from './folder.ts';
import { beginJournal, generationsOf, readLines, STOPPED, writeSnapshot } from './format.ts';
import { cannotOpen, LoadedRecords } from './load.ts';

/**
 * Every line that can be read counts, in order; files are copied before anything changes.
 * @throws CannotOpenStore
 */
export async function salvageFolder(folder: string) {
  const path = resolve(folder);
  const release = await holdFolder(path, nodeFiles, lockFolder);
  try {
    if (((await readVersion(nodeFiles, path)) ?? 1) === 1) {
      throw new CannotOpenStore(`${path} holds no journals to salvage`);
    }
    const lock = await lockLastJournal(nodeFiles, path);
    return await salvage(path).finally(() => lock?.close());
  } catch (error) {
    throw cannotOpen(path, error);
  } finally {
    await release();
  }
}

async function salvage(path: string) {
  const { base, journals, names } = generationsOf(await nodeFiles.names(path));
  const next = Math.max(base, ...journals) + 1;
  const before = await makeNewFolder(join(path, 'before-salvage'));
  const records = new LoadedRecords();
  /** Bytes that cannot be read at all. */
  const unreadable: { file: string; offset: number; bytes: number }[] = [];
  for (const name of names) {
    await withFile(nodeFiles, join(path, name), 'r', async (file) => {
      await writeNew(nodeFiles, join(before, name), partsOf(file));
      for await (const lines of readLines(file)) {
        for (const line of lines) {
          if (line.kind === 'unreadable') {
            unreadable.push({ file: name, offset: line.offset, bytes: line.bytes.length });
          } else {
            records.apply(line, join(before, name));
          }
        }
      }
    });
  }
  await nodeFiles.flushFolder(before);
  await nodeFiles.flushFolder(path);
  const data = records.data();
  /** Records of which no text can be read, and those that are as they were before the last one. */
  const damaged: string[] = [];
  const older: string[] = [];
  for (const name of COLLECTIONS) {
    for (const [id, text] of data[name].entries()) {
      if (typeof text === 'string') {
        continue;
      }
      if (text.older !== undefined) {
        data[name].set(id, text.older);
      }
      (text.older === undefined ? damaged : older).push(`${name}/${id}`);
    }
  }
  // The journal before the snapshot: as long as there is no snapshot, the files before it count.
  await beginJournal(nodeFiles, path, next);
  await writeSnapshot(nodeFiles, path, next, { data, number: records.number });
  for (const name of [...names, STOPPED]) {
    await nodeFiles.remove(join(path, name)).catch(ignore('ENOENT'));
  }
  const count = data.edges.size + data.subscriptions.size - damaged.length;
  return { before: basename(before), records: count, damaged, older, unreadable };
}

async function makeNewFolder(prefix: string): Promise<string> {
  for (let n = 1; ; n++) {
    const path = `${prefix}-${n}`;
    if (await nodeFiles.makeFolder(path).then(() => true, ignore('EEXIST'))) {
      return path;
    }
  }
}
