/** Arbitraries that end: fast-check looks for ever for a value that does not exist, and shrinks whatever it is told. */
import * as fc from 'fast-check';
import { supported } from '../contract/keywords.ts';
import { entry } from '../contract/load.ts';

/** No value was accepted in many tries: the schema, a hint or the generator is wrong, never the service under test. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/** More than any filter here needs: the least likely values are accepted about once in thirty tries. */
const TRIES = 150;
const SEED = 1;

type Parts<T> = Pick<fc.Arbitrary<T>, 'generate' | 'canShrinkWithoutContext' | 'shrink'>;

export const arbitraryFrom = <T>(parts: Parts<T>): fc.Arbitrary<T> =>
  Object.assign(Object.create(fc.Arbitrary.prototype) as fc.Arbitrary<T>, parts);

/** The values that `accepts` takes. Generating throws `GaveUp`, with `what` was looked for, after `tries` refused ones. */
export function accepted<T>(
  source: fc.Arbitrary<T>,
  what: string,
  accepts: (value: T) => boolean,
  tries = TRIES,
): fc.Arbitrary<T> {
  /** Where values are rare: the one of a fixed seed, or why there is none. A seed does not decide whether there is. */
  let rare: fc.Value<T> | GaveUp | undefined;
  let isLast = false;
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
      const shown = JSON.stringify(last)?.slice(0, 300) ?? String(last);
      if (isLast) {
        throw (rare = new GaveUp(`found no ${what} in ${tries} tries; the last one was ${shown}`));
      }
      isLast = true;
      try {
        return (rare = new fc.Value(
          fc.sample(made, { numRuns: 1, seed: SEED })[0] as T,
          undefined,
        ));
      } finally {
        isLast = false;
      }
    },
    canShrinkWithoutContext: (value): value is T =>
      source.canShrinkWithoutContext(value) && accepts(value),
    shrink: (value, context) =>
      source.shrink(value, context).filter((shrunk) => accepts(shrunk.value)),
  });
  return made;
}

/** The values of `source`, which chooses among others: again, where it gave up. */
export function choosingAnew<T>(source: fc.Arbitrary<T>, tries = 20): fc.Arbitrary<T> {
  return arbitraryFrom<T>({
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
    canShrinkWithoutContext: (value): value is T => source.canShrinkWithoutContext(value),
    shrink: (value, context) => source.shrink(value, context),
  });
}

/** `nothing` that many times in so many more, else a value. `fc.option` takes several times as long. */
export function orElse<T>(
  nothing: T,
  values: fc.Arbitrary<T>,
  times: number,
  others: number,
): fc.Arbitrary<T> {
  const none = new fc.Value(nothing, undefined);
  return arbitraryFrom<T>({
    generate: (random, bias) => {
      if (random.nextInt(1, times + others) > others) {
        return none;
      }
      return values.generate(random, bias);
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

/** A few values of `source`, always the same ones: what stands beside the value that counts, and takes long to make. */
export function aFewOf<T>(source: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const made: fc.Value<T>[] = [];
  // With what it takes to shrink them.
  const whole = arbitraryFrom<fc.Value<T>>({
    generate: (random, bias) => new fc.Value(source.generate(random, bias), undefined),
    canShrinkWithoutContext: (value): value is fc.Value<T> => value instanceof fc.Value,
    shrink: () => fc.Stream.nil(),
  });
  return arbitraryFrom<T>({
    generate: (random) => {
      const at = random.nextInt(0, A_FEW - 1);
      return (made[at] ??= fc.sample(whole, { numRuns: 1, seed: SEED + at })[0]!);
    },
    canShrinkWithoutContext: (value): value is T => source.canShrinkWithoutContext(value),
    shrink: (value, context) => source.shrink(value, context),
  });
}

const A_FEW = 20;

/** Whether `arbitrary` gives a value at all. Asked once when a list is made, so that a caller meets no empty entry. */
export const exists = (arbitrary: fc.Arbitrary<unknown>): boolean =>
  samples(arbitrary, 1).length > 0;

/** So many values of `arbitrary`, always the same; none where it gives up. */
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

/** The result of `make`, unless the schema rules it out: one of several ways. */
export function possible<T>(make: () => T): T[] {
  const none = (): T[] => [];
  return supported(() => [make()], none);
}

const counted = new WeakMap<object, Map<number, boolean>>();

/** Items whose `key` differs; `GaveUp` where there are too few, for which `fc.uniqueArray` would look for ever. */
export function distinct<T>(
  item: fc.Arbitrary<T>,
  key: (one: T) => string,
  minLength: number,
  maxLength: number,
) {
  const isEnough = (numRuns: number) =>
    new Set(fc.sample(item, { numRuns, seed: SEED }).map(key)).size >= minLength;
  const known = entry(counted, item, () => new Map<number, boolean>());
  // Most items differ, and making many takes a while.
  const enough = entry(
    known,
    minLength,
    () => minLength <= 1 || isEnough(2 * minLength) || isEnough(30 * minLength),
  );
  if (!enough) {
    return accepted(fc.constant<T[]>([]), `${minLength} distinct items`, () => false);
  }
  return fc.uniqueArray(item, { minLength, maxLength, selector: key });
}

/** No smaller value is made once `enough`: fast-check tries all those of the last failure, which takes long. */
export function shrunkUntil<T>(source: fc.Arbitrary<T>, enough: () => boolean): fc.Arbitrary<T> {
  return arbitraryFrom<T>({
    generate: (random, bias) => source.generate(random, bias),
    canShrinkWithoutContext: (value): value is T => source.canShrinkWithoutContext(value),
    shrink: (value, context) => {
      if (enough()) {
        return fc.Stream.nil();
      }
      return source.shrink(value, context).takeWhile(() => !enough());
    },
  });
}
