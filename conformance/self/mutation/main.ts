#!/usr/bin/env node
/**
 * Tries mutants of the independent service, on all cores, and writes what survives:
 *
 *     node tools/run.js conformance/self/mutation/main [--seed N] [--sample N] [--only PREFIX] [--write] [--contract NAME]
 *
 * `--sample`: how many, spread over the operators; default 200. `--only`: mutants whose id begins so. `--write`: writes
 * survivors.md beside the sources. `--contract`: one of `../contracts` in place of openapi.yaml. Exits with 1 where a survivor has no reason in verdicts.json.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { loadContract } from '../../engine/contract/load.ts';
import { TestBed } from '../test-bed.ts';
import { BEDS } from '../contracts/beds.ts';
import { type Bed, type Mutant, mutantsOf, OPERATORS, type Outcome, sampleOf, tryMutant } from './mutants.ts';
import { SOURCES, verdictOf } from './mutants.ts';

/** Mutants under way at once in one thread: enough to fill the pauses of some. */
const LANES = 3;

interface Trial extends Outcome {
  id: string;
  operator: string;
}

function bedOf(name: string): Bed {
  const create = name === '' ? () => new TestBed(loadContract()) : BEDS[name];
  if (!create) throw new Error(`--contract ${name}: it is not one of ${Object.keys(BEDS).join(', ')}`);
  return create();
}

function tryAll(mutants: readonly Mutant[], seed: number, name: string): Promise<Trial[]> {
  const waiting = [...mutants];
  const trials: Trial[] = [];
  return new Promise((resolve, reject) => {
    const start = () => new Worker(new URL(import.meta.url), { workerData: name });
    const workers = Array.from({ length: availableParallelism() }, start);
    for (const worker of workers) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      const next = () => worker.postMessage({ id: waiting.shift()?.id, seed });
      worker.on('error', reject);
      worker.on('message', (trial: Trial) => {
        trials.push(trial);
        const outcome = trial.by ?? trial.found ?? 'survived';
        process.stderr.write(`${trials.length} of ${mutants.length}  ${trial.id}  ${outcome}\n`);
        if (trials.length === mutants.length) {
          for (const one of workers) void one.terminate();
          resolve(trials);
        } else next();
      });
      for (let lane = 0; lane < LANES; lane++) next();
    }
  });
}

function work(): void {
  const bed = bedOf(workerData as string);
  const mutants = new Map(mutantsOf(bed.contract).map((mutant) => [mutant.id, mutant]));
  parentPort!.on('message', async ({ id, seed }: { id: string | undefined; seed: number }) => {
    const mutant = id === undefined ? undefined : mutants.get(id);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    if (mutant) parentPort!.postMessage({ id, operator: mutant.operator, ...(await tryMutant(bed, mutant, seed)) });
  });
}

function table(trials: readonly Trial[], seed: number): string {
  const row = (name: string, own: readonly Trial[]) => {
    const count = (level: string | undefined) => own.filter(({ found }) => found === level).length;
    return `| ${[name, own.length, count('core'), count('extended'), count(undefined)].join(' | ')} |`;
  };
  const ofOperator = (name: string) => trials.filter(({ operator }) => operator === name);
  const rows = Object.keys(OPERATORS).map((name) => row(name, ofOperator(name)));
  const head = '| operator | tried | found at core | found at extended | survived |\n|---|---|---|---|---|';
  const command = `conformance/self/mutation/main --sample ${trials.length} --seed ${seed} --write`;
  return `Made by \`${command}\`.\n\n${[head, ...rows, row('all', trials)].join('\n')}\n`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
      sample: { type: 'string', default: '200' },
      only: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
      contract: { type: 'string', default: '' },
    },
  });
  const seed = Number(values.seed);
  const all = mutantsOf(bedOf(values.contract).contract).filter(({ id }) => id.startsWith(values.only));
  const mutants = sampleOf(all, Number(values.sample), seed);
  process.stdout.write(`${mutants.length} of ${all.length} mutants, seed ${seed}\n`);
  const trials = mutants.length === 0 ? [] : await tryAll(mutants, seed, values.contract);
  const survivors = trials
    .filter(({ found }) => found === undefined)
    .map(({ id }) => ({ id, ...verdictOf(id) }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const list = survivors.map(({ id, kind, why }) => `- \`${id}\`: ${kind}${why && `. ${why}`}\n`).join('');
  const text = `# Mutants that the suite finds\n\n${table(trials, seed)}\n## Survivors\n\n${list}`;
  process.stdout.write(`\n${text}`);
  if (values.write) writeFileSync(join(SOURCES, 'survivors.md'), text);
  return survivors.some(({ kind }) => kind === 'gap') || trials.length === 0 ? 1 : 0;
}

if (isMainThread) process.exitCode = await main();
else work();
