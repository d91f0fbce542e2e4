import { describe, expect, it } from 'vitest';
import { lineOfWords } from './line-of-words.ts';
import { parseContract } from './load.ts';

const contract = parseContract(`openapi: 3.1.0
info:
  title: t
  version: '1'
  description: |
    One sentence (of two). The second
    goes on here.

    A third.
`);

describe('the line of words in a long text', () => {
  it.each([
    ['One sentence (of two).', 6],
    ['The second goes on', 6],
    ['goes on here.', 7],
    ['A third', 9],
  ])('%s', (words, line) => expect(lineOfWords(contract, '/info/description', words)).toBe(line));

  it('is an error where the text does not have them', () => {
    expect(() => lineOfWords(contract, '/info/description', 'A fourth')).toThrow('has no "A fourth"');
  });
});
