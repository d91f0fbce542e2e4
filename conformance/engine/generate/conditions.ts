/**
 * Values of shapes with `if`, `anyOf` or `oneOf`: shapes without them, whose values satisfy the
 * whole shape.
 */
import * as fc from 'fast-check';
import { Unsupported } from '../contract/keywords.ts';
import { placesOf, type Shape, shapeOf, shapeWith } from '../contract/shape.ts';
import { type Build, branchShapes, fits, fitting, type JsonValues } from './build.ts';
import { exists, possible, samples } from './filter.ts';
import { shrinking } from './shrink.ts';

/** Values that satisfy a branch of the alternatives. @throws Unsupported if no branch has any */
export function valuesOfAlternatives(build: Build, shape: Shape): JsonValues {
  const options = optionsAmong(build, shape, branchShapes(build, shape));
  return oneOfOptions(build, shape, options.filter(exists));
}

/**
 * Values for each `if`. Those that meet it are of the shape merged with its `then`; the others are
 * filtered.
 */
export function valuesOfConditions(build: Build, shape: Shape): JsonValues {
  const isTight = hasLittleRoom(build, shape);
  const branches = branchesByCondition(build, shape, isTight).filter(({ types }) => types.size > 0);
  if (isTight) {
    return weighed(build, shape, branches);
  }
  const options = optionsAmong(build, shape, branches);
  // A branch may have no values because of a hint, or because an outer `if` decides an inner one.
  const existing = options.filter(exists);
  if (existing.length > 0) {
    return oneOfOptions(build, shape, existing);
  }
  return oneOfOptions(build, shape, options);
}

/**
 * Whether most properties have to be set as conditions say, so that values of the plain shape
 * hardly ever fit.
 */
function hasLittleRoom(build: Build, shape: Shape): boolean {
  const names = [...shape.properties.keys()];
  const conditions = shape.conditionals.map(
    ({ condition }) => shapeOf(build.contract, condition).properties,
  );
  const isBound = names.every((name) => conditions.some((properties) => properties.has(name)));
  return conditions.length > 2 && (isBound || isComplete(shape));
}

/** Whether every property is required. */
const isComplete = ({ properties, required }: Shape): boolean =>
  [...properties.keys()].every((name) => required.has(name));

function branchesByCondition(build: Build, shape: Shape, isTight: boolean): Shape[] {
  const branches: Shape[] = [];
  // Most values meet no condition, so that few rules bind them.
  if (!isTight) {
    branches.push(plainOf(build, shape), plainOf(build, shape));
  }
  // Properties that exclude each other: any values of all of them hardly ever fit.
  if (isTight || isComplete(shape)) {
    branches.push(...nullButOne(shape).map((one) => plainOf(build, one)));
  }
  for (const { condition, whenMet, whenNot } of shape.conditionals) {
    branches.push(merged(build, shape, [condition, whenMet]));
    if (whenNot !== undefined) {
      branches.push(merged(build, shape, [whenNot]));
    }
  }
  return branches;
}

/**
 * One of the branches, chosen anew for each try: the more often, the more of its values satisfy the
 * whole shape.
 */
function weighed(build: Build, shape: Shape, branches: readonly Shape[]): JsonValues {
  const options = branches.flatMap((one) => possible(() => build.arbitraryOf(one)));
  const isRight = (value: unknown) => fits(build, shape, value);
  const all = options.map((arbitrary) => ({
    arbitrary,
    weight: samples(arbitrary, 20).filter(isRight).length,
  }));
  const existing = all.filter(({ weight }) => weight > 0);
  const chosen = fc.oneof(...(existing.length > 0 ? existing : options));
  return shrinking(build, shape, fitting(build, shape, chosen));
}

/** The values of each branch that satisfy the whole shape. */
const optionsAmong = (build: Build, shape: Shape, branches: readonly Shape[]): JsonValues[] =>
  branches.flatMap((one) => possible(() => fitting(build, shape, build.arbitraryOf(one))));

function oneOfOptions(build: Build, shape: Shape, options: readonly JsonValues[]): JsonValues {
  const [first, ...others] = options;
  if (!first) {
    throw new Unsupported(`no value is found for ${placesOf(shape)}`);
  }
  return shrinking(build, shape, fc.oneof(first, ...others));
}

/**
 * For each property that may be null, if there are three or more: the shape with null for the
 * others of them.
 */
export function nullButOne(shape: Shape): Shape[] {
  const isNullable = ({ types }: Shape) => types.has('null') && types.size > 1;
  const nullable = [...shape.properties].filter(([, child]) => isNullable(child));
  if (nullable.length <= 2) {
    return [];
  }
  return nullable.map(([name]) => {
    const properties = new Map(shape.properties);
    for (const [other, child] of nullable) {
      if (other !== name) {
        properties.set(other, shapeWith(child, ONLY_NULL));
      }
    }
    return shapeWith(shape, { properties, required: new Set([...shape.required, name]) });
  });
}

/** Conditions and alternatives would bring the other types back. */
const ONLY_NULL: Partial<Shape> = {
  types: new Set(['null']),
  choices: undefined,
  conditionals: [],
  alternatives: [],
};

/**
 * The shape with the condition for the branch at `pointer`, and with the rules of that branch if it
 * is `obeyed`.
 */
export function branchAt(
  build: Build,
  shape: Shape,
  pointer: string,
  obeyed: boolean,
): Shape | undefined {
  const rule = shape.conditionals.find(
    ({ whenMet, whenNot }) => whenMet === pointer || whenNot === pointer,
  );
  if (!rule) {
    return undefined;
  }
  const pointers: string[] = [];
  if (rule.whenMet === pointer) {
    pointers.push(rule.condition);
  }
  if (obeyed) {
    pointers.push(pointer);
  }
  return merged(build, shape, pointers);
}

/**
 * The shape, and the shape with the `then` of each of its `if`s: the property may need other
 * properties.
 */
export function placesFor(build: Build, shape: Shape, property: string): Shape[] {
  const rules = shape.conditionals;
  const naming = rules.filter(({ condition }) =>
    shapeOf(build.contract, condition).required.has(property),
  );
  let relevant = naming;
  if (naming.length === 0 && rules.length <= 2) {
    relevant = [...rules];
  }
  const met = relevant.map(({ condition, whenMet }) => merged(build, shape, [condition, whenMet]));
  const isEmpty = ({ types }: Shape) => types.size === 0;
  const hasNoValue = (one: Shape) => [one, ...one.properties.values()].some(isEmpty);
  return [shape, ...met.filter((one) => !hasNoValue(one))];
}

/** The shape with the rules at `pointers` as well, and without its conditionals. */
function merged(build: Build, shape: Shape, pointers: readonly (string | undefined)[]): Shape {
  const stated = pointers.filter((one) => one !== undefined);
  return plainOf(build, shapeOf(build.contract, ...shape.roots, ...stated));
}

/** The shape without its conditionals: the same one each time, so that its values are made once. */
const plainOf = (build: Build, shape: Shape): Shape =>
  build.kept(shape, 'plain', () => shapeWith(shape, { conditionals: [] }));
