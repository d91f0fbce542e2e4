/** What to put at the path of a clause so that this clause breaks. Whether it does is proved by the caller. */
import * as fc from 'fast-check';
import { clausesOf, type Clause, dependencyOf } from '../contract/clauses.ts';
import { Unsupported, WHOLE_RULES } from '../contract/keywords.ts';
import { operationsOf } from '../contract/operations.ts';
import { isObject, joinPointer, valueAt } from '../contract/pointers.ts';
import { shapeAt, shapeOf, type Shape } from '../contract/shape.ts';
import { holderOf, setAside, without } from '../contract/variants.ts';
import { arrayOf } from './arrays.ts';
import { ANY, type Build, type Mutation } from './build.ts';
import { possible } from './filter.ts';
import { freeName, objectOf } from './objects.ts';
import * as scalars from './scalar-mutations.ts';
import { branchAt, buildOf, embeddedAt, present, withoutKnown } from './valid.ts';

/** `schemaPointer`: where the schema as a whole is, if the clause is one of it. */
type Mutate = (build: Build, shape: Shape, clause: Clause, schemaPointer?: string) => Mutation[];

const MUTATIONS: readonly (readonly [keyword: RegExp, Mutate])[] = [
  [/^type$/, scalars.typeMutations],
  [/^(enum|const)$/, scalars.choiceMutations],
  [/^(m|exclusiveM)(in|ax)imum$/, scalars.boundMutations],
  [/^multipleOf$/, scalars.multipleMutations],
  [/^m(in|ax)Length$/, scalars.lengthMutations],
  [/^pattern$/, scalars.patternMutations],
  [/^format$/, scalars.formatMutations],
  [/^x-max-bytes$/, scalars.byteMutations],
  [/^m(in|ax)(Items|Properties)$/, sizeMutations],
  [/^uniqueItems$/, repeatedMutations],
  [
    /^required$/,
    (build, shape, { name = '' }) => [[`no ${name}`, objectOf(build, shape, { without: new Set([name]) })]],
  ],
  [/^dependentRequired$/, dependentMutations],
  [/^additionalProperties$/, unknownMutations],
  [/^if$/, branchMutations],
];

/** The mutations that may break `clause`, which binds the values of `shape`. Empty when none is known. */
export const mutationsOf: Mutate = (build, shape, clause, schemaPointer) => {
  if (WHOLE_RULES.includes(clause.keyword)) return wholeMutations(build, shape, clause);
  const mutate = MUTATIONS.find(([keyword]) => keyword.test(clause.keyword))?.[1];
  if (!mutate) throw new Error(`no mutations are known for ${clause.keyword} at ${clause.pointer}`);
  return mutate(build, shape, clause, schemaPointer);
};

const VALUES = ['', 0, 1, true, null, [], {}];
const any = fc.constantFrom<unknown>(...VALUES);

/** Values that break a rule about a value as a whole: what is known of such rules, and whatever is right but for it. */
function wholeMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const { contract } = build;
  const free = buildOf(without(contract, clause.pointer), build.hints);
  const freed = shapeOf(free.contract, ...shape.roots);
  const stated = clause.schema[clause.keyword];
  const inner = setAside(clause.pointer);
  const mutations: Mutation[] = [];
  const add = (label: string, make: () => fc.Arbitrary<unknown>) => {
    mutations.push(...possible(make).map((leaf): Mutation => [label, leaf]));
  };
  const satisfying = (...pointers: string[]) => free.arbitraryOf(shapeOf(free.contract, ...shape.roots, ...pointers));
  switch (clause.keyword) {
    case 'unevaluatedProperties':
      add('an unknown name', () => {
        const names = freed.names ? freeName(free, freed) : fc.constantFrom('colour', 'x-extra');
        return fc
          .tuple(satisfying(), names, any)
          .map(([value, name, extra]) => (isObject(value) ? { ...value, [name]: extra } : value));
      });
      break;
    case 'unevaluatedItems':
      add('one more item', () =>
        fc
          .tuple(satisfying(), any)
          .map(([value, one]) => (Array.isArray(value) ? [...(value as unknown[]), one] : value)),
      );
      break;
    case 'maxContains': {
      const contains = joinPointer(holderOf(clause.pointer), 'contains');
      const contained = shapeOf(contract, ...(shape.items?.roots ?? []), contains);
      const least = (stated as number) + 1;
      add('more of what it contains', () => {
        const more = fc.array(build.arbitraryOf(contained), { minLength: least, maxLength: least + 1 });
        return fc.tuple(arrayOf(free, freed), more).map((items) => items.flat());
      });
      break;
    }
    case 'not':
      add('what must not be', () => free.arbitraryOf(shapeOf(free.contract, inner)));
      add('what must not be, beside the rest', () => satisfying(inner));
      break;
    case 'anyOf':
    case 'oneOf': {
      const branches = (stated as unknown[]).map((_, index) => joinPointer(inner, index));
      for (const [one, pointer] of branches.entries())
        for (const [other, beside] of branches.entries())
          if (one < other) add(`branches ${one + 1} and ${other + 1} at once`, () => satisfying(pointer, beside));
      for (const [index, pointer] of branches.entries())
        for (const [label, make] of nearly(free, freed, pointer)) add(`branch ${index + 1}, ${label}`, make);
      break;
    }
    case 'dependentSchemas':
      for (const name of Object.keys(stated as object)) {
        const child = freed.property(name);
        const fixed = new Map([[name, child ? free.arbitraryOf(child) : any]]);
        add(`with ${name}`, () => objectOf(free, freed, { fixed }));
      }
      break;
    default:
  }
  for (const value of VALUES) add(JSON.stringify(value), () => fc.constant(value));
  add('what is right otherwise', satisfying);
  return mutations;
}

