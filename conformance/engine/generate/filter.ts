/**
 * Arbitraries that end: fast-check would look for ever for a value that does not exist, and shrinks
 * without a limit.
 */
import { stringifyJson } from '../contract/json-numbers.ts';
import * as fc from 'fast-check';
import { supported } from '../contract/keywords.ts';
import { entry } from '../contract/load.ts';

/**
 * No value was accepted in many tries: the schema, a hint or the generator is wrong, never the
 * service under test.
 */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/**
 * More than any filter here needs: the least likely values are accepted about once in thirty tries.
 */
const TRIES = 150;
const SEED = 1;

type Parts<T> = Pick<fc.Arbitrary<T>, 'generate' | 'canShrinkWithoutContext' | 'shrink'>;

export const arbitraryFrom = <T>(parts: Parts<T>): fc.Arbitrary<T> =>
  Object.assign(Object.create(fc.Arbitrary.prototype) as fc.Arbitrary<T>, parts);

/** The arbitrary with some members replaced. */
function changed<T>(source: fc.Arbitrary<T>, parts: Partial<Parts<T>>): fc.Arbitrary<T> {
  return arbitraryFrom<T>({
    generate: (random, bias) => source.generate(random, bias),
    canShrinkWithoutContext: (value): value is T => source.canShrinkWithoutContext(value),
    shrink: (value, context) => source.shrink(value, context),
    ...parts,
  });
}

/** A value without the data of fast-check about the way in which it was made. */
export const alone = <T>(value: T): fc.Value<T> => new fc.Value(value, undefined);

/**
 * The values that `accepts` takes. Generating throws `GaveUp`, with the name `what` of the values,
 * after `tries` refused ones.
 */
export function accepted<T>(
  source: fc.Arbitrary<T>,
  what: string,
  accepts: (value: T) => boolean,
  tries = TRIES,
): fc.Arbitrary<T> {
  /**
   * For rare values: the value of a fixed seed, or the reason why there is none. The seed of a run
   * must not decide that.
   */
  let rare: fc.Value<T> | GaveUp | undefined;
  let hasFixedSeed = false;
  const made: fc.Arbitrary<T> = arbitraryFrom<T>({
    generate(random, bias) {
      if (rare instanceof GaveUp) {
        throw rare;
      }
      let last: unknown;
      for (let count = 0; count < tries; count += 1) {
        const generated = source.generate(random, bias);
        if (accepts(generated.value)) {
          return generated;
        }
        last = generated.value;
      }
      if (rare) {
        return rare;
      }
      if (hasFixedSeed) {
        rare = new GaveUp(`found no ${what} in ${tries} tries; the last one was ${shown(last)}`);
        throw rare;
      }
      hasFixedSeed = true;
      try {
        const [value] = fc.sample(made, { numRuns: 1, seed: SEED });
        rare = alone(value as T);
        return rare;
      } finally {
        hasFixedSeed = false;
      }
    },
    canShrinkWithoutContext: (value): value is T =>
      source.canShrinkWithoutContext(value) && accepts(value),
    shrink: (value, context) =>
      source.shrink(value, context).filter((shrunk) => accepts(shrunk.value)),
  });
  return made;
}

function shown(value: unknown): string {
  if (value === undefined) {
    return 'undefined';
  }
  return stringifyJson(value).slice(0, 300);
}

/**
 * The values of `source`, which chooses among others. If a choice gives up, `source` chooses again.
 */
export function choosingAnew<T>(source: fc.Arbitrary<T>, tries = 20): fc.Arbitrary<T> {
  return changed(source, {
    generate(random, bias) {
      for (let count = 1; ; count += 1) {
        try {
          return source.generate(random, bias);
        } catch (error) {
          if (!(error instanceof GaveUp) || count === tries) {
            throw error;
          }
        }
      }
    },
  });
}

/** How often something is chosen, as `times` in `times + others`. */
interface Odds {
  times: number;
  others: number;
}

/**
 * `nothing` with these odds, and where no value is found; else a value. `fc.option` takes several
 * times as long.
 */
