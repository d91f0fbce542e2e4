#!/usr/bin/env node
/**
 * Tries mutants of the independent service, and writes which ones survive:
 *
 *     node tools/run.js conformance/self-test/mutation/main [--seed N] [--sample N] [--only PREFIX]
 *         [--runs N] [--write] [--contract NAME]
 *
 * - `--sample`: the number of mutants, spread over the operators; by default 200.
 * - `--only`: the beginning of the ids of the mutants.
 * - `--runs`: cases per requirement; by default 20. A mutant that survives with 1 needs more than
 *   the first case of each property.
 * - `--write`: writes survivors.md beside the sources.
 * - `--contract`: one of `../contracts` in place of openapi.yaml.
 *
 * Exits with 1 if a survivor is not in verdicts.yaml, and if there is no mutant.
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

/** Mutants that are tried at once: enough that some run while others pause. */
const LANES = 3;

interface Trial {
  mutant: Mutant;
  /** A requirement, or the verdict of a run; undefined if the mutant survived. */
  killedBy: string | undefined;
}

async function tryAll(
  bed: Bed,
  mutants: readonly Mutant[],
  seed: number,
  runs: number,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  // All lanes take their mutants from the same iterator.
  const waiting = mutants.values();
  const lane = async () => {
    for (const mutant of waiting) {
      const killedBy = await tryMutant(bed, mutant, seed, runs);
      trials.push({ mutant, killedBy });
      const progress = `${trials.length} of ${mutants.length}`;
      process.stderr.write(`${progress}  ${mutant.id}  ${killedBy ?? 'survived'}\n`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return trials;
}

/** A name, and what it has in common with other names. */
interface Entry {
  common: string;
  name: string;
}

/**
 * One line for all names that have the same in common, in the order of the first name of each line.
 */
function lines(
  entries: readonly Entry[],
  lineOf: (common: string, names: string) => string,
): string {
  let text = '';
  for (const [common, group] of groupBy(entries, (entry) => entry.common)) {
    const names = group.map(({ name }) => name).join(', ');
    text += `${lineOf(common, names)}\n`;
  }
  return text;
}

const isKilled = ({ killedBy }: Trial): boolean => killedBy !== undefined;

/** One row for all operators with the same figures. */
function table(trials: readonly Trial[]): string {
  const entries = Object.keys(OPERATORS).map((operator) => ({
    common: figures(trials.filter(({ mutant }) => mutant.operator === operator)),
    name: operator,
  }));
  entries.push({ common: figures(trials), name: 'all' });
  const head = '| tried of each | killed | survived | operators |\n|---|---|---|---|\n';
  return head + lines(entries, (common, names) => `| ${common} | ${names} |`);
}

function figures(trials: readonly Trial[]): string {
  const killed = trials.filter(isKilled).length;
  return `${trials.length} | ${killed} | ${trials.length - killed}`;
}

/** The mutants that survived, by the reason why each is or is not a gap of the suite. */
function survivorList(survivors: readonly string[]): string {
  const entries = survivors.toSorted().map((id) => {
    const { kind, why } = verdictOf(id);
    return { common: why === '' ? kind : `${kind}. ${why}`, name: `\`${id}\`` };
  });
  return lines(entries, (reason, ids) => `- ${reason.replace(/\.$/, '')}: ${ids}`);
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
const survivors = trials.filter((trial) => !isKilled(trial)).map(({ mutant }) => mutant.id);
const options = `--sample ${mutants.length} --seed ${seed} --write`;
const text = `# Mutants that the suite kills

Made by \`conformance/self-test/mutation/main ${options}\`.

${table(trials)}
## Survivors

${survivorList(survivors)}`;
process.stdout.write(`\n${text}`);
if (values.write) {
  writeFileSync(join(SOURCES, 'survivors.md'), text);
}
const hasGap = survivors.some((id) => verdictOf(id).kind === 'gap');
process.exitCode = hasGap || mutants.length === 0 ? 1 : 0;
