/** Texts that satisfy the string keywords of a shape. */
import * as fc from 'fast-check';
import { isPatterned, strictest, texts, type Shape } from '../contract/shape.ts';
import { type Build, realisticOf } from './build.ts';
import { accepted } from './filter.ts';
import { fits } from './fits.ts';
import { formatOf } from './formats.ts';
import { textMatching } from './matching.ts';
import { shrinking } from './shrink.ts';
import { text } from './text.ts';

export function stringOf(build: Build, shape: Shape): fc.Arbitrary<string> {
  const min = strictest(shape, 'minLength') ?? 0;
  const max = strictest(shape, 'maxLength') ?? Infinity;
  const [pattern] = texts(shape, 'pattern');
  const format = texts(shape, 'format')
    .map(formatOf)
    .find((one) => one !== undefined);
  const real = realisticOf(build, shape);
  const right = (value: string): boolean => fits(build, shape, value);
  const place = shape.roots.join(' and ');

  if (real && fc.sample(real.values, { numRuns: 30, seed: 1 }).every(right))
    return shrinking(build, shape, real.values);
  if (format) return shrinking(build, shape, accepted(format.valid, `text for ${place}`, right));
  if (pattern !== undefined)
    return shrinking(
      build,
      shape,
      accepted(textMatching(pattern, max), `text for ${place}`, (value) => value.isWellFormed() && right(value)),
    );
  return text({ min, max: Math.min(max, min + 4096), maxBytes: strictest(shape, 'x-max-bytes') ?? Infinity });
}

/**
 * Texts of exactly `length` characters that satisfy every other rule of the shape, the simplest first; empty when none
 * is found. Made by repeating a piece of a valid text until the length is reached.
 */
export function textsOfLength(build: Build, shape: Shape, length: number): string[] {
  if (length < 0) return [];
  const right = (value: string): boolean => fits(build, shape, value, true);
  const special = realisticOf(build, shape)?.ofLength;
  if (special) return special(length).filter(right);
  if (!isPatterned(shape)) {
    // A service that counts UTF-16 units, or bytes, takes these for longer than they are.
    const chars = length * 4 <= 65536 ? ['a', 'é', '漢', '😀'] : ['a'];
    const bytes = strictest(shape, 'x-max-bytes') ?? Infinity;
    const candidates = chars.map((char) => char.repeat(length));
    return candidates.filter((value, index) => right(value) && (index === 0 || Buffer.byteLength(value) <= bytes));
  }
  const real = realisticOf(build, shape);
  const edges = Object.values(real?.edges ?? {}).filter((edge) => lengthOf(edge) === length && right(edge));
  if (edges.length > 0) return edges;
  const samples = [...fc.sample(stringOf(build, shape), { numRuns: 60, seed: 1 }), ...Object.values(real?.edges ?? {})];
  const found = new Set<string>();
  for (const sample of samples.toSorted((one, other) => one.length - other.length)) {
    if (lengthOf(sample) === length) found.add(sample);
    const pumped = pump(sample, length, right);
    if (pumped !== undefined) found.add(pumped);
    if (found.size >= 4) break;
  }
  if (found.size === 0 && length <= 3) return shortTexts(samples, length).filter(right).slice(0, 4);
  return [...found];
}

export function lengthOf(value: string): number {
  return [...value].length;
}

/** `sample` with one piece of at most three characters repeated until it has `length` characters and is `right`. */
function pump(sample: string, length: number, right: (value: string) => boolean): string | undefined {
  const chars = [...sample];
  const missing = length - chars.length;
  if (missing <= 0) return undefined;
  for (let size = 1; size <= 3; size += 1) {
    if (missing % size !== 0) continue;
    // From the end: the beginning often is a scheme or a name that means something.
    for (let start = chars.length - size; start >= 0; start -= 1) {
      const piece = chars.slice(start, start + size).join('');
      const candidate = chars.slice(0, start).join('') + piece.repeat(missing / size) + chars.slice(start).join('');
      if (right(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Every text of `length` characters over the characters that the samples begin with. */
function shortTexts(samples: readonly string[], length: number): string[] {
  const alphabet = [...new Set(['a', 'A', '0', '.', '-', '_', ':', '/', ...samples.join('').slice(0, 400)])].slice(
    0,
    30,
  );
  let made = [''];
  for (let count = 0; count < length; count += 1) made = made.flatMap((head) => alphabet.map((char) => head + char));
  return made;
}
