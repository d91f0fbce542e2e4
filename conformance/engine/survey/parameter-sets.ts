/** Values of the parameters that an operation needs, or that the user gives, but for its path. */
import { memberOf } from '../contract/by-name.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { defaultOf, shapeOf } from '../contract/shape.ts';
import type { Random } from '../generate/random.ts';
import type { Implementation } from '../http/implementation.ts';
import { isEntityTag } from '../http/preconditions.ts';
import type { ParameterValue } from '../http/recipe.ts';
import type { Seen } from './seen.ts';
import { isSafe } from './left-out.ts';
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
    return valuesFor(parameter, operation, implementation, known);
  });
  const count = Math.max(1, ...choices.map((values) => values.length));
  const sets: ParameterValue[][] = [];
  for (let index = 0; index < Math.min(count, MOST_SETS); index++) {
    sets.push(choices.flatMap((values) => values[Math.min(index, values.length - 1)] ?? []));
  }
  return sets;
}

/** More names in one text are those of a list. */
const MOST_NAMED = 4;

/**
 * The set with optional parameters, after a refusal: the service wants one that the contract calls
 * optional.
 * @param set that was refused @param refusal the text of the response
 */
export function setsWithOptional(
  operation: Operation,
  implementation: Implementation,
  known: Known,
  { set, refusal }: { set: readonly ParameterValue[]; refusal: string },
): ParameterValue[][] {
  const optional = operation.parameters.filter((one) => {
    const isPlace = one.in === 'query' || one.in === 'header';
    return isPlace && !one.required && !isEntityTag(one) && !hasValue(set, one);
  });
  const words = new Set(refusal.toLowerCase().match(WORDS));
  const named = optional.filter(({ name }) => words.has(name.toLowerCase()));
  const valueOf = (parameter: Parameter) =>
    valuesFor(parameter, operation, implementation, known).slice(0, 1);
  const found: ParameterValue[][] = named.slice(0, MOST_NAMED).map(valueOf);
  if (named.length > 1) {
    found.push(named.flatMap(valueOf));
  }
  // Of a write, an option may do more than its operation says.
  if (isSafe(operation)) {
    const ofQuery = optional.filter((one) => one.in === 'query');
    found.push(ofQuery.flatMap((one) => knownValues(one, implementation, known).slice(0, 1)));
    found.push(...choicesOf(ofQuery, implementation), ofQuery.flatMap(valueOf));
  }
  return found.filter((more) => more.length > 0).map((more) => [...set, ...more]);
}

const WORDS = /[\w-]+/g;

/** More choices would show little that is new. */
const MOST_CHOICES = 6;

/** One parameter each, with a value of its list that is not its default: that may lead nowhere. */
function choicesOf(
  parameters: readonly Parameter[],
  { contract }: Implementation,
): ParameterValue[][] {
  const sets: ParameterValue[][] = [];
  for (const { name, in: place, schema } of parameters) {
    const shape = shapeOf(contract, schema);
    const others = (shape.choices ?? []).filter((value) => value !== defaultOf(shape));
    sets.push(...others.map((value) => [{ in: place, name, value }]));
  }
  return sets.slice(0, MOST_CHOICES);
}

const hasValue = (set: readonly ParameterValue[], { name, in: place }: Parameter): boolean =>
  set.some((one) => one.name === name && one.in === place);

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

/** Some texts are JSON, which their schema does not say. */
const JSON_TEXT = '{}';

/** Those that the contract states, or that other calls have shown; or else one of its schema. */
function valuesFor(
  parameter: Parameter,
  operation: Operation,
  implementation: Implementation,
  known: Known,
): ParameterValue[] {
  const { name, in: place } = parameter;
  const { contract, hints } = implementation;
  const generated = generatedValue(contract, parameter, { hints, random: known.random });
  const values = knownValues(parameter, implementation, known);
  // In a write, a small number could name what others have.
  const isNumber = typeof generated?.value === 'number' && isSafe(operation);
  if (isNumber && schemasOf(contract).isValid(parameter.schema, 1)) {
    values.push({ in: place, name, value: 1 });
  }
  if (generated !== undefined) {
    values.push({ in: place, name, value: generated.value });
  }
  const isText = typeof generated?.value === 'string';
  if (isText && schemasOf(contract).isValid(parameter.schema, JSON_TEXT)) {
    values.push({ in: place, name, value: JSON_TEXT });
  }
  return values;
}

function knownValues(
  parameter: Parameter,
  { contract }: Implementation,
  { seen }: Known,
): ParameterValue[] {
  const { name, in: place, schema } = parameter;
  const values = statedValues(contract, parameter).map(({ value }) => value);
  const shown = seen.valueOf(name);
  if (shown !== undefined && schemasOf(contract).isValid(schema, shown)) {
    values.push(shown);
  }
  return values.map((value) => ({ in: place, name, value }));
}
