/** Values of the parameters that an operation needs, or that the user gives, but for its path. */
import { memberOf } from '../contract/by-name.ts';
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
  const required = operation.parameters.filter((one) => isNeeded(one, operation, implementation));
  const choices = required.map((parameter) => {
    const given = givenValues(parameter, operation, implementation);
    if (given.length > 0) {
      return given;
    }
    return valuesFor(parameter, implementation, known);
  });
  const count = Math.max(1, ...choices.map((values) => values.length));
  const sets: ParameterValue[][] = [];
  for (let index = 0; index < Math.min(count, MOST_SETS); index++) {
    sets.push(choices.flatMap((values) => values[Math.min(index, values.length - 1)] ?? []));
  }
  return sets;
}

/**
 * Whether a call must have a value for the parameter, apart from its path: the service gives the
 * entity tag when the call is sent, and the user chooses header fields of every request. What the
 * user gives is sent, too.
 */
export function isNeeded(
  parameter: Parameter,
  operation: Operation,
  implementation: Implementation,
): boolean {
  const { required, in: place, name } = parameter;
  if (place === 'path' || isEntityTag(parameter)) {
    return false;
  }
  if (!required) {
    return givenValues(parameter, operation, implementation).length > 0;
  }
  return !(place === 'header' && name.toLowerCase() in implementation.client.headers);
}

/**
 * The values that the user gives. One that is given for paths is not sent as an optional parameter
 * of that name, such as a filter of a list, unless the user gives it for the operation.
 */
function givenValues(
  { name, in: place, required }: Parameter,
  { operationId }: Operation,
  { api, operations }: Implementation,
): ParameterValue[] {
  const { given = {}, givenOf = {} } = api.callData ?? {};
  const ofOperation = memberOf(memberOf(givenOf, operationId) ?? {}, name) ?? undefined;
  const value = ofOperation ?? memberOf(given, name);
  if (value === undefined) {
    return [];
  }
  const isOptional = ofOperation === undefined && !required;
  if (isOptional && isNameInPaths(name, operations.values())) {
    return [];
  }
  return [value].flat().map((one) => ({ in: place, name, value: one }));
}

function isNameInPaths(name: string, operations: Iterable<Operation>): boolean {
  return [...operations].some(({ parameters }) => {
    return parameters.some((one) => one.in === 'path' && one.name === name);
  });
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
