/** All mutants of a contract, samples of them, and whether the suite kills one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { Contract } from '../../engine/contract/load.ts';
import { isBroken } from '../../engine/run/verdict.ts';
import { sourceFolderOf } from '../planted.ts';
import { GUARDED, OPEN } from '../service.ts';
import type { Bed } from '../test-bed.ts';
import { changeOperators } from './changes.ts';
import { effectOperators } from './effects.ts';
import { interplayOperators } from './interplay.ts';
import type { Variant } from './operator.ts';
import { protocolOperators } from './protocol.ts';
import { requestOperators } from './requests.ts';
import { responseOperators } from './responses.ts';
import { spellingOperators } from './spellings.ts';
import { subjectOf } from './subject.ts';

export const OPERATORS = {
  ...responseOperators,
  ...requestOperators,
  ...effectOperators,
  ...changeOperators,
  ...interplayOperators,
  ...protocolOperators,
  ...spellingOperators,
};

export interface Mutant extends Variant {
  /** `operator/what-is-broken`; unique. */
  id: string;
  operator: string;
  /** It can be noticed only on a service that requires a token. */
  needsToken: boolean;
}

/** The places of mutants that change how credentials are checked or refused. */
const ABOUT_CREDENTIALS = /\/(401|403|authorization)(\/|$)/;

export function mutantsOf(contract: Contract): Mutant[] {
  const subject = subjectOf(contract);
  return Object.entries(OPERATORS).flatMap(([operator, variantsOf]) =>
    variantsOf(subject).map((variant) => ({
      ...variant,
      operator,
      id: `${operator}/${variant.at}`,
      needsToken: ABOUT_CREDENTIALS.test(variant.at),
    })),
  );
}

interface Ranked {
  mutant: Mutant;
  /** Pseudo-random. */
  rank: Buffer;
}

/**
 * `count` mutants: the same for the same seed, with one of each operator before a second one of
 * any.
 */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const ranked: Ranked[] = mutants.map((mutant) => ({
    mutant,
    rank: createHash('sha256').update(`${seed} ${mutant.id}`).digest(),
  }));
  ranked.sort((one, other) => Buffer.compare(one.rank, other.rank));

  const rounds: Mutant[][] = [];
  const roundOf: Record<string, number> = {};
  for (const { mutant } of ranked) {
    const round = roundOf[mutant.operator] ?? 0;
    roundOf[mutant.operator] = round + 1;
    rounds[round] ??= [];
    rounds[round].push(mutant);
  }
  return rounds.flat().slice(0, count);
}

/**
 * The number of requirements that are tried before all others: those whose ids share the most words
 * with that of the mutant.
 */
const TRIED_FIRST = 12;

/** So that one requirement does not come first just because its id is short. */
const SHORT_ID_PENALTY = 4;

interface Likelihood {
  requirement: string;
  /** The share of its words that the mutant's id has, about 0 to 1. */
  common: number;
}

/**
 * The requirements that are likely to kill the mutant. Without them, a mutant takes more than twice
 * as long.
 */
function likelyKillers({ requirements }: Bed, { id }: Mutant): string[] {
  const mutantWords = new Set(wordsOf(id));
  const likelihoods: Likelihood[] = requirements.map((requirement) => {
    const words = wordsOf(requirement);
    const shared = words.filter((word) => mutantWords.has(word)).length;
    return { requirement, common: shared / (SHORT_ID_PENALTY + words.length) };
  });
  likelihoods.sort((one, other) => other.common - one.common);
  return likelihoods.slice(0, TRIED_FIRST).map(({ requirement }) => requirement);
}

/** Between the words of an id, such as `createEdge.body/hostports`. */
const WORD_BREAK = /[./_*-]|(?=[A-Z])/;

/** In lower case and singular. */
function wordsOf(id: string): string[] {
  return id.split(WORD_BREAK).map((word) => word.toLowerCase().replace(/s$/, ''));
}

/**
 * @returns the first requirement that failed, or the verdict of the run; undefined if the mutant
 *   survived
 */
export async function tryMutant(
  bed: Bed,
  mutant: Mutant,
  seed: number,
  runs?: number,
): Promise<string | undefined> {
  const tokens = mutant.needsToken ? GUARDED : OPEN;
  const options = { ...tokens, level: 'extended', seed, bail: true, runs } as const;
  const runOf = (only: readonly string[]) =>
    bed.run(mutant.mutate(bed.createService(tokens)), { ...options, only });

  const first = likelyKillers(bed, mutant);
  if (first.length > 0) {
    // These few requirements may all be skipped, so that the verdict of their run says nothing.
    const { requirements } = await runOf(first);
    const broken = requirements.find(isBroken);
    if (broken) {
      return broken.id;
    }
  }
  const { requirements, verdict } = await runOf([]);
  const broken = requirements.find(isBroken);
  if (!broken && verdict !== 'conformant') {
    // A whole run without a verdict has noticed the mutant, too.
    return verdict;
  }
  return broken?.id;
}

interface SurvivorVerdict {
  kind: 'equivalent' | 'not promised' | 'gap';
  why: string;
}

interface VerdictRow extends SurvivorVerdict {
  /** Regular expressions. */
  ids: string[];
}

/** The folder of this file, also when it runs from `dist/`. */
export const SOURCES = sourceFolderOf(import.meta.dirname);

const verdicts = load(readFileSync(join(SOURCES, 'verdicts.yaml'), 'utf8')) as VerdictRow[];

/** Why a survivor is not a gap of the suite, as verdicts.yaml says. */
export function verdictOf(id: string): SurvivorVerdict {
  const isAbout = ({ ids }: VerdictRow) => ids.some((one) => new RegExp(`^(?:${one})$`).test(id));
  return verdicts.find(isAbout) ?? { kind: 'gap', why: '' };
}
