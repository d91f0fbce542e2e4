import { expect, test } from 'vitest';
import { A, contractWith } from '../contract/synthetic.test.fixture.ts';
import { freshBody, letters } from './fresh.ts';

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
