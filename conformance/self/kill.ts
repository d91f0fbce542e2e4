#!/usr/bin/env node
/**
 * The kill run: every mutant, with every seed, against the suite. It takes long, so it is no part of CI; a run that was
 * stopped goes on where it was. Its result is the committed list of survivors.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadContract } from '../engine/contract/load.ts';
import { KillState, type RunKey, type Trial } from './kill-state.ts';
import { Killers } from './killers.ts';
import type { Mutant } from './mutant.ts';
import { mutantsFor } from './mutants.ts';
import { sampleOf } from './sample.ts';
import { hashOf, readVerdicts, type Survivor, type Survivors, survivorsPath, verdictOf } from './survivors.ts';
import { printTable } from './table.ts';
import { WorkerPool } from './workers.ts';

const USAGE = `Usage: node tools/run.js conformance/self/kill [--seed N] [--seeds N] [--mutant PREFIX] [--sample N] [--new]

  --seed N         the first seed; default: that of the run to go on with, or a random one
  --seeds N        how many seeds each mutant is tried with; default 1
  --sample N       only so many mutants, spread over all operators; another seed takes others
  --mutant PREFIX  only mutants whose id begins so; the list of survivors is not written
  --new            start anew instead of going on with the last run`;

const contract = loadContract();
const all = mutantsFor(contract);
const verdicts = readVerdicts(contract);
const cache = join(dirname(contract.path), 'node_modules', '.cache', 'edge-contract');

async function main(): Promise<number> {
  const options = optionsOf();
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${USAGE}\n`);
    return 2;
  }
  const { key, mutants, count, path, isList } = options;
  const state = new KillState(path, key);
  if (state.isStale)
    process.stderr.write('The contract or the mutants have changed since this run began: see --new.\n');
  const jobs = mutants
    .slice(0, count)
    .flatMap(({ id }) => Array.from({ length: key.seeds }, (_, index) => ({ mutant: id, seed: key.seed + index })));
  const open = jobs.filter((job) => !state.has(job));
  process.stdout.write(
    `${count} of ${mutants.length} mutants, seed ${key.seed}, seeds ${key.seeds}: ` +
      `${jobs.length - open.length} of ${jobs.length} trials done before\n`,
  );

  const killers = new Killers(join(cache, 'killers.json'));
  const list = (): Survivors => listOf(mutants, state.trials, key);
  const write = (): void => {
    killers.save();
    if (isList) writeFileSync(survivorsPath(contract), `${JSON.stringify(list(), null, 2)}\n`);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      write();
      process.stdout.write(`\nStopped after ${list().tried} of ${count} mutants: run it again to go on.\n`);
      process.exit(130);
    });
  }

  const workers = new WorkerPool();
  try {
    let done = jobs.length - open.length;
    await workers.tryAll(
      open,
      (mutant) => killers.likelyFor(mutant),
      (job, result) => {
        state.add({ ...job, ...result });
        if (result.by !== undefined) killers.add(job.mutant, result.by);
        progress(++done, jobs.length);
      },
    );
  } finally {
    await workers.close();
  }
  write();
  state.remove();
  print(mutants.slice(0, count), state.trials, list());
  return list().survivors.some(({ kind }) => kind === 'gap') ? 1 : 0;
}

/** What is wrong with them, where something is. */
function optionsOf(): { key: RunKey; mutants: Mutant[]; count: number; path: string; isList: boolean } | string {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        mutant: { type: 'string', default: '' },
        sample: { type: 'string' },
        new: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return (error as Error).message;
  }
  const prefix = values.mutant;
  const some = all.filter(({ id }) => id.startsWith(prefix));
  if (some.length === 0) return `--mutant ${prefix}: no mutant has an id that begins so`;
  const count = values.sample === undefined ? some.length : Number(values.sample);
  if (!Number.isSafeInteger(count) || count < 1) return `--sample ${values.sample}: must be an integer of at least 1`;
  // Of its own for each prefix: a look at a few mutants does not throw the whole run away.
  const path = join(cache, `kill${prefix === '' ? '' : `-${prefix.replaceAll(/[^\w.-]/g, '_')}`}.jsonl`);
  const before = values.new ? undefined : KillState.keyIn(path);
  const seed = values.seed === undefined ? (before?.seed ?? Math.floor(Math.random() * 2 ** 30)) : Number(values.seed);
  const seeds = values.seeds === undefined ? (before?.seeds ?? 1) : Number(values.seeds);
  if (!Number.isSafeInteger(seed)) return `--seed ${values.seed}: must be an integer`;
  if (!Number.isSafeInteger(seeds) || seeds < 1) return `--seeds ${values.seeds}: must be an integer of at least 1`;
  if (values.new) KillState.discard(path);
  return {
    key: { hash: hashOf(contract), seed, seeds },
    // In this order a run that is stopped has tried a bit of everything.
    mutants: sampleOf(some, some.length, seed),
    count: Math.min(count, some.length),
    path,
    isList: prefix === '',
  };
}

