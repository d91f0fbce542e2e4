import { expect, it } from 'vitest';
import { JSON_SPELLINGS, TEXT_SPELLINGS } from './json-spellings.ts';

const VALUE = {
  'a/b': 'é"\\/\n\u0001\u2028😀 ',
  numbers: [0, 7, -7, 10, 0.25, 0.5, 4_294_967_295, 1e21, 1e-7, -1.5],
  inner: { b: null, a: true, list: [[], {}, ''] },
  'B😀': 'aé',
};

it.each(JSON_SPELLINGS)('$label: it is another text of the same value', ({ write }) => {
  const text = write(VALUE);
  expect(text).not.toBe(JSON.stringify(VALUE));
  expect(JSON.parse(text, (_, value: unknown) => (value === 0 ? 0 : value))).toEqual(VALUE);
});

it('the spellings have each form of an escape and of a number', () => {
  const all = JSON_SPELLINGS.map(({ write }) => write(VALUE)).join('\n');
  const forms = ['\\ud83d\\ude00', '\\uD83D\\uDE00', '😀', '\\/', '\\u002f', '\\n', '\\u000a'];
  forms.push('\\"', '\\u0022', '70e-1', '7.00', '0.7E+1', '7e0', '-0', '0.250', '25E-02');
  expect(forms.filter((form) => !all.includes(form))).toEqual([]);
});

it('members come in their own order, reversed and sorted the other way', () => {
  const orders = JSON_SPELLINGS.map(({ write }) =>
    Object.keys(JSON.parse(write({ b: 1, a: 2, c: 3 }))),
  );
  expect(new Set(orders.map((names) => names.join('')))).toEqual(new Set(['bac', 'cab', 'cba']));
});

it('a value whose spelling is longer than 1,000,000 bytes is written as usual', () => {
  const long = 'a'.repeat(300_000);
  expect(JSON_SPELLINGS[0]?.write(long)).toBe(JSON.stringify(long));
});

it('without other spellings of numbers, each is written as usual', () => {
  const texts = TEXT_SPELLINGS.map(({ write }) => write(VALUE.numbers).replaceAll(/\s/g, ''));
  expect(new Set(texts)).toEqual(new Set([JSON.stringify(VALUE.numbers)]));
});
