/** Runs the suite against a mutant: any run that does not pass kills it. */
import { isBroken } from '../engine/run/broken.ts';
import type { Level, Report } from '../engine/run/result.ts';
import { createIndependentService } from './independent/index.ts';
import { GUARDED, type Mutant, OPEN, type Tokens } from './mutant.ts';
import type { TestBed } from './test-bed.ts';

export interface MutantResult {
  killed: boolean;
  /** The level of the run that killed it; of the last one, where none did. */
  level: Level;
  /** The first requirement that failed; undefined where the run came to no verdict. */
  by?: string;
  duration_ms: number;
}

/** Requirements that are tried before all others, where their ids have most words in common with that of the mutant. */
const MOST_ALIKE = 12;

/**
 * Tries the requirements that are likely to fail, then all of the level. A mutant of the core level is tried at the
 * core level first, and then at the extended one.
 *
 * @param likely ids of requirements that killed mutants like this one
 */
export async function tryMutant(
  bed: TestBed,
  mutant: Mutant,
  seed: number,
  likely: readonly string[] = [],
): Promise<MutantResult> {
  const started = performance.now();
  const tokens = tokensFor(mutant);
  const result = (level: Level, more: Pick<MutantResult, 'killed' | 'by'>): MutantResult => ({
    ...more,
    level,
    duration_ms: Math.round(performance.now() - started),
  });
  const levels: Level[] = mutant.level === 'core' ? ['core', 'extended'] : ['extended'];
  for (const level of levels) {
    const tried = (id: string) => level === 'extended' || bed.requirements.get(id) === 'core';
    const first = [...new Set([...likely, ...alike(bed, mutant.id, tried)])].filter(
      (id) => bed.requirements.has(id) && tried(id),
    );
    for (const only of [first, []]) {
      const report = await bed.run(mutant.mutate(createIndependentService(tokens)), {
        ...tokens,
        level,
        seed,
        only,
        bail: true,
        // That failures shrink, other tests see to: here there are thousands.
        shrink: false,
      });
      if (isKilledBy(report, only.length > 0)) return result(level, { killed: true, ...firstFailure(report) });
    }
  }
  return result('extended', { killed: false });
}

/** A few requirements may all be skipped: that says nothing. */
function isKilledBy({ verdict, requirements }: Report, isPart: boolean): boolean {
  return isPart ? requirements.some(isBroken) : verdict !== 'conformant';
}

function firstFailure({ requirements }: Report): Pick<MutantResult, 'by'> {
  const failed = requirements.find(isBroken);
  return failed ? { by: failed.id } : {};
}

/** Those whose ids have most words in common with that of the mutant: only a guess at what to try first. */
function alike(bed: TestBed, mutant: string, tried: (id: string) => boolean): string[] {
  const words = wordsOf(mutant);
  const common = (id: string) => {
    const own = wordsOf(id);
    return [...own].filter((word) => words.has(word)).length / (4 + own.size);
  };
  return [...bed.requirements.keys()]
    .filter(tried)
    .map((id) => ({ id, common: common(id) }))
    .filter((one) => one.common > 0)
    .toSorted((one, other) => other.common - one.common)
    .slice(0, MOST_ALIKE)
    .map(({ id }) => id);
}

/** In lower case and without the `s` of a plural: `getEdge` and `edges` have a word in common. */
function wordsOf(id: string): Set<string> {
  const words = id.split(/[./_*-]|(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''));
  return new Set(words.filter((word) => word !== ''));
}

export function tokensFor({ needsToken }: Mutant): Tokens {
  return needsToken ? GUARDED : OPEN;
}
