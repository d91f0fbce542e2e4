/** All mutants of a contract, samples of them, and whether the suite finds one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { Contract } from '../../engine/contract/load.ts';
import { isBroken } from '../../engine/run/verdict.ts';
import { GUARDED, OPEN } from '../service.ts';
import type { Bed } from '../test-bed.ts';
import { subjectOf, type Variant } from './operator.ts';
import { protocol, requests } from './requests.ts';
import { effects, replies } from './responses.ts';

export const OPERATORS = { ...replies, ...requests, ...effects, ...protocol };

export interface Mutant extends Variant {
  /** `operator/what-is-broken`; unique. */
  id: string;
  operator: string;
  /** It shows only on a service that asks for a token. */
  needsToken: boolean;
}

export function mutantsOf(contract: Contract): Mutant[] {
  const subject = subjectOf(contract);
  return Object.entries(OPERATORS).flatMap(([operator, variants]) =>
    variants(subject).map((variant) => {
      const needsToken = /\/(401|403|authorization)(\/|$)/.test(variant.at);
      return { ...variant, operator, id: `${operator}/${variant.at}`, needsToken };
    }),
  );
}

/** `count` mutants: the same for the same seed, with one of each operator before a second one of any. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const rank = ({ id }: Mutant) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const ranked = mutants.map((mutant) => [rank(mutant), mutant] as const);
  const made: Record<string, number> = {};
  return ranked
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, mutant]) => ({
      mutant,
      turn: (made[mutant.operator] = (made[mutant.operator] ?? 0) + 1),
    }))
    .toSorted((one, other) => one.turn - other.turn)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** This many requirements are tried before all others: those with most words of the mutant's id in their own. */
const FIRST = 12;

/** Without these, a mutant takes more than twice as long. */
function likely({ requirements }: Bed, { id }: Mutant): string[] {
  const wordsOf = (text: string) =>
    text.split(/[./_*-]|(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''));
  const own = new Set(wordsOf(id));
  return requirements
    .map((one) => ({
      one,
      common: wordsOf(one).filter((word) => own.has(word)).length / (4 + wordsOf(one).length),
    }))
    .toSorted((one, other) => other.common - one.common)
    .slice(0, FIRST)
    .map(({ one }) => one);
}

/** The first requirement that failed, or the verdict of the run; undefined where no run found the mutant. */
export async function tryMutant(
  bed: Bed,
  mutant: Mutant,
  seed: number,
  runs?: number,
): Promise<string | undefined> {
  const tokens = mutant.needsToken ? GUARDED : OPEN;
  const first = likely(bed, mutant);
  for (const only of first.length > 0 ? [first, []] : [[]]) {
    const options = { ...tokens, level: 'extended', seed, only, bail: true, runs } as const;
    const { requirements, verdict } = await bed.run(
      mutant.mutate(bed.createService(tokens)),
      options,
    );
    const broken = requirements.find(isBroken);
    if (broken) {
      return broken.id;
    }
    // A few requirements may all be skipped; a whole run without a verdict has found something.
    if (only.length === 0 && verdict !== 'conformant') {
      return verdict;
    }
  }
  return undefined;
}

interface Verdict {
  kind: 'equivalent' | 'not promised' | 'gap';
  why: string;
}

export const SOURCES = import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, '');
const verdicts = load(readFileSync(join(SOURCES, 'verdicts.yaml'), 'utf8')) as (Verdict & {
  ids: string[];
})[];

/** Why a survivor is not a gap of the suite. The reasons are in verdicts.yaml: each id there is a regular expression. */
export function verdictOf(id: string): Verdict {
  const isAbout = ({ ids }: { ids: string[] }) =>
    ids.some((one) => new RegExp(`^(?:${one})$`).test(id));
  return verdicts.find(isAbout) ?? { kind: 'gap', why: '' };
}