function listOf(mutants: Mutant[], trials: Trial[], key: RunKey): Survivors {
  const byMutant = grouped(trials, ({ mutant }) => mutant);
  // Up to the first one that was not: with the seed, the count says which ones.
  const untried = mutants.findIndex(({ id }) => byMutant.get(id)?.length !== key.seeds);
  const tried = untried < 0 ? mutants : mutants.slice(0, untried);
  const killed = { core: 0, extended: 0 };
  const extendedOnly: string[] = [];
  const survivors: Survivor[] = [];
  for (const { id, description, level } of tried) {
    const own = byMutant.get(id)!;
    const survived = own.filter((trial) => !trial.killed).length;
    if (survived > 0) survivors.push({ id, description, survived, ...verdictOf(verdicts, id) });
    else {
      const isCore = own.every((trial) => trial.level === 'core');
      killed[isCore ? 'core' : 'extended']++;
      if (level === 'core' && !isCore) extendedOnly.push(id);
    }
  }
  const inOrder = survivors.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return {
    ...key,
    mutants: mutants.length,
    tried: tried.length,
    killed,
    extendedOnly: extendedOnly.toSorted(),
    survivors: inOrder,
  };
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** On a terminal a line that changes; elsewhere a line for each twentieth. */
function progress(count: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${count} of ${of}${count === of ? '\n' : ''}`);
  else if (Math.floor((count * 20) / of) > Math.floor(((count - 1) * 20) / of))
    process.stderr.write(`${count} of ${of}\n`);
}

function print(mutants: Mutant[], trials: Trial[], { tried, killed, survivors, seed, seeds }: Survivors): void {
  const surviving = new Map(survivors.map((survivor) => [survivor.id, survivor]));
  const of = (some: Mutant[], kind: string) => String(some.filter(({ id }) => surviving.get(id)?.kind === kind).length);
  const row = (name: string, some: Mutant[]): string[] => [
    name,
    String(some.length),
    String(some.filter(({ id }) => !surviving.has(id)).length),
    of(some, 'equivalent'),
    of(some, 'not promised'),
    of(some, 'gap'),
  ];
  printTable(
    ['operator', 'mutants', 'killed', 'equivalent', 'not promised', 'gaps'],
    [...[...grouped(mutants, ({ group }) => group)].map(([name, some]) => row(name, some)), row('all', mutants)],
  );
  for (const { id, description, survived, kind } of survivors) {
    if (kind === 'gap') process.stdout.write(`\nSURVIVED ${id} on ${survived} of ${seeds} seeds\n  ${description}\n`);
  }
  // A false alarm, or a wrong argument.
  for (const trial of trials.filter(({ mutant }) => verdictOf(verdicts, mutant).kind === 'equivalent'))
    if (trial.killed) process.stdout.write(`\nKILLED ${trial.mutant} by ${trial.by}: it is no equivalent\n`);
  for (const one of Array.from({ length: seeds }, (_, index) => seed + index)) {
    const own = trials.filter((trial) => trial.seed === one);
    process.stdout.write(`\nseed ${one}: ${own.filter((trial) => trial.killed).length} of ${own.length} killed`);
  }
  const durations = trials.map(({ duration_ms }) => duration_ms).toSorted((a, b) => a - b);
  const total = durations.reduce((sum, one) => sum + one, 0);
  process.stdout.write(
    `\n${killed.core} killed at core, ${killed.extended} at extended, ${survivors.length} survived, of ${tried}; ` +
      `${Math.round(total / durations.length)} ms a mutant, median ${durations[durations.length >> 1]} ms\n`,
  );
}

process.exitCode = await main();
