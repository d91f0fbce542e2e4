/** Values whose shrinking ends when somebody has seen enough. */
import * as fc from 'fast-check';

/**
 * The values of `source`. fast-check looks at every smaller value of the last failure, whatever it is told of them,
 * and to make a large one smaller and check it again takes long: once `enough`, none is made any more.
 */
export function shrunkUntil<T>(source: fc.Arbitrary<T>, enough: () => boolean): fc.Arbitrary<T> {
  return new Bounded(source, enough);
}

class Bounded<T> extends fc.Arbitrary<T> {
  readonly #source: fc.Arbitrary<T>;
  readonly #enough: () => boolean;

  constructor(source: fc.Arbitrary<T>, enough: () => boolean) {
    super();
    this.#source = source;
    this.#enough = enough;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return this.#source.generate(random, bias);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#source.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return fc.stream(until(this.#source.shrink(value, context), this.#enough));
  }
}

function* until<T>(values: Iterator<T>, enough: () => boolean): IterableIterator<T> {
  while (!enough()) {
    const next = values.next();
    if (next.done) return;
    yield next.value;
  }
}
