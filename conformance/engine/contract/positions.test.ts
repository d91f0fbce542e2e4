import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadContract } from './load.ts';
import { joinPointer } from './pointers.ts';
import { parseYaml } from './positions.ts';

/** Every place below `value`, with its segments. */
function* places(value: unknown, segments: string[] = []): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [...segments, key];
    yield* places(inner, [...segments, key]);
  }
}

test('every place of the contract is on a line that shows it', () => {
  const { document, path, lineOf } = loadContract();
  const lines = readFileSync(path, 'utf8').split('\n');
  const wrong: string[] = [];
  let tried = 0;
  for (const segments of places(document)) {
    const pointer = joinPointer('', ...segments);
    const line = lines[lineOf(pointer) - 1]!;
    const key = segments.at(-1)!;
    tried++;
    // A member begins with its key, and an item of a list with a dash, or stands in brackets.
    const shown =
      line.includes(`${key}:`) || line.includes(`'${key}':`) || (/^\d+$/.test(key) && /^ *- |\[/.test(line));
    if (!shown) wrong.push(`${pointer}: ${line}`);
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(1_000);
});

describe('the line', () => {
  const text = `# a comment
openapi: 3.1.0 # another

info: {title: A, tags: [x, y], none: {}}
"quoted key":
  - 1
  # between
  -
    deep: >
      folded
      text
    empty:
    last: true
  - [[a],
     [b]]
200: number
shared: &shared
  inner: 1
again: *shared
end: '#'
`;
  const { lineOf } = parseYaml(text);

  test.each([
    ['', 2],
    ['openapi', 2],
    ['info/title', 4],
    ['info/tags/1', 4],
    ['info/none', 4],
    ['quoted key', 5],
    ['quoted key/0', 6],
    ['quoted key/1/deep', 9],
    ['quoted key/1/empty', 12],
    ['quoted key/1/last', 13],
    ['quoted key/2/0/0', 14],
    ['quoted key/2/1/0', 15],
    ['200', 16],
    ['shared/inner', 18],
    ['again', 19],
    ['again/inner', 18],
    ['end', 20],
    ['nothing', undefined],
    ['openapi/0', undefined],
    ['quoted key/3', undefined],
    ['info/toString', undefined],
  ])('of %j is %j', (path, line) => expect(lineOf(path === '' ? [] : path.split('/'))).toBe(line));
});
