/**
 * Rules of openapi.yaml that the linter does not have, and the list of its clauses: `npx vitest run
 * -u` writes it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootsOf } from '../engine/contract/clauses.ts';
import { SINGLE_RULES } from '../engine/contract/keywords.ts';
import { loadContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { originOf, type Side, UNSTATED } from '../engine/contract/origins.ts';
import {
  dereference,
  isObject,
  joinPointer,
  objectAt,
  referenced,
  valueAt,
  walk,
} from '../engine/contract/pointers.ts';
import { schemasOf } from '../engine/contract/schemas.ts';
import { type Shape, shapeOf } from '../engine/contract/shape.ts';
import type { Schema } from '../engine/contract/schema-parts.ts';

const contract = loadContract();
const { document } = contract;
const operations = operationsOf(contract);

interface Place {
  pointer: string;
  /** Words for the place, as the list of clauses has them. */
  label: string;
  schema: Schema;
}

/** The schema and all schemas in it, except conditions: a value that one asks for is not a rule. */
function placesIn(pointer: string, label: string): Place[] {
  const schema = valueAt(document, pointer);
  if (!isObject(schema)) {
    return [];
  }
  const keysOf = (keyword: string) => Object.keys((schema[keyword] ?? {}) as object);
  return [
    { pointer, label, schema },
    ...['items', 'additionalProperties', 'propertyNames', 'then', 'else'].flatMap((keyword) =>
      placesIn(joinPointer(pointer, keyword), `${label} ${keyword}`),
    ),
    ...keysOf('properties').flatMap((name) =>
      placesIn(joinPointer(pointer, 'properties', name), `${label}.${name}`),
    ),
    ...['oneOf', 'allOf'].flatMap((keyword) =>
      keysOf(keyword).flatMap((index) =>
        placesIn(joinPointer(pointer, keyword, index), `${label} ${keyword} ${Number(index) + 1}`),
      ),
    ),
  ];
}

const components = (kind: string) => Object.keys(objectAt(document, `/components/${kind}`));
const schemaPlaces = components('schemas').map((name) =>
  placesIn(`/components/schemas/${name}`, name),
);
const fieldPlaces = ['parameters', 'headers'].flatMap((kind) =>
  components(kind).map((name) => {
    const pointer = `/components/${kind}/${name}`;
    return { pointer, places: placesIn(`${pointer}/schema`, `${kind.slice(0, -1)} ${name}`) };
  }),
);
const places = [...schemaPlaces.flat(), ...fieldPlaces.flatMap((field) => field.places)];

/**
 * Keywords that bound the values of a type: one of them, or each list of them, for all who read and
 * store values.
 */
const BOUNDS: Readonly<Record<string, readonly string[][]>> = {
  string: [['enum'], ['const'], ['maxLength']],
  integer: [['minimum', 'maximum']],
  number: [['minimum', 'maximum']],
  array: [['maxItems', 'items']],
};

test.each(places)(
  '$label is bounded, and says where its rules come from',
  ({ pointer, schema }) => {
    const has = (keywords: readonly string[]) => keywords.every((keyword) => keyword in schema);
    // A branch of a condition adds to rules that are bounded beside it.
    const types = /\/(then|else)\//.test(pointer) ? [] : [schema['type'] ?? []].flat();
    for (const type of types) {
      expect((BOUNDS[String(type)] ?? [[]]).some(has), String(type)).toBe(true);
    }
    if (isObject(schema['additionalProperties'])) {
      expect(has(['maxProperties', 'propertyNames'])).toBe(true);
    }
    if ('pattern' in schema) {
      expect(schema['x-pattern-description']).toEqual(expect.any(String));
    }
    const { 'x-max-bytes': bytes, 'x-origin': stated = [] } = schema;
    // A limit in bytes has its weaker and its named form.
    if (bytes !== undefined) {
      expect(schema).toMatchObject({ maxLength: bytes, format: `max-${String(bytes)}-utf8-bytes` });
    }
    for (const keyword of ['propertyNames', 'if', 'oneOf'].filter((one) => one in schema)) {
      expect(originOf(contract, pointer, { keyword }), keyword).not.toBe(UNSTATED);
    }
    for (const origin of isObject(stated) ? Object.values(stated) : [stated].flat()) {
      expect(origin).toMatch(/^(source §\d+(\.\d+)?|D\d\d)$/);
    }
  },
);

test('every operation has all its statuses by name', () => {
  expect(operations.filter(({ responses }) => 'default' in responses)).toEqual([]);
});

