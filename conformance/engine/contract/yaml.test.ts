import { expect, test } from 'vitest';
import { parseYaml } from './yaml.ts';

const MERGED = `
base: &base
  type: string
  maxLength: 5
other: &other
  maxLength: 9
  pattern: a
one:
  <<: *base
  maxLength: 7
several:
  <<: [*base, *other]
  description: both
quoted:
  '<<': a name
`;

test('a merge key adds members, which the own ones replace and the first of a list wins', () => {
  const { document } = parseYaml(MERGED);
  expect(document).toMatchObject({
    one: { type: 'string', maxLength: 7 },
    several: { type: 'string', maxLength: 5, pattern: 'a', description: 'both' },
  });
});

test('members that a merge key adds have its line, and own members theirs', () => {
  const { lineOf } = parseYaml(MERGED);
  const lines = ['type', 'maxLength'].map((name) => lineOf(['one', name]));
  expect(lines).toEqual([9, 10]);
  expect(lineOf(['several', 'pattern'])).toBe(12);
});

test('each place of a merged value is an object that no other place has', () => {
  const { document } = parseYaml('a: &a\n  in: {x: 1}\nb:\n  <<: *a\nc:\n  <<: *a\n');
  const { a, b, c } = document as Record<string, { in: object }>;
  expect(new Set([a?.in, b?.in, c?.in]).size).toBe(3);
});

test('names that read as numbers keep the lines of their keys', () => {
  const { lineOf } = parseYaml("responses:\n  default: a\n  '200': b\n  '404': c\n");
  expect(['default', '200', '404'].map((name) => lineOf(['responses', name]))).toEqual([2, 3, 4]);
});

test('a member called __proto__ is a member like any other', () => {
  const { document } = parseYaml('a: &a {__proto__: {x: 1}}\nb: *a\n');
  const { b } = document as { b: object };
  expect(Object.keys(b)).toEqual(['__proto__']);
});

test.each(['a: &x {b: *x}', 'a: &x [*x]'])('an alias within itself is an error: %s', (text) => {
  expect(() => parseYaml(text)).toThrow(/alias stands within/);
});

test('aliases that multiply are an error before they fill the memory', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const lists = names.map((name, index) => {
    const items = Array.from({ length: 9 }, () => (index === 0 ? '1' : `*${names[index - 1]}`));
    return `${name}: &${name} [${items.join(', ')}]`;
  });
  expect(() => parseYaml(lists.join('\n'))).toThrow(/aliases stand for more than/);
});

test.each([
  ['a: 1\nb: 2\na: 3\n', 'a', 3],
  ["b: 2\n'a': 1\n'a': 3\n", "'a'", 3],
  ['{"b": 2,\n"a": 1,\n\n"a" : 3}', '"a"', 4],
])('of a name that occurs twice in %j, the last one counts, and a warning names it', (...row) => {
  const [text, name, line] = row;
  const { document, warnings } = parseYaml(text);
  expect(document).toEqual({ a: 3, b: 2 });
  const words = `The name ${name} occurs twice in one map, in line ${line}: the last one counts`;
  expect(warnings).toEqual([expect.stringContaining(words)]);
});
