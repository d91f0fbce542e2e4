import { expect, test } from 'vitest';
import { clausesOf } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import { A, contractWith, SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { proveBreaksOnly } from './proof.ts';

function isProved(contract: Contract, pointer: string, id: string, value: unknown): boolean {
  const clause = clausesOf(contract, pointer).find((one) => one.id === id);
  if (!clause) {
    throw new Error(`no clause ${id}`);
  }
  return proveBreaksOnly(contract, pointer, clause, value);
}

const EVERYTHING = '/components/schemas/Everything';
const VALID = { name: 'web', share: 0 };

test.each<[string, unknown, boolean, string]>([
  ['secret.type', { secret: 5 }, true, 'nothing else is wrong'],
  ['secret.type', { secret: 'a' }, false, 'nothing is wrong'],
  ['secret.type', { secret: 5, kind: 'other' }, false, 'another clause is broken, too'],
  ['secret.type', { level: 'a' }, false, 'the same rule is broken at another place'],
  ['required.share', { share: undefined }, true, 'it is missing'],
  ['remove.*.pattern', { remove: ['UP', 'ok'] }, true, 'one item is wrong'],
  ['remove.*.pattern', { remove: ['UP', 'UPPER'] }, false, 'two items are wrong'],
  ['remove.*.minLength', { remove: ['A'] }, false, 'the pattern is broken, too'],
  ['level.enum', { level: 'a' }, true, 'a value of another type is not listed, either'],
  ['key.x-max-bytes', { key: '😀😀😀😀' }, true, 'there are 16 bytes in 4 characters'],
  ['key.x-max-bytes', { key: 'a'.repeat(13) }, true, 'there are too many characters as well'],
  ['additionalProperties', { x: 1 }, true, 'one name is unknown'],
  ['additionalProperties', { x: 1, y: 1 }, false, 'two names are unknown'],
  [
    'nested.inner.if.then',
    { nested: { inner: { mode: 'on', value: 2 } } },
    true,
    'it is 3 or more',
  ],
  [
    'nested.inner.if.then',
    { nested: { inner: { mode: 'on', value: 0 } } },
    false,
    'it is 1 or more',
  ],
])('whether %s is broken alone by %j: %s, since %s', (id, members, is) => {
  const value: unknown = JSON.parse(JSON.stringify({ ...VALID, ...(members as object) }));
  expect(isProved(SYNTHETIC, EVERYTHING, id, value)).toBe(is);
});

test.each([
  ['type', 5, true],
  ['type', { a: 5 }, false],
  ['a.type', { a: 5 }, true],
  ['a.type', 5, false],
  ['a.type', { a: { a: 5 } }, false],
])('in a schema within itself, %s is broken alone by %j: %s', (id, value, is) => {
  const contract = contractWith({ type: 'object', properties: { a: { $ref: `#${A}` } } });
  expect(isProved(contract, A, id, value)).toBe(is);
});
