import { expect, test } from 'vitest';
import { crowdedPlace } from './crowded.ts';

const nested = (levels: number) => JSON.parse('[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels)) as unknown;

test('a body as the contract allows is not crowded', () => {
  expect(crowdedPlace({ add: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`X-${n}`, ''])), list: Array(1000).fill('a') })).toBeUndefined();
  expect(crowdedPlace(nested(20))).toBeUndefined();
  for (const scalar of [undefined, null, 1, 'a'.repeat(5000)]) expect(crowdedPlace(scalar)).toBeUndefined();
});

test('too many in one place are told by that place', () => {
  expect(crowdedPlace({ 'a/b': [{ list: Array(1001).fill(null) }] })).toMatchObject({ pointer: '/a~1b/0/list', code: 'too_many' });
  expect(crowdedPlace(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [n, n])))).toMatchObject({ pointer: '', code: 'too_many' });
});

test('what is too deep is told where it becomes so', () => {
  const { pointer = '', code } = crowdedPlace(nested(200_000))!;
  expect([code, pointer.split('/').length]).toEqual(['type', 52]);
});