/** For each clause of one more schema: values that are wrong in that respect alone. */
function nearly(build: Build, shape: Shape, pointer: string): [string, () => fc.Arbitrary<unknown>][] {
  const merged = shapeOf(build.contract, ...shape.roots, pointer);
  return clausesOf(build.contract, pointer).flatMap((clause): [string, () => fc.Arbitrary<unknown>][] => {
    const target = shapeAt(merged, clause.path);
    if (!target || clause.onNames || WHOLE_RULES.includes(clause.keyword)) return [];
    const make = () => {
      const [first, ...others] = mutationsOf(build, target, clause).map(([, leaf]) => leaf);
      if (!first) throw new Unsupported(`nothing breaks ${clause.id}`);
      return embeddedAt(build, merged, clause.path, fc.oneof(first, ...others));
    };
    return [[clause.id, make]];
  });
}

/** Values that meet the condition and are valid but for the branch. */
function branchMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const met = branchAt(build, shape, clause.pointer, false);
  if (!met) return [];
  return clausesOf(build.contract, clause.pointer).flatMap((inner) => {
    const target = shapeAt(met, inner.path);
    if (!target || inner.onNames) return [];
    // Any value that is right without the branch may be wrong with it; for limits it seldom is, so that a mutation
    // helps. A mutation leaves out a required property.
    const allowed: Mutation[] =
      inner.keyword === 'required' ? [] : [['a value that is allowed otherwise', build.arbitraryOf(target)]];
    const isLimit = !['if', 'type', 'enum', 'const'].includes(inner.keyword);
    return [...allowed, ...(isLimit ? mutationsOf(build, target, inner) : [])].map(([label, leaf]): Mutation => [
      `${clause.name ?? ''} ${inner.id}: ${label}`,
      embeddedAt(build, met, inner.path, leaf),
    ]);
  });
}

function sizeMutations(build: Build, shape: Shape, { keyword, schema }: Clause): Mutation[] {
  const limit = schema[keyword] as number;
  return ofSize(build, shape, keyword, keyword.startsWith('min') ? limit - 1 : limit + 1);
}

/** With so many items or properties, as the keyword counts. */
export function ofSize(build: Build, shape: Shape, keyword: string, size: number): Mutation[] {
  if (size < 0) return [];
  if (keyword.endsWith('Properties')) return [[`${size} properties`, objectOf(build, shape, { size })]];
  // A small pool of hints may not hold as many distinct items.
  return [build, withoutKnown(build)].map((one) => [`${size} items`, arrayOf(one, shape, { length: size })]);
}

function repeatedMutations(build: Build, shape: Shape): Mutation[] {
  const hasRest = shape.items?.types.size !== 0;
  const item = shape.items && hasRest ? build.arbitraryOf(shape.items) : fc.constant(0);
  const places = [fc.nat({ max: 9 }), fc.nat({ max: 9 })] as const;
  const added = fc
    .tuple(arrayOf(build, shape, hasRest ? { one: item } : {}), ...places)
    .map(([items, from, to]) => items.toSpliced(to % (items.length + 1), 0, items[from % items.length]));
  // Where each place has a schema of its own, a copy takes the place of another item.
  const copied = fc
    .tuple(arrayOf(build, shape), ...places)
    .map(([items, from, to]) => items.map((one, at) => (at === to % items.length ? items[from % items.length] : one)));
  const twice: Mutation[] = hasRest ? [['one item twice', added]] : [];
  return shape.prefix.length > 0 ? [...twice, ['one item in place of another', copied]] : twice;
}

function dependentMutations(build: Build, shape: Shape, { schema, name = '' }: Clause): Mutation[] {
  const rules = schema['dependentRequired'] as Record<string, string[]>;
  const [trigger, missing] = dependencyOf(rules, name);
  const child = shape.property(trigger);
  const values = child ? present(build, child) : ANY;
  if (!values) return [];
  const fixed = new Map([[trigger, values]]);
  for (const other of rules[trigger] ?? []) {
    const due = shape.property(other);
    if (other !== missing) fixed.set(other, due ? build.arbitraryOf(due) : ANY);
  }
  return [[`${trigger} without ${missing}`, objectOf(build, shape, { fixed, without: new Set([missing]) })]];
}

