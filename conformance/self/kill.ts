#!/usr/bin/env node
/**
 * The kill run: every planted fault, with every seed, must be caught by the requirement that it names. Then the whole suite
 * against a few of the core level: how soon does somebody see a failure who does not know where to look?
 */
import { parseArgs } from 'node:util';
import { loadContract } from '../contract/load.ts';
import { Crew } from './crew.ts';
import type { Fault } from './fault.ts';
import { faultsFor } from './faults/index.ts';
import { requirementsOf } from '../requirements/index.ts';
import { printTable } from './table.ts';
import type { Trial } from './trial.ts';

const USAGE = 'Usage: node dist/conformance/self/kill.js [--seeds N] [--seed FIRST] [--fault ID-PREFIX]';

const SAMPLE = 20;

interface Outcome {
  fault: Fault;
  /** By seed. */
  trials: Map<number, Trial>;
}

async function main(): Promise<number> {
  const values = options();
  if (typeof values === 'string') {
    process.stderr.write(`${USAGE}\n${values}\n`);
    return 2;
  }
  const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(values.seed);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index);
  const contract = loadContract();
  const faults = faultsFor(contract).filter(({ id }) => id.startsWith(values.fault));
  const core = new Set(requirementsOf(contract).flatMap(({ id, level }) => (level === 'core' ? [id] : [])));
  if (faults.length === 0 || seeds.length === 0 || !Number.isInteger(first)) {
    process.stderr.write(`${USAGE}\nThere is nothing to try: no such fault, or no seed.\n`);
    return 2;
  }
  process.stdout.write(`${faults.length} faults, seeds ${seeds.join(', ')}\n\n`);

  const crew = new Crew();
  try {
    const started = performance.now();
    const survivors = await killAll(crew, faults, seeds);
    const missed = await sample(
      crew,
      faults.filter(({ caughtBy }) => core.has(caughtBy)),
      first,
    );
    process.stdout.write(`\nTook ${Math.round((performance.now() - started) / 1000)} s.\n`);
    const passed = faults.length - survivors + (missed === 0 ? 1 : 0);
    process.stdout.write(`${passed} passed, ${faults.length + 1 - passed} failed\n`);
    return survivors + missed === 0 ? 0 : 1;
  } finally {
    await crew.close();
  }
}

/** What is wrong with them, where something is. */
function options() {
  try {
    return parseArgs({
      options: {
        seeds: { type: 'string', default: '5' },
        seed: { type: 'string' },
        fault: { type: 'string', default: '' },
      },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
}

/** @returns how many faults survive on some seed */
async function killAll(crew: Crew, faults: Fault[], seeds: number[]): Promise<number> {
  const jobs = faults.flatMap((fault) => seeds.map((seed) => ({ fault: fault.id, seed })));
  const trials = await crew.try('alone', jobs, (count) => progress(count, jobs.length));
  const outcomes = faults.map((fault, index) => ({
    fault,
    trials: new Map(seeds.map((seed, at) => [seed, trials[index * seeds.length + at]!])),
  }));
  const classes = [...new Set(faults.map((fault) => fault.class))];
  const rows = classes.map((name) =>
    row(
      name,
      outcomes.filter(({ fault }) => fault.class === name),
    ),
  );
  printTable(
    ['class', 'faults', 'caught on all seeds', 'median requests', 'median ms', 'slowest ms'],
    [...rows, row('all', outcomes)],
  );
  const survivors = outcomes.filter((outcome) => !isCaught(outcome));
  for (const survivor of survivors) describe(survivor);
  return survivors.length;
}

/** On a terminal a line that changes; elsewhere a line for each tenth. */
function progress(count: number, all: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${count} of ${all}${count === all ? '\n' : ''}`);
  else if (Math.floor((count * 10) / all) > Math.floor(((count - 1) * 10) / all))
    process.stderr.write(`${count} of ${all}\n`);
}

function isCaught({ trials }: Outcome): boolean {
  return [...trials.values()].every(({ caught }) => caught);
}

function row(name: string, outcomes: Outcome[]): string[] {
  const trials = outcomes.flatMap((one) => [...one.trials.values()]);
  const ms = trials.map((one) => one.ms);
  const numbers = [
    outcomes.length,
    outcomes.filter(isCaught).length,
    median(trials.map(({ requests }) => requests)),
    median(ms),
    Math.max(...ms),
  ];
  return [name, ...numbers.map(String)];
}

function describe({ fault, trials }: Outcome): void {
  const survived = [...trials].filter(([, { caught }]) => !caught);
  const { status, reason } = survived[0]![1];
  process.stdout.write(
    `\nSURVIVED ${fault.id} on ${survived.length} of ${trials.size} seeds (${survived.map(([seed]) => seed).join(', ')})\n`,
  );
  process.stdout.write(
    `  ${fault.promise}\n  ${fault.caughtBy}: ${status}${reason === undefined ? '' : `, ${reason}`}\n`,
  );
}

/** @returns how many of the sample pass the whole suite */
async function sample(crew: Crew, faults: Fault[], seed: number): Promise<number> {
  const count = Math.min(SAMPLE, faults.length);
  if (count === 0) return 0;
  const chosen = Array.from(
    { length: count },
    (_, index) => faults[(seed + Math.floor((index * faults.length) / count)) % faults.length]!,
  );
  process.stdout.write(`\nThe whole suite against ${count} of them\n\n`);
  const trials = await crew.try(
    'whole',
    chosen.map(({ id }) => ({ fault: id, seed })),
  );
  const rows = trials.map(({ firstFailureMs, firstFailure = 'NONE' }, index) => [
    chosen[index]!.id,
    firstFailureMs === undefined ? '-' : String(Math.round(firstFailureMs)),
    firstFailure,
  ]);
  printTable(['fault', 'first failure ms', 'first failure'], rows);
  return trials.filter(({ firstFailure }) => firstFailure === undefined).length;
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

process.exitCode = await main();
