/**
 * Arbitraries of whole values from shapes. Two things are made here: a valid value (`Build.arbitraryOf`), and a value
 * that is valid but for what is put at one path (`embeddedAt`), which is how boundaries and violations get their
 * surroundings.
 *
 * Values shrink towards the smallest: optional properties go first, null before anything, lists and texts get short.
 */
import * as fc from 'fast-check';
import type { Hints } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import {
  childAt,
  defaultOf,
  patternIn,
  shapeOf,
  typeOf,
  WHOLE_RULES,
  type JsonType,
  type Shape,
} from '../contract/shape.ts';
import { branchesOf, type Build, knownOf } from './build.ts';
import { accepted, exists } from './filter.ts';
import { fits } from './fits.ts';
import { numberOf } from './numbers.ts';
import { arrayOf } from './arrays.ts';
import { nameLike, objectOf } from './objects.ts';
import { possible } from './possible.ts';
import { shrinking } from './shrink.ts';
import { stringOf } from './strings.ts';
import { Unsupported } from '../contract/unsupported.ts';

/** What generators of `contract` share, with arbitraries that are made once for each shape. */
export function createBuild(contract: Contract, hints: Hints): Build {
  const made = new Map<Shape, fc.Arbitrary<unknown>>();
  const open = new Set<string>();
  const build: Build = {
    contract,
    hints,
    isOpen: (shape) => open.has(keyOf(shape)),
    arbitraryOf(shape) {
      const known = made.get(shape);
      if (known) return known;
      const key = keyOf(shape);
      const outermost = !open.has(key);
      if (open.size > DEEPEST) throw new Unsupported(`the schema at ${shape.roots.join(' and ')} needs itself`);
      open.add(key);
      try {
        const values = make(build, shape);
        made.set(shape, values);
        return values;
      } finally {
        if (outermost) open.delete(key);
      }
    },
  };
  return build;
}

/** Deeper than any schema that does not need itself. */
const DEEPEST = 200;

function keyOf({ roots }: Shape): string {
  return roots.join('\n');
}

function make(build: Build, shape: Shape): fc.Arbitrary<unknown> {
  const known = knownOf(build, shape);
  if (known) {
    const allowed = accepted(known, `known value for ${shape.roots.join(' and ')} that its schema allows`, (value) =>
      fits(build, shape, value),
    );
    return nullable(shape, allowed);
  }
  if (shape.choices) {
    const choices = shape.choices.filter((choice) => choice !== null && shape.types.has(typeOf(choice)));
    return nullable(shape, choices.length > 0 ? fc.constantFrom(...choices) : undefined);
  }
  if (shape.conditionals.length > 0) return conditional(build, shape);
  if (shape.alternatives.length > 0) return alternative(build, shape);
  const values = withDefault(shape, nullable(shape, union(build, shape)));
  const rules = [...WHOLE_RULES, 'dependentRequired', 'prefixItems', 'patternProperties'];
  if (!shape.parts.some(({ schema }) => rules.some((rule) => rule in schema))) return values;
  return accepted(values, `value for ${shape.roots.join(' and ')}`, (value) => fits(build, shape, value));
}

/** Values of any type that the shape allows, but null; undefined when there is no other. */
function union(build: Build, shape: Shape): fc.Arbitrary<unknown> | undefined {
  const { types } = shape;
  const options: fc.Arbitrary<unknown>[] = [];
  if (types.has('object')) options.push(objectOf(build, shape));
  if (types.has('array')) options.push(arrayOf(build, shape));
  if (types.has('string')) options.push(stringOf(build, shape));
  if (types.has('boolean')) options.push(fc.boolean());
  if (types.has('integer')) options.push(numberOf(shape, types.has('number')));
  const [only] = options;
  return options.length > 1 ? fc.oneof(...options) : only;
}

function nullable(shape: Shape, values: fc.Arbitrary<unknown> | undefined): fc.Arbitrary<unknown> {
  if (!shape.types.has('null')) {
    if (!values) throw new Unsupported(`no value satisfies ${shape.roots.join(' and ')}`);
    return values;
  }
  return values ? fc.option(values, { nil: null, freq: 4 }) : fc.constant(null);
}

/** Sends the default explicitly now and then; what is left out must mean the same. */
function withDefault(shape: Shape, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const stated = defaultOf(shape);
  if (stated === undefined || !shape.types.has(typeOf(stated))) return values;
  return fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: fc.constant(stated) });
}

/**
 * One arbitrary per branch of each `if`: where it is met, made so from the start by merging it with its `then`; where
 * it is not, by filtering. Ajv has the last word in both.
 */
