/** Choices of an `enum`, of which some contracts list tens of thousands. */

/** So many are tried one by one; of more, as many as these, evenly spread. */
const MOST = 200;

/** The choices that are tried: all of them, or some from the first to the last. */
export function someOf<T>(choices: readonly T[]): readonly T[] {
  if (choices.length <= MOST) {
    return choices;
  }
  const step = (choices.length - 1) / (MOST - 1);
  return Array.from({ length: MOST }, (_, index) => choices[Math.round(index * step)] as T);
}
