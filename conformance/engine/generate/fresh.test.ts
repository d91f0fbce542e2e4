import { expect, test } from 'vitest';
import { A, contractWith } from '../contract/synthetic.test.fixture.ts';
import { freshBody } from './fresh-bodies.ts';
import { letters } from './fresh.ts';

/** A text in place of this one, in a body whose only member has the rules. */
function freshText(rules: object, text: string): string {
  const contract = contractWith({
    type: 'object',
    properties: { text: { type: 'string', ...rules } },
  });
  return (freshBody(contract, [A], { text }) as { text: string }).text;
}

test.each([
  [{}, 'a long text', /^[a-z] [a-z]{4} [a-z]{4}$/],
  [{}, 'short', /^short[a-z]{8}$/],
  [{ minLength: 3 }, 'abc', /^[a-z]{3}$/],
  [{ maxLength: 3 }, 'aB1', /^[a-z][A-Z]\d$/],
  [{ pattern: '^[a-z]+\\.v[0-9]$' }, 'ab.v0', /^[a-z]{8}ab\.v0$/],
  [{ pattern: '^[a-z]+\\.v[0-9]$' }, 'created.v0', /^[a-z]{7}\.v\d$/],
  [{ format: 'email' }, 'ada@example.com', /^[a-z]{8}@example\.com$/],
  [{ format: 'uri' }, 'http://a.example/b?c#d', /^http:\/\/a\.example\/b\/[a-z]{8}$/],
  [{ format: 'uuid' }, '00000000-0000-4000-8000-000000000000', /^[\da-f-]{36}$/],
])('in place of a text with %j, %j becomes another one like %s', (rules, text, like) => {
  const fresh = freshText(rules, text);
  expect(fresh).toMatch(like);
  expect(fresh).not.toBe(text);
});

test.each([
  [{ enum: ['a', 'b'] }, 'a'],
  [{ format: 'date' }, '2026-01-15'],
  [{ pattern: '^fixed$' }, 'fixed'],
])('a text with %j stays %j', (rules, text) => {
  expect(freshText(rules, text)).toBe(text);
});

test('random letters differ', () => {
  expect(letters(12)).toMatch(/^[a-z]{12}$/);
  expect(letters(12)).not.toBe(letters(12));
});

const ROOM = {
  type: 'object',
  properties: { number: { type: 'string', pattern: '^[0-9]{1,4}[A-Z]?$' } },
};

test('texts in a list of one body differ from each other, also short ones with few others', () => {
  const contract = contractWith({
    type: 'object',
    properties: { rooms: { type: 'array', items: ROOM } },
  });
  const body = { rooms: Array.from({ length: 20 }, () => ({ number: '7' })) };
  const { rooms } = freshBody(contract, [A], body) as typeof body;
  const numbers = rooms.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(20);
  expect(numbers.filter((number) => !/^[0-9]{1,4}[A-Z]?$/.test(number))).toEqual([]);
});

test('texts of several bodies differ if the schema has as many', () => {
  const digit = { type: 'string', pattern: '^[0-9]$', maxLength: 1 };
  const contract = contractWith({ type: 'object', properties: { code: digit } });
  const taken = new Set<string>();
  const bodies = Array.from({ length: 4 }, () =>
    freshBody(contract, [A], { code: '7' }, { taken }),
  );
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(4);
});

const CODE = { type: 'string', pattern: '^[A-Z]{2}[0-9]{8}$' };

const KINDS = {
  oneOf: ['sensor', 'gateway'].map((kind) => ({
    allOf: [
      { type: 'object', properties: { code: CODE } },
      { type: 'object', required: ['kind'], properties: { kind: { const: kind } } },
    ],
  })),
};

test.each([
  ['branches', KINDS],
  ['branches in `allOf`', { allOf: [KINDS] }],
  ['branches that may be null', { anyOf: [KINDS, { type: 'null' }] }],
])('a body of %s gets other texts, and stays of its kind', (_, schema) => {
  const contract = contractWith(schema);
  const body = { kind: 'gateway', code: 'AB12345678' };
  const fresh = freshBody(contract, [A], body) as typeof body;
  expect(fresh.kind).toBe('gateway');
  expect(fresh.code).toMatch(/^[A-Z]{2}\d{8}$/);
  expect(fresh.code).not.toBe(body.code);
});

test('what is under test stays, and so do names of others inside of a body', () => {
  const text = { type: 'string' };
  const line = { type: 'object', properties: { productId: text, note: text, code: text } };
  const contract = contractWith({
    type: 'object',
    properties: { owner: line, lines: { type: 'array', items: line } },
  });
  const given = { productId: 'p1', note: 'under test', code: 'c1' };
  const body = { owner: given, lines: [given] };
  const fresh = freshBody(contract, [A], body, { keep: ['owner'], tested: ['lines', 'note'] });
  const { owner, lines } = fresh as typeof body;
  expect(owner).toEqual(given);
  expect(lines).toEqual([{ ...given, code: expect.stringMatching(/^c1[a-z]{8}$/) }]);
});
