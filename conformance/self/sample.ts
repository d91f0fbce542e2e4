/** Mutants to try where there is no time for all. */
import { createHash } from 'node:crypto';
import type { Mutant } from './mutant.ts';

/** `count` mutants, or all where there are fewer: the same for the same seed, and spread evenly over the operators. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const rank = (text: string): string => createHash('sha256').update(`${seed} ${text}`).digest('hex');
  const turns = new Map<string, number>();
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant.id) }))
    .toSorted((one, other) => compare(one.rank, other.rank))
    .map(({ mutant }) => {
      const turn = turns.get(mutant.group) ?? 0;
      turns.set(mutant.group, turn + 1);
      return { mutant, turn, rank: rank(mutant.group) };
    })
    .toSorted((one, other) => one.turn - other.turn || compare(one.rank, other.rank))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}
