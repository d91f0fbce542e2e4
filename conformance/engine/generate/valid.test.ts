/** What values come to by shrinking, how they follow hints, and the arbitraries that they are made of. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HINTS } from '../../api/implementation.ts';
import { clausesOf } from '../contract/clauses.ts';
import { loadContract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { boundariesOf } from './boundaries.ts';
import type { Case } from './build.ts';
import { accepted, GaveUp, shrunkUntil } from './filter.ts';
import { parameterViolations } from './parameters.ts';
import { bytesOf, text, textOfBytes } from './text.ts';
import { validValues } from './valid.ts';
import { proveBreaksOnly, violationsOf } from './violations.ts';

const contract = loadContract();
const EDGE = '/components/schemas/HTTPSEdgeCreate';

/** The smallest value that fails. */
function smallest<T>(values: fc.Arbitrary<T>, seed: number, passes: (value: T) => boolean = () => false): unknown {
  return fc.check(fc.property(values, passes), { seed, numRuns: 2000 }).counterexample?.[0];
}

function find(cases: readonly Case[], id: string, label: string): fc.Arbitrary<unknown> {
  const found = cases.find((one) => one.clause.id === id && one.label === label);
  if (!found) throw new Error(`no case ${id}: ${label}`);
  return found.value;
}

