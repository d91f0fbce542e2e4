import { expect, test } from 'vitest';
import { clausesOf } from './clauses.ts';
import { reasonOf } from './implied.ts';
import { A, contractWith } from './synthetic.test.fixture.ts';

/** The ids of the clauses that have a reason. */
function impliedIn(schema: object): string[] {
  const contract = contractWith(schema);
  const implied = clausesOf(contract, A).filter(
    (clause) => reasonOf(contract, A, clause) !== undefined,
  );
  return implied.map(({ id }) => id);
}

// Each pattern matches texts of 3 to 6 characters, or of any number.
test.each([
  ['^[a-z]{3,6}$', ['minLength', 'maxLength']],
  [String.raw`^(?:a\u{62}\x63|(?<n>abcd)(?=e)\p{L}{2})$`, ['minLength', 'maxLength']],
  [String.raw`^(abc|[\]x]{4})\.?$`, ['minLength', 'maxLength']],
  ['^abc+$', ['minLength']],
  ['^abc|abcd$', ['minLength']],
  ['[a-z]{3,6}$', ['minLength']],
  ['^[a-z]{3,6}', ['minLength']],
  [String.raw`^(abc)\1?$`, ['minLength']],
  ['^(abc)*$', []],
  ['^a{2}b?$', ['maxLength']],
])('texts that match %s make limits of 3 and 6 implied: %j', (pattern, implied) => {
  expect(impliedIn({ type: 'string', pattern, minLength: 3, maxLength: 6 })).toEqual(implied);
});

const TWO = { properties: { a: {}, b: {} } };
const CLOSED = { ...TWO, additionalProperties: false };
const ONE = { contains: { const: 1 } };

test.each([
  ['as many properties as there are', { ...CLOSED, maxProperties: 2 }, ['maxProperties']],
  ['fewer properties than there are', { ...CLOSED, maxProperties: 1 }, []],
  ['any properties', { ...TWO, maxProperties: 2 }, []],
  ['a minimum of 0', { minLength: 0, minItems: 0 }, ['minLength', 'minItems']],
  ['a minimum of 1', { minLength: 1, minItems: 1 }, []],
  ['one item that it contains', { ...ONE, minContains: 1 }, ['minContains']],
  ['two items that it contains', { ...ONE, minContains: 2 }, []],
  ['no item that it contains', { ...ONE, minContains: 0 }, ['contains', 'minContains']],
  [
    'the range of 32 bits',
    { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
    ['format'],
  ],
  ['more than 32 bits', { type: 'integer', format: 'int32', maximum: 2 ** 31 }, []],
  ['listed values', { type: 'string', enum: ['a'] }, ['type']],
  ['a format without a rule', { type: 'string', format: 'password' }, ['format']],
  ['a branch that allows anything', { anyOf: [{ type: 'string' }, {}] }, ['anyOf']],
  ['branches with rules', { anyOf: [{ minLength: 2 }, { minLength: 1 }] }, []],
  [
    'a stricter limit beside it',
    { maxLength: 5, allOf: [{ maxLength: 4 }, { minLength: 2 }, { minLength: 3 }] },
    ['maxLength', 'minLength'],
  ],
  [
    'properties that require each other',
    { dependentRequired: { a: ['b', 'c'], c: ['b'] } },
    ['dependentRequired.a.b'],
  ],
])('%s: the implied clauses of %j are %j', (_, schema, implied) => {
  expect(impliedIn(schema)).toEqual(implied);
});
