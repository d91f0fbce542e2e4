import * as fc from 'fast-check';

export interface Seen {
  /** Values of each generator. */
  samples: number;
  /** Failing runs of each generator, to see the values that shrinking meets. */
  shrinks: number;
  seed: number;
}

/** Samples, and values that are met while shrinking, each run along a path of its own. */
export function valuesSeen<T>(arbitrary: fc.Arbitrary<T>, { samples, shrinks, seed }: Seen): T[] {
  const values: T[] = [];
  for (let run = 1; run <= shrinks; run += 1) {
    let count = 0;
    // Passes now and then, so that the shrinker takes turns that a plain failure does not take.
    fc.check(
      fc.property(fc.limitShrink(arbitrary, 40), (value) => {
        values.push(value);
        count += 1;
        return count < 6 || (count * (run + 2)) % 5 === 0;
      }),
      { seed: seed + run, numRuns: 10 },
    );
  }
  return [...values, ...fc.sample(arbitrary, { numRuns: samples, seed })];
}
