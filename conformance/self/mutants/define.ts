/** Shortens the definition of the mutants of one group. */
import type { Level, Mutant } from '../mutant.ts';

type Define = (name: string, description: string, mutate: Mutant['mutate']) => Mutant;

export function mutantsOf(group: string, level: Level): Define {
  return (name, description, mutate) => ({ id: `${group}/${name}`, group, description, level, mutate });
}
