#!/usr/bin/env node
/**
 * How many mutants with errors of a kind the requirements of that kind kill, without all others:
 *
 *     node tools/run.js conformance/self-test/mutation/by-kind [--seed N] [--sample N]
 *
 * - `--sample`: the number of mutants of each kind, spread over its operators; by default 12.
 *
 * Prints rows of a table, and each mutant that survives. Exits with 1 if one survives that is not
 * in verdicts.yaml.
 */
import { parseArgs } from 'node:util';
import { KINDS_OF_CHECK, type KindOfCheck } from '../kinds-of-check.ts';
import { GUARDED } from '../service.ts';
import { bedOf } from '../test-bed.ts';
import { type Mutant, mutantsOf, sampleOf, verdictOf } from './mutants.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '12' },
  },
});
const seed = Number(values.seed);
const bed = bedOf();
/** Without those that are no errors. */
const promised = mutantsOf(bed.contract).filter(({ id }) => verdictOf(id).kind === 'gap');

async function isKilled(mutant: Mutant, only: readonly string[]): Promise<boolean> {
  const service = mutant.mutate(bed.createService(GUARDED));
  const options = { ...GUARDED, level: 'extended', seed, bail: true, only } as const;
  const { verdict } = await bed.run(service, options);
  return verdict === 'nonconformant';
}

/** @returns the ids of the mutants that survived */
async function tryKind({ name, requirements, operators }: KindOfCheck): Promise<string[]> {
  const chosen = new Set(operators);
  const own = promised.filter(({ operator }) => chosen.has(operator));
  const sample = sampleOf(own, Number(values.sample), seed);
  const survivors: string[] = [];
  for (const mutant of sample) {
    if (!(await isKilled(mutant, requirements))) {
      survivors.push(mutant.id);
    }
  }
  const killed = sample.length - survivors.length;
  process.stdout.write(`| ${name} | ${own.length} | ${sample.length} | ${killed} |\n`);
  return survivors;
}

process.stdout.write('| kind of check | mutants | tried | killed |\n|---|---|---|---|\n');
const survivors: string[] = [];
for (const kind of KINDS_OF_CHECK) {
  survivors.push(...(await tryKind(kind)));
}
for (const id of survivors) {
  process.stdout.write(`survived: ${id}\n`);
}
process.exitCode = survivors.length === 0 ? 0 : 1;
