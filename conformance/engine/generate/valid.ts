/** Values of shapes: valid ones, which shrink to the smallest, and those with something else put at one path. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { Unsupported, WHOLE_RULES } from '../contract/keywords.ts';
import { type Contract, entry, perContract } from '../contract/load.ts';
import {
  childAt,
  defaultOf,
  patternIn,
  type Shape,
  shapeAt,
  shapeOf,
  shapeWith,
} from '../contract/shape.ts';
import { typeOf } from '../contract/json-types.ts';
import { arrayOf, nameLike, objectOf } from './containers.ts';
import {
  ANY,
  branchesOf,
  type Build,
  fits,
  knownOf,
  type Mutate,
  type Mutation,
  type Values,
} from './build.ts';
import { accepted, exists, orElse, possible, samples } from './filter.ts';
import { numberOf } from './numbers.ts';
import { shrinking } from './shrink.ts';
import { stringOf } from './strings.ts';
import { textMatching } from './pattern-texts.ts';

const NO_HINTS: Hints = {};
const builds = perContract(() => new WeakMap<Hints, Build>());

/** The same build for the same contract and the same hints (by identity). */
export function buildOf(contract: Contract, hints: Hints = NO_HINTS): Build {
  return entry(builds(contract), hints, () => createBuild(contract, hints));
}

const unlimited = new WeakMap<Hints, Hints>();

/** The build for all values that the schemas allow, also those that an implementation may not know. */
export function withoutKnown({ contract, hints }: Build): Build {
  const { known, ...others } = hints;
  return buildOf(contract, known === undefined ? hints : entry(unlimited, hints, () => others));
}

/** `make`, called once per build, pointer and clause while its result is in use: all clauses together are large. */
export function remembered<T extends object, Of extends Clause[]>(
  make: (build: Build, pointer: string, ...of: Of) => T,
) {
  const made = new WeakMap<Build, Map<string, WeakRef<T>>>();
  return (contract: Contract, pointer: string, hints?: Hints, ...of: Of): T => {
    const build = buildOf(contract, hints);
    const known = entry(made, build, () => new Map<string, WeakRef<T>>());
    const key = [pointer, ...of.map(({ id }) => id)].join('\n');
    const kept = known.get(key)?.deref();
    if (kept) {
      return kept;
    }
    const value = make(build, pointer, ...of);
    known.set(key, new WeakRef(value));
    return value;
  };
}

/** Values that the schema allows, by Ajv; hints that it refuses are not used. Generating throws `GaveUp` for none. */
export const validValues = remembered((build, schemaPointer) => {
  const shape = shapeOf(build.contract, schemaPointer);
  return fitting(build, shape, build.arbitraryOf(shape));
});

const fitting = <T>(build: Build, shape: Shape, values: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  accepted(values, `value for ${nameOf(shape)}`, (value) => fits(build, shape, value));

function createBuild(contract: Contract, hints: Hints): Build {
  const made = new WeakMap<Shape, Map<string, unknown>>();
  const open = new Set<string>();
  let depth = 0;
  const build: Build = {
    contract,
    hints,
    isOpen: (shape) => open.has(keyOf(shape)),
    kept: <T>(shape: Shape, key: string, make: () => T) =>
      entry(entry(made, shape, () => new Map<string, unknown>()) as Map<string, T>, key, make),
    arbitraryOf: (shape) =>
      build.kept(shape, 'values', () => {
        const key = keyOf(shape);
        const outermost = !open.has(key);
        if (depth > DEEPEST) {
          throw new Unsupported(`the schema at ${nameOf(shape)} needs itself`);
        }
        open.add(key);
        depth += 1;
        try {
          return valuesOf(build, shape);
        } finally {
          depth -= 1;
          if (outermost) {
            open.delete(key);
          }
        }
      }),
  };
  return build;
}

/** Deeper than any schema that does not need itself. */
const DEEPEST = 200;

const keyOf = ({ roots }: Shape) => roots.join('\n');

export const nameOf = ({ roots }: Shape): string => roots.join(' and ');

function valuesOf(build: Build, shape: Shape): Values {
  const known = knownOf(build, shape);
  if (known) {
    return nullable(shape, fitting(build, shape, known));
  }
  if (shape.choices) {
    const choices = shape.choices.filter(
      (choice) => choice !== null && shape.types.has(typeOf(choice)),
    );
    return nullable(shape, choices.length > 0 ? fc.constantFrom(...choices) : undefined);
  }
  if (shape.conditionals.length > 0) {
    return conditional(build, shape);
  }
  if (shape.alternatives.length > 0) {
    return anyOf(build, shape, branchesOf(build, shape), true);
  }
  const values = withDefault(shape, nullable(shape, union(build, shape)));
  const rules = [...WHOLE_RULES, 'dependentRequired', 'prefixItems', 'patternProperties'];
  const isTried = shape.parts.some(({ schema }) => rules.some((rule) => rule in schema));
  return isTried ? fitting(build, shape, values) : values;
}

/** Values of any type that the shape allows, but null; undefined when there is no other. */
function union(build: Build, shape: Shape): Values | undefined {
  const { types } = shape;
  const options: Values[] = [];
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

function nullable(shape: Shape, values: Values | undefined): Values {
  if (!shape.types.has('null')) {
    if (!values) {
      throw new Unsupported(`no value satisfies ${nameOf(shape)}`);
    }
    return values;
  }
  return values ? orElse<unknown>(null, values, 1, 4) : fc.constant(null);
}

/** Sends the default explicitly now and then; what is left out must mean the same. */
function withDefault(shape: Shape, values: Values): Values {
  const stated = defaultOf(shape);
  if (stated === undefined || !shape.types.has(typeOf(stated))) {
    return values;
  }
  return fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: fc.constant(stated) });
}

