/** Values that are generated for this API shrink to the obvious minimum and follow hints. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf } from '../engine/contract/clauses.ts';
import { loadContract } from '../engine/contract/load.ts';
import { shapeOf } from '../engine/contract/shape.ts';
import { boundariesOf } from '../engine/generate/boundaries.ts';
import { findCase, smallest } from '../engine/generate/cases.test.fixture.ts';
import { nullButOne } from '../engine/generate/conditions.ts';
import { exists, GaveUp } from '../engine/generate/filter.ts';
import { parameterViolations } from '../engine/generate/parameters.ts';
import { proveBreaksOnly } from '../engine/generate/proof.ts';
import { buildOf, validValues } from '../engine/generate/valid.ts';
import { violationsOf } from '../engine/generate/violations.ts';
import { HINTS } from './implementation.ts';

const contract = loadContract();
const EDGE = '/components/schemas/HTTPSEdgeCreate';
const UPSTREAM = { tls_termination: { terminate_at: 'upstream' } };
const text = (like: RegExp) => expect.stringMatching(like) as unknown;
const WIDE = { description: text(/^[^a]{128}$/) };

test('null for all but one property leaves only null for the others, despite conditions', () => {
  const provider = shapeOf(contract, '/components/schemas/EndpointOAuthProviderMutate');
  const others = nullButOne(provider).flatMap(({ properties }) =>
    [...properties.values()].filter(({ types }) => types.size === 1),
  );
  const sampled = others.map((one) =>
    fc.sample(buildOf(contract, HINTS).arbitraryOf(one), { numRuns: 9, seed: 1 }),
  );
  expect([others.length, new Set(sampled.flat())]).toEqual([8 * 7, new Set([null])]);
});

test('JSON carries every value as it is, and every part of the space is met', () => {
  const values = fc.sample(validValues(contract, EDGE, HINTS), { numRuns: 2000, seed: 1 });
  const made = values.map((value) => JSON.stringify(value));
  expect(made.map((one) => JSON.parse(one) as unknown)).toEqual(values);
  expect(made.filter((one) => /\\ud[89a-f]/i.test(one))).toEqual([]);
  const seldom = [
    /^\{\}$/,
    /"mutual_tls":null/,
    /"mutual_tls":\{\}/,
    /"certificate_authority_ids":\["/,
    /"min_version":null/,
    /"terminate_at":"upstream"/,
    /"min_version":"1\.3"/,
    /"terminate_at":"upstream".*"min_version":null/,
    /"hostports":\[\]/,
    /"\*\./,
    /"description":""/,
    /"enabled":false/,
    /^(?!.*upstream).*"mutual_tls":null/,
    /\\u0000/,
    /\u2028/,
    /\u0301/,
    /\u202e/,
    /\u05d0/,
    /\\"/,
    /'/,
    /é/,
    /漢/,
    /😀/,
  ].filter((expression) => made.filter((one) => expression.test(one)).length <= 5);
  expect(seldom).toEqual([]);
});

test('hints replace components, and a hint that its schema refuses is a clear error', () => {
  const known = {
    '/components/schemas/ResourceId': fc.constantFrom('ca_1', 'ca_2'),
    '/components/schemas/Hostport': fc.constantFrom('a:1', 'b:1'),
    '/components/schemas/TLSVersion': fc.constant('1.3'),
    '/components/schemas/EventType': fc.constant('A B'),
  };
  const wrong = findCase(
    violationsOf(contract, EDGE, { known }),
    'description.type',
    'true in place of null or string',
  );
  for (const values of [validValues(contract, EDGE, { known }), wrong]) {
    const made = JSON.stringify(fc.sample(values, { numRuns: 500, seed: 1 }));
    const met = new Set(made.match(/"ca_\w+"|"[^"]*:1"|"min_version":[^,}]*/g));
    expect([...met].toSorted().join(' ')).toBe(
      '"a:1" "b:1" "ca_1" "ca_2" "min_version":"1.3" "min_version":null',
    );
  }
  // The pool of hostports is smaller than the list may be.
  const longest = boundariesOf(contract, EDGE, { known }).filter(
    ({ clause }) => clause.id === 'hostports.maxItems',
  );
  expect(longest.some(({ value }) => exists(value))).toBe(true);
  const refused = validValues(contract, '/components/schemas/EventSourceCreate', { known });
  expect(() => fc.sample(refused, { numRuns: 1, seed: 1 })).toThrow(GaveUp);
  expect(() => fc.sample(refused, { numRuns: 1, seed: 1 })).toThrow(
    /no value .* in 150 tries; the last one was .*A B/,
  );
});

