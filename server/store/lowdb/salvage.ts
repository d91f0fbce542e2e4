/** Makes a data folder usable again in which something cannot be read, and keeps what it finds. */
import { basename, join, resolve } from 'node:path';
import { CannotOpenStore } from '../store.ts';
import { codeOf, type Files, nodeFiles } from './files.ts';
import { readVersion } from './folder.ts';
import { lockFolder } from './folder-lock.ts';
import { generationsOf, journalName, snapshotName, writeSnapshot } from './generations.ts';
import { type Line, readLines } from './line.ts';
import { LoadedRecords } from './load.ts';
import { cannotOpen, holdFolder } from './open.ts';

export interface Salvaged {
  /** Where the files are kept as they were. */
  before: string;
  records: number;
  /** Whose name can be read and whose text cannot. */
  damaged: string[];
  /** What cannot be read at all. */
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
  const { base, snapshot, journals } = generationsOf(await files.names(path));
  const next = Math.max(base, ...journals) + 1;
  const before = await makeNewFolder(files, join(path, 'before-salvage'));
  const names = [...(snapshot ? [snapshotName(base)] : []), ...journals.map(journalName)];
  const records = new LoadedRecords();
  const unreadable: Salvaged['unreadable'] = [];
  for (const name of names) {
    await copy(files, join(path, name), join(before, name), (line) => {
      if (line.kind === 'unreadable') unreadable.push({ file: name, offset: line.offset, bytes: line.bytes.length });
      else records.apply(line, join(before, name));
    });
  }
  await files.flushFolder(before);
  await files.flushFolder(path);
  const data = records.data();
  // The journal before the snapshot: as long as there is no snapshot, the files before it count.
  await (await files.open(join(path, journalName(next)), 'a')).close();
  await writeSnapshot(files, path, next, { data, number: records.number });
  for (const name of names) await files.remove(join(path, name));
  const damaged = (['edges', 'subscriptions'] as const).flatMap((name) =>
    [...data[name].entries()].filter(([, text]) => typeof text !== 'string').map(([id]) => `${name}/${id}`),
  );
  return {
    before: basename(before),
    records: data.edges.size + data.subscriptions.size - damaged.length,
    damaged,
    unreadable,
  };
}

async function makeNewFolder(files: Files, prefix: string): Promise<string> {
  for (let n = 1; ; n++) {
    try {
      await files.makeFolder(`${prefix}-${n}`);
      return `${prefix}-${n}`;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

async function copy(files: Files, from: string, to: string, each: (line: Line) => void): Promise<void> {
  const source = await files.open(from, 'r');
  const target = await files.open(to, 'wx');
  try {
    for await (const lines of readLines(source)) lines.forEach(each);
    const part = Buffer.allocUnsafe(1024 * 1024);
    for (let offset = 0; ;) {
      const read = await source.read(part, offset);
      if (read === 0) break;
      await target.append(part.subarray(0, read));
      offset += read;
    }
    await target.flush();
  } finally {
    await source.close();
    await target.close();
  }
}