/** Values for each `if`: where it is met, of the shape merged with its `then`; where it is not, by filtering. */
function conditional(build: Build, shape: Shape): Values {
  const isComplete = [...shape.properties.keys()].every((property) => shape.required.has(property));
  // Not met is the usual case, and leaves most room; but hardly so where many rules are about all properties.
  const conditions = shape.conditionals.map(
    ({ condition }) => shapeOf(build.contract, condition).properties,
  );
  const isBound = [...shape.properties.keys()].every((name) =>
    conditions.some((one) => one.has(name)),
  );
  const isTight = shape.conditionals.length > 2 && (isComplete || isBound);
  const branches = isTight ? [] : [plainOf(build, shape), plainOf(build, shape)];
  // Properties that exclude each other: any values of all of them hardly ever fit.
  if (isComplete || isTight) {
    branches.push(...nullButOne(shape).map((one) => plainOf(build, one)));
  }
  for (const { condition, whenMet, whenNot } of shape.conditionals) {
    branches.push(branch(build, shape, [condition, whenMet]));
    if (whenNot !== undefined) {
      branches.push(branch(build, shape, [whenNot]));
    }
  }
  const satisfiable = branches.filter(({ types }) => types.size > 0);
  if (!isTight) {
    return anyOf(build, shape, satisfiable, false);
  }
  // A branch is chosen anew for each try: the more often, the more of its values fit.
  const options = satisfiable.flatMap((one) => possible(() => build.arbitraryOf(one)));
  const isRight = (value: unknown) => fits(build, shape, value);
  const weighed = options.map((arbitrary) => ({
    arbitrary,
    weight: samples(arbitrary, 20).filter(isRight).length,
  }));
  const existing = weighed.filter(({ weight }) => weight > 0);
  return shrinking(
    build,
    shape,
    fitting(build, shape, fc.oneof(...(existing.length > 0 ? existing : options))),
  );
}

/** The shape with null for all but one of its properties that may be null, for each of them; none for one or two. */
export function nullButOne(shape: Shape): Shape[] {
  const isNullable = ({ types }: Shape) => types.has('null') && types.size > 1;
  const names = [...shape.properties]
    .filter(([, child]) => isNullable(child))
    .map(([name]) => name);
  // Conditions and alternatives would bring the other types back.
  const onlyNull: Partial<Shape> = {
    types: new Set(['null']),
    choices: undefined,
    conditionals: [],
    alternatives: [],
  };
  return (names.length > 2 ? names : []).map((name) => {
    const properties = new Map(shape.properties);
    for (const other of names) {
      if (other !== name) {
        properties.set(other, shapeWith(properties.get(other)!, onlyNull));
      }
    }
    return shapeWith(shape, { properties, required: new Set([...shape.required, name]) });
  });
}

/** Those that satisfy the whole shape. @throws Unsupported where none `mustExist`; else generating throws GaveUp */
function anyOf(build: Build, shape: Shape, branches: readonly Shape[], mustExist: boolean): Values {
  const options = branches.flatMap((one) =>
    possible(() => fitting(build, shape, build.arbitraryOf(one))),
  );
  // A hint may leave a branch without values, and so may an outer `if` that decides what an inner one asks.
  const existing = options.filter(exists);
  const [first, ...others] = existing.length > 0 || mustExist ? existing : options;
  if (!first) {
    throw new Unsupported(`no value is found for ${nameOf(shape)}`);
  }
  return shrinking(build, shape, fc.oneof(first, ...others));
}

/** The shape with what `pointers` state as well, and without its own conditionals. */
function branch(build: Build, shape: Shape, pointers: readonly (string | undefined)[]): Shape {
  return plainOf(
    build,
    shapeOf(build.contract, ...shape.roots, ...pointers.filter((one) => one !== undefined)),
  );
}

/** The shape with the condition for the branch at `pointer`, and with what that states where it is `obeyed`. */
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
  const condition = rule.whenMet === pointer ? [rule.condition] : [];
  return branch(build, shape, obeyed ? [...condition, pointer] : condition);
}

/** The same one each time, so that its values are made once. */
const plainOf = (build: Build, shape: Shape): Shape =>
  build.kept(shape, 'plain', () => shapeWith(shape, { conditionals: [] }));

