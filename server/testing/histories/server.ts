/**
 * The server with a journal of another size, or with an error that the trial of histories must
 * find: EDGE_JOURNAL_BYTES, EDGE_PLANTED.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../config.ts';
import { runServer } from '../../run-server.ts';
import { type Files, nodeFiles, type OpenFile } from '../../store/lowdb/files.ts';
import { type LowdbOptions, openLowdbStore } from '../../store/lowdb/open.ts';
import type { StoreSettings } from '../../store/open.ts';
import type { Collection, Store, StoreEvents } from '../../store/store.ts';

/** Long enough that a kill or a reader comes in between. */
const LATE_MS = 20;

/** Acknowledges a change before the operating system has it. */
const lateFiles: Files = {
  ...nodeFiles,
  open: async (path, how) => {
    const file = await nodeFiles.open(path, how);
    return how === 'a' ? lateFile(file) : file;
  },
};

function lateFile(file: OpenFile): OpenFile {
  let written: Promise<unknown> = Promise.resolve();
  return {
    ...file,
    append: async (data) => {
      written = written.then(() => pause(LATE_MS)).then(() => file.append(data));
    },
    flush: async () => undefined,
    close: () => written.then(() => file.close()),
  };
}

/** From now on, a read gives what another one has read a moment ago, also after a change. */
function makeStale<T>(collection: Collection<T>): void {
  const seen = new Map<string, { record: T | undefined; until: number }>();
  const get = collection.get.bind(collection);
  collection.get = async (id) => {
    const last = seen.get(id);
    if (last !== undefined && performance.now() < last.until) {
      return last.record;
    }
    const record = await get(id);
    seen.set(id, { record, until: performance.now() + LATE_MS });
    return record;
  };
}

async function open({ dataDir }: StoreSettings, events: StoreEvents): Promise<Store> {
  const options: LowdbOptions = {};
  const journalBytes = process.env['EDGE_JOURNAL_BYTES'];
  if (journalBytes !== undefined) {
    options.journalBytes = Number(journalBytes);
  }
  const planted = process.env['EDGE_PLANTED'];
  if (planted === 'late-write') {
    options.files = lateFiles;
  }
  const store = await openLowdbStore(dataDir, events, options);
  if (planted === 'stale-read') {
    makeStale(store.edges);
  }
  return store;
}

const config = readConfig(process.argv.slice(2), process.env);
if (config === 'help' || config === 'version') {
  throw new Error('this program is started by the trial');
}
const { stdout, stderr } = process;
await runServer(config, { stdout, stderr, signals: process }, open);
