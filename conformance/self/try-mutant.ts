/** Runs the suite against mutants. */
import type { Level, RequirementResult, Status } from '../engine/run/result.ts';
import { createIndependentService } from './independent/index.ts';
import { GUARDED, type Mutant, OPEN, type Tokens } from './mutant.ts';
import type { BedOptions, TestBed } from './test-bed.ts';

export interface MutantResult {
  killed: boolean;
  /** The result of exactly the requirement that must kill the mutant. */
  status: Status;
  reason: string | undefined;
}

/**
 * Whether the requirement that the mutant names fails. @param shrink whether the failure is made small, as for a user
 */
export async function tryMutant(bed: TestBed, mutant: Mutant, seed: number, shrink = true): Promise<MutantResult> {
  const tokens = tokensFor(mutant);
  const { requirements } = await bed.run(mutant.mutate(createIndependentService(tokens)), {
    ...tokens,
    ...alone(bed, mutant),
    // A mutant of the core level shows at the core level.
    level: bed.requirements.get(mutant.killedBy)!,
    seed,
    shrink,
  });
  const { status, reason } = requirements.find(({ id }) => id === mutant.killedBy)!;
  return { killed: status === 'fail', status, reason };
}

/** The results of those requirements on the correct service: a requirement that fails there would kill every mutant. */
export async function tryWithoutMutant(
  bed: TestBed,
  requirements: readonly string[],
  seed: number,
  tokens: Tokens,
): Promise<RequirementResult[]> {
  const report = await bed.run(createIndependentService(tokens), {
    seed,
    ...tokens,
    only: [...requirements],
    level: 'extended',
  });
  return report.requirements.filter(({ id }) => requirements.includes(id));
}

export function tokensFor({ needsToken }: Mutant): Tokens {
  return needsToken ? GUARDED : OPEN;
}

/** `only` takes beginnings of ids; what others of the same run do meanwhile must not hide a mutant, nor show it. */
function alone({ requirements }: TestBed, { killedBy }: Mutant): Pick<BedOptions, 'only' | 'skip'> {
  const tried = (level: Level | undefined): boolean => level === 'core' || requirements.get(killedBy) === 'extended';
  const longer = [...requirements]
    .filter(([id, level]) => id !== killedBy && id.startsWith(killedBy) && tried(level))
    .map(([id]) => id);
  return { only: [killedBy], skip: longer.map((prefix) => ({ prefix, reason: 'not the one in question' })) };
}
