/** What every schema and operation of openapi.yaml keeps to, beyond what the linter knows. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContract } from './load.ts';
import { operationsOf } from './operations.ts';
import { originOf, UNSTATED } from './origins.ts';
import { dereference, isObject, joinPointer, valueAt } from './pointers.ts';
import { schemasOf } from './schemas.ts';
import { type Shape, shapeOf } from './shape.ts';

const contract = loadContract();
const { document } = contract;

/** Every schema object, with its pointer. */
function* schemas(): Generator<[string, Record<string, unknown>]> {
  const roots = [
    ...Object.keys(valueAt(document, '/components/schemas') as object).map((name) =>
      joinPointer('/components/schemas', name),
    ),
    ...Object.keys(valueAt(document, '/components/parameters') as object).map((name) =>
      joinPointer('/components/parameters', name, 'schema'),
    ),
    ...Object.keys(valueAt(document, '/components/headers') as object).map((name) =>
      joinPointer('/components/headers', name, 'schema'),
    ),
  ];
  for (const root of roots) yield* below(root);
}

function* below(pointer: string): Generator<[string, Record<string, unknown>]> {
  const schema = valueAt(document, pointer);
  if (!isObject(schema)) return;
  yield [pointer, schema];
  for (const name of Object.keys((schema['properties'] ?? {}) as object))
    yield* below(joinPointer(pointer, 'properties', name));
  for (const keyword of ['items', 'additionalProperties', 'propertyNames']) yield* below(joinPointer(pointer, keyword));
  for (const index of ((schema['oneOf'] ?? []) as unknown[]).keys()) yield* below(joinPointer(pointer, 'oneOf', index));
}

/** Keywords that bind a value, in place of describing it. */
const RULES = new Set([
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'x-max-bytes',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'maxProperties',
  'propertyNames',
  'required',
  'additionalProperties',
  'if',
  'oneOf',
  'default',
]);

const all = [...schemas()];
const named = all.map(([pointer]) => pointer);

describe('every schema', () => {
  test.for(all.filter(([, schema]) => [schema['type']].flat().includes('string')))(
    '%s: a text is bounded',
    ([, schema]) => {
      const bound = schema['enum'] ?? schema['const'] ?? schema['maxLength'];
      expect(bound).toBeDefined();
    },
  );

  test.for(all.filter(([, schema]) => ['integer', 'number'].includes(String(schema['type']))))(
    '%s: a number is bounded',
    ([, schema]) => {
      expect(schema).toHaveProperty('minimum');
      expect(schema).toHaveProperty('maximum');
    },
  );

  test.for(all.filter(([, schema]) => schema['type'] === 'array'))('%s: a list is bounded', ([, schema]) => {
    expect(schema).toHaveProperty('maxItems');
    expect(schema).toHaveProperty('items');
  });

  test.for(all.filter(([, schema]) => isObject(schema['additionalProperties'])))(
    '%s: a map is bounded',
    ([, schema]) => {
      expect(schema).toHaveProperty('maxProperties');
      expect(schema).toHaveProperty('propertyNames');
    },
  );

  test.for(all.filter(([, schema]) => 'x-max-bytes' in schema))(
    '%s: a limit in bytes has its weaker and its named form',
    ([, schema]) => {
      expect(schema['maxLength']).toBe(schema['x-max-bytes']);
      expect(schema['format']).toBe(`max-${String(schema['x-max-bytes'])}-utf8-bytes`);
    },
  );

  test.for(all.filter(([, schema]) => 'pattern' in schema))('%s: a pattern is told in words', ([, schema]) => {
    expect(schema['x-pattern-description']).toEqual(expect.any(String));
  });

  test.for(all.filter(([pointer]) => pointer.startsWith('/components/schemas')))(
    '%s: each rule has an origin',
    ([pointer, schema]) => {
      for (const keyword of Object.keys(schema).filter((name) => RULES.has(name))) {
        expect(originOf(contract, pointer, keyword), keyword).not.toBe(UNSTATED);
      }
    },
  );

  test.for(named)('%s: its origin names a section or a decision', (pointer) => {
    const schema = valueAt(document, pointer) as Record<string, unknown>;
    const stated = schema['x-origin'];
    for (const origin of isObject(stated) ? Object.values(stated) : [stated]) {
      if (origin !== undefined) expect(origin).toMatch(/^(source §\d+(\.\d+)?|D\d\d)$/);
    }
  });
});

describe('every operation', () => {
  test.for(operationsOf(contract).map((operation) => [operation.operationId, operation] as const))(
    '%s',
    ([, operation]) => {
      expect(operation.origin).not.toBe(UNSTATED);
      expect(Object.keys(operation.responses)).not.toContain('default');
      const description = (valueAt(document, operation.pointer) as { description: string }).description;
      expect(description).toEqual(expect.any(String));
    },
  );
});

test('every decision that is named has a record', () => {
  const records = readdirSync(join(import.meta.dirname, '../../..', 'docs', 'decisions')).map((name) =>
    name.slice(0, 3),
  );
  for (const id of new Set(JSON.stringify(document).match(/\bD\d\d\b/g))) expect(records).toContain(id);
});

describe('every example', () => {
  const examples = operationsOf(contract).flatMap((operation) => {
    const bodies = [
      operation.pointer.concat('/requestBody'),
      ...Object.keys(operation.responses).map((status) => `${operation.pointer}/responses/${status}`),
    ];
    return bodies.flatMap((body) => examplesIn(dereference(document, body)));
  });

  test('there is one for each body and error', () => {
    expect(new Set(examples.map(({ schema }) => schema)).size).toBeGreaterThanOrEqual(7);
  });

  test.for(examples.map((example) => [example.pointer, example] as const))(
    '%s is valid, and has no property that is not declared',
    ([, example]) => {
      expect(schemasOf(contract).validate(example.schema, example.value)).toEqual([]);
      expect(undeclared(shapeOf(contract, example.schema), example.value)).toEqual([]);
    },
  );
});

describe('an example that names a place', () => {
  const created = operationsOf(contract).filter(({ responses }) => Object.hasOwn(responses, '201'));
  const path = (operation: { path: string }): RegExp =>
    new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}`);

  test.for(created.map((operation) => [operation.operationId, operation] as const))(
    'names one of %s',
    ([, operation]) => {
      const location = dereference(
        document,
        dereference(document, `${operation.pointer}/responses/201`).concat('/headers/Location'),
      );
      expect(new URL(valueAt(document, `${location}/example`) as string).pathname).toMatch(path(operation));
    },
  );
});

function examplesIn(body: string): { pointer: string; schema: string; value: unknown }[] {
  const content = valueAt(document, `${body}/content`);
  if (!isObject(content)) return [];
  return Object.keys(content).flatMap((type) => {
    const media = joinPointer(body, 'content', type);
    const names = Object.keys((valueAt(document, `${media}/examples`) ?? {}) as object);
    return names.map((name) => {
      const pointer = dereference(document, joinPointer(media, 'examples', name));
      return {
        pointer,
        schema: dereference(document, `${media}/schema`),
        value: valueAt(document, `${pointer}/value`),
      };
    });
  });
}

/** Paths of properties that no schema declares: responses are open, but an example is to show what is there. */
function undeclared(shape: Shape | undefined, value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => undeclared(shape?.items, item, `${path}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const declared = shape?.properties.get(name) ?? shape?.additional;
    return declared ? undeclared(declared, inner, `${path}/${name}`) : [`${path}/${name}`];
  });
}
