import { expect, it } from 'vitest';
import { displayWidth, fit, painter, wrap } from './columns.ts';

it.each([
  ['abc', 3],
  ['東京', 4],
  ['e\u0301', 1],
  ['👍', 2],
])('%s has %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['東京東京', 6, '東京…'],
])('%s in %i columns is %s', (text, width, fitted) => {
  expect(fit(text, width)).toBe(fitted);
});

it.each([
  ['at spaces', 'one two three', 7, ['one two', 'three']],
  ['within long words', 'a abcdefghij', 4, ['a', 'abcd', 'efgh', 'ij']],
  ['by columns', '東京東京', 4, ['東京', '東京']],
  ['with the indentation of the line', 'a\n\n  b c', 4, ['a', '', '  b', '  c']],
  ['with an indentation of half of the width', `${' '.repeat(10)}ab cd`, 8, ['    ab', '    cd']],
])('lines are broken %s', (_, text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});

it('text is coloured only on a terminal with colours', () => {
  expect(painter(true)('red', 'a')).toBe('\u001b[31ma\u001b[0m');
  expect(painter(false)('red', 'a')).toBe('a');
});