export function orElse<T>(
  nothing: T,
  values: fc.Arbitrary<T>,
  { times, others }: Odds,
): fc.Arbitrary<T> {
  const none = alone(nothing);
  return arbitraryFrom<T>({
    generate: (random, bias) => {
      if (random.nextInt(1, times + others) > others) {
        return none;
      }
      try {
        return values.generate(random, bias);
      } catch (error) {
        if (error instanceof GaveUp) {
          return none;
        }
        throw error;
      }
    },
    canShrinkWithoutContext: (value): value is T =>
      value === nothing || values.canShrinkWithoutContext(value),
    shrink: (value, context) => {
      if (value === nothing) {
        return fc.Stream.nil();
      }
      return fc.Stream.of(none).join(values.shrink(value, context));
    },
  });
}

const A_FEW = 20;

/**
 * A few values of `source`, always the same ones: for parts beside the value that counts, which
 * take long to make.
 */
export function aFewOf<T>(source: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const made: fc.Value<T>[] = [];
  // A sample has values alone: these keep the data that is needed to shrink them.
  const shrinkable = arbitraryFrom<fc.Value<T>>({
    generate: (random, bias) => alone(source.generate(random, bias)),
    canShrinkWithoutContext: (value): value is fc.Value<T> => value instanceof fc.Value,
    shrink: () => fc.Stream.nil(),
  });
  return changed(source, {
    generate: (random) => {
      const at = random.nextInt(0, A_FEW - 1);
      const known = made[at];
      if (known !== undefined) {
        return known;
      }
      const [value] = fc.sample(shrinkable, { numRuns: 1, seed: SEED + at });
      if (value === undefined) {
        throw new Error('a sample of one run has one value');
      }
      made[at] = value;
      return value;
    },
  });
}

/**
 * Whether `arbitrary` gives a value at all. Asked once when a list is made, so that a caller meets
 * no empty entry.
 */
export const exists = (arbitrary: fc.Arbitrary<unknown>): boolean =>
  samples(arbitrary, 1).length > 0;

/** This number of values of `arbitrary`, always the same; empty if it gives up. */
export function samples<T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] {
  try {
    return fc.sample(arbitrary, { numRuns, seed: SEED });
  } catch (error) {
    if (error instanceof GaveUp) {
      return [];
    }
    throw error;
  }
}

/** A list of the result of `make`; an empty one if the schema rules the result out. */
export function possible<T>(make: () => T): T[] {
  const none = (): T[] => [];
  return supported(() => [make()], none);
}

/** By the arbitrary of the items and the least number of them. */
const areEnough = new WeakMap<object, Map<number, boolean>>();

/**
 * Lists of items with different keys. Generating throws `GaveUp` if there are too few:
 * `fc.uniqueArray` would not end.
 */
export function distinct<T>(
  item: fc.Arbitrary<T>,
  keyOf: (one: T) => string,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<T[]> {
  const differ = (numRuns: number): boolean => {
    const keys = fc.sample(item, { numRuns, seed: SEED }).map(keyOf);
    return new Set(keys).size >= minLength;
  };
  // Most items differ, and to make many of them takes a while.
  const tryToFind = () => minLength <= 1 || differ(2 * minLength) || differ(30 * minLength);
  const known = entry(areEnough, item, () => new Map<number, boolean>());
  if (!entry(known, minLength, tryToFind)) {
    return accepted(fc.constant<T[]>([]), `${minLength} distinct items`, () => false);
  }
  return fc.uniqueArray(item, { minLength, maxLength, selector: keyOf });
}

/**
 * No smaller value is made once `enough`: fast-check tries all those of the last failure, which
 * takes long.
 */
export function shrunkUntil<T>(source: fc.Arbitrary<T>, enough: () => boolean): fc.Arbitrary<T> {
  return changed(source, {
    shrink: (value, context) => {
      if (enough()) {
        return fc.Stream.nil();
      }
      return source.shrink(value, context).takeWhile(() => !enough());
    },
  });
}
