/**
 * `formats.test.ts` shows that no report has escape sequences, overrides of direction or lone
 * surrogates.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bodyInShort,
  cut,
  ellipsis,
  formatDuration,
  indentJson,
  oneLine,
  visible,
  withShortValues,
} from './text.ts';

it.each([
  [
    'characters without a width',
    '\u200b\ufeff\u2028\u0000\u007f',
    '\\u200b\\ufeff\\u2028\\u0000\\u007f',
  ],
  ['invisible characters outside the BMP', '\u{e0041}', '\\udb40\\udc41'],
  ['visible text as it is', 'Zürich 東京 👍\n\t"\\u0041"', 'Zürich 東京 👍\n\t"\\u0041"'],
])('visible shows %s', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(JSON.parse(visible(JSON.stringify(text)))).toBe(text);
  expect(oneLine(` ${text}\n`)).toBe(shown.replaceAll(/\s+/g, ' '));
});

it('cut and ellipsis keep to the limit and halve no surrogate pair', () => {
  expect(cut('abc', 3)).toBe('abc');
  expect(cut('a'.repeat(2003), 3)).toBe('aaa\n[… 2,000 more characters: see report.json]');
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 2 }),
      fc.integer({ min: 1, max: 20 }),
      (text, limit) => {
        expect(cut(text, limit).isWellFormed()).toBe(true);
        expect(ellipsis(text, limit).isWellFormed()).toBe(true);
        expect(ellipsis(text, limit).length).toBeLessThanOrEqual(limit);
      },
    ),
    { seed: 1 },
  );
});

it('indentJson breaks lines between tokens and changes nothing but white space', () => {
  expect(indentJson('{"a":[1,{"b":"{,}"}],"c":{},"d":[]}')).toBe(
    '{\n  "a": [\n    1,\n    {\n      "b": "{,}"\n    }\n  ],\n  "c": {},\n  "d": []\n}',
  );
  const text = '{"a":1.0,"a":1e400,"b":"\\u0041\\/"}';
  expect(indentJson(text).replaceAll(/\s/gu, '')).toBe(text);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value, null, 1))).toBe(JSON.stringify(value, null, 2));
    }),
    { seed: 1 },
  );
  for (const other of ['', '{"a":', '<html>', `["${'a'.repeat(100_000)}"]`]) {
    expect(indentJson(other)).toBe(other);
  }
  expect(indentJson('['.repeat(5_000) + ']'.repeat(5_000)).length).toBeLessThan(500_000);
});

it('formatDuration writes a time in the unit that suits it', () => {
  expect([850.4, 12_345, 59_990, 125_000].map(formatDuration)).toEqual([
    '850 ms',
    '12.3 s',
    '1 min 0 s',
    '2 min 5 s',
  ]);
});

const LETTERS = Array.from({ length: 300 }, (_, index) => index.toString(36)).join('');

it.each([
  ['a text of one character', `{"a":"${'x'.repeat(4096)}"}`, '{"a":"x" × 4096}'],
  ['a text of a few characters', `"${'ab'.repeat(300)}"`, '"ab" × 300'],
  ['escaped characters', `"${String.raw`\u0000`.repeat(300)}"`, String.raw`"\u0000" × 300`],
  ['nested lists', `${'['.repeat(500)}1${']'.repeat(500)}`, '[ × 500 1] × 500 '],
  ['nested objects', `${'{"a":'.repeat(500)}1`, '{"a": × 500 1'],
  ['a long query', `GET /a?q=${'x'.repeat(300)}&b=1`, 'GET /a?q=x × 300 &b=1'],
  ['a short value', `"${'x'.repeat(200)}"`, `"${'x'.repeat(200)}"`],
])('%s is shown as its kind', (_, text, short) => {
  expect(withShortValues(text)).toBe(short);
});

it('a long value of other characters is shown by its beginning and its length', () => {
  const shown = `"${LETTERS.slice(0, 40)}…" (${LETTERS.length} characters)`;
  expect(withShortValues(`{"a":"${LETTERS}"}`)).toBe(`{"a":${shown}}`);
});

it('a body is indented, unless it nests so deeply that it is one value', () => {
  expect(bodyInShort(`{"a":"${'x'.repeat(300)}"}`)).toBe('{\n  "a": "x" × 300\n}');
  expect(bodyInShort(`{"a":${'['.repeat(300)}${']'.repeat(300)}}`)).toBe('{"a":[ × 300 ] × 300 }');
});
