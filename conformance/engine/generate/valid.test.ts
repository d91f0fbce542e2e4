/** Values that are made from schemas alone; and the arbitraries that they are made of. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { A, contractWith, SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { carried } from './bodies.ts';
import { boundariesOf } from './boundaries.ts';
import { findCase, smallest } from './cases.test.fixture.ts';
import { exists, shrunkUntil } from './filter.ts';
import { parameterViolations } from './parameters.ts';
import { validValues } from './valid.ts';
import { violationsOf } from './violations.ts';

const EVERYTHING = '/components/schemas/Everything';

const text = (like: RegExp) => expect.stringMatching(like) as unknown;

test.each([
  ['name.type', ['1', '0', '1.5']],
  [
    'share.type',
    ['""', '"null"', '"a"', '"{}"', '"[]"', '"5"', '"1"', '"true"', '"false"', '"1.5"'],
  ],
])('values in place of %s are those that a reader may take for one', (id, tempting) => {
  const violations = violationsOf(SYNTHETIC, EVERYTHING).filter(({ clause }) => clause.id === id);
  const values = violations.flatMap(({ label }) => label.split(' in place of ', 1));
  expect(values.filter((value) => /^(-?\d|")/.test(value))).toEqual(tempting);
});

test('a branch that a condition leaves no choice does not rule out the others', () => {
  const withKind = (kind: string) => ({ properties: { t: { const: kind } } });
  const needsP = { required: ['p'] };
  const contract = contractWith({
    type: 'object',
    required: ['t'],
    properties: { t: { enum: ['u', 'v', 'w'] } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    allOf: ['u', 'v'].map((kind) => ({ if: withKind(kind), then: needsP })),
    oneOf: ['u', 'v', 'w'].map(withKind),
    unevaluatedProperties: false,
  });
  const found = violationsOf(contract, A).filter(({ value }) => exists(value));
  expect(found.map(({ clause }) => clause.id)).toContain('t.enum');
});

test('a float has no more digits than 32 bits keep', () => {
  const contract = contractWith({ type: 'number', format: 'float', minimum: 0.1, maximum: 300 });
  const floats = validValues(contract, A) as fc.Arbitrary<number>;
  const values = fc.sample(floats, { numRuns: 500, seed: 1 });
  expect(values.filter((value) => value !== Math.fround(value) || value < 0.1)).toEqual([]);
});

test.each<[string, string, unknown]>([
  ['seconds.maximum', '4294967295', { seconds: 4294967295 }],
  ['remove.maxItems', '3 items', { remove: expect.objectContaining({ length: 3 }) as unknown }],
  ['name.maxLength', '8 characters', { name: text(/^.{8}$/) }],
  ['key.x-max-bytes', '12 bytes in characters of 4', { key: text(/^[^a]{3}$/u) }],
  ['nested.inner.if.then', 'then holds', { nested: { inner: { mode: 'on' } } }],
])('a boundary of %s (%s) is on the limit', (id, label, expected) => {
  const boundaries = boundariesOf(SYNTHETIC, EVERYTHING);
  expect(smallest(findCase(boundaries, id, label), 3)).toMatchObject(expected as object);
});

test('texts of a boolean parameter are those that a lenient reader takes', () => {
  const violations = parameterViolations(SYNTHETIC, '/components/parameters/Verbose');
  const made = violations.flatMap(({ value }) => fc.sample(value, { numRuns: 100, seed: 1 }));
  expect(made).toEqual(expect.arrayContaining(['yes', '1', 'TRUE']));
});

test('shrunkUntil makes no smaller value once there are enough, and all until then', () => {
  const made = (most: number) => {
    let tried = 0;
    let count = -1;
    const source = fc
      .array(fc.nat({ max: 1000 }), { minLength: 50, maxLength: 60 })
      .filter(() => ++count >= 0);
    const values = shrunkUntil(source, () => tried > most);
    const value = smallest(values, 1, () => ++tried < 0);
    return { count, value };
  };
  expect(made(0).count).toBe(0);
  expect(made(3).count).toBe(3);
  expect(made(Infinity).value).toEqual(Array.from({ length: 50 }, () => 0));
});

test('a schema that no finite value satisfies ends in a clear error', () => {
  const endless = { type: 'object', required: ['r'], properties: { r: { $ref: `#${A}` } } };
  expect(() => validValues(contractWith(endless), A)).toThrow('/r needs itself');
});

test('a form leaves out what services read differently', () => {
  const deep = { type: 'object', required: ['b'], properties: { b: { type: 'object' } } };
  const contract = contractWith({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, a: deep },
  });
  const form = {
    pointer: A,
    required: true,
    mediaType: 'application/x-www-form-urlencoded',
    otherTypes: [],
    others: [],
    fields: { a: { isFile: false, style: 'deepObject' } },
    examples: {},
  };
  const values = carried(contract, form, fc.constant({ id: 1, a: { b: {} } }), true);
  expect(fc.sample(values, { numRuns: 1 })).toEqual([{ id: 1 }]);
});

test('a URI that is too long, or as long as allowed, is one for any service', () => {
  const contract = contractWith({ type: 'string', format: 'uri', maxLength: 2048 });
  const tooLong = violationsOf(contract, A).filter(({ clause }) => clause.id === 'maxLength');
  const texts = tooLong.flatMap(({ value }) => fc.sample(value, { numRuns: 20, seed: 1 }));
  const longest = boundariesOf(contract, A).filter(({ clause }) => clause.id === 'maxLength');
  texts.push(...longest.flatMap(({ value }) => fc.sample(value, { numRuns: 20, seed: 1 })));
  expect(texts.length).toBeGreaterThan(2);
  const isWrong = (uri: string) =>
    !URL.canParse(uri) || new URL(uri).hostname.split('.').some((label) => label.length > 63);
  expect(texts.map(String).filter(isWrong)).toEqual([]);
});

test.each<[string, object]>([
  ['a pattern', { type: 'string', pattern: '^[a-z]{5}$', maxLength: 2 }],
  ['a format', { type: 'string', format: 'uuid', maxLength: 8 }],
  ['sizes', { type: 'array', minItems: 3, maxItems: 2 }],
  ['a step', { type: 'integer', multipleOf: 10, minimum: 11, maximum: 19 }],
])('an optional member that %s leaves no value is left out', (_, none) => {
  const members = { k: { type: 'integer' }, none };
  const bodyOf = (more: object) => ({ type: 'object', required: ['k'], ...more });
  const wide = Object.fromEntries(Array.from({ length: 70 }, (_one, at) => [`n${at}`, none]));
  const counted = { properties: { ...members, l: {} }, minProperties: 2, maxProperties: 2 };
  for (const more of [{ properties: members }, { properties: { ...members, ...wide } }, counted]) {
    const contract = contractWith(bodyOf(more));
    const bodies = fc.sample(validValues(contract, A), { numRuns: 20, seed: 1 });
    const names = bodies.flatMap((body) => Object.keys(body as object));
    expect(names).toContain('k');
    expect(names.filter((name) => name === 'none' || name.startsWith('n'))).toEqual([]);
  }
});
