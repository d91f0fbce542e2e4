/** Texts that match a pattern. */
import * as fc from 'fast-check';
import { entry } from '../contract/entry.ts';

const made = new Map<string, fc.Arbitrary<string>>();

/** Made once for each pattern: a class such as `\p{Letter}` takes a quarter of a second. */
export function textMatching(pattern: string, maxLength: number): fc.Arbitrary<string> {
  return entry(made, `${maxLength} ${pattern}`, () =>
    fc.stringMatching(new RegExp(pattern, 'u'), Number.isFinite(maxLength) ? { maxLength } : {}),
  );
}
