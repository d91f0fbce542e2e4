import { expect, test } from 'vitest';
import { clausesOf } from '../contract/clauses.ts';
import { A, contractWith } from '../contract/synthetic.test.fixture.ts';
import { besideAccepted, controlsOf } from './accepted-base.ts';

const SCHEMA = {
  type: 'object',
  required: ['name'],
  minProperties: 2,
  maxProperties: 3,
  properties: {
    name: { type: 'string' },
    kind: { type: 'string' },
    size: { type: 'integer', minimum: 1 },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 } },
    deep: {
      type: 'object',
      required: ['list'],
      properties: {
        list: { type: 'array', items: { type: 'object' } },
        count: { type: 'integer', minimum: 0 },
        other: { type: 'string' },
      },
    },
  },
};

function subjectOf(id: string, schema: object = SCHEMA) {
  const contract = contractWith(schema);
  const clause = clausesOf(contract, A).find((one) => one.id === id);
  if (clause === undefined) {
    throw new Error(`there is no clause ${id}`);
  }
  return { contract, pointer: A, clause };
}

const ACCEPTED = { name: 'works', kind: 'plain' };

test.each([
  ['size.minimum', { name: 'other', size: 1 }, { ...ACCEPTED, size: 1 }],
  ['size.minimum', { name: 'other', size: 0 }, { ...ACCEPTED, size: 0 }],
  // A boundary in the items of a list that the accepted body lacks.
  ['tags.*.maxLength', { name: 'other', tags: ['abc'] }, { ...ACCEPTED, tags: ['abc'] }],
  // What the clause does not need is left out: a service may refuse it for other reasons.
  [
    'deep.count.minimum',
    { name: 'other', deep: { list: [{}, { a: 1 }], count: 0, other: 'x' } },
    { ...ACCEPTED, deep: { list: [], count: 0 } },
  ],
  // A rule about the whole body keeps its members, with values that were accepted.
  ['minProperties', { name: 'other', size: 5 }, { name: 'works', size: 5 }],
  [
    'maxProperties',
    { name: 'other', kind: 'odd', size: 5 },
    { name: 'works', kind: 'plain', size: 5 },
  ],
  ['required.name', { size: 5, kind: 'odd' }, { kind: 'plain' }],
])('%s: of %j, the accepted body gets what the clause is about', (id, other, expected) => {
  const schema = id === 'required.name' ? { ...SCHEMA, minProperties: 1 } : SCHEMA;
  expect(besideAccepted(ACCEPTED, other, subjectOf(id, schema))).toEqual(expected);
});

test('a branch that is tried is the one that is sent', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  };
  const sent = besideAccepted({ name: 'works', a: 1 }, { b: 2 }, subjectOf('oneOf', schema));
  expect(sent).toEqual({ b: 2 });
});

test('the items of a body that is a list stand beside an accepted item', () => {
  const schema = { type: 'array', items: SCHEMA };
  const other = [{ name: 'other', size: 0, deep: { list: [] } }];
  const sent = besideAccepted([ACCEPTED], other, subjectOf('*.size.minimum', schema));
  expect(sent).toEqual([{ ...ACCEPTED, size: 0 }]);
});

test('controls lack what is tried, or have one of its members', () => {
  const tried = { ...ACCEPTED, deep: { list: [], count: 0 } };
  expect(controlsOf(tried, ACCEPTED, subjectOf('deep.count.minimum'))).toEqual([
    { ...ACCEPTED, deep: { list: [] } },
  ]);
  const schema = { ...SCHEMA, additionalProperties: false, maxProperties: 9 };
  const whole = { ...ACCEPTED, size: 1, tags: [] };
  expect(controlsOf(whole, ACCEPTED, subjectOf('additionalProperties', schema))).toEqual([
    { ...ACCEPTED, size: 1 },
    { ...ACCEPTED, tags: [] },
  ]);
});

test('a body that almost satisfies a branch breaks it in the same way beside another kind', () => {
  const cat = { required: ['kind', 'lives'], properties: { lives: { maximum: 9 } } };
  const kindOf = (name: string) => ({ properties: { kind: { const: name } } });
  const schema = {
    type: 'object',
    oneOf: [
      { allOf: [cat, kindOf('cat')] },
      { required: ['kind'], properties: { kind: { const: 'dog' } } },
    ],
  };
  const subject = subjectOf('oneOf', schema);
  const dog = { kind: 'dog', bark: 'x' };
  expect(besideAccepted(dog, { kind: 'cat', lives: 10 }, subject)).toEqual({
    kind: 'cat',
    lives: 10,
  });
  expect(besideAccepted(dog, { kind: 'cat' }, subject)).toEqual({ kind: 'cat', bark: 'x' });
});
