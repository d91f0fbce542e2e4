import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accepted, GaveUp } from './filter.ts';
import { bytesOf, text, textOfBytes } from './text.ts';

describe('text', () => {
  test.each([
    { min: 0, max: 255, maxBytes: 255 },
    { min: 3, max: 5, maxBytes: 7 },
    { min: 1, max: 1, maxBytes: 1 },
    { min: 0, max: 0, maxBytes: 10 },
    { min: 10, max: 4096, maxBytes: Infinity },
    { min: 4, max: 4, maxBytes: 16 },
  ])('stays within $min to $max characters and $maxBytes bytes, also in shrinking', (limits) => {
    const values: string[] = [];
    for (let seed = 1; seed <= 50; seed += 1) {
      let count = 0;
      fc.check(
        fc.property(text(limits), (value) => {
          values.push(value);
          count += 1;
          return count % 3 !== 0;
        }),
        { seed, numRuns: 50 },
      );
    }
    for (const value of values) {
      expect([...value].length).toBeGreaterThanOrEqual(limits.min);
      expect([...value].length).toBeLessThanOrEqual(limits.max);
      expect(bytesOf(value)).toBeLessThanOrEqual(limits.maxBytes);
      expect(value.isWellFormed()).toBe(true);
    }
  });

  test('shrinking always ends, whatever fails', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const run = fc.check(
        fc.property(text({ min: 0, max: 255, maxBytes: 255 }), (value) => value.length % 3 !== seed % 3),
        { seed, numRuns: 100 },
      );
      expect(run.numShrinks).toBeLessThan(1000);
    }
  });

  test.each([
    [255, 1],
    [255, 2],
    [256, 3],
    [4097, 4],
  ])('textOfBytes(%i, %i) has so many bytes', (bytes, width) => {
    for (const value of fc.sample(textOfBytes(bytes, width), 20)) expect(bytesOf(value)).toBe(bytes);
  });
});

describe('accepted', () => {
  test('gives up with what it looked for and what it saw last', () => {
    const none = accepted(fc.constant(7), 'even number', (value) => value % 2 === 0);
    expect(() => fc.sample(none, 1)).toThrow(GaveUp);
    expect(() => fc.sample(none, 1)).toThrow(/even number in 300 tries; the last one was 7/);
  });

  test('shrinks within what it accepts', () => {
    const notEleven = accepted(fc.nat(), 'number but 11', (value) => value !== 11);
    expect(
      fc.check(
        fc.property(notEleven, (value) => value < 11),
        { seed: 1, numRuns: 1000 },
      ).counterexample,
    ).toEqual([12]);
  });
});
