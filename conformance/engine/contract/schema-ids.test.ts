import { expect, test } from 'vitest';
import { parseContract } from './load.ts';
import { resolveIds } from './schema-ids.ts';

const documentOf = (schemas: Record<string, unknown>) => ({ components: { schemas } });

test.each([
  ['a relative URI', 'name', '#/components/schemas/Name'],
  ['an absolute URI', 'https://example.com/schemas/name', '#/components/schemas/Name'],
  ['a pointer into another schema', 'name#/items', '#/components/schemas/Name/items'],
  ['a pointer within the schema itself', '#/$defs/own', '#/components/schemas/Thing/$defs/own'],
  ['a pointer from the root of the document', '#/components/schemas/Name', undefined],
  ['a URI that nothing has', 'other', undefined],
])('%s below an $id leads to the schema that it names', (_, $ref, expected = $ref) => {
  const one = { $ref };
  const document = documentOf({
    Thing: {
      $id: 'https://example.com/schemas/thing',
      properties: { one },
      $defs: { own: { type: 'integer' } },
    },
    Name: { $id: 'https://example.com/schemas/name', items: {} },
  });
  resolveIds(document);
  expect(one.$ref).toBe(expected);
});

test('a property that is called $id is no name, and an example is a value', () => {
  const example = { $id: 'https://example.com/a', $ref: '#/b' };
  const document = documentOf({
    Thing: { properties: { $id: { type: 'string' }, other: { $ref: '#/$defs/x' } }, example },
  });
  const before = structuredClone(document);
  resolveIds(document);
  expect(document).toEqual(before);
});

const dynamic = (schemas: string) =>
  parseContract(`openapi: 3.1.0\ninfo: {}\npaths: {}\ncomponents: {schemas: ${schemas}}`).document;

test('a dynamic reference leads to the only schema with its anchor', () => {
  const tree = '{Tree: {$dynamicAnchor: node, items: {$dynamicRef: "#node"}}}';
  expect(dynamic(tree)['components']).toEqual({
    schemas: { Tree: { items: { $ref: '#/components/schemas/Tree' } } },
  });
});

test('a dynamic reference leads to the anchor of the outermost schema on the way', () => {
  const trees =
    '{Tree: {$dynamicAnchor: node, items: {$dynamicRef: "#node"}}, ' +
    'Strict: {$dynamicAnchor: node, $ref: "#/components/schemas/Tree"}}';
  expect(dynamic(trees)['components']).toEqual({
    schemas: {
      Tree: { items: { $ref: '#/components/schemas/Tree' } },
      Strict: {
        $ref: '#/components/schemas/Strict/$defs/Tree-1',
        $defs: { 'Tree-1': { items: { $ref: '#/components/schemas/Strict' } } },
      },
    },
  });
});

test('a dynamic reference to an anchor that is not on the way stays', () => {
  const schemas =
    '{List: {items: {$dynamicRef: "#item"}}, ' +
    'A: {$dynamicAnchor: item}, B: {$dynamicAnchor: item}}';
  expect(JSON.stringify(dynamic(schemas))).toContain('{"items":{"$dynamicRef":"#"}}');
});

test('a dynamic reference beside a plain one is a further rule', () => {
  const schemas =
    '{Name: {$dynamicAnchor: name}, ' +
    'Both: {$ref: "#/components/schemas/Name", $dynamicRef: "#name"}}';
  expect(dynamic(schemas)['components']).toMatchObject({
    schemas: {
      Both: {
        $ref: '#/components/schemas/Name',
        allOf: [{ $ref: '#/components/schemas/Name' }],
      },
    },
  });
});
