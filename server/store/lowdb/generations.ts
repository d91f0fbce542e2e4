/**
 * The files of a data folder. Generation N begins with `snapshot-N`, all records at one moment, and goes on with
 * `journal-N`, what has changed since. The first generation has no snapshot. While a snapshot is written, or after it could
 * not be written, the generation before it is needed, too: then there are several journals in a row.
 */
import { type Files, writeWhole } from './files.ts';
import { commitLine, recordLine } from './line.ts';
import type { Data } from '../record-map.ts';
import type { CollectionName } from '../store.ts';

export const snapshotName = (generation: number) => `snapshot-${generation}`;
export const journalName = (generation: number) => `journal-${generation}`;

export interface Generations {
  /** The greatest with a snapshot; 1 where there is none. */
  base: number;
  snapshot: boolean;
  /** With a journal, from `base` on, ascending. */
  journals: number[];
  /** Files of generations before `base`, which are not needed any more. */
  outdated: string[];
}

/** @param names of files, in which those that are not ours are passed over */
export function generationsOf(names: string[]): Generations {
  const numbers = (pattern: RegExp) =>
    names
      .flatMap((name) => pattern.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
  const snapshots = numbers(/^snapshot-([1-9][0-9]{0,14})$/);
  const journals = numbers(/^journal-([1-9][0-9]{0,14})$/);
  const base = snapshots.at(-1) ?? 1;
  return {
    base,
    snapshot: snapshots.length > 0,
    journals: journals.filter((one) => one >= base),
    outdated: [
      ...snapshots.filter((one) => one < base).map(snapshotName),
      ...journals.filter((one) => one < base).map(journalName),
    ],
  };
}

/** How much of a snapshot is made and written at once, so that requests do not wait long for it. */
const PART = 256 * 1024;

/** @param number of the last batch that the snapshot includes @returns its bytes */
export async function writeSnapshot(
  files: Files,
  folder: string,
  generation: number,
  { data, number }: { data: Data; number: number },
): Promise<number> {
  let bytes = 0;
  async function* parts() {
    for (const part of snapshotParts(data)) {
      bytes += Buffer.byteLength(part);
      yield part;
    }
    yield commitLine(number, bytes);
  }
  await writeWhole(files, folder, snapshotName(generation), parts());
  return bytes;
}

function* snapshotParts(data: Data): Generator<string | Buffer> {
  let part = '';
  for (const collection of ['edges', 'subscriptions'] satisfies CollectionName[]) {
    for (const [id, text] of data[collection].entries()) {
      if (typeof text !== 'string') {
        yield text.line;
        continue;
      }
      part += recordLine({ collection, id, text });
      if (part.length < PART) continue;
      yield part;
      part = '';
    }
  }
  yield part;
}
