import * as fc from 'fast-check';

/** Samples, and values met while shrinking some of them, each along a path of its own. */
export function seen<T>(arbitrary: fc.Arbitrary<T>, samples: number): T[] {
  const values: T[] = [];
  for (let seed = 1; seed <= 4; seed += 1) {
    let count = 0;
    // Passes now and then, so that the shrinker takes turns that a plain failure does not take.
    fc.check(
      fc.property(fc.limitShrink(arbitrary, 40), (value) => {
        values.push(value);
        count += 1;
        return count < 6 || (count * (seed + 2)) % 5 === 0;
      }),
      { seed, numRuns: 10 },
    );
  }
  return [...values, ...fc.sample(arbitrary, { numRuns: samples, seed: 42 })];
}
