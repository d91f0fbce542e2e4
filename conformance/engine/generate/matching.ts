/** Texts that match a pattern. */
import * as fc from 'fast-check';

const made = new Map<string, fc.Arbitrary<string>>();

/** Made once for each pattern: a class such as `\p{Letter}` takes a quarter of a second. */
export function textMatching(pattern: string, maxLength: number): fc.Arbitrary<string> {
  const key = `${maxLength} ${pattern}`;
  let texts = made.get(key);
  if (!texts) {
    const matching = fc.stringMatching(new RegExp(pattern, 'u'), Number.isFinite(maxLength) ? { maxLength } : {});
    made.set(key, (texts = matching));
  }
  return texts;
}
