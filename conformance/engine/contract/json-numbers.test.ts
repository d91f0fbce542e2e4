import { expect, test } from 'vitest';
import { isMultipleOf, parseJson, stringifyJson, withDoubles } from './json-numbers.ts';

const ID = '1152921504606846977';

test.each([
  `{"id":${ID},"text":"${ID}"}`,
  `[-${ID},1.5,9007199254740991,"integer:${ID}"]`,
  `{"a":{"b":[${ID}]},"c":"\\"${ID}"}`,
])('an integer that no double holds is written as it was read: %s', (text) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test('numbers that doubles hold are numbers', () => {
  expect(parseJson('[1234567890123456, 0.1234567890123456, 12345678901234567e3]')).toEqual([
    1_234_567_890_123_456, 0.123_456_789_012_345_6, 12_345_678_901_234_567e3,
  ]);
});

test.each(['1e400', '0.1234567890123456e+400', `[${ID}, 1e400]`])(
  'a number beyond all doubles is the largest one: %s',
  (text) => {
    expect([parseJson(text)].flat().at(-1)).toBe(Number.MAX_VALUE);
    expect([parseJson(text.replace(/(?=[\d.]+e)/, '-'))].flat().at(-1)).toBe(-Number.MAX_VALUE);
  },
);

test.each([`{"a":0${ID}}`, `[${ID}`, `{${ID}:1}`, `x${ID}`])('%s is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('a validator gets doubles in their place', () => {
  expect(withDoubles(parseJson(`{"a":[${ID}]}`))).toEqual({ a: [Number(ID)] });
});

test.each([
  [19.99, 0.01, true],
  [1.13, 0.01, true],
  [0.07, 0.01, true],
  [1.005, 0.01, false],
  [1e21, 3, false],
  [3e21, 3, true],
  [1e-7, 1e-8, true],
  [0, 0.3, true],
  [-4.35, 0.05, true],
])('%d is a multiple of %d: %s', (number, step, is) => {
  expect(isMultipleOf(number, step)).toBe(is);
});
