import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { Json } from '../page/json.ts';
import { changesByOwnRules } from './own-rules.ts';
import { mayBreak } from './version.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'openapi.yaml'), 'utf8');

interface Contract {
  paths: Record<string, Record<string, Json & { responses: Record<string, Json> }>>;
  components: { schemas: Record<string, Json>; responses: Record<string, Json> };
}

/** The schema of `code` in a problem of this response. */
function codeOf(response: Json): Json {
  const { content } = response as { content: Record<string, { schema: { properties: { code: Json } } }> };
  return content['application/problem+json']!.schema.properties.code;
}

/** A new one each time. */
const contract = () => load(text, { schema: CORE_SCHEMA }) as Json;

/** What the rules say of one edit. */
function after(edit: (contract: Contract) => void): string[] {
  const edited = contract() as unknown as Contract;
  edit(edited);
  return changesByOwnRules(contract(), edited as unknown as Json).map(({ kind, place }) => `${kind} ${place}`);
}

describe('what oasdiff does not see', () => {
  it.each<[string, (contract: Contract) => void, string]>([
    [
      'a lower limit in bytes',
      ({ components }) => (components.schemas['Description']!['x-max-bytes'] = 254),
      'max-bytes-decreased /components/schemas/Description',
    ],
    [
      'a new limit in bytes',
      ({ components }) => (components.schemas['Match']!['x-max-bytes'] = 9999),
      'max-bytes-decreased /components/schemas/Match',
    ],
    [
      'a problem code that is gone',
      ({ components }) => (codeOf(components.responses['Conflict']!)['enum'] = ['already_exists']),
      'problem-code-removed /components/responses/Conflict/content/application~1problem+json/schema/properties/code',
    ],
    [
      'an operation that leaves the core',
      ({ paths }) => (paths['/edges/https']!['post']!['x-level'] = 'extended'),
      'level-raised /paths/~1edges~1https/post',
    ],
    [
      'another operationId',
      ({ paths }) => (paths['/edges/https']!['post']!['operationId'] = 'makeEdge'),
      'operation-id-changed /paths/~1edges~1https/post',
    ],
    [
      'another default',
      ({ components }) => (components.schemas['Enabled']!['default'] = false),
      'default-changed /components/schemas/Enabled',
    ],
    [
      'a status that is gone',
      ({ paths }) => delete paths['/edges/https']!['post']!.responses['413'],
      'status-removed /paths/~1edges~1https/post/responses/413',
    ],
  ])('%s is breaking', (_, edit, expected) => {
    expect(after(edit)).toEqual([expected]);
  });

  it('leaves the rest alone: higher limits, more codes, other words, and what is new', () => {
    expect(
      after(({ paths, components }) => {
        components.schemas['Description']!['x-max-bytes'] = 256;
        components.schemas['Description']!['description'] = 'Other words.';
        components.schemas['New'] = { type: 'string', 'x-max-bytes': 1 };
        (codeOf(components.responses['Conflict']!)['enum'] as string[]).push('busy');
        paths['/new'] = { get: { operationId: 'new', responses: {} } };
      }),
    ).toEqual([]);
  });
});

describe('a version', () => {
  it.each([
    ['1.2.3', '1.3.0', false],
    ['1.2.3', '2.0.0', true],
    ['0.2.0', '0.2.1', false],
    ['0.2.0', '0.3.0', true],
    ['0.9.9', '1.0.0', true],
    ['0.2.0', '0.2.0', false],
  ])('%s to %s: breaking %s', (before, now, allowed) => {
    expect(mayBreak(before, now)).toBe(allowed);
  });

  it.each([
    ['1.0.0', '0.9.0', /went back/],
    ['1.0', '1.1.0', /MAJOR\.MINOR\.PATCH/],
  ])('%s to %s is an error', (before, now, message) => {
    expect(() => mayBreak(before, now)).toThrow(message);
  });
});
