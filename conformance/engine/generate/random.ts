/** The source of random choices: chance, or a seed, so that a run can be repeated. */
import { randomInt, randomUUID } from 'node:crypto';

export interface Random {
  /** A whole number from `first` up to `last`, both included. */
  between(first: number, last: number): number;
  uuid(): string;
}

/** No two runs choose the same. */
export const CHANCE: Random = {
  between: (first, last) => randomInt(first, last + 1),
  uuid: () => randomUUID(),
};

/** Seeds of fast-check are integers of 32 bits. */
const MOST_SEED = 2 ** 31 - 1;

export const seedFrom = (random: Random): number => random.between(0, MOST_SEED);

/** The same choices, in the same order, for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  /** A fraction from 0 up to 1, by the generator mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (first: number, last: number) => first + Math.floor(next() * (last - first + 1));
  const hex = (length: number) =>
    Array.from({ length }, () => between(0, 15).toString(16)).join('');
  const variant = () => '89ab'.charAt(between(0, 3));
  return {
    between,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${variant()}${hex(3)}-${hex(12)}`,
  };
}
