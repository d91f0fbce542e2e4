/** Values of the required parameters of an operation, apart from its path. */
import type { Operation, Parameter } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import type { Random } from '../generate/random.ts';
import type { Implementation } from '../http/implementation.ts';
import { isEntityTag } from '../http/preconditions.ts';
import type { ParameterValue } from '../http/recipe.ts';
import type { Seen } from './seen.ts';
import { generatedValue, statedValues } from './values.ts';

/** The knowledge of the run, and the source of its choices. */
interface Known {
  seen: Seen;
  random: Random;
}

/** More sets of values would show little that is new. */
const MOST_SETS = 4;

/**
 * Sets of values to try, the likeliest first; one that is empty if nothing is required. In each
 * set after the first, every parameter has its next value.
 */
export function parameterSets(
  operation: Operation,
  implementation: Implementation,
  known: Known,
): ParameterValue[][] {
  const required = operation.parameters.filter((one) => isNeeded(one, implementation));
  const choices = required.map((parameter) => valuesFor(parameter, implementation, known));
  const count = Math.max(1, ...choices.map((values) => values.length));
  const sets: ParameterValue[][] = [];
  for (let index = 0; index < Math.min(count, MOST_SETS); index++) {
    sets.push(choices.flatMap((values) => values[Math.min(index, values.length - 1)] ?? []));
  }
  return sets;
}

/**
 * Whether a call must have a value for the parameter, apart from its path: the service gives the
 * entity tag when the call is sent, and the user chooses header fields of every request.
 */
export function isNeeded(parameter: Parameter, { client }: Implementation): boolean {
  const { required, in: place, name } = parameter;
  if (!required || place === 'path' || isEntityTag(parameter)) {
    return false;
  }
  return !(place === 'header' && name.toLowerCase() in client.headers);
}

function valuesFor(
  parameter: Parameter,
  { contract, hints }: Implementation,
  { seen, random }: Known,
): ParameterValue[] {
  const { name, in: place, schema } = parameter;
  const values = statedValues(contract, parameter).map(({ value }) => value);
  const shown = seen.valueOf(name);
  if (shown !== undefined && schemasOf(contract).isValid(schema, shown)) {
    values.push(shown);
  }
  values.push(generatedValue(contract, parameter, { hints, random })?.value);
  const usable = values.filter((value) => value !== undefined);
  return usable.map((value) => ({ in: place, name, value }));
}
