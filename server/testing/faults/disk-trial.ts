/**
 * A store that loses power keeps of each record the last version that was acknowledged or read, or
 * a later one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openLowdbStore } from '../../store/lowdb/open.ts';
import type { Files } from '../../store/lowdb/files.ts';
import { type Store, StoreUnavailable } from '../../store/store.ts';
import { type Call, type Mishap, randomBy, SimulatedDisk } from '../simulated-disk.ts';

const FOLDER = '/srv/data/edges';
const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

export type MishapAt = (call: Call) => Mishap | undefined;

export interface TrialOptions {
  seed: number;
  /** In the first run. */
  mishap?: MishapAt;
  /**
   * The moments in the first run at which the power fails or the process alone ends; and the mishap
   * in the second run.
   */
  killed?: MishapAt | undefined;
  /** Stands between the store and the disk, to leave out something that matters. */
  change?: (files: Files) => Files;
}

/** The versions of one record: what it may be, from the oldest on. */
interface Versions {
  values: (string | null)[];
  /** The least that it must be. */
  floor: number;
}

/** @returns violations, none when all is well; and how many calls the first run made */
export async function runTrial({ seed, mishap, killed, change = (files) => files }: TrialOptions) {
  const random = randomBy(seed);
  const records = new Map(IDS.map((id): [string, Versions] => [id, { values: [null], floor: 0 }]));
  const violations: string[] = [];
  const shared = { change, random, records, violations };
  const disk = new SimulatedDisk(mishap);
  await run(disk, 12, shared);
  // The power fails once more while the store recovers, or soon after, and then no more.
  const second = killed
    ? disk.afterKill(killed)
    : disk.afterPowerCut(random, powerAt(1 + Math.floor(random() * 60)));
  // Without a snapshot, which would hide what the journals miss.
  await run(second, 3, shared, killed && 100_000);
  await run(second.afterPowerCut(random), 1, shared);
  return { violations, calls: disk.calls };
}

export function powerAt(number: number): MishapAt {
  return (call) => (call.number === number ? 'power' : undefined);
}

/** Among so many calls, those fail whose name begins so. */
export function failing(name: 'append' | 'flush', number: number, calls: number): MishapAt {
  const mishap = name === 'append' ? 'ENOSPC' : 'EIO';
  const isOne = (call: Call) =>
    call.name.startsWith(name) && call.number >= number && call.number < number + calls;
  return (call) => (isOne(call) ? mishap : undefined);
}

export function soonAfter(number: number, calls: number): MishapAt {
  return (call) => (call.number === number ? 'EIO' : powerAt(number + calls)(call));
}

interface Run extends Required<Pick<TrialOptions, 'change'>> {
  violations: string[];
  random: () => number;
  records: Map<string, Versions>;
}

/** @param rounds of one to four changes each */
async function run(
  disk: SimulatedDisk,
  rounds: number,
  shared: Run,
  journalBytes = 1000,
): Promise<void> {
  const store = await open(disk, shared, journalBytes);
  if (store === undefined) {
    return;
  }
  await look(store, shared);
  if (disk.hasPower) {
    await list(store, shared);
  }
  for (let round = 0; round < rounds && disk.hasPower; round++) {
    await changeSome(store, disk, shared);
  }
  if (disk.hasPower) {
    await end(store, disk, shared);
  }
}

/** A start may fail if a call fails, and not because of the content of the disk. */
async function open(
  disk: SimulatedDisk,
  { change, violations }: Run,
  journalBytes: number,
): Promise<Store | undefined> {
  const lock = async () => async () => undefined;
  const options = { files: change(disk.files), lock, journalBytes, retryMs: 0 };
  const damaged = (error: Error) => void violations.push(error.message);
  const events = { damaged, warning: () => undefined };
  for (;;) {
    try {
      return await openLowdbStore(FOLDER, events, options);
    } catch (error) {
      if (!disk.hasPower) {
        return undefined;
      }
      if (!/EIO|ENOSPC/.test(String(error))) {
        violations.push(`the store does not open: ${String(error)}`);
        return undefined;
      }
    }
  }
}

/** One to four changes at once, with readers at several moments of the same flush. */
async function changeSome(store: Store, disk: SimulatedDisk, shared: Run): Promise<void> {
  const { random } = shared;
  const changes = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    changeOne(store, disk, shared),
  );
  for (let turn = 0; turn < 8; turn++) {
    await Promise.resolve();
    if (turn % 3 === 0 && disk.hasPower) {
      await look(store, shared);
    }
  }
  await Promise.all(changes);
  if (disk.hasPower) {
    await look(store, shared);
  }
  // As load balancers ask; after an error, it is what has the store recover.
  if (random() < 0.3) {
    await becomesReady(store);
  }
}

async function changeOne(store: Store, disk: SimulatedDisk, shared: Run): Promise<void> {
  const { random, records, violations } = shared;
  const id = IDS[Math.floor(random() * IDS.length)]!;
  const versions = records.get(id)!;
  const isRemoval = random() < 0.25;
  const next = isRemoval ? null : newValue(versions, random);
  const version = versions.values.push(next) - 1;
  let writes = true;
  try {
    await store.subscriptions.update(id, (current) => {
      writes = current !== undefined || next !== null;
      if (next === null) {
        return null;
      }
      return { id, types: [next] };
    });
    // The removal of a missing record writes nothing, and once the power is off, nobody receives a
    // response.
    if (writes && disk.hasPower) {
      versions.floor = Math.max(versions.floor, version);
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) {
      violations.push(`a change fails with ${String(error)}`);
    }
  }
}

/** More turns of the event loop than three attempts to recover take. */
const MOST_TURNS = 100;

async function becomesReady(store: Store): Promise<boolean> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const ready = await store.check().then(
      () => true,
      () => false,
    );
    if (ready) {
      return true;
    }
    await nextTurn();
  }
  return false;
}

function newValue({ values }: Versions, random: () => number): string {
  return `v${values.length}.${'x'.repeat(Math.floor(random() * 200))}`;
}

/** The mishap may come now, and does not last for long. */
async function end(store: Store, disk: SimulatedDisk, shared: Run): Promise<void> {
  const recovered = await becomesReady(store);
  if (!recovered && disk.hasPower) {
    shared.violations.push('the store does not recover');
  }
  if (shared.random() < 0.5) {
    await store.close();
  }
}

/** Reads every record, and keeps that it was read. */
async function look(store: Store, { records, violations }: Run): Promise<void> {
  for (const [id, versions] of records) {
    const found = (await store.subscriptions.get(id))?.types[0] ?? null;
    const version = versions.values.findIndex(
      (value, index) => index >= versions.floor && value === found,
    );
    if (version >= 0) {
      versions.floor = version;
    } else {
      violations.push(
        `${id} is ${String(found).slice(0, 8)}, and version ${versions.floor} was promised`,
      );
    }
  }
}

async function list(store: Store, { records, violations }: Run): Promise<void> {
  const listed = (await store.subscriptions.list({ limit: 100, before: undefined })).records.map(
    ({ id }) => id,
  );
  const there = [...records]
    .filter(([, { values, floor }]) => values[floor] !== null)
    .map(([id]) => id);
  if (listed.toReversed().join() !== there.join()) {
    violations.push(`${listed} are listed, and ${there} are there`);
  }
  // A change that was lost before must not come back.
  for (const versions of records.values()) {
    versions.values = [versions.values[versions.floor]!];
    versions.floor = 0;
  }
}
