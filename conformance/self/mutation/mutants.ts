/** All mutants of a contract, samples of them, and whether the suite finds one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../engine/contract/load.ts';
import type { Level, Report } from '../../engine/run/result.ts';
import { isBroken } from '../../engine/run/verdict.ts';
import type { Service } from '../service.ts';
import { GUARDED, OPEN, type Tokens } from '../tokens.ts';
import { clauses } from './clauses.ts';
import { effects } from './effects.ts';
import type { BedOptions } from '../test-bed.ts';
import { protocol } from './protocol.ts';
import { requests } from './requests.ts';
import { responses } from './responses.ts';
import { subjectOf, type Variant } from './operator.ts';

export const OPERATORS = { ...responses, ...requests, ...clauses, ...effects, ...protocol };

/** A contract, a service that conforms to it, and the suite as it runs against services of that contract. */
export interface Bed {
  contract: Contract;
  /** The levels of requirements, by id. */
  requirements: ReadonlyMap<string, Level>;
  createService(tokens: Tokens): Service;
  run(service: Service, options: BedOptions): Promise<Report>;
}

export interface Mutant extends Variant {
  /** `operator/what-is-broken`; unique. */
  id: string;
  operator: string;
}

export function mutantsOf(contract: Contract): Mutant[] {
  const subject = subjectOf(contract);
  return Object.entries(OPERATORS).flatMap(([operator, variants]) =>
    variants(subject).map((variant) => ({ ...variant, operator, id: `${operator}/${variant.at}` })),
  );
}

/** `count` mutants: the same for the same seed, with one of each operator before a second one of any. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const rank = ({ id }: Mutant) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant) }));
  /** The first one of each operator, the second ones, … */
  const turns: Mutant[][] = [];
  const made = new Map<string, number>();
  for (const { mutant } of ranked.toSorted((one, other) => (one.rank < other.rank ? -1 : 1))) {
    const turn = made.get(mutant.operator) ?? 0;
    made.set(mutant.operator, turn + 1);
    (turns[turn] ??= []).push(mutant);
  }
  return turns.flat().slice(0, count);
}

/** This many requirements are tried before all others: those with most words of the mutant's id in their own. */
const FIRST = 12;

function likely({ requirements }: Bed, { id }: Mutant, level: Level): string[] {
  const wordsOf = (text: string) => text.split(/[./_*-]|(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''));
  const own = new Set(wordsOf(id));
  return [...requirements]
    .filter(([, one]) => level === 'extended' || one === 'core')
    .map(([one]) => ({ one, common: wordsOf(one).filter((word) => own.has(word)).length / (4 + wordsOf(one).length) }))
    .toSorted((one, other) => other.common - one.common)
    .slice(0, FIRST)
    .map(({ one }) => one);
}

export interface Outcome {
  /** The level of the run that found it; undefined where none did. */
  found: Level | undefined;
  /** The first requirement that failed. */
  by?: string;
}

/** A run at the core level, then one at the extended level. */
export async function tryMutant(bed: Bed, mutant: Mutant, seed: number): Promise<Outcome> {
  const tokens = mutant.needsToken ? GUARDED : OPEN;
  for (const level of mutant.level === 'core' ? (['core', 'extended'] as const) : (['extended'] as const)) {
    for (const only of [likely(bed, mutant, level), []]) {
      const service = mutant.mutate(bed.createService(tokens));
      const report = await bed.run(service, { ...tokens, level, seed, only, bail: true, shrink: false });
      const broken = report.requirements.find(isBroken);
      if (broken) return { found: level, by: broken.id };
      // A few requirements may all be skipped; a whole run without a verdict has found something.
      if (only.length === 0 && report.verdict !== 'conformant') return { found: level };
    }
  }
  return { found: undefined };
}

export interface Verdict {
  kind: 'equivalent' | 'not promised' | 'gap';
  why: string;
}

export const SOURCES = import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, '');
const verdicts = JSON.parse(readFileSync(join(SOURCES, 'verdicts.json'), 'utf8')) as (Verdict & { ids: string[] })[];

/** Why a survivor is not a gap of the suite. The reasons are in verdicts.json: each id there is a regular expression. */
export function verdictOf(id: string): Verdict {
  const known = verdicts.find(({ ids }) => ids.some((one) => new RegExp(`^(?:${one})$`).test(id)));
  return { kind: known?.kind ?? 'gap', why: known?.why ?? '' };
}
