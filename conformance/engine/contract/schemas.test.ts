import { describe, expect, test } from 'vitest';
import { loadContract, parseContract } from './load.ts';
import { isObject, objectAt, valueAt } from './pointers.ts';
import { schemasOf } from './schemas.ts';
import { SYNTHETIC } from './synthetic.test.fixture.ts';

const contract = loadContract();
const EDGE = '/components/schemas/HTTPSEdgeCreate';

function faults(json: string, pointer = EDGE): string[] {
  return schemasOf(contract)
    .validate(pointer, JSON.parse(json))
    .map((fault) => `/${fault.path.join('/')} ${fault.pointer}${fault.name === undefined ? '' : ` ${fault.name}`}`)
    .toSorted();
}

function own(keyword: string): string {
  return `/description /components/schemas/DescriptionOrNull/${keyword}`;
}

describe('validate', () => {
  test('names the place of each fault in the value and in the contract, without wrappers', () => {
    expect(faults('{}')).toEqual([]);
    expect(faults('{"mutual_tls": null, "tls_termination": {"min_version": null}}')).toEqual([]);
    expect(faults('{"mutual_tls": {"x": 1}}')).toEqual([
      '/mutual_tls /components/schemas/EndpointMutualTLSMutate/additionalProperties x',
    ]);
    expect(faults('{"mutual_tls": 5}')).toEqual(['/mutual_tls /components/schemas/EndpointMutualTLSMutate/type']);
    expect(faults('{"tls_termination": {"terminate_at": "upstream"}, "mutual_tls": {}}')).toEqual([
      `/mutual_tls ${EDGE}/then/properties/mutual_tls/type`,
    ]);
    expect(faults('{"hostports": ["a:1", "b"]}')).toEqual([
      '/hostports/1 /components/schemas/Hostport/minLength',
      '/hostports/1 /components/schemas/Hostport/pattern',
    ]);
    expect(faults('{}', '/components/schemas/EventSourceCreate')).toEqual([
      '/ /components/schemas/EventSourceCreate/required type',
    ]);
  });

  test('an own property called __proto__ is an unknown property', () => {
    expect(faults('{"__proto__": {}}')).toEqual([`/ ${EDGE}/additionalProperties __proto__`]);
  });

  test('counts bytes for x-max-bytes and its format, and characters for maxLength', () => {
    expect(faults(JSON.stringify({ description: 'é'.repeat(127) }))).toEqual([]);
    expect(faults(JSON.stringify({ description: 'é'.repeat(128) }))).toEqual(['format', 'x-max-bytes'].map(own));
    expect(faults(JSON.stringify({ description: 'a'.repeat(256) }))).toEqual(
      ['format', 'maxLength', 'x-max-bytes'].map(own),
    );
  });

  test('checks formats in full: 30 February is no date', () => {
    expect(faults('"2026-02-28T00:00:00Z"', '/components/schemas/Timestamp')).toEqual([]);
    expect(faults('"2026-02-30T00:00:00Z"', '/components/schemas/Timestamp')).toEqual([
      '/ /components/schemas/Timestamp/format',
    ]);
  });

  test('names the property whose name is at fault', () => {
    expect(schemasOf(SYNTHETIC).validate('/components/schemas/HeaderMap', { 'a b': '' })).toMatchObject([
      { path: [], keyword: 'pattern', pointer: '/components/schemas/HeaderName/pattern', name: 'a b' },
    ]);
  });

  test('checks the examples of the contract as valid', () => {
    const examples = objectAt(contract.document, '/components/examples');
    const schemaOf: Record<string, string> = {
      EdgeCreateEmpty: EDGE,
      EdgeCreateFull: EDGE,
      EdgeCreateUpstream: EDGE,
      EdgeWithRoute: '/components/schemas/HTTPSEdge',
      EventSourceListFirstPage: '/components/schemas/EventSourceList',
      ProblemInvalidRequest: '/components/schemas/Problem',
    };
    for (const [name, schema] of Object.entries(schemaOf)) {
      const example = examples[name];
      expect(isObject(example) && schemasOf(contract).validate(schema, example['value']), name).toEqual([]);
    }
  });

  test('refuses a keyword that nobody knows, and takes one that says nothing where it stands', () => {
    const odd = parseContract(
      'openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: {length: 3}, B: {minContains: 2, then: {type: string}}}}',
    );
    expect(() => schemasOf(odd).isValid('/components/schemas/A', '')).toThrow(/unknown keyword: "length"/);
    expect(schemasOf(odd).isValid('/components/schemas/B', [])).toBe(true);
  });

  test('compiles every schema of the contract, and refuses one that is not there', () => {
    for (const name of Object.keys(objectAt(contract.document, '/components/schemas'))) {
      expect(() => schemasOf(contract).validate(`/components/schemas/${name}`, null)).not.toThrow();
    }
    expect(valueAt(contract.document, '/components/schemas/Nothing')).toBeUndefined();
    expect(() => schemasOf(contract).validate('/components/schemas/Nothing', null)).toThrow(/Nothing/);
  });
});
