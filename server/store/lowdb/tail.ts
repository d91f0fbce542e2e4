/** What a failed power supply leaves at the end of a journal: a batch that was not flushed, and not acknowledged. */
import { crc32 } from 'node:zlib';
import { basename, join } from 'node:path';
import { type Files, readWhole } from './files.ts';

/**
 * Cuts it off, and keeps it in a file beside the journal: should a disk have damaged what it had flushed, it is not lost.
 * @returns what was done, in one line
 */
export async function keepTail(
  files: Files,
  folder: string,
  { journal, offset }: { journal: string; offset: number },
): Promise<string> {
  const tail = (await readWhole(files, journal)).subarray(offset);
  // By its content, so that a start that is interrupted here and done again keeps one file.
  const kept = join(folder, `cut-${basename(journal)}-at-${offset}-${crc32(tail).toString(16)}`);
  await files.remove(kept).catch(() => undefined);
  const copy = await files.open(kept, 'wx');
  try {
    await copy.append(tail);
    await copy.flush();
  } finally {
    await copy.close();
  }
  await files.flushFolder(folder);
  const file = await files.open(journal, 'a');
  try {
    await file.truncate(offset);
    await file.flush();
  } finally {
    await file.close();
  }
  return `${journal} ended with ${tail.length} bytes of a batch that was not flushed: they were cut off and are kept in ${kept}`;
}