/** Names that few schemas allow, by what is tempting about them. */
const TEMPTING: readonly (readonly [label: string, names: readonly string[]])[] = [
  ['an unknown name', ['colour', 'x', '0', 'x-extra', 'null', '$ref', 'é']],
  ['an empty name', ['']],
  ['a name that a JSON Pointer escapes', ['a/b', '~', 'a~b', '~1', '~0/~1', '//']],
  ['a name that looks like something else', ['a b', '#/x', '%2F', '"', '\\', '😀', '-', '*']],
  ['__proto__', ['__proto__']],
  ...['constructor', 'toString', 'hasOwnProperty', 'prototype', '__defineGetter__'].map(
    (name) => [`the name of a built-in, ${name}`, [name]] as const,
  ),
  ['a name that is too long for a pointer', ['x'.repeat(5_000), `${'x'.repeat(4_093)}~~`]],
  ['a name that readers cut or format', ['\u0000', 'a\u0000b', '%s%n', '${a}', '{0}', "'"]],
];

function unknownMutations(build: Build, shape: Shape, clause: Clause, schemaPointer?: string): Mutation[] {
  const extra = fc.constantFrom<unknown>('', null, true, 1, [], {});
  const near = (name: string) => [`${name}s`, name.slice(0, -1), `${name} `, ` ${name}`, `/${name}`];
  const candidates: typeof TEMPTING = [
    ...TEMPTING,
    ['the name of a property elsewhere', namesElsewhere(build)],
    ['nearly a known name', [...shape.properties.keys()].flatMap(near)],
  ];
  const unknown = candidates.flatMap(([label, names]): Mutation[] => {
    const others = names.filter((name) => !shape.allows(name));
    if (others.length === 0) return [];
    return [[label, objectOf(build, shape, { extra, extraName: fc.constantFrom(...others) })]];
  });
  const borrowed = schemaPointer === undefined ? [] : relatives(build, shape, clause, schemaPointer);
  return [...unknown, ...miscased(build, shape), ...borrowed];
}

/**
 * Each name that the response has at this place, or that is known beside it or within what is beside it, with a value
 * that it has there: services share schemas, and drop what they show.
 */
function relatives(build: Build, shape: Shape, { path }: Clause, schemaPointer: string): Mutation[] {
  const { contract } = build;
  const operation = operationsOf(contract).find(({ requestBody }) => requestBody?.pointer === schemaPointer);
  const success = Object.values(operation?.responses ?? {}).find(({ status }) => status.startsWith('2'));
  const [shown] = Object.values(success?.content ?? {});
  const around = path.length > 0 ? shapeAt(shapeOf(contract, schemaPointer), path.slice(0, -1)) : undefined;
  const holders = [
    ...(around?.properties.values() ?? []),
    around,
    shown === undefined ? undefined : shapeAt(shapeOf(contract, shown), path),
  ];
  const known = new Map(holders.flatMap((holder) => [...(holder?.properties ?? [])]));
  return [...known].flatMap(([name, child]) => {
    if (shape.allows(name) || child.types.size === 0) return [];
    return possible((): Mutation => {
      // Lists of whole resources cost more than they show.
      const values = child.types.has('array') ? fc.constantFrom<unknown>([], [{}]) : present(build, child);
      const extra = { extra: values ?? ANY, extraName: fc.constant(name), sparse: true };
      return [`${name}, which is known elsewhere`, objectOf(build, shape, extra)];
    });
  });
}

/** A known property in another case in place of the right one, with a value that would be fine. */
function miscased(build: Build, shape: Shape): Mutation[] {
  const options = [...shape.properties].flatMap(([name, child]) => {
    const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const names = [
      ...[scalars.capitalized(name), name.toUpperCase(), camel, name.replaceAll('_', '-')],
      // They fold to the name, or hold it up to a NUL.
      ...[name.replace('s', '\u017f').replace('k', '\u212a'), `${name}\u0000`, `${name}\u200b`],
    ].filter((one) => !shape.allows(one));
    if (names.length === 0 || child.types.size === 0) return [];
    const left = { without: new Set(shape.required.has(name) ? [] : [name]) };
    return [objectOf(build, shape, { extra: build.arbitraryOf(child), extraName: fc.constantFrom(...names), ...left })];
  });
  return options.length > 0 ? [['a known name in another spelling', fc.oneof(...options)]] : [];
}

/** The names of all properties of all components: what a client may well confuse with what is allowed. */
function namesElsewhere(build: Build): string[] {
  const schemas: unknown[] = Object.values(valueAt(build.contract.document, '/components/schemas') ?? {});
  return [...new Set(schemas.flatMap((schema) => Object.keys((isObject(schema) && schema['properties']) || {})))];
}
