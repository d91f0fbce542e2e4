#!/usr/bin/env node
/**
 * Tries mutants of the independent service, and writes what survives:
 *     node tools/run.js conformance/self-test/mutation/main [--seed N] [--sample N] [--only PREFIX] [--runs N]
 *                                                     [--write] [--contract NAME]
 * `--sample`: how many, spread over the operators. `--only`: how ids begin. `--write`: survivors.md beside the sources.
 * `--runs`: cases per requirement. What a run with 1 does not find needs more than the first case of each property.
 * `--contract`: one of `../contracts` in place of openapi.yaml. Exits with 1 where a survivor is not in verdicts.yaml.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { groupBy } from '../../engine/contract/load.ts';
import { type Bed, bedOf } from '../test-bed.ts';
import {
  type Mutant,
  mutantsOf,
  OPERATORS,
  sampleOf,
  SOURCES,
  tryMutant,
  verdictOf,
} from './mutants.ts';

/** Mutants under way at once: enough to fill the pauses of some. */
const LANES = 3;

/** The requirement that found each mutant. */
type Trials = Map<Mutant, string | undefined>;

async function tryAll(
  bed: Bed,
  mutants: readonly Mutant[],
  seed: number,
  runs: number,
): Promise<Trials> {
  const waiting = mutants.values();
  const trials: Trials = new Map();
  const lane = async () => {
    for (const mutant of waiting) {
      const by = await tryMutant(bed, mutant, seed, runs);
      trials.set(mutant, by);
      process.stderr.write(
        `${trials.size} of ${mutants.length}  ${mutant.id}  ${by ?? 'survived'}\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return trials;
}

/** A line for all names that have something in common, in the order of the first of each. */
function lines(
  pairs: readonly (readonly [string, string])[],
  line: (common: string, names: string) => string,
): string {
  const groups = groupBy(pairs, ([common]) => common);
  return [...groups]
    .map(([common, own]) => line(common, own.map(([, name]) => name).join(', ')))
    .join('');
}

/** One row for all operators of which as many were tried and found. */
function table(trials: Trials): string {
  const figures = [...Object.keys(OPERATORS), 'all'].map((name) => {
    const own = [...trials].filter(([{ operator }]) => operator === name || name === 'all');
    const found = own.filter(([, by]) => by !== undefined).length;
    return [[own.length, found, own.length - found].join(' | '), name] as const;
  });
  const rows = lines(figures, (common, names) => `| ${common} | ${names} |\n`);
  return `| tried of each | found | survived | operators |\n|---|---|---|---|\n${rows}`;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
    sample: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
    contract: { type: 'string', default: '' },
  },
});
const seed = Number(values.seed);
const bed = bedOf(values.contract);
const all = mutantsOf(bed.contract).filter(({ id }) => id.startsWith(values.only));
const mutants = sampleOf(all, Number(values.sample), seed);
process.stdout.write(`${mutants.length} of ${all.length} mutants, seed ${seed}\n`);
const trials = await tryAll(bed, mutants, seed, Number(values.runs));
const survivors = mutants.filter((mutant) => trials.get(mutant) === undefined).map(({ id }) => id);
const reasons = survivors.toSorted().map((id) => {
  const { kind, why } = verdictOf(id);
  return [`${kind}${why && `. ${why}`}`, `\`${id}\``] as const;
});
const list = lines(reasons, (reason, ids) => `- ${reason.replace(/\.$/, '')}: ${ids}\n`);
const command = `conformance/self-test/mutation/main --sample ${mutants.length} --seed ${seed} --write`;
const made = `# Mutants that the suite finds\n\nMade by \`${command}\`.`;
const text = `${made}\n\n${table(trials)}\n## Survivors\n\n${list}`;
process.stdout.write(`\n${text}`);
if (values.write) {
  writeFileSync(join(SOURCES, 'survivors.md'), text);
}
process.exitCode =
  survivors.some((id) => verdictOf(id).kind === 'gap') || mutants.length === 0 ? 1 : 0;
