/** Arrays and objects that break one rule about their items or properties. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { isObject, valueAt } from '../contract/pointers.ts';
import { operationsOf } from '../contract/operations.ts';
import { type Shape, shapeAt, shapeOf } from '../contract/shape.ts';
import { arrayOf } from './arrays.ts';
import { ANY, type Build, type Mutation } from './build.ts';
import { possible } from './filter.ts';
import { objectOf } from './objects.ts';
import { present, withoutKnown } from './valid.ts';

export function sizeMutations(build: Build, shape: Shape, { keyword, schema }: Clause): Mutation[] {
  const limit = schema[keyword] as number;
  return ofSize(build, shape, keyword, keyword.startsWith('min') ? limit - 1 : limit + 1);
}

/** With so many items or properties, as the keyword counts. */
export function ofSize(build: Build, shape: Shape, keyword: string, size: number): Mutation[] {
  if (size < 0) return [];
  if (keyword.endsWith('Properties')) return [{ label: `${size} properties`, leaf: objectOf(build, shape, { size }) }];
  // A small pool of hints may not hold as many distinct items.
  return [build, withoutKnown(build)].map((one) => ({
    label: `${size} items`,
    leaf: arrayOf(one, shape, { length: size }),
  }));
}

export function repeatedMutations(build: Build, shape: Shape): Mutation[] {
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
  return [
    ...(hasRest ? [{ label: 'one item twice', leaf: added }] : []),
    ...(shape.prefix.length > 0 ? [{ label: 'one item in place of another', leaf: copied }] : []),
  ];
}

export function requiredMutations(build: Build, shape: Shape, { name = '' }: Clause): Mutation[] {
  return [{ label: `no ${name}`, leaf: objectOf(build, shape, { without: new Set([name]) }) }];
}

export function dependentMutations(build: Build, shape: Shape, { schema, name = '' }: Clause): Mutation[] {
  const rules = schema['dependentRequired'] as Record<string, string[]>;
  const trigger = Object.keys(rules).find((key) => name.startsWith(`${key}.`)) ?? '';
  const child = shape.property(trigger);
  const values = child ? present(build, child) : ANY;
  if (!values) return [];
  const missing = name.slice(trigger.length + 1);
  const fixed = new Map([[trigger, values]]);
  for (const other of rules[trigger] ?? []) {
    const due = shape.property(other);
    if (other !== missing) fixed.set(other, due ? build.arbitraryOf(due) : ANY);
  }
  const leaf = objectOf(build, shape, { fixed, without: new Set([missing]) });
  return [{ label: `${trigger} without ${missing}`, leaf }];
}

/** Names that few schemas allow, by what is tempting about them. */
const TEMPTING: readonly [label: string, names: readonly string[]][] = [
  ['an unknown name', ['colour', 'x', '0', 'x-extra', 'null', '$ref', 'é']],
  ['an empty name', ['']],
  ['a name that a JSON Pointer escapes', ['a/b', '~', 'a~b', '~1', '~0/~1', '//']],
  ['a name that looks like something else', ['a b', '#/x', '%2F', '"', '\\', '😀', '-', '*']],
  ['__proto__', ['__proto__']],
  ...['constructor', 'toString', 'hasOwnProperty', 'prototype', '__defineGetter__'].map((name): [string, string[]] => [
    `the name of a built-in, ${name}`,
    [name],
  ]),
  ['a name that readers cut or format', ['\u0000', 'a\u0000b', '%s%n', '${a}', '{0}', "'"]],
];

export function unknownMutations(build: Build, shape: Shape, clause: Clause, schemaPointer?: string): Mutation[] {
  const extra = fc.constantFrom<unknown>('', null, true, 1, [], {});
  const near = (name: string) => [`${name}s`, name.slice(0, -1), `${name} `, ` ${name}`, `/${name}`];
  const candidates: [string, readonly string[]][] = [
    ...TEMPTING,
    ['the name of a property elsewhere', namesElsewhere(build)],
    ['nearly a known name', [...shape.properties.keys()].flatMap(near)],
  ];
  const unknown = candidates.flatMap(([label, names]) => {
    const others = names.filter((name) => !shape.allows(name));
    if (others.length === 0) return [];
    return [{ label, leaf: objectOf(build, shape, { extra, extraName: fc.constantFrom(...others) }) }];
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
    return possible(() => {
      // Lists of whole resources cost more than they show.
      const values = child.types.has('array') ? fc.constantFrom<unknown>([], [{}]) : present(build, child);
      const extra = { extra: values ?? ANY, extraName: fc.constant(name), sparse: true };
      return { label: `${name}, which is known elsewhere`, leaf: objectOf(build, shape, extra) };
    });
  });
}

/** A known property in another case in place of the right one, with a value that would be fine. */
function miscased(build: Build, shape: Shape): Mutation[] {
  const options = [...shape.properties].flatMap(([name, child]) => {
    const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const names = [
      ...[name.charAt(0).toUpperCase() + name.slice(1), name.toUpperCase(), camel, name.replaceAll('_', '-')],
      // They fold to the name, or hold it up to a NUL.
      ...[name.replace('s', '\u017f').replace('k', '\u212a'), `${name}\u0000`, `${name}\u200b`],
    ].filter((one) => !shape.allows(one));
    if (names.length === 0 || child.types.size === 0) return [];
    const without = new Set(shape.required.has(name) ? [] : [name]);
    return [objectOf(build, shape, { extra: build.arbitraryOf(child), extraName: fc.constantFrom(...names), without })];
  });
  return options.length > 0 ? [{ label: 'a known name in another spelling', leaf: fc.oneof(...options) }] : [];
}

/** The names of all properties of all components: what a client may well confuse with what is allowed. */
function namesElsewhere(build: Build): string[] {
  const schemas: unknown[] = Object.values(valueAt(build.contract.document, '/components/schemas') ?? {});
  return [...new Set(schemas.flatMap((schema) => Object.keys((isObject(schema) && schema['properties']) || {})))];
}
