/**
 * Mutations of a clause: values to put at its path, which may break it. The caller proves that they
 * do.
 */
import { WHOLE_RULES } from '../../contract/keywords.ts';
import type { ClausePlace, Mutate, Mutation } from '../build.ts';
import { branchMutations } from './branches.ts';
import { choiceMutations } from './choices.ts';
import { boundMutations, multipleMutations } from './numbers.ts';
import { dependentMutations, requiredMutations, unknownMutations } from './properties.ts';
import { repeatedMutations, sizeMutations } from './sizes.ts';
import { byteMutations, formatMutations, lengthMutations, patternMutations } from './texts.ts';
import { typeMutations } from './types.ts';
import { wholeMutations } from './whole-rules.ts';

const MUTATIONS: Readonly<Record<string, Mutate>> = {
  type: typeMutations,
  enum: choiceMutations,
  const: choiceMutations,
  minimum: boundMutations,
  maximum: boundMutations,
  exclusiveMinimum: boundMutations,
  exclusiveMaximum: boundMutations,
  multipleOf: multipleMutations,
  minLength: lengthMutations,
  maxLength: lengthMutations,
  pattern: patternMutations,
  format: formatMutations,
  'x-max-bytes': byteMutations,
  minItems: sizeMutations,
  maxItems: sizeMutations,
  minProperties: sizeMutations,
  maxProperties: sizeMutations,
  uniqueItems: repeatedMutations,
  required: requiredMutations,
  dependentRequired: dependentMutations,
  additionalProperties: unknownMutations,
  if: (place) => branchMutations(place, mutationsOf),
};

/** The mutations that may break the clause; none if none is known. */
export function mutationsOf(place: ClausePlace): Mutation[] {
  const { keyword, pointer } = place.clause;
  if (WHOLE_RULES.includes(keyword)) {
    return wholeMutations(place, mutationsOf);
  }
  const mutate = MUTATIONS[keyword];
  if (!mutate) {
    throw new Error(`no mutations are known for ${keyword} at ${pointer}`);
  }
  return mutate(place);
}
