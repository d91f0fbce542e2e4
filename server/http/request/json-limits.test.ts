import { expect, test } from 'vitest';
import { placeBeyondLimits } from './json-checks.ts';

const find = (json: string) => placeBeyondLimits(JSON.parse(json));

const nested = (levels: number) => '[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels);

test('a body as the contract allows is within the limits', () => {
  expect(
    find(
      JSON.stringify({
        add: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`X-${n}`, ''])),
        list: Array(1000).fill('a'),
      }),
    ),
  ).toBeUndefined();
  expect(find(nested(20))).toBeUndefined();
  for (const scalar of ['null', '1', `"${'a'.repeat(5000)}"`]) expect(find(scalar)).toBeUndefined();
});

test('too many in one place are reported at that place', () => {
  expect(find(JSON.stringify({ 'a/b': [{ list: Array(1001).fill(1) }] }))).toMatchObject({
    pointer: '/a~1b/0/list',
    code: 'too_many',
  });
  expect(find(JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [n, n]))))).toMatchObject({
    pointer: '',
    code: 'too_many',
  });
});

test('the shortest text that is too wide, and too deep', () => {
  expect(find(`[${'1,'.repeat(1000)}1]`)).toMatchObject({ pointer: '', code: 'too_many' });
  expect(find('['.repeat(52) + ']'.repeat(52))).toMatchObject({ code: 'type' });
  expect(find('{"a":'.repeat(52) + '1' + '}'.repeat(52))).toMatchObject({ code: 'type' });
  expect(find('['.repeat(50) + ']'.repeat(50))).toBeUndefined();
});

test('what is too deep is reported where it becomes so', () => {
  const { pointer = '', code } = find(nested(200_000))!;
  expect([code, pointer.split('/').length]).toEqual(['type', 52]);
});
