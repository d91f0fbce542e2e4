/** Repairs a data folder in which something cannot be read, and keeps its files. */
import { basename, join, resolve } from 'node:path';
import { CannotOpenStore, COLLECTIONS } from '../store.ts';
import { type Files, ignore, nodeFiles, partsOf, withFile, writeNew } from './files.ts';
import { holdFolder, lockFolder, readVersion } from './folder.ts';
import { generationsOf, journalName, readLines, writeSnapshot } from './format.ts';
import { cannotOpen, LoadedRecords } from './load.ts';

export interface Salvaged {
  /** The subfolder with copies of the files as they were. */
  before: string;
  records: number;
  /** Records whose id can be read and whose text cannot. */
  damaged: string[];
  /** Bytes that cannot be read at all. */
  unreadable: { file: string; offset: number; bytes: number }[];
}

/**
 * Every line that can be read counts, in the order of the files. The files are copied before anything is changed.
 * @throws CannotOpenStore
 */
export async function salvageFolder(folder: string, files: Files = nodeFiles, lock = lockFolder): Promise<Salvaged> {
  const path = resolve(folder);
  const held = await holdFolder(path, files, lock);
  try {
    if ((await readVersion(files, path)) !== 2) throw new CannotOpenStore(`${path} holds no journals to salvage`);
    return await salvage(files, path);
  } catch (error) {
    throw cannotOpen(path, error);
  } finally {
    await held.release();
  }
}

async function salvage(files: Files, path: string): Promise<Salvaged> {
  const { base, journals, names } = generationsOf(await files.names(path));
  const next = Math.max(base, ...journals) + 1;
  const before = await makeNewFolder(files, join(path, 'before-salvage'));
  const records = new LoadedRecords();
  const unreadable: Salvaged['unreadable'] = [];
  for (const name of names) {
    await withFile(files, join(path, name), 'r', async (file) => {
      for await (const lines of readLines(file)) {
        for (const line of lines) {
          if (line.kind === 'unreadable')
            unreadable.push({ file: name, offset: line.offset, bytes: line.bytes.length });
          else records.apply(line, join(before, name));
        }
      }
      await writeNew(files, join(before, name), partsOf(file));
    });
  }
  await files.flushFolder(before);
  await files.flushFolder(path);
  const data = records.data();
  // The journal before the snapshot: as long as there is no snapshot, the files before it count.
  await writeNew(files, join(path, journalName(next)), []);
  await writeSnapshot(files, path, next, { data, number: records.number });
  for (const name of names) await files.remove(join(path, name));
  const damaged = COLLECTIONS.flatMap((name) =>
    [...data[name].entries()].filter(([, text]) => typeof text !== 'string').map(([id]) => `${name}/${id}`),
  );
  const count = data.edges.size + data.subscriptions.size - damaged.length;
  return { before: basename(before), records: count, damaged, unreadable };
}

async function makeNewFolder(files: Files, prefix: string): Promise<string> {
  for (let n = 1; ; n++) {
    const path = `${prefix}-${n}`;
    const made = await files.makeFolder(path).then(() => true, ignore('EEXIST'));
    if (made) return path;
  }
}
