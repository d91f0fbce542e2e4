/** Objects without a property that must be there, or with one that is not known. */
import * as fc from 'fast-check';
import { type Clause, dependencyOf } from '../../contract/clauses.ts';
import { operationsOf } from '../../contract/operations.ts';
import { isObject, valueAt } from '../../contract/pointers.ts';
import { type Shape, shapeAt, shapeOf } from '../../contract/shape.ts';
import {
  ANY,
  type Build,
  type ClausePlace,
  type JsonValues,
  type Mutation,
  valuesOrAny,
} from '../build.ts';
import { possible } from '../filter.ts';
import { objectOf } from '../objects.ts';
import { present } from '../valid.ts';
import { capitalized } from './capitalized.ts';

export function requiredMutations({ build, shape, clause }: ClausePlace): Mutation[] {
  const { name = '' } = clause;
  return [{ label: `no ${name}`, values: objectOf(build, shape, { without: [name] }) }];
}

export function dependentMutations({ build, shape, clause }: ClausePlace): Mutation[] {
  const { rules, trigger, missing } = dependencyOf(clause);
  const child = shape.property(trigger);
  const values = child ? present(build, child) : ANY;
  if (!values) {
    return [];
  }
  const fixed = new Map([[trigger, values]]);
  for (const other of rules[trigger] ?? []) {
    if (other !== missing) {
      fixed.set(other, valuesOrAny(build, shape.property(other)));
    }
  }
  const label = `${trigger} without ${missing}`;
  return [{ label, values: objectOf(build, shape, { fixed, without: [missing] }) }];
}

/** Names that have something in common. */
interface Names {
  label: string;
  names: readonly string[];
}

const BUILT_IN = ['constructor', 'toString', 'hasOwnProperty', 'prototype', '__defineGetter__'];

/** Names that few schemas allow, by the property that makes them risky. */
const NAMES: readonly Names[] = [
  { label: 'an unknown name', names: ['colour', 'x', '0', 'x-extra', 'null', '$ref', 'é'] },
  { label: 'an empty name', names: [''] },
  {
    label: 'a name that a JSON Pointer escapes',
    names: ['a/b', '~', 'a~b', '~1', '~0/~1', '//'],
  },
  {
    label: 'a name that looks like something else',
    names: ['a b', '#/x', '%2F', '"', '\\', '😀', '-', '*'],
  },
  { label: '__proto__', names: ['__proto__'] },
  ...BUILT_IN.map((name) => ({ label: `the name of a built-in, ${name}`, names: [name] })),
  {
    label: 'a name that is too long for a pointer',
    names: ['x'.repeat(5_000), `${'x'.repeat(4_093)}~~`],
  },
  {
    label: 'a name that readers cut or format',
    names: ['\u0000', 'a\u0000b', '%s%n', '${a}', '{0}', "'"],
  },
];

export function unknownMutations(place: ClausePlace): Mutation[] {
  const { build, shape } = place;
  return [...named(build, shape), ...miscased(build, shape), ...borrowed(place)];
}

/** With an unknown name of each kind. */
function named(build: Build, shape: Shape): Mutation[] {
  const candidates: Names[] = [
    ...NAMES,
    { label: 'the name of a property elsewhere', names: namesElsewhere(build) },
    { label: 'nearly a known name', names: [...shape.properties.keys()].flatMap(nearly) },
  ];
  const extra = fc.constantFrom<unknown>('', null, true, 1, [], {});
  const mutations: Mutation[] = [];
  for (const { label, names } of candidates) {
    const unknown = names.filter((name) => !shape.allows(name));
    if (unknown.length > 0) {
      const [kind] = label.split(',', 1);
      const extraName = fc.constantFrom(...unknown);
      mutations.push({ label, values: objectOf(build, shape, { extra, extraName }), kind });
    }
  }
  return mutations;
}

const nearly = (name: string): string[] => [
  `${name}s`,
  name.slice(0, -1),
  `${name} `,
  ` ${name}`,
  `/${name}`,
];