function conditional(build: Build, shape: Shape): fc.Arbitrary<unknown> {
  // Not met is the usual case, and leaves most room; but hardly so where many rules are about what must be there.
  const crowded =
    shape.conditionals.length > 2 && [...shape.properties.keys()].every((property) => shape.required.has(property));
  const branches = crowded ? [] : Array.from({ length: 2 }, () => plainOf(shape));
  for (const { condition, whenMet, whenNot } of shape.conditionals) {
    branches.push(branch(build, shape, [condition, whenMet]));
    if (whenNot !== undefined) branches.push(branch(build, shape, [whenNot]));
  }
  const right = (value: unknown): boolean => fits(build, shape, value);
  const options = branches
    .filter(({ types }) => types.size > 0)
    .map((one) => accepted(build.arbitraryOf(one), `value for ${shape.roots.join(' and ')}`, right));
  // A hint may leave a branch without values, and so may an outer `if` that decides what an inner one asks.
  const existing = options.filter(exists);
  const [first] = existing.length > 0 ? existing : options;
  if (!first) throw new Unsupported(`no value satisfies ${shape.roots.join(' and ')}`);
  return shrinking(build, shape, fc.oneof(first, ...existing.slice(1)));
}

/** Of the first `anyOf` or `oneOf`, each branch with the rest of the rules. Ajv has the last word. */
function alternative(build: Build, shape: Shape): fc.Arbitrary<unknown> {
  const place = shape.roots.join(' and ');
  const right = (value: unknown): boolean => fits(build, shape, value);
  const options = branchesOf(build, shape)
    .flatMap((one) => possible(() => accepted(build.arbitraryOf(one), `value for ${place}`, right)))
    .filter(exists);
  const [first] = options;
  if (!first) throw new Unsupported(`no value is found for the alternatives at ${place}`);
  return shrinking(build, shape, fc.oneof(first, ...options.slice(1)));
}

/** The shape with what `pointers` say as well, and without its own conditionals. */
export function branch(build: Build, shape: Shape, pointers: readonly (string | undefined)[]): Shape {
  return plainOf(shapeOf(build.contract, ...shape.roots, ...pointers.filter((pointer) => pointer !== undefined)));
}

function plainOf(shape: Shape): Shape {
  return Object.create(shape, { conditionals: { value: [] } }) as Shape;
}

/**
 * Values in which `path` exists and holds what `leaf` gives; everything else is valid by itself. Whether the whole
 * keeps what its `if`s ask for is left to the caller's proof. Throws an Error when the schema has no such path.
 */
export function embeddedAt(
  build: Build,
  shape: Shape,
  path: readonly string[],
  leaf: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const [segment, ...rest] = path;
  if (segment === undefined) return leaf;
  if (shape.alternatives.length > 0) {
    const places = branchesOf(build, shape).filter((one) => childAt(one, segment));
    const [first, ...others] = places.map((one) => embeddedAt(build, one, path, leaf));
    if (first) return fc.oneof(first, ...others);
  }
  const child = childAt(shape, segment);
  if (!child) throw new Error(`no ${segment} in the schema at ${shape.roots.join(' and ')}`);
  const inner = embeddedAt(build, child, rest, leaf);
  if (shape.properties.has(segment)) {
    const fixed = new Map([[segment, inner]]);
    return fc.oneof(
      { withCrossShrink: true },
      ...placesFor(build, shape, segment).map((one) => objectOf(build, one, { fixed, sparse: true })),
    );
  }
  const pattern = patternIn(segment);
  if (pattern !== undefined)
    return objectOf(build, shape, { extra: inner, extraName: nameLike(build, shape, pattern) });
  if (segment !== '*') return arrayOf(build, shape, { at: new Map([[Number(segment), inner]]) });
  return shape.items ? arrayOf(build, shape, { one: inner }) : objectOf(build, shape, { extra: inner });
}

/**
 * The shape itself, and with what its `if`s ask for where they are met: a property may need others beside it. Where an
 * `if` names the property, that one says what else is allowed.
 */
function placesFor(build: Build, shape: Shape, property: string): Shape[] {
  const met = shape.conditionals.map(({ condition, whenMet }) => ({
    names: shapeOf(build.contract, condition).required.has(property),
    shape: branch(build, shape, [condition, whenMet]),
  }));
  const own = met.filter(({ names }) => names);
  const others = shape.conditionals.length > 2 ? [] : met;
  const beside = (own.length > 0 ? own : others).filter(
    ({ shape: one }) => one.types.size > 0 && [...one.properties.values()].every(({ types }) => types.size > 0),
  );
  return [shape, ...beside.map((one) => one.shape)];
}

/** Valid values of the shape other than null; undefined when there is none. */
export function present(build: Build, shape: Shape): fc.Arbitrary<unknown> | undefined {
  const types = new Set<JsonType>([...shape.types].filter((type) => type !== 'null'));
  return types.size > 0 ? build.arbitraryOf(Object.create(shape, { types: { value: types } }) as Shape) : undefined;
}
