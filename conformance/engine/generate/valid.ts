/** Valid values of shapes, which shrink to the smallest ones. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { typeOf } from '../contract/json-types.ts';
import { Unsupported, WHOLE_RULES } from '../contract/keywords.ts';
import { type Contract, entry, perContract } from '../contract/load.ts';
import { defaultOf, placesOf, type Shape, shapeOf } from '../contract/shape.ts';
import { arrayOf } from './arrays.ts';
import { type Build, fitting, type JsonValues, knownOf } from './build.ts';
import { valuesOfAlternatives, valuesOfConditions } from './conditions.ts';
import { accepted, orElse } from './filter.ts';
import { numberOf } from './numbers.ts';
import { objectOf } from './objects.ts';
import { stringOf } from './strings.ts';

const NO_HINTS: Hints = {};
const builds = perContract(() => new WeakMap<Hints, Build>());

/** The same build for the same contract and the same hints (by identity). */
export function buildOf(contract: Contract, hints: Hints = NO_HINTS): Build {
  return entry(builds(contract), hints, () => createBuild(contract, hints));
}

/** By hints: the same hints without known values. */
const unlimited = new WeakMap<Hints, Hints>();

/**
 * The build for all values that the schemas allow, also those that an implementation may not know.
 */
export function withoutKnown({ contract, hints }: Build): Build {
  const { known, ...others } = hints;
  if (known === undefined) {
    return buildOf(contract, hints);
  }
  return buildOf(
    contract,
    entry(unlimited, hints, () => others),
  );
}

/**
 * `make`, called once per build, pointer and clause while its result is in use: all clauses
 * together are large.
 * @returns a function of the contract, the pointer of a schema or parameter, the hints and the
 * clause, if there is one
 */
export function whileInUse<T extends object, Clauses extends Clause[]>(
  make: (build: Build, pointer: string, ...clauses: Clauses) => T,
) {
  const made = new WeakMap<Build, Map<string, WeakRef<T>>>();
  return (contract: Contract, pointer: string, hints?: Hints, ...clauses: Clauses): T => {
    const build = buildOf(contract, hints);
    const known = entry(made, build, () => new Map<string, WeakRef<T>>());
    const key = [pointer, ...clauses.map(({ id }) => id)].join('\n');
    const kept = known.get(key)?.deref();
    if (kept) {
      return kept;
    }
    const value = make(build, pointer, ...clauses);
    known.set(key, new WeakRef(value));
    return value;
  };
}

/**
 * Values that the schema allows, by Ajv; hints that it refuses are not used. Generating throws
 * `GaveUp` for none.
 */
export const validValues = whileInUse((build, schemaPointer): JsonValues => {
  const shape = shapeOf(build.contract, schemaPointer);
  return fitting(build, shape, build.arbitraryOf(shape));
});

/** Deeper than any schema that does not need itself. */
const DEEPEST = 200;

function createBuild(contract: Contract, hints: Hints): Build {
  const made = new WeakMap<Shape, Map<string, unknown>>();
  const open = new Set<string>();
  const keyOf = ({ roots }: Shape) => roots.join('\n');
  let depth = 0;
  const kept = <T>(shape: Shape, key: string, make: () => T): T => {
    const ofShape = entry(made, shape, () => new Map<string, unknown>());
    return entry(ofShape as Map<string, T>, key, make);
  };
  const makeValues = (shape: Shape): JsonValues => {
    if (depth > DEEPEST) {
      throw new Unsupported(`the schema at ${placesOf(shape)} needs itself`);
    }
    const key = keyOf(shape);
    const isOutermost = !open.has(key);
    open.add(key);
    depth += 1;
    try {
      return valuesOf(build, shape);
    } finally {
      depth -= 1;
      if (isOutermost) {
        open.delete(key);
      }
    }
  };
  const build: Build = {
    contract,
    hints,
    isOpen: (shape) => open.has(keyOf(shape)),
    kept,
    arbitraryOf: (shape) => kept(shape, 'values', () => makeValues(shape)),
  };
  return build;
}

/** Rules that generators do not obey: values that break them are filtered out. */
const TRIED_RULES = [...WHOLE_RULES, 'dependentRequired', 'prefixItems', 'patternProperties'];

function valuesOf(build: Build, shape: Shape): JsonValues {
  const known = knownOf(build, shape);
  if (known) {
    return orNull(shape, fitting(build, shape, known));
  }
  if (shape.choices) {
    return orNull(shape, choicesOf(shape, shape.choices));
  }
  if (shape.conditionals.length > 0) {
    return valuesOfConditions(build, shape);
  }
  if (shape.alternatives.length > 0) {
    return valuesOfAlternatives(build, shape);
  }
  const values = withDefault(shape, orNull(shape, valuesOfTypes(build, shape)));
  const isTried = shape.parts.some(({ schema }) => TRIED_RULES.some((rule) => rule in schema));
  if (isTried) {
    return fitting(build, shape, values);
  }
  return values;
}

function choicesOf({ types }: Shape, choices: readonly unknown[]): JsonValues | undefined {
  const possible = choices.filter((choice) => choice !== null && types.has(typeOf(choice)));
  if (possible.length > 0) {
    return fc.constantFrom(...possible);
  }
  return undefined;
}

/** Values of any type that the shape allows, but null; undefined if there is no other type. */
function valuesOfTypes(build: Build, shape: Shape): JsonValues | undefined {
  const { types } = shape;
  const options: JsonValues[] = [];
  if (types.has('object')) {
    options.push(objectOf(build, shape));
  }
  if (types.has('array')) {
    options.push(arrayOf(build, shape));
  }
  if (types.has('string')) {
    options.push(stringOf(build, shape));
  }
  if (types.has('boolean')) {
    options.push(fc.boolean());
  }
  if (types.has('integer')) {
    options.push(numberOf(shape, types.has('number')));
  }
  const [only] = options;
  return options.length > 1 ? fc.oneof(...options) : only;
}

/** The values, and null if the shape allows it. @throws Unsupported if neither is there */
function orNull(shape: Shape, values: JsonValues | undefined): JsonValues {
  if (!shape.types.has('null')) {
    if (!values) {
      throw new Unsupported(`no value satisfies ${placesOf(shape)}`);
    }
    return values;
  }
  if (!values) {
    return fc.constant(null);
  }
  return orElse<unknown>(null, values, { times: 1, others: 4 });
}

/** The values, and sometimes the default, which must mean the same as an omitted value. */
function withDefault(shape: Shape, values: JsonValues): JsonValues {
  const stated = defaultOf(shape);
  if (stated === undefined || !shape.types.has(typeOf(stated))) {
    return values;
  }
  return fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: fc.constant(stated) });
}

/** Valid values of the shape other than null; undefined if there are none. */
export function present(build: Build, shape: Shape): JsonValues | undefined {
  if (!shape.types.has('null')) {
    if (shape.types.size > 0) {
      return build.arbitraryOf(shape);
    }
    return undefined;
  }
  if (shape.types.size === 1) {
    return undefined;
  }
  const what = `value other than null for ${placesOf(shape)}`;
  return build.kept(shape, 'present', () =>
    accepted(build.arbitraryOf(shape), what, (one) => one !== null),
  );
}
