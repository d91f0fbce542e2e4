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

test('a dynamic reference stays if several schemas have its anchor', () => {
  const trees =
    '{Tree: {$dynamicAnchor: node, items: {$dynamicRef: "#node"}}, ' +
    'Strict: {$dynamicAnchor: node, $ref: "#/components/schemas/Tree"}}';
  expect(JSON.stringify(dynamic(trees))).toContain('"$dynamicRef":"#node"');
});
