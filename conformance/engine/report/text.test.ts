import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, ellipsis, formatDuration, indentJson, oneLine, visible } from './text.ts';

describe('visible', () => {
  it.each([
    ['escape sequences', '\u001b[2J', '\\u001b[2J'],
    ['the eight-bit control sequence introducer', '\u009b31m', '\\u009b31m'],
    ['NUL and DEL', '\u0000\u007f', '\\u0000\\u007f'],
    ['a carriage return that would overwrite the line', 'bad\rgood', 'bad\\u000dgood'],
    ['bidirectional overrides', 'a\u202eb', 'a\\u202eb'],
    ['lone surrogates', '\ud800 \udc00', '\\ud800 \\udc00'],
    ['characters nobody sees', '\u200b\ufeff\u2028', '\\u200b\\ufeff\\u2028'],
    ['invisible characters outside the BMP', '\u{e0041}', '\\udb40\\udc41'],
    ['what XML excludes', '\uffff', '\\uffff'],
  ])('shows %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('leaves what can be seen, line feeds and tabs', () => {
    expect(visible('Zürich 東京 👍\n\t"\\u0041"')).toBe('Zürich 東京 👍\n\t"\\u0041"');
  });

  it('keeps the value of a JSON string that holds such characters', () => {
    const value = '\u007f\u200d\u{e0041}\u2029';
    expect(JSON.parse(visible(JSON.stringify(value)))).toBe(value);
  });
});

it('puts text on one line', () => {
  expect(oneLine(' a\n\tb  c\r\n')).toBe('a b c\\u000d');
});

describe('cut', () => {
  it('leaves a text of the limit alone', () => expect(cut('abc', 3)).toBe('abc'));
  it('says how much is missing, and where it is', () =>
    expect(cut('a'.repeat(2003), 3)).toBe('aaa\n[… 2,000 more characters: see report.json]'));
  it('halves no surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 2 }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        expect(cut(text, limit).isWellFormed()).toBe(true);
        expect(ellipsis(text, limit).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('indentJson', () => {
  it('breaks lines between tokens', () => {
    expect(indentJson('{"a":[1,{"b":"{,}"}],"c":{},"d":[]}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "{,}"\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });
  it('changes nothing but white space, not even what JSON.parse would mend', () => {
    const text = '{"a":1.0,"a":1e400,"b":"\\u0041\\/"}';
    expect(indentJson(text).replaceAll(/\s/gu, '')).toBe(text);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(indentJson(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
  it.each(['', '{"a":', '<html>', `["${'a'.repeat(100_000)}"]`])('leaves other text as it came', (text) => {
    expect(indentJson(text)).toBe(text);
  });
  it('bears deep nesting', () => {
    const text = '['.repeat(5_000) + ']'.repeat(5_000);
    expect(indentJson(text).length).toBeLessThan(500_000);
  });
});

it.each([
  [0, '0 ms'],
  [850.4, '850 ms'],
  [12_345, '12.3 s'],
  [59_990, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('writes %d ms as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