/** Values with a leaf at the path, valid beside it, but for rules of the whole. @throws Error for no such path */
export function embeddedAt(
  build: Build,
  shape: Shape,
  path: readonly string[],
  leaf: Values,
): Values {
  if (path.length === 0) {
    return leaf;
  }
  const around = build.kept(shape, `around ${path.join('\n')}`, () =>
    surroundingsOf(build, shape, path),
  );
  return fc.tuple(around, leaf).map(([value, one]) => filled(value, one));
}

/** Stands for what is put at a path: all that is put there has the same surroundings, which take long to make. */
const HOLE = Symbol('hole');

/** The value with `leaf` in its hole; parts without a hole are the same. */
function filled(value: unknown, leaf: unknown): unknown {
  if (value === HOLE) {
    return leaf;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  for (const [name, one] of Object.entries(value)) {
    const now = filled(one, leaf);
    if (now !== one) {
      if (Array.isArray(value)) {
        return value.with(Number(name), now);
      }
      return { ...value, [name]: now };
    }
  }
  return value;
}

function surroundingsOf(build: Build, shape: Shape, path: readonly string[]): Values {
  const [segment, ...rest] = path;
  if (segment === undefined) {
    return fc.constant(HOLE);
  }
  if (shape.alternatives.length > 0) {
    const places = branchesOf(build, shape).filter((one) => childAt(one, segment));
    const [first, ...others] = places.map((one) => surroundingsOf(build, one, path));
    if (first) {
      return fc.oneof(first, ...others);
    }
  }
  const child = childAt(shape, segment);
  if (!child) {
    throw new Error(`no ${segment} in the schema at ${nameOf(shape)}`);
  }
  const inner = surroundingsOf(build, child, rest);
  if (shape.properties.has(segment)) {
    const fixed = new Map([[segment, inner]]);
    const places = placesFor(build, shape, segment).map((one) =>
      objectOf(build, one, { fixed, sparse: true }),
    );
    return fc.oneof({ withCrossShrink: true }, ...places);
  }
  const pattern = patternIn(segment);
  if (pattern !== undefined) {
    return objectOf(build, shape, { extra: inner, extraName: nameLike(build, shape, pattern) });
  }
  if (segment !== '*') {
    return arrayOf(build, shape, { one: inner, at: Number(segment) });
  }
  if (shape.items) {
    return arrayOf(build, shape, { one: inner });
  }
  return objectOf(build, shape, { extra: inner });
}

/** The shape of the schema, and mutations for the place of the clause; of names: objects with such a name. */
export function placeOf(build: Build, schemaPointer: string, clause: Clause, make: Mutate) {
  const root = shapeOf(build.contract, schemaPointer);
  const target = shapeAt(root, clause.path);
  if (!target) {
    throw new Error(`no place for the clause ${clause.id} in ${schemaPointer}`);
  }
  const { names } = target;
  if (!clause.onNames || !names) {
    return { root, mutations: make(build, target, clause, schemaPointer) };
  }
  const extra = target.additional ? build.arbitraryOf(target.additional) : ANY;
  const named = ([label, leaf, kind]: Mutation): Mutation => {
    const extraName = accepted(
      leaf as fc.Arbitrary<string>,
      'name',
      (name) => typeof name === 'string',
    );
    // Where only names like a pattern are allowed, it begins like one of them.
    const patterned = [...target.patterns].map(([pattern, child]) => {
      const begun = fc
        .tuple(textMatching(pattern, 4), extraName)
        .map(([start, rest]) => start + rest.slice(start.length));
      return objectOf(build, target, { extra: build.arbitraryOf(child), extraName: begun });
    });
    return [
      `a name: ${label}`,
      fc.oneof(objectOf(build, target, { extra, extraName }), ...patterned),
      kind,
    ];
  };
  return { root, mutations: make(build, names, clause, schemaPointer).map(named) };
}

/** The shape, and with the `then` of its `if`s (of those that name the property, if any): it may need others. */
function placesFor(build: Build, shape: Shape, property: string): Shape[] {
  const rules = shape.conditionals;
  const own = rules.filter(({ condition }) =>
    shapeOf(build.contract, condition).required.has(property),
  );
  const others = rules.length > 2 ? [] : rules;
  const met = (own.length > 0 ? own : others).map((rule) =>
    branch(build, shape, [rule.condition, rule.whenMet]),
  );
  const isEmpty = ({ types }: Shape) => types.size === 0;
  return [shape, ...met.filter((one) => ![one, ...one.properties.values()].some(isEmpty))];
}

/** Valid values of the shape other than null; undefined when there are none. */
export function present(build: Build, shape: Shape): Values | undefined {
  if (!shape.types.has('null')) {
    return shape.types.size > 0 ? build.arbitraryOf(shape) : undefined;
  }
  const make = () =>
    accepted(
      build.arbitraryOf(shape),
      `value other than null for ${nameOf(shape)}`,
      (one) => one !== null,
    );
  if (shape.types.size > 1) {
    return build.kept(shape, 'present', make);
  }
  return undefined;
}
