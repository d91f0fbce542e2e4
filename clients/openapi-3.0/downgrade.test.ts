/** The 3.0 document says all that 3.0 can say, and what it cannot say is on the list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import { downgrade } from './downgrade.ts';
import { isObject, type Json } from './json.ts';
import { renderLost } from './render.ts';
import { downgradeSchema } from './schema.ts';

const source = readFileSync(join(import.meta.dirname, '..', '..', 'openapi.yaml'), 'utf8');
const contract = load(source, { schema: CORE_SCHEMA }) as Json;
const { document, lost } = downgrade(contract);
const schemasOf = (one: Json) => (one['components'] as { schemas: Record<string, Json> }).schemas;

/**
 * All keys of all objects; of a map from names to schemas the schemas only, and of one from keywords to origins
 * nothing.
 */
function keywords(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keywords);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    key,
    ...(key === 'properties'
      ? Object.values(child as Json).flatMap(keywords)
      : key === 'x-origin'
        ? []
        : keywords(child)),
  ]);
}
const count = (found: string[], keyword: string) => found.filter((one) => one === keyword).length;

describe('openapi-3.0.yaml', () => {
  const found = keywords(document);

  it.each(['if', 'then', 'else', 'const', 'oneOf', 'dependentRequired', 'propertyNames', 'examples', 'x-origin'])(
    'has no %s',
    (keyword) => {
      expect(count(found, keyword)).toBe(0);
    },
  );

  it('has no list of types, and nothing beside a reference', () => {
    expect(JSON.stringify(document)).not.toMatch(/"type":\[/);
    expect(JSON.stringify(document)).not.toMatch(/"\$ref":"[^"]*"[^}]|[^{]"\$ref"/);
  });

  it('has every operation, with its parameters, bodies and responses', () => {
    const shape = (one: Json) =>
      Object.entries(one['paths'] as Json).flatMap(([path, item]) =>
        Object.entries(item as Json).flatMap(([method, operation]) => [
          path,
          method,
          ...Object.keys((operation as Json)['responses'] as Json),
        ]),
      );
    expect(shape(document)).toEqual(shape(contract));
  });

  it('has every object under its name, with the same properties, required and closed as there', () => {
    const objects = (one: Json) =>
      Object.fromEntries(
        Object.entries(schemasOf(one))
          .filter(([, schema]) => 'properties' in schema)
          .map(([name, schema]) => [
            name,
            {
              properties: Object.keys(schema['properties'] as Json),
              required: schema['required'],
              closed: schema['additionalProperties'] === false,
            },
          ]),
      );
    expect(objects(document)).toEqual(objects(contract));
  });

  it('keeps every `or null`', () => {
    const orNull = (text: string) => text.match(/"type":"null"/g)?.length ?? 0;
    const inside = lost.reduce((sum, { rule }) => sum + orNull(JSON.stringify(rule)), 0);
    const references = orNull(JSON.stringify(schemasOf(contract))) - inside;
    expect(JSON.stringify(schemasOf(document)).match(/"nullable":true,"allOf"/g)?.length).toBe(references);
  });
});

describe('openapi-3.0.md', () => {
  it('lists every rule that is missing, and nothing else', () => {
    const all = keywords(schemasOf(contract));
    for (const keyword of ['if', 'dependentRequired', 'propertyNames']) {
      // Inside a rule that is lost as a whole there may be more of its kind.
      const listed = lost.filter((one) => one.keyword === keyword);
      expect(count(all, keyword), keyword).toBe(
        listed.reduce((sum, { rule }) => sum + (keyword === 'if' ? count(keywords(rule), 'if') : 1), 0),
      );
    }
    const text = renderLost(lost);
    for (const { pointer } of lost) expect(text).toContain(`| \`${pointer}\` |`);
  });
});

describe('a construct that is not known', () => {
  it.each<[string, Json, RegExp]>([
    ['another keyword', { contains: {} }, /#\/x\/contains/],
    ['two types', { type: ['string', 'integer'] }, /#\/x\/type/],
    [
      'a choice of objects',
      { oneOf: [{ $ref: '#/components/schemas/Ref' }, { $ref: '#/components/schemas/Uri' }] },
      /#\/x\/oneOf/,
    ],
    ['a real allOf', { allOf: [{ $ref: '#/components/schemas/Ref' }] }, /#\/x\/allOf\/0/],
  ])('is an error that names the place: %s', (_, schema, message) => {
    expect(() => downgradeSchema(schema, '#/x', contract, [])).toThrow(message);
  });
});
