/** The page says all that the contract says, in words, and where it comes from. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkDecisions, readDecisions } from './decisions.ts';
import { readerDocument } from './document.ts';
import { isData, isObject, type Json, objectsIn } from './json.ts';

const root = join(import.meta.dirname, '..', '..');
const decisions = readDecisions(join(root, 'docs', 'decisions'));
const document = readerDocument(join(root, 'openapi.yaml'), decisions);
const schemas = (document['components'] as { schemas: Record<string, Json> }).schemas;
const operations = Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    isObject(operation) && operation['operationId'] ? [{ path, method, operation }] : [],
  ),
);

/** All objects that describe something. */
function objects(): [string, Json][] {
  return [...objectsIn(document)]
    .filter(([path]) => !isData(path))
    .map(([path, object]) => [`/${path.join('/')}`, object]);
}

describe('decision records', () => {
  it('are all there, each in the menu', () => {
    const tags = document['tags'] as { name: string; description: string }[];
    const groups = document['x-tagGroups'] as { name: string; tags: string[] }[];
    expect(decisions.length).toBe(
      readdirSync(join(root, 'docs', 'decisions')).filter((name) => name.startsWith('D')).length,
    );
    expect(groups.find(({ name }) => name === 'Decision records')!.tags).toEqual(
      decisions.map(({ id }) => `decision-${id.toLowerCase()}`),
    );
    for (const { id, title } of decisions) {
      expect(tags.filter(({ name }) => name === `decision-${id.toLowerCase()}`)).toEqual([
        {
          name: `decision-${id.toLowerCase()}`,
          'x-displayName': `${id}: ${title.replaceAll('`', '')}`,
          'x-traitTag': true,
          description: expect.stringContaining('**Decision.**'),
        },
      ]);
    }
  });

  it('are linked from wherever they are named', () => {
    const known = new Set(['D06', 'D07']);
    expect(linkDecisions('so (D06), _D07_ and D99', known)).toBe(
      'so ([D06](#/decision-d06)), _[D07](#/decision-d07)_ and D99',
    );
    expect(linkDecisions('`x-origin: D06`, [D06](#x), XD06, D061', known)).toBe(
      '`x-origin: D06`, [D06](#x), XD06, D061',
    );
    for (const [place, { description }] of objects()) {
      if (typeof description !== 'string') continue;
      const bare = description.replaceAll(/```[^]*?```|`[^`\n]*`|\[[^\]]*\]\([^)]*\)/g, '');
      expect(bare.match(/(?<![A-Za-z0-9])D\d\d(?!\d)/g) ?? [], place).toEqual([]);
    }
  });
});

/** Of the example bodies of an operation. */
function summariesOf(operation: Json): string[] {
  const content =
    (
      operation['requestBody'] as
        | { content: Record<string, { examples: Record<string, { $ref: string }> }> }
        | undefined
    )?.content ?? {};
  const examples = (document['components'] as { examples: Record<string, { summary: string }> }).examples;
  return Object.values(content).flatMap((media) =>
    Object.values(media.examples).map(({ $ref }) => examples[$ref.split('/').at(-1)!]!.summary),
  );
}

describe('operations', () => {
  it.each(
    operations.map(({ operation, ...rest }) => [operation['operationId'] as string, { operation, ...rest }] as const),
  )('%s has a level, an origin and samples', (_, { path, method, operation }) => {
    expect(operation['x-badges']).toEqual([{ name: operation['x-level'], color: expect.any(String) }]);
    expect(operation['description']).toMatch(/Origin: .*(§\d|decision-d\d\d)/);
    const [curl, typescript] = operation['x-codeSamples'] as { source: string }[];
    expect(curl!.source).not.toMatch(/[{]\w+[}]/);
    expect(curl!.source).toContain(`"$BASE${path.split('{')[0]}`);
    for (const summary of summariesOf(operation))
      for (const { source } of [curl!, typescript!]) expect(source).toContain(` ${summary}\n`);
    expect(typescript!.source).toContain(`await api.${method.toUpperCase()}('${path}'`);
  });
});

describe('schemas', () => {
  it('are each in the menu once', () => {
    const groups = document['x-tagGroups'] as { name: string; tags: string[] }[];
    const known = groups.find(({ name }) => name === 'Schemas')!.tags;
    for (const [name, schema] of Object.entries(schemas)) {
      expect(schema['x-tags'], name).toHaveLength(1);
      expect(known).toContain((schema['x-tags'] as string[])[0]);
    }
  });

  it('tell forms in words, bytes as bytes, and what goes together in the description', () => {
    for (const [place, object] of objects()) {
      expect(
        Object.keys(object).filter((name) => ['x-pattern-description', 'x-max-bytes', 'x-origin', 'if'].includes(name)),
        place,
      ).toEqual([]);
    }
    expect(schemas['Hostport']).not.toHaveProperty('pattern');
    expect(schemas['Hostport']!['description']).toMatch(/^Form: /m);
    expect(schemas['Description']!['description']).toContain('255 bytes of UTF-8');
    expect(schemas['Description']).not.toHaveProperty('maxLength');
  });

  it('show the fields of an object that may be null', () => {
    const { backend } = schemas['HTTPSEdgeRoute']!['properties'] as Record<string, Json>;
    expect(backend).toMatchObject({
      type: ['object', 'null'],
      title: 'EndpointBackend',
      properties: { enabled: expect.anything() },
    });
    expect(backend!['description']).not.toBe(schemas['EndpointBackend']!['description']);
  });
});
