/** Writes the records of an export into a store, and overwrites nothing but damaged records. */
import { type Collection, DamagedRecord, type Store } from '../store/store.ts';
import { CannotTransfer, type Counts, type Line, readLine } from './lines.ts';

/** Records that are written at once: most of the time is spent on waiting for the disk. */
const AT_ONCE = 32;

/** How many records were written, and how many existed already and are equal. */
export interface Imported {
  written: number;
  same: number;
}

export interface ImportOptions {
  /** Continues an import that was interrupted; else a store that holds anything is refused. */
  resume: boolean;
  /** Called after each line. */
  onLine?(bytes: number): void;
}

/**
 * @param lines each with its line feed; one without is cut off
 * @throws CannotTransfer, StoreUnavailable; what was written until then stays, and `resume` goes on from there
 */
export async function importLines(
  store: Store,
  lines: AsyncIterable<string>,
  { resume, onLine }: ImportOptions,
): Promise<Imported> {
  if (!resume && (await store.edges.count()) + (await store.subscriptions.count()) > 0) {
    throw new CannotTransfer(
      'the store is not empty, and an import overwrites nothing; to go on with one that broke off, add --resume',
    );
  }
  const done: Imported = { written: 0, same: 0 };
  const found: Counts = { edges: 0, subscriptions: 0 };
  let end: Counts | undefined;
  let number = 0;
  let batch: Promise<void>[] = [];
  for await (const text of lines) {
    if (!text.endsWith('\n')) break;
    number += 1;
    if (end) throw new CannotTransfer(`line ${number}: there is more after the end of the export`);
    const line = readLine(text, number);
    onLine?.(Buffer.byteLength(text));
    if (line.kind === 'end') end = line.counts;
    if (line.kind !== 'record') continue;
    found[line.collection] += 1;
    batch.push(put(store, line, done));
    if (batch.length < AT_ONCE) continue;
    await settle(batch);
    batch = [];
  }
  await settle(batch);
  if (end?.edges !== found.edges || end.subscriptions !== found.subscriptions) {
    throw new CannotTransfer(
      `the export is not whole: it breaks off after ${number} lines; export again, then import with --resume`,
    );
  }
  return done;
}

/** All of them end before the first error is passed on. */
async function settle(batch: Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(batch)) if (outcome.status === 'rejected') throw outcome.reason;
}

async function put(store: Store, line: Line & { kind: 'record' }, done: Imported): Promise<void> {
  const { collection: name, record } = line;
  const collection = store[name] as unknown as Collection<{ id: string }>;
  let exists = false;
  try {
    await collection.update(record.id, (current) => {
      exists = current !== undefined;
      if (current && JSON.stringify(current) !== JSON.stringify(record)) {
        throw new CannotTransfer(`${record.id} of ${name} exists already and differs; nothing was overwritten`);
      }
      return current ?? record;
    });
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    await collection.replace(record.id, record);
  }
  done[exists ? 'same' : 'written'] += 1;
}