/** The names of all properties of all components: a client may confuse them with allowed ones. */
function namesElsewhere({ contract }: Build): string[] {
  const names = new Set<string>();
  const schemas: unknown[] = Object.values(valueAt(contract.document, '/components/schemas') ?? {});
  for (const schema of schemas) {
    const properties = isObject(schema) ? schema['properties'] : undefined;
    for (const name of Object.keys(properties ?? {})) {
      names.add(name);
    }
  }
  return [...names];
}

/**
 * With a known property in another spelling in place of the right one, and a value that would be
 * right.
 */
function miscased(build: Build, shape: Shape): Mutation[] {
  const options: JsonValues[] = [];
  for (const [name, child] of shape.properties) {
    const names = otherSpellings(name).filter((one) => !shape.allows(one));
    if (names.length > 0 && child.types.size > 0) {
      const extra = build.arbitraryOf(child);
      const without = shape.required.has(name) ? [] : [name];
      const extraName = fc.constantFrom(...names);
      options.push(objectOf(build, shape, { extra, extraName, without }));
    }
  }
  if (options.length === 0) {
    return [];
  }
  return [{ label: 'a known name in another spelling', values: fc.oneof(...options) }];
}

function otherSpellings(name: string): string[] {
  const camelCase = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return [
    capitalized(name),
    name.toUpperCase(),
    camelCase,
    name.replaceAll('_', '-'),
    // Letters that fold to those of the name.
    name.replace('s', '\u017f').replace('k', '\u212a'),
    // The name, up to a NUL or a space without width.
    `${name}\u0000`,
    `${name}\u200b`,
  ];
}

/**
 * With a name that is known in the response, beside this place or within a member beside it, and a
 * value of its schema: services share schemas between requests and responses.
 */
function borrowed({ build, shape, clause, schemaPointer }: ClausePlace): Mutation[] {
  if (schemaPointer === undefined) {
    return [];
  }
  const there = shapeInResponse(build, schemaPointer, clause);
  const around = shapeAround(build, schemaPointer, clause);
  const beside = [...(around?.properties.values() ?? [])];
  const known = new Map<string, Shape>();
  for (const holder of [...beside, around, there]) {
    for (const [name, child] of holder?.properties ?? []) {
      known.set(name, child);
    }
  }
  const unknown = [...known].filter(([name, child]) => !shape.allows(name) && child.types.size > 0);
  return unknown.flatMap(([name, child]) =>
    possible((): Mutation => {
      const extra = valuesToBorrow(build, child);
      const values = objectOf(build, shape, { extra, extraName: fc.constant(name), sparse: true });
      const kind = there?.properties.has(name) ? undefined : 'known elsewhere';
      return { label: `${name}, which is known elsewhere`, values, kind };
    }),
  );
}

/** The shape of the place in the response to the operation whose body has the schema. */
function shapeInResponse(
  { contract }: Build,
  schemaPointer: string,
  { path }: Clause,
): Shape | undefined {
  const operation = operationsOf(contract).find(
    ({ requestBody }) => requestBody?.pointer === schemaPointer,
  );
  const responses = Object.values(operation?.responses ?? {});
  const success = responses.find(({ status }) => status.startsWith('2'));
  const [shown] = Object.values(success?.content ?? {});
  if (shown === undefined) {
    return undefined;
  }
  return shapeAt(shapeOf(contract, shown), path);
}

/** The shape of the object that holds the place. */
function shapeAround(
  { contract }: Build,
  schemaPointer: string,
  { path }: Clause,
): Shape | undefined {
  if (path.length === 0) {
    return undefined;
  }
  return shapeAt(shapeOf(contract, schemaPointer), path.slice(0, -1));
}

/** Lists of whole resources take more time than they are worth. */
function valuesToBorrow(build: Build, child: Shape): JsonValues {
  if (child.types.has('array')) {
    return fc.constantFrom<unknown>([], [{}]);
  }
  return present(build, child) ?? ANY;
}
