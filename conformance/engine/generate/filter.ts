/** A filter that gives up. `Arbitrary.filter` of fast-check looks for ever for a value that does not exist. */
import * as fc from 'fast-check';

/**
 * No value was accepted in many tries: the schema, a hint, or the generator is at fault, never the service under test.
 */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/** Far more than any filter here needs (the least likely value is accepted about once in ten tries). */
const TRIES = 300;
const SEED = 1;

/**
 * The values of `source` that `accepts` takes, with its shrinking. Generating throws `GaveUp` with `what` (words for
 * what is looked for) after 300 refused values in a row, and as many more that do not depend on what came before: a seed
 * does not decide whether there is a value. Shrinking skips refused values.
 */
export function accepted<T>(source: fc.Arbitrary<T>, what: string, accepts: (value: T) => boolean): fc.Arbitrary<T> {
  return new Accepted(source, what, accepts);
}

class Accepted<T> extends fc.Arbitrary<T> {
  readonly #source: fc.Arbitrary<T>;
  readonly #what: string;
  readonly #accepts: (value: T) => boolean;
  #isLast = false;

  constructor(source: fc.Arbitrary<T>, what: string, accepts: (value: T) => boolean) {
    super();
    this.#source = source;
    this.#what = what;
    this.#accepts = accepts;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    let last: unknown;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const generated = this.#source.generate(random, bias);
      if (this.#accepts(generated.value)) return generated;
      last = generated.value;
    }
    if (!this.#isLast) return this.#again();
    const shown = JSON.stringify(last)?.slice(0, 300) ?? String(last);
    throw new GaveUp(`found no ${this.#what} in ${TRIES} tries; the last one was ${shown}`);
  }

  /** Where values are rare: the one that `exists` finds. */
  #again(): fc.Value<T> {
    this.#isLast = true;
    try {
      return new fc.Value(fc.sample(this, { numRuns: 1, seed: SEED })[0] as T, undefined);
    } finally {
      this.#isLast = false;
    }
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#source.canShrinkWithoutContext(value) && this.#accepts(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#source.shrink(value, context).filter((shrunk) => this.#accepts(shrunk.value));
  }
}

/**
 * Whether `arbitrary` gives a value at all. Asked once when a list is made, so that a caller never meets an empty
 * entry.
 */
export function exists(arbitrary: fc.Arbitrary<unknown>): boolean {
  try {
    fc.sample(arbitrary, { numRuns: 1, seed: SEED });
    return true;
  } catch (error) {
    if (error instanceof GaveUp) return false;
    throw error;
  }
}