test('every decision that is named has a record', () => {
  const folder = join(import.meta.dirname, '../..', 'docs', 'decisions');
  const records = readdirSync(folder).map((name) => name.slice(0, 3));
  for (const id of new Set(JSON.stringify(document).match(/\bD\d\d\b/g))) {
    expect(records).toContain(id);
  }
});

/** The pointers of all that a side of the contract has, through references. */
function reachedFrom(roots: readonly string[], found = new Set<string>()): Set<string> {
  for (const root of roots.filter((one) => !found.has(one))) {
    walk(
      valueAt(document, root),
      ({ $ref }, pointer) => {
        found.add(pointer);
        if (typeof $ref === 'string') {
          reachedFrom([referenced($ref)], found);
        }
      },
      root,
    );
  }
  return found;
}

const reached = Object.entries(rootsOf(contract)).map(
  ([side, roots]) => [side as Side, reachedFrom(roots)] as const,
);
const STATED = [...SINGLE_RULES, 'required', 'additionalProperties', 'default'];

/**
 * The rules that a schema object states itself, a line each: keyword, value, and origins if the
 * sides differ.
 */
function statedAt({ pointer, schema, label }: Place): string[] {
  const sides = reached.flatMap(([side, found]) => (found.has(pointer) ? [side] : []));
  const origin = (keyword: string, name?: string): string => {
    const each = sides.map((side) => originOf(contract, pointer, { keyword, side, name }));
    if (new Set(each).size === 1) {
      return each[0]!;
    }
    return each.map((one, index) => `${sides[index]} ${one}`).join(', ') || UNSTATED;
  };
  const isStated = (keyword: string) =>
    keyword in schema && !(keyword === 'additionalProperties' && schema[keyword] !== false);
  return STATED.filter(isStated).flatMap((keyword) => {
    const line = (value: unknown, from: string) =>
      `${label} ${keyword} ${JSON.stringify(value)}: ${from}`;
    if (keyword !== 'required') {
      return [line(schema[keyword], origin(keyword))];
    }
    const required = schema[keyword] as string[];
    return [...new Set(required.map((name) => origin(keyword, name)))].map((one) =>
      line(
        required.filter((name) => origin(keyword, name) === one),
        one,
      ),
    );
  });
}

test('every clause has an origin, and generated/clauses.txt lists them', async () => {
  const lines = [
    ...operations.flatMap(({ operationId, pointer, origin, responses }) => [
      `${operationId}: ${origin}`,
      ...Object.values(responses)
        .filter((response) => response.pointer.startsWith(pointer))
        .map((response) => `${operationId} ${response.status}: ${response.origin}`),
    ]),
    ...components('responses').map(
      (name) => `response ${name}: ${originOf(contract, `/components/responses/${name}`)}`,
    ),
    ...fieldPlaces.flatMap((field) => [
      `${field.places[0]!.label}: ${originOf(contract, field.pointer)}`,
      ...field.places.flatMap(statedAt),
    ]),
    ...schemaPlaces.flat().flatMap(statedAt),
  ];
  expect(lines.filter((line) => line.includes(UNSTATED))).toEqual([]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../generated/clauses.txt');
});

test('every example is valid, and has no property that is not declared', () => {
  const shown = new Set<string>();
  walk(document, ({ schema, examples }, pointer) => {
    if (!isObject(schema) || !isObject(examples)) {
      return;
    }
    const root = dereference(document, `${pointer}/schema`);
    for (const name of Object.keys(examples)) {
      shown.add(root);
      const example = dereference(document, joinPointer(pointer, 'examples', name));
      const { value } = objectAt(document, example);
      expect(schemasOf(contract).validate(root, value), example).toEqual([]);
      expect(undeclared(shapeOf(contract, root), value), example).toEqual([]);
    }
  });
  const asked = operations.flatMap(({ requestBody }) => requestBody?.pointer ?? []);
  expect([...shown]).toEqual(expect.arrayContaining([...asked, '/components/schemas/Problem']));
});

/**
 * Paths of properties that no schema declares: responses are open, but an example shows only
 * declared properties.
 */
function undeclared(shape: Shape | undefined, value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => undeclared(shape?.items, item, `${path}/${index}`));
  }
  if (!isObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const declared = shape?.properties.get(name) ?? shape?.additional;
    if (declared) {
      return undeclared(declared, inner, `${path}/${name}`);
    }
    return [`${path}/${name}`];
  });
}

test('an example of Location names what the operation makes', () => {
  for (const { operationId, path, responses } of operations) {
    const location = responses['201']?.headers['Location']?.pointer;
    if (location === undefined) {
      continue;
    }
    const { example } = objectAt(document, location);
    const expected = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}`);
    expect(new URL(String(example)).pathname, operationId).toMatch(expected);
  }
});