test('JSON carries every value as it is, and every part of the space is met', () => {
  const values = fc.sample(validValues(contract, EDGE, HINTS), { numRuns: 2000, seed: 1 });
  const made = values.map((value) => JSON.stringify(value));
  expect(made.map((one) => JSON.parse(one) as unknown)).toEqual(values);
  expect(made.filter((one) => /\\ud[89a-f]/i.test(one))).toEqual([]);
  const seldom = [
    ...[/^\{\}$/, /"mutual_tls":null/, /"mutual_tls":\{\}/, /"certificate_authority_ids":\["/, /"min_version":null/],
    ...[/"terminate_at":"upstream"/, /"min_version":"1\.3"/, /"terminate_at":"upstream".*"min_version":null/],
    ...[/"hostports":\[\]/, /"\*\./, /"description":""/, /"enabled":false/, /^(?!.*upstream).*"mutual_tls":null/],
    ...[/\\u0000/, /\u2028/, /\u0301/, /\u202e/, /\u05d0/, /\\"/, /'/, /é/, /漢/, /😀/],
  ].filter((expression) => made.filter((one) => expression.test(one)).length <= 5);
  expect(seldom).toEqual([]);
});

describe('hints', () => {
  const known = (values: Record<string, fc.Arbitrary<unknown>>) => ({
    known: Object.fromEntries(Object.entries(values).map(([name, one]) => [`/components/schemas/${name}`, one])),
  });
  const few = known({
    ResourceId: fc.constantFrom('ca_1', 'ca_2'),
    Hostport: fc.constantFrom('a:1', 'b:1', 'c:1'),
    TLSVersion: fc.constant('1.3'),
  });

  test('take the place of a component, also where null is allowed beside it', () => {
    const made = JSON.stringify(fc.sample(validValues(contract, EDGE, few), { numRuns: 300, seed: 1 }));
    expect([...new Set(made.match(/"ca_\w+"|"[^"]*:1"/g))].toSorted()).toEqual([
      '"a:1"',
      '"b:1"',
      '"c:1"',
      '"ca_1"',
      '"ca_2"',
    ]);
    expect([...new Set(made.match(/"min_version":[^,}]*/g))].toSorted()).toEqual([
      '"min_version":"1.3"',
      '"min_version":null',
    ]);
  });

  test('hold around a broken place, and leave the fullest list', () => {
    const wrong = find(violationsOf(contract, EDGE, few), 'description.type', 'true in place of null or string');
    const made = JSON.stringify(fc.sample(wrong, { numRuns: 200, seed: 1 }));
    expect(made.match(/"certificate_authority_ids":\["(?!ca_[12]")/g)).toBeNull();
    expect(boundariesOf(contract, EDGE, few).some(({ clause }) => clause.id === 'hostports.maxItems')).toBe(true);
  });

  test('that a schema refuses end in a clear error, not in a loop', () => {
    const values = validValues(
      contract,
      '/components/schemas/EventSourceCreate',
      known({ EventType: fc.constant('A B') }),
    );
    expect(() => fc.sample(values, { numRuns: 1, seed: 1 })).toThrow(GaveUp);
    expect(() => fc.sample(values, { numRuns: 1, seed: 1 })).toThrow(/A B/);
  });
});

const nested = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
const list = (value: unknown, ...path: string[]): unknown[] => [nested(value, ...path) ?? []].flat();
const idsIn = (value: unknown) => list(value, 'mutual_tls', 'certificate_authority_ids');

test.each<[string, (value: unknown) => boolean, unknown]>([
  [
    'a description of more than 10 bytes',
    (value) => bytesOf(String(nested(value, 'description') ?? '')) > 10,
    { description: 'aaaaaaaaaaa' },
  ],
  [
    'a description with a character of 4 bytes',
    (value) => /[\u{10000}-\u{10ffff}]/u.test(String(nested(value, 'description'))),
    { description: expect.stringMatching(/^.$/u) as unknown },
  ],
  [
    'two hostports',
    (value) => list(value, 'hostports').length >= 2,
    { hostports: expect.arrayContaining(['a:1', 'b:1']) as unknown },
  ],
  ['a wildcard', (value) => JSON.stringify(value).includes('"*.'), { hostports: ['*.a:1'] }],
  ['mutual TLS', (value) => isObject(nested(value, 'mutual_tls')), { mutual_tls: {} }],
  ['a false', (value) => nested(value, 'mutual_tls', 'enabled') === false, { mutual_tls: { enabled: false } }],
  [
    'an id twice',
    (value) => new Set(idsIn(value)).size < idsIn(value).length,
    { mutual_tls: { certificate_authority_ids: ['a', 'a'] } },
  ],
  [
    'upstream',
    (value) => nested(value, 'tls_termination', 'terminate_at') === 'upstream',
    { tls_termination: { terminate_at: 'upstream' } },
  ],
  [
    'a null',
    (value) => nested(value, 'tls_termination', 'min_version') === null,
    { tls_termination: { min_version: null } },
  ],
  ['anything', () => true, {}],
])('a valid value with %s shrinks to the obvious minimum', (_, fails, minimum) => {
  for (const seed of [1, 2, 3])
    expect(smallest(validValues(contract, EDGE, HINTS), seed, (value) => !fails(value))).toEqual(minimum);
});

test.each<[string, string, unknown]>([
  ['type', '[] in place of object', []],
  ['description.type', '1 in place of null or string', { description: 1 }],
  ['mutual_tls.enabled.type', '"" in place of boolean', { mutual_tls: { enabled: '' } }],
  ['hostports.uniqueItems', 'one item twice', { hostports: ['a:1', 'a:1'] }],
  ['hostports.*.pattern', 'port 65536', { hostports: ['a.example:65536'] }],
  ['additionalProperties', '__proto__', JSON.parse('{"__proto__": ""}')],
  ['tls_termination.terminate_at.enum', 'another case: "EDGE"', { tls_termination: { terminate_at: 'EDGE' } }],
  [
    'if.then',
    'then mutual_tls.type: a value that is allowed otherwise',
    { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } },
  ],
  [
    'description.x-max-bytes',
    '256 bytes in characters of 2, one more than allowed',
    expect.objectContaining({ description: expect.stringMatching(/^[^a]{128}$/) as unknown }),
  ],
])('a violation of %s (%s) shrinks to the obvious minimum', (id, label, minimum) => {
  expect(smallest(find(violationsOf(contract, EDGE, HINTS), id, label), 7)).toEqual(minimum);
});

test.each<[string, string, string, unknown]>([
  [EDGE, 'mutual_tls.type', 'null', { mutual_tls: null }],
  [EDGE, 'hostports.maxItems', '100 items', { hostports: expect.objectContaining({ length: 100 }) as unknown }],
  [EDGE, 'hostports.*.maxLength', '259 characters', { hostports: [expect.stringMatching(/^.{259}$/) as unknown] }],
  [
    EDGE,
    'description.x-max-bytes',
    '255 bytes in characters of 4',
    { description: expect.stringMatching(/^[^a]{63}aaa$/u) as unknown },
  ],
  ['', 'seconds.maximum', '4294967295', { seconds: 4294967295 }],
  ['', 'share.maximum', '1', { share: 1 }],
  ['', 'nested.inner.if.then', 'then holds', { nested: { inner: { mode: 'on' } } }],
])('a boundary of %s %s (%s) shrinks to the limit', (pointer, id, label, minimum) => {
  const [source, at] = pointer === '' ? [SYNTHETIC, '/components/schemas/Everything'] : [contract, pointer];
  expect(smallest(find(boundariesOf(source, at, HINTS), id, label), 3)).toMatchObject(minimum as object);
});

test.each<[boolean, string, unknown]>([
  [true, 'description.x-max-bytes', { description: 'a'.repeat(256) }],
  [true, 'description.x-max-bytes', { description: 'é'.repeat(128) }],
  [true, 'description.maxLength', { description: 'a'.repeat(256) }],
  [true, 'description.type', { description: 5 }],
  [true, 'if.then', { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } }],
  [true, 'hostports.*.pattern', { hostports: ['a:1', 'a:0'] }],
  // Nothing is broken, or another rule, or this one at another place or at two.
  [false, 'description.type', {}],
  [false, 'description.type', { description: 5, metadata: 5 }],
  [false, 'metadata.type', { description: 5 }],
  [false, 'description.x-max-bytes', { description: 5 }],
  [false, 'hostports.*.pattern', { hostports: ['a:0', 'b:0'] }],
  [false, 'hostports.*.pattern', { hostports: ['b'] }],
  [false, 'additionalProperties', { x: 1, y: 1 }],
  [false, 'if.then', { mutual_tls: 5, tls_termination: { terminate_at: 'upstream' } }],
  [false, 'if.then', { mutual_tls: {}, tls_termination: { terminate_at: 'upstream', min_version: '1.2' } }],
])('it is %s that only %s is broken by %.120j', (expected, id, value) => {
  const clause = clausesOf(contract, EDGE).find((one) => one.id === id)!;
  expect(proveBreaksOnly(contract, EDGE, clause, value)).toBe(expected);
});

test('texts of parameters are those that a lenient reader takes', () => {
  const textsOf = (name: string, source = contract) =>
    parameterViolations(source, `/components/parameters/${name}`, HINTS).flatMap(({ value }) =>
      fc.sample(value, { numRuns: 100, seed: 1 }),
    );
  const limits = textsOf('Limit');
  expect(limits).toEqual(expect.arrayContaining(['0', '101', '1.5', '1e1', '0x10', 'abc', '', '+1', ' 5']));
  expect(limits.filter((one) => /^[1-9]\d?$|^100$/.test(one))).toEqual([]);
  expect(limits.some((one) => /^-\d+$/.test(one))).toBe(true);
  expect(textsOf('EdgeId')).toContain('a'.repeat(65));
  expect(textsOf('SourceType')).toContain('ip_policy_created.v01');
  expect(textsOf('Verbose', SYNTHETIC)).toEqual(expect.arrayContaining(['yes', '1', 'TRUE']));
  const cases = parameterViolations(contract, '/components/parameters/Limit', HINTS);
  expect(smallest(cases.find(({ clause }) => clause.id === 'limit.maximum')!.value, 1)).toBe('101');
});

test.each([
  { min: 0, max: 255, maxBytes: 255 },
  { min: 3, max: 5, maxBytes: 7 },
  { min: 1, max: 1, maxBytes: 1 },
  { min: 0, max: 0, maxBytes: 10 },
  { min: 10, max: 4096, maxBytes: Infinity },
  { min: 4, max: 4, maxBytes: 16 },
])('a text stays within $min to $max characters and $maxBytes bytes, and its shrinking ends', (limits) => {
  const met = new Set<string>();
  for (let seed = 1; seed <= 50; seed += 1) {
    const property = fc.property(text(limits), (value) => {
      met.add(value);
      return value.length % 3 !== seed % 3;
    });
    expect(fc.check(property, { seed, numRuns: 50 }).numShrinks).toBeLessThan(1000);
  }
  const isWithin = (value: string) => {
    const { length } = [...value];
    return length >= limits.min && length <= limits.max && bytesOf(value) <= limits.maxBytes && value.isWellFormed();
  };
  expect([...met].filter((value) => !isWithin(value))).toEqual([]);
});

test('textOfBytes has so many bytes in each width', () => {
  const sizes = fc.tuple(fc.integer({ min: 4, max: 5000 }), fc.constantFrom(1, 2, 3, 4));
  const values = sizes.chain(([bytes, width]) => textOfBytes(bytes, width).map((value) => ({ bytes, value })));
  fc.assert(
    fc.property(values, ({ bytes, value }) => bytesOf(value) === bytes),
    { seed: 1 },
  );
});

test('accepted gives up with what it looked for and saw last, and shrinks within what it accepts', () => {
  const none = accepted(fc.constant(7), 'even number', (value) => value % 2 === 0);
  expect(() => fc.sample(none, { numRuns: 1, seed: 1 })).toThrow(/even number in 300 tries; the last one was 7/);
  const notEleven = accepted(fc.nat(), 'number but 11', (value) => value !== 11);
  expect(smallest(notEleven, 1, (value) => value < 11)).toBe(12);
});

test('shrunkUntil makes no smaller value once there are enough, and all until then', () => {
  const made = (most: number) => {
    let tried = 0;
    let count = -1;
    const source = fc.array(fc.nat({ max: 1000 }), { minLength: 50, maxLength: 60 }).filter(() => ++count >= 0);
    const values = shrunkUntil(source, () => tried > most);
    const value = smallest(values, 1, () => ++tried < 0);
    return { count, value };
  };
  expect(made(0).count).toBe(0);
  expect(made(3).count).toBe(3);
  expect(made(Infinity).value).toEqual(Array.from({ length: 50 }, () => 0));
});
