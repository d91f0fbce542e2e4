/**
 * One run of the embedded store on a simulated disk on which something goes wrong: writers and readers at work, then the
 * power fails, and a new store looks at what is left.
 *
 * Each record has versions, counted. What was acknowledged, and what somebody has read, must be there afterwards, or a
 * later version; what was never written must not.
 */
import { openLowdbStore } from '../../store/lowdb/open.ts';
import type { Files } from '../../store/lowdb/files.ts';
import { type Store, StoreUnavailable } from '../../store/store.ts';
import { type Call, type Mishap, randomBy, SimulatedDisk } from '../simulated-disk.ts';

const FOLDER = '/srv/data/edges';
const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

export interface TrialOptions {
  seed: number;
  /** What happens at a call of the first run. */
  mishap?: (call: Call) => Mishap | undefined;
  /** Rounds of one to four changes each. */
  rounds?: number;
  /** Stands between the store and the disk, to leave out something that matters. */
  change?: (files: Files) => Files;
}

export interface Trial {
  /** What must not be; empty when all is well. */
  violations: string[];
  /** Calls of the first run. */
  calls: number;
  acknowledged: number;
}

/** The versions of one record: what it may be, from the oldest on. */
interface Versions {
  values: (string | null)[];
  /** The least that it must be. */
  floor: number;
}

export async function runTrial({ seed, mishap, rounds = 12, change = (files) => files }: TrialOptions): Promise<Trial> {
  const random = randomBy(seed);
  const records = new Map(IDS.map((id) => [id, { values: [null], floor: 0 } as Versions]));
  const trial: Trial = { violations: [], calls: 0, acknowledged: 0 };
  const disk = new SimulatedDisk(mishap);
  await run(disk, { change, random, rounds, records, trial });
  trial.calls = disk.calls;
  // The power fails once more while the store recovers, or soon after, and then there is peace.
  const second = disk.afterPowerCut(random, powerAt(1 + Math.floor(random() * 60)));
  await run(second, { change, random, rounds: 3, records, trial });
  const third = second.afterPowerCut(random);
  await run(third, { change, random, rounds: 1, records, trial });
  if (!third.hasPower) trial.violations.push('the last run has no end');
  return trial;
}

export function powerAt(number: number): (call: Call) => Mishap | undefined {
  return (call) => (call.number === number ? 'power' : undefined);
}

interface Run {
  change: (files: Files) => Files;
  random: () => number;
  rounds: number;
  records: Map<string, Versions>;
  trial: Trial;
}

async function run(disk: SimulatedDisk, { change, random, rounds, records, trial }: Run): Promise<void> {
  const fail = (text: string) => trial.violations.push(text);
  let store: Store;
  try {
    store = await openLowdbStore(
      FOLDER,
      { damaged: ({ message }) => fail(message), disconnected: fail, warning: () => undefined },
      {
        files: change(disk.files),
        lock: async () => ({ release: async () => undefined }),
        journalBytes: 1000,
        retryMs: 0,
      },
    );
  } catch (error) {
    // A start may fail where a call fails, and not for what is on the disk.
    if (/EIO|ENOSPC/.test(String(error)) && disk.hasPower) return run(disk, { change, random, rounds, records, trial });
    if (disk.hasPower) fail(`the store does not open: ${String(error)}`);
    return;
  }
  await look(store, records, fail);
  if (disk.hasPower) await list(store, records, fail);
  for (let round = 0; round < rounds && disk.hasPower; round++) {
    const changes = Array.from({ length: 1 + Math.floor(random() * 4) }, async () => {
      const id = IDS[Math.floor(random() * IDS.length)]!;
      const { values } = records.get(id)!;
      const next = random() < 0.25 ? null : `v${values.length}.${'x'.repeat(Math.floor(random() * 200))}`;
      const version = values.push(next) - 1;
      let writes = true;
      try {
        await store.subscriptions.update(id, (current) => {
          writes = current !== undefined || next !== null;
          return next === null ? null : { id, types: [next] };
        });
        // The removal of nothing promises no more than a read: a change before it that failed may still come to light.
        if (!writes) return;
        records.get(id)!.floor = Math.max(records.get(id)!.floor, version);
        trial.acknowledged += 1;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) fail(`a change fails with ${String(error)}`);
      }
    });
    // Readers at several moments of the same flush.
    for (let turn = 0; turn < 8; turn++) {
      await Promise.resolve();
      if (turn % 3 === 0) await look(store, records, fail);
    }
    await Promise.all(changes);
    await look(store, records, fail);
    // As load balancers ask; after an error, it is what has the store recover.
    if (random() < 0.3) await store.check().catch(() => undefined);
  }
  if (!disk.hasPower) return;
  if (!(await recovers(store)) && disk.hasPower) fail('the store does not recover');
  if (random() < 0.5) await store.close();
}

async function recovers(store: Store): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await store.check();
      return true;
    } catch {
      // The mishap may come now; it comes once.
    }
  }
  return false;
}

/** Reads every record, and keeps that it was read. */
async function look(store: Store, records: Map<string, Versions>, fail: (text: string) => void): Promise<void> {
  for (const [id, versions] of records) {
    const found = (await store.subscriptions.get(id))?.types[0] ?? null;
    const version = versions.values.findIndex((value, index) => index >= versions.floor && value === found);
    if (version < 0) fail(`${id} is ${JSON.stringify(found)?.slice(0, 8)}, and version ${versions.floor} was promised`);
    else versions.floor = version;
  }
}

async function list(store: Store, records: Map<string, Versions>, fail: (text: string) => void): Promise<void> {
  const { records: listed } = await store.subscriptions.list({ limit: 100, before: undefined });
  const there = [...records].filter(([, { values, floor }]) => values[floor] !== null).map(([id]) => id);
  const ids = listed.map(({ id }) => id);
  if (ids.toReversed().join() !== there.join())
    fail(`${ids.toReversed().join()} are listed, and ${there.join()} are there`);
  // What was lost before must not come back.
  for (const versions of records.values()) {
    versions.values = [versions.values[versions.floor]!];
    versions.floor = 0;
  }
}
