#!/usr/bin/env node
/**
 * The kill run: every mutant, with every seed, must be killed by the requirement that it names. It takes many minutes,
 * so it is no part of CI; a run that was stopped goes on where it was. Its result is the committed list of survivors.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadContract } from '../engine/contract/load.ts';
import { KillState, type RunKey, type Trial } from './kill-state.ts';
import type { Mutant } from './mutant.ts';
import { mutantsFor } from './mutants/index.ts';
import { hashOf, type Survivor, type Survivors, survivorsPath } from './survivors.ts';
import { printTable } from './table.ts';
import { WorkerPool } from './workers.ts';

const USAGE = `Usage: node tools/run.js conformance/self/kill [--seed N] [--seeds N] [--mutant PREFIX] [--new]

  --seed N         the first seed; default: that of the run to go on with, or a random one
  --seeds N        how many seeds each mutant is tried with; default 1
  --mutant PREFIX  only mutants whose id begins so; the list of survivors is not written
  --new            start anew instead of going on with the last run`;

const contract = loadContract();
const all = mutantsFor(contract);

async function main(): Promise<number> {
  const options = optionsOf();
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${USAGE}\n`);
    return 2;
  }
  const { key, prefix, path } = options;
  const mutants = all.filter(({ id }) => id.startsWith(prefix));
  const state = new KillState(path, key);
  const jobs = mutants.flatMap(({ id }) =>
    Array.from({ length: key.seeds }, (_, index) => ({ mutant: id, seed: key.seed + index })),
  );
  const open = jobs.filter((job) => !state.has(job));
  process.stdout.write(
    `${mutants.length} mutants, seed ${key.seed}, seeds ${key.seeds}: ` +
      `${jobs.length - open.length} of ${jobs.length} trials done before\n`,
  );

  const list = (): Survivors => listOf(mutants, state.trials, key);
  const write = (): void => {
    if (prefix === '') writeFileSync(survivorsPath(contract), `${JSON.stringify(list(), null, 2)}\n`);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      write();
      process.stdout.write(`\nStopped after ${list().tried} of ${mutants.length} mutants: run it again to go on.\n`);
      process.exit(130);
    });
  }

  const workers = new WorkerPool();
  try {
    let done = jobs.length - open.length;
    await workers.tryAll(open, (job, result) => {
      state.add({ ...job, ...result });
      progress(++done, jobs.length);
    });
  } finally {
    await workers.close();
  }
  write();
  state.remove();
  const { survivors } = list();
  print(mutants, survivors, key);
  return survivors.length === 0 ? 0 : 1;
}

/** What is wrong with them, where something is. */
function optionsOf(): { key: RunKey; prefix: string; path: string } | string {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        mutant: { type: 'string', default: '' },
        new: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return (error as Error).message;
  }
  const prefix = values.mutant;
  if (!all.some(({ id }) => id.startsWith(prefix))) return `--mutant ${prefix}: no mutant has an id that begins so`;
  // Of its own for each prefix: a look at a few mutants does not throw the whole run away.
  const file = `kill${prefix === '' ? '' : `-${prefix.replaceAll(/[^\w.-]/g, '_')}`}.jsonl`;
  const path = join(dirname(contract.path), 'node_modules', '.cache', 'edge-contract', file);
  const before = values.new ? undefined : KillState.keyIn(path);
  const seed = values.seed === undefined ? (before?.seed ?? Math.floor(Math.random() * 2 ** 30)) : Number(values.seed);
  const seeds = values.seeds === undefined ? (before?.seeds ?? 1) : Number(values.seeds);
  if (!Number.isSafeInteger(seed)) return `--seed ${values.seed}: must be an integer`;
  if (!Number.isSafeInteger(seeds) || seeds < 1) return `--seeds ${values.seeds}: must be an integer of at least 1`;
  if (values.new) KillState.discard(path);
  return { key: { hash: hashOf(contract), seed, seeds }, prefix, path };
}

function listOf(mutants: Mutant[], trials: Trial[], key: RunKey): Survivors {
  const byMutant = grouped(trials, ({ mutant }) => mutant);
  const survivors = mutants.flatMap(({ id, description, killedBy }): Survivor[] => {
    const survived = (byMutant.get(id) ?? []).filter(({ killed }) => !killed);
    const [first] = survived;
    if (!first) return [];
    const { status, reason } = first;
    return [
      { id, description, killedBy, survived: survived.length, status, ...(reason === undefined ? {} : { reason }) },
    ];
  });
  const tried = mutants.filter(({ id }) => byMutant.get(id)?.length === key.seeds).length;
  return { ...key, mutants: mutants.length, tried, survivors };
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** On a terminal a line that changes; elsewhere a line for each tenth. */
function progress(count: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${count} of ${of}${count === of ? '\n' : ''}`);
  else if (Math.floor((count * 10) / of) > Math.floor(((count - 1) * 10) / of))
    process.stderr.write(`${count} of ${of}\n`);
}

function print(mutants: Mutant[], survivors: Survivor[], { seeds }: RunKey): void {
  const surviving = new Set(survivors.map(({ id }) => id));
  const row = (name: string, some: Mutant[]): string[] => [
    name,
    String(some.length),
    String(some.filter(({ id }) => !surviving.has(id)).length),
  ];
  const classes = grouped(mutants, (mutant) => mutant.class);
  printTable(
    ['class', 'mutants', 'killed on all seeds'],
    [...[...classes].map(([name, some]) => row(name, some)), row('all', mutants)],
  );
  for (const { id, description, killedBy, survived, status, reason } of survivors) {
    process.stdout.write(`\nSURVIVED ${id} on ${survived} of ${seeds} seeds\n  ${description}\n`);
    process.stdout.write(`  ${killedBy}: ${status}${reason === undefined ? '' : `, ${reason}`}\n`);
  }
  process.stdout.write(`\n${mutants.length - survivors.length} killed, ${survivors.length} survived\n`);
}

process.exitCode = await main();
