import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgesOfPattern } from './pattern-edges.ts';
import { textMatching } from './pattern-texts.ts';

function edgesOf(pattern: string, isRight: (text: string) => boolean = () => true): string[] {
  const samples = fc.sample(textMatching(pattern, 64), { numRuns: 60, seed: 1 });
  return edgesOfPattern(pattern, samples, isRight);
}

test('the characters of each set are tried in its place', () => {
  const texts = edgesOf('^(\\[[0-9A-F:.]{2,20}\\]|[a-z_]):[1-9]$');
  const bracketed = texts.filter((text) => text.startsWith('['));
  expect(bracketed.join('')).toMatch(/0.*9.*A.*F.*:.*\./);
  expect(texts.some((text) => text.startsWith('_:'))).toBe(true);
  expect(texts.some((text) => text.endsWith(':1'))).toBe(true);
  expect(texts.some((text) => text.endsWith(':9'))).toBe(true);
});

test('characters that fit into one text are in one', () => {
  expect(edgesOf('^[A-Za-z0-9_-]+$')).toEqual(['A-Zaz09_']);
});

test('classes and escapes stand for the characters that they name', () => {
  expect(edgesOf(String.raw`^[\d\-\u00e9]{1,9}$`)).toEqual(['09-é']);
});

test.each([String.raw`^(['"])[a-z]+\1$`, '^[^a]+$'])('%s has no edges', (pattern) => {
  expect(edgesOf(pattern)).toEqual([]);
});

test('a text that breaks another rule is not an edge', () => {
  expect(edgesOf('^[a-c]+$', (text) => text.length === 1)).toEqual(['a', 'c']);
});
