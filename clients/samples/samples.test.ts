/** Each operation has a sample in each language, and what a language cannot leave as it is comes out right. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import { contract } from '../command/language.ts';
import { LANGUAGES, type SampleLanguage, samplesOf } from './index.ts';
import { classOf } from './java.ts';
import type { Json } from './json.ts';
import { snake, subjectOf } from './layout.ts';

const names = Object.keys(LANGUAGES) as SampleLanguage[];
const document = load(readFileSync(contract, 'utf8'), { schema: CORE_SCHEMA }) as Json;
const operations = Object.values(document['paths'] as Record<string, Json>).flatMap((item) =>
  Object.values(item).flatMap((one) => (one as { operationId?: string }).operationId ?? []),
);

describe.each(names)('%s', (language) => {
  const samples = samplesOf(document, language);

  it('has a sample for each operation and example', () => {
    expect(operations.length).toBeGreaterThan(10);
    expect([...new Set(samples.map(({ request }) => request.operationId))].toSorted()).toEqual(operations.toSorted());
    expect(new Set(samples.map(({ request }) => classOf(request))).size).toBe(samples.length);
    expect(samples.length).toBeGreaterThan(operations.length);
  });

  it('leaves nothing to fill in but the token', () => {
    for (const { request, source } of samples) {
      expect(source).toContain(request.base);
      expect(source).toContain('API_TOKEN');
      for (const { name, value } of request.parameters) {
        expect(source).toContain(value);
        expect(source).not.toContain(`{${name}}`);
      }
      expect(source).not.toMatch(/undefined|\[object|NaN/);
    }
  });
});

/** One PATCH with what differs between languages: null, nested objects, enums, lists, maps, numbers, quotes. */
const SMALL = load(`
servers: [{url: 'http://api.test'}]
paths:
  /things/{id}:
    patch:
      operationId: updateThing
      tags: [Many things]
      parameters:
        - {name: id, in: path, example: 'a/b', schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/ThingUpdate'}
            examples:
              all:
                value: {text: "it's", size: 5, ratio: 2, kind: 'x.1', part: null, other: {on: true}, tags: [a], headers: {A: b}}
      responses: {'204': {description: done}}
components:
  schemas:
    Kind: {type: string, enum: ['x.1'], x-enum-varnames: [X_1]}
    Part: {type: object, properties: {on: {type: boolean}}}
    Headers: {type: object, additionalProperties: {type: string}}
    ThingUpdate:
      type: object
      required: [text]
      properties:
        text: {type: string}
        size: {type: integer, format: int32}
        ratio: {type: number}
        kind: {$ref: '#/components/schemas/Kind'}
        part: {oneOf: [{$ref: '#/components/schemas/Part'}, {type: 'null'}]}
        other: {oneOf: [{$ref: '#/components/schemas/Part'}, {type: 'null'}]}
        tags: {type: array, uniqueItems: true, items: {type: string}}
        headers: {$ref: '#/components/schemas/Headers'}
`) as Json;

describe('a value', () => {
  it.each([
    ['curl', ['http://api.test/things/a%2Fb', String.raw`"it'\''s"`, '"part": null', '"other": { "on": true }']],
    ['TypeScript', [`{ id: 'a/b' }`, `text: "it's"`, 'part: null', 'other: { on: true }', `headers: { A: 'b' }`]],
    [
      'Python',
      [
        '"a/b"',
        'text="it\'s"',
        'size=5',
        'kind=Kind.X_1',
        'part=None',
        'other=Part(on=True)',
        'Headers.from_dict({"A": "b"})',
      ],
    ],
    [
      'Go',
      [
        'ptr(int32(5))',
        'ptr(2.0)',
        'ptr(edge.KindX1)',
        'nullable.NewNullNullable[edge.Part]()',
        'nullable.NewNullableWithValue(edge.Part{On: ptr(true)})',
        '&[]string{"a"}',
        '&edge.Headers{"A": "b"}',
        'Text: "it\'s"',
      ],
    ],
    [
      'Java',
      [
        'new ManyThingsApi(client).updateThing(',
        '.size(5)',
        '.ratio(2d)',
        '.kind(Kind.X_1)',
        '.part(null)',
        '.other(new Part().on(true))',
        'new LinkedHashSet<>(List.of("a"))',
        'Map.of("A", "b")',
      ],
    ],
    [
      'Rust',
      [
        'many_things_api::update_thing',
        'text: "it\'s".into()',
        'size: Some(5)',
        'ratio: Some(2.0)',
        'kind: Some(Kind::X1)',
        'part: Some(None)',
        'other: Some(Some(Box::new(Part { on: Some(true), ..Default::default() })))',
        'HashMap::from([("A".into(), "b".into())])',
      ],
    ],
  ] as const)('is written as %s needs it', (language, parts) => {
    const [sample] = samplesOf(SMALL, language);
    for (const part of parts) expect(sample!.source).toContain(part);
  });

  it.each([
    ['a choice between types', /choice between several/, { oneOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['a reference that leads nowhere', /Nothing leads nowhere/, { $ref: '#/components/schemas/Nothing' }],
    ['an object without a name', /has no name/, { type: 'object', properties: {} }],
  ])('that no client has a type for is an error: %s', (_, message, schema) => {
    const broken = structuredClone(SMALL);
    (broken['components'] as { schemas: Json }).schemas['ThingUpdate'] = {
      type: 'object',
      properties: { text: schema },
    };
    const media = { schema: { $ref: '#/components/schemas/ThingUpdate' }, examples: { one: { value: { text: {} } } } };
    (broken['paths'] as { [path: string]: { patch: Json } })['/things/{id}']!.patch['requestBody'] = {
      content: { 'application/json': media },
    };
    expect(() => samplesOf(broken, 'Go')).toThrow(message);
  });
});

describe('a name', () => {
  it('is written as the language writes it', () => {
    expect(snake('createEventSource')).toBe('create_event_source');
    expect(snake('Event sources')).toBe('event_sources');
    expect(subjectOf('createEventSource')).toBe('eventSource');
  });
});
