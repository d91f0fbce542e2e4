/** For how long a change waits for others that could share its flush. */
import { expect, onTestFinished } from 'vitest';
import { it } from '../../../tools/temporary-folder.ts';
import type { Store } from '../store.ts';
import { type Files, nodeFiles } from './files.ts';
import { openLowdbStore } from './open.ts';

const EVENTS = { damaged: () => undefined, warning: () => undefined };

/** Counts flushes, and remembers when the last one was. */
class WatchedFiles {
  flushes = 0;
  onFlush = (): void => undefined;
  readonly files: Files = {
    ...nodeFiles,
    open: async (path, how) => {
      const file = await nodeFiles.open(path, how);
      const flush = async (): Promise<void> => {
        this.flushes += 1;
        this.onFlush();
        await file.flush();
      };
      return { ...file, flush };
    },
  };
}

let made = 0;

async function create({ subscriptions }: Store): Promise<void> {
  made += 1;
  await subscriptions.create({ id: `sub_${made}`, types: ['a.v0'] });
}

async function opened(folder: string, { files }: WatchedFiles): Promise<Store> {
  const store = await openLowdbStore(folder, EVENTS, { files });
  onTestFinished(() => store.close());
  return store;
}

it('a change of a client that is alone is flushed in the same turn', async ({ folder }) => {
  const watched = new WatchedFiles();
  const store = await opened(folder, watched);
  await create(store);
  expect(await turnsUntilFlush(store, watched)).toBe(0);
});

it('a change waits for others after several that came together', async ({ folder }) => {
  const watched = new WatchedFiles();
  const store = await opened(folder, watched);
  const before = watched.flushes;
  await Promise.all([create(store), create(store), create(store)]);
  expect(watched.flushes - before).toBe(1);
  expect(await turnsUntilFlush(store, watched)).toBeGreaterThan(0);
  // It was alone.
  expect(await turnsUntilFlush(store, watched)).toBe(0);
});

it('changes that came during a flush wait for others', async ({ folder }) => {
  const watched = new WatchedFiles();
  const store = await opened(folder, watched);
  const meanwhile: Promise<void>[] = [];
  watched.onFlush = () => {
    watched.onFlush = () => undefined;
    meanwhile.push(create(store), create(store));
  };
  await create(store);
  const turns = turnsUntil(watched);
  await Promise.all(meanwhile);
  expect(turns()).toBeGreaterThan(0);
});

/** The turns of the event loop between a change and its flush. */
async function turnsUntilFlush(store: Store, watched: WatchedFiles): Promise<number> {
  const turns = turnsUntil(watched);
  await create(store);
  return turns();
}

/** @returns how many turns of the event loop there were, once there was a flush */
function turnsUntil(watched: WatchedFiles): () => number {
  let turns = 0;
  let found = -1;
  const count = (): void => {
    turns += 1;
    if (found === -1) {
      setImmediate(count);
    }
  };
  watched.onFlush = () => {
    found = turns;
    watched.onFlush = () => undefined;
  };
  setImmediate(count);
  return () => found;
}