test.each<[RegExp, unknown]>([
  [/"description":"[^"]{11}/, { description: 'aaaaaaaaaaa' }],
  [/"description":"[^"]*[\u{10000}-\u{10ffff}]/u, { description: text(/^.$/u) }],
  [/"hostports":\["[^"]*","/, { hostports: expect.arrayContaining(['a:1', 'b:1']) as unknown }],
  [/"\*\./, { hostports: ['*.a:1'] }],
  [/"mutual_tls":\{[^}]*"enabled":false/, { mutual_tls: { enabled: false } }],
  [
    /"certificate_authority_ids":\[[^\]]*("\w+")[^\]]*\1/,
    { mutual_tls: { certificate_authority_ids: ['a', 'a'] } },
  ],
  [/"terminate_at":"upstream"/, UPSTREAM],
  [/"min_version":null/, { tls_termination: { min_version: null } }],
  [/^/, {}],
])('a valid value with %s shrinks to the obvious minimum', (expression, minimum) => {
  const passes = (value: unknown) => !expression.test(JSON.stringify(value));
  for (const seed of [1, 2, 3]) {
    expect(smallest(validValues(contract, EDGE, HINTS), seed, passes)).toEqual(minimum);
  }
});

test.each<[string, string, unknown]>([
  ['type', '[] in place of object', []],
  ['description.type', '1 in place of null or string', { description: 1 }],
  ['mutual_tls.enabled.type', '"" in place of boolean', { mutual_tls: { enabled: '' } }],
  ['hostports.uniqueItems', 'one item twice', { hostports: ['a:1', 'a:1'] }],
  ['hostports.*.pattern', '"a.example:65536"', { hostports: ['a.example:65536'] }],
  ['additionalProperties', '__proto__', JSON.parse('{"__proto__": ""}')],
  [
    'tls_termination.terminate_at.enum',
    'another case: "EDGE"',
    { tls_termination: { terminate_at: 'EDGE' } },
  ],
  [
    'if.then',
    'then mutual_tls.type: a value that is allowed otherwise',
    { mutual_tls: {}, ...UPSTREAM },
  ],
  ['description.x-max-bytes', '256 bytes in characters of 2, one more than allowed', WIDE],
])('a violation of %s (%s) shrinks to the obvious minimum', (id, label, minimum) => {
  expect(smallest(findCase(violationsOf(contract, EDGE, HINTS), id, label), 7)).toEqual(minimum);
});

test.each<[string, unknown, string]>([
  ['description.type', {}, 'nothing is broken'],
  ['description.type', { description: 5, metadata: 5 }, 'another clause is broken, too'],
  ['metadata.type', { description: 5 }, 'the same rule at another place is broken'],
  ['description.x-max-bytes', { description: 5 }, 'another rule of the same property is broken'],
  ['hostports.*.pattern', { hostports: ['a:0', 'b:0'] }, 'it is broken at two places'],
  ['hostports.*.pattern', { hostports: ['b'] }, 'it is too short as well, and not empty'],
  ['additionalProperties', { x: 1, y: 1 }, 'there are two unknown names at one place'],
  ['if.then', { mutual_tls: 5, ...UPSTREAM }, 'the type is wrong anyway'],
])('%s is not proved to be broken alone by %j, since %s', (id, value) => {
  const clause = clausesOf(contract, EDGE).find((one) => one.id === id)!;
  expect(proveBreaksOnly(contract, EDGE, clause, value)).toBe(false);
});

test('texts of parameters are those that a lenient reader takes', () => {
  const textsOf = (name: string) => {
    const violations = parameterViolations(contract, `/components/parameters/${name}`, HINTS);
    return violations.flatMap(({ value }) =>
      fc.sample(value as fc.Arbitrary<string>, { numRuns: 100, seed: 1 }),
    );
  };
  const limits = textsOf('Limit');
  expect(limits).toEqual(
    expect.arrayContaining(['0', '101', '1.5', '1e1', '0x10', 'abc', '', '+1', ' 5']),
  );
  expect(limits.filter((one) => /^[1-9]\d?$|^100$/.test(one))).toEqual([]);
  expect(limits.some((one) => /^-\d+$/.test(one))).toBe(true);
  expect(textsOf('EdgeId')).toContain('a'.repeat(65));
  expect(textsOf('SourceType')).toContain('created.v01');
  const cases = parameterViolations(contract, '/components/parameters/Limit', HINTS);
  const largest = cases
    .filter(({ clause }) => clause.id === 'limit.maximum')
    .map(({ value }) => smallest(value, 1));
  expect(largest).toEqual(expect.arrayContaining(['101', String(2 ** 32 + 1)]));
});
