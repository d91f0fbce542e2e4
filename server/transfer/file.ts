/** The file of an export: made for its owner alone, never overwritten, and continued where it was cut off. */
import { type FileHandle, open } from 'node:fs/promises';
import { CannotTransfer } from './cannot-transfer.ts';
import { noProgress, type Progress } from './export.ts';
import { linesOf, readLine } from './lines.ts';

export interface ExportFile {
  handle: FileHandle;
  /** Undefined for a new file. */
  progress: Progress | undefined;
  /** Nothing is left to be done. */
  complete: boolean;
}

/** @throws CannotTransfer */
export async function openExportFile(path: string, resume: boolean): Promise<ExportFile> {
  try {
    // Without `resume`, a file that exists is an error; with it, one that does not.
    const handle = await open(path, resume ? 'r+' : 'wx', 0o600);
    if (!resume) return { handle, progress: undefined, complete: false };
    const { progress, complete } = await readProgress(handle);
    await handle.close();
    // What comes now belongs behind what is there.
    return { handle: await open(path, 'a'), progress, complete };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CannotTransfer(`${path} exists, and an export overwrites nothing; to go on with it, add --resume`);
    if (code === undefined) throw error;
    throw new CannotTransfer(`${path} cannot be ${resume ? 'continued' : 'made'} (${code})`);
  }
}

/** Reads what is there, and cuts off a last line that is not whole. */
async function readProgress(handle: FileHandle): Promise<Omit<ExportFile, 'handle'>> {
  const progress = noProgress();
  let whole = 0;
  let number = 0;
  for await (const text of linesOf(handle.createReadStream({ encoding: 'utf8', autoClose: false, start: 0 }))) {
    if (!text.endsWith('\n')) break;
    number += 1;
    const line = readLine(text, number);
    whole += Buffer.byteLength(text);
    if (line.kind === 'end') return { progress, complete: true };
    if (line.kind === 'record') {
      progress.counts[line.collection] += 1;
      progress.last = { collection: line.collection, id: line.record.id };
    }
  }
  await handle.truncate(whole);
  return { progress: number === 0 ? undefined : progress, complete: false };
}
