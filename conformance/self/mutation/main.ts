#!/usr/bin/env node
/**
 * Tries mutants of the independent service, on all cores, and writes what survives:
 *
 *     node tools/run.js conformance/self/mutation/main [--seed N] [--sample N] [--only PREFIX] [--write]
 *
 * `--sample`: how many, spread over the operators; default 200. `--only`: mutants whose id begins so. `--write`: writes
 * survivors.json and survivors.md beside the sources. Exits with 1 where a survivor has no reason in verdicts.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { loadContract } from '../../engine/contract/load.ts';
import { TestBed } from '../test-bed.ts';
import { type Mutant, mutantsOf, OPERATORS, type Outcome, sampleOf, tryMutant } from './mutants.ts';

/** Mutants under way at once in one thread: enough to fill the pauses of some. */
const LANES = 3;
const SOURCES = import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, '');

interface Trial extends Outcome {
  id: string;
  operator: string;
}

/** Why a survivor is not a gap of the suite; each id is a regular expression. */
interface Verdict {
  ids: string[];
  kind: 'equivalent' | 'not promised';
  why: string;
}

function tryAll(mutants: readonly Mutant[], seed: number): Promise<Trial[]> {
  const waiting = [...mutants];
  const trials: Trial[] = [];
  return new Promise((resolve, reject) => {
    const workers = Array.from({ length: availableParallelism() }, () => new Worker(new URL(import.meta.url)));
    for (const worker of workers) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      const next = () => worker.postMessage({ id: waiting.shift()?.id, seed });
      worker.on('error', reject);
      worker.on('message', (trial: Trial) => {
        trials.push(trial);
        process.stderr.write(
          `${trials.length} of ${mutants.length}  ${trial.id}  ${trial.by ?? trial.found ?? 'survived'}\n`,
        );
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
  const bed = new TestBed(loadContract());
  const mutants = new Map(mutantsOf(bed.contract).map((mutant) => [mutant.id, mutant]));
  parentPort!.on('message', async ({ id, seed }: { id: string | undefined; seed: number }) => {
    const mutant = id === undefined ? undefined : mutants.get(id);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    if (mutant) parentPort!.postMessage({ id, operator: mutant.operator, ...(await tryMutant(bed, mutant, seed)) });
  });
}

function survivorsOf(trials: readonly Trial[]) {
  const verdicts = JSON.parse(readFileSync(join(SOURCES, 'verdicts.json'), 'utf8')) as Verdict[];
  const fits = (pattern: string, id: string) => new RegExp(`^(?:${pattern})$`).test(id);
  return trials
    .filter(({ found }) => found === undefined)
    .map(({ id }) => {
      const { kind, why } = verdicts.find(({ ids }) => ids.some((one) => fits(one, id))) ?? { kind: 'gap', why: '' };
      return { id, kind, why };
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function table(trials: readonly Trial[], seed: number): string {
  const row = (name: string, own: readonly Trial[]) => {
    const count = (level: string | undefined) => own.filter(({ found }) => found === level).length;
    return `| ${[name, own.length, count('core'), count('extended'), count(undefined)].join(' | ')} |`;
  };
  const rows = Object.keys(OPERATORS).map((name) =>
    row(
      name,
      trials.filter(({ operator }) => operator === name),
    ),
  );
  const head = '| operator | tried | found at core | found at extended | survived |\n|---|---|---|---|---|';
  return `Made by \`conformance/self/mutation/main --sample ${trials.length} --seed ${seed} --write\`.\n\n${head}\n${[...rows, row('all', trials)].join('\n')}\n`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
      sample: { type: 'string', default: '200' },
      only: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const all = mutantsOf(loadContract()).filter(({ id }) => id.startsWith(values.only));
  const mutants = sampleOf(all, Number(values.sample), seed);
  process.stdout.write(`${mutants.length} of ${all.length} mutants, seed ${seed}\n`);
  const trials = mutants.length === 0 ? [] : await tryAll(mutants, seed);
  const survivors = survivorsOf(trials);
  process.stdout.write(`\n${table(trials, seed)}\n${survivors.map(({ id, kind }) => `${kind}: ${id}\n`).join('')}`);
  if (values.write) {
    writeFileSync(join(SOURCES, 'survivors.md'), `# Mutants that the suite finds\n\n${table(trials, seed)}`);
    writeFileSync(
      join(SOURCES, 'survivors.json'),
      `${JSON.stringify({ seed, tried: trials.length, survivors }, null, 2)}\n`,
    );
  }
  return survivors.some(({ kind }) => kind === 'gap') || trials.length === 0 ? 1 : 0;
}

if (isMainThread) process.exitCode = await main();
else work();
