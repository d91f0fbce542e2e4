/** Values of another type, other than those that are listed, numbers beyond a bound, and texts that break one rule. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { BYTE_FORMAT, expressionOf, isTextFormat, SHORTEST } from '../contract/keywords.ts';
import { ALL_TYPES, strictest, type JsonType, type Shape } from '../contract/shape.ts';
import { among, type Build, exactly, type Mutation, realisticOf } from './build.ts';
import { rangeOf } from './numbers.ts';
import { formatOf, stringOf, textOfBytes, textsOfLength } from './strings.ts';
import { present } from './valid.ts';

/** Values that a lenient reader takes for a number, a boolean, nothing, a list of one … Those of any use come first. */
const TEMPTING: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  integer: [1, 0, 5],
  number: [1.5, 0.5, -0.1, 5.000001],
  string: ['', 'null', 'a', '{}', '[]', '5', '1', 'true', 'false', '1.5'],
  array: [[]],
  object: [{}],
};

/** How many of them are tried where no number is due, nor, for a text, a boolean: nobody reads more than that. */
const FEW: Readonly<Partial<Record<JsonType, number>>> = { integer: 2, number: 1, string: 5 };
const NEAR: readonly JsonType[] = ['integer', 'number', 'boolean'];

/** A valid value within a value of another type. */
const WRAPPED: Readonly<Partial<Record<JsonType, (value: unknown) => unknown>>> = {
  array: (value) => [value],
  object: (value) => ({ value }),
  string: (value) => JSON.stringify(value),
};

export function typeMutations(build: Build, shape: Shape): Mutation[] {
  const due = [...shape.types].join(' or ');
  const valid = present(build, shape);
  const { min, max } = rangeOf(shape);
  return ALL_TYPES.filter((type) => !shape.types.has(type)).flatMap((type) => {
    // Each by itself: what a reader takes for something else is often one value alone.
    const isNear = NEAR.some((near) => shape.types.has(near) && (near !== 'boolean' || type === 'string'));
    const tempting = TEMPTING[type]
      .slice(0, isNear ? undefined : FEW[type])
      // Beyond its limits it would break them, too.
      .filter((value) => typeof value !== 'number' || !shape.types.has('integer') || (value >= min && value <= max))
      .map((value) => exactly(`${JSON.stringify(value)} in place of ${due}`, value));
    const wrap = WRAPPED[type];
    return valid && wrap ? [...tempting, [`${due} in ${type}`, valid.map(wrap)]] : tempting;
  });
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function choiceMutations(_: Build, { choices = [] }: Shape): Mutation[] {
  const words = choices.filter((choice) => typeof choice === 'string');
  const numbers = choices.filter((choice) => typeof choice === 'number');
  const isText = words.length > 0;
  const mutations: Record<string, unknown[]> = {
    'another case': words.flatMap((word) => [word.toUpperCase(), word.toLowerCase(), capitalized(word)]),
    'another word': isText
      ? ['other', 'none', 'null', ...words.flatMap((word) => [word.slice(0, -1), `${word}s`, `${word}0`])]
      : [],
    'an empty text': [''],
    'white space around it': words.flatMap((word) => [` ${word}`, `${word} `, `${word}\n`]),
    'two of them': isText ? [words.join(','), words.join('')] : [],
    'another number': numbers.flatMap((number) => [number + 1, -number - 1, number + 0.5]),
    'a number': [...words.map(Number).filter((number) => !Number.isNaN(number)), 0],
    'a text': numbers.map(String),
    null: [null],
    'a boolean': [true, false],
    'a list of it': choices.map((choice) => [choice]),
    'an object': [{}],
  };
  return Object.entries(mutations).flatMap(([label, values]) =>
    values
      .filter((value) => !choices.some((choice) => isDeepStrictEqual(choice, value)))
      .map((value) => exactly(`${label}: ${JSON.stringify(value)}`, value)),
  );
}

export function boundMutations(_: Build, shape: Shape, { keyword }: Clause): Mutation[] {
  const bound = strictest(shape, keyword)!;
  const direction = /minimum/i.test(keyword) ? -1 : 1;
  const far = [2 ** 31, 2 ** 32, 2 ** 53, 1e15].map((size) => direction * size);
  const near = [0.01, 1e-9].map((step) => bound + direction * step);
  return [
    ...(keyword.startsWith('exclusive') ? [exactly(`${bound} itself`, bound)] : []),
    exactly(`${bound + direction}, one beyond`, bound + direction),
    ...among(
      'far beyond',
      far.filter((value) => (value - bound) * direction > 1),
    ),
    ...among('just beyond', shape.types.has('number') ? near : []),
  ];
}

export function multipleMutations(_: Build, shape: Shape, { schema }: Clause): Mutation[] {
  const step = schema['multipleOf'] as number;
  const offsets = shape.types.has('number') ? [step / 2, step / 10] : [1];
  const counts = fc.integer({ min: 0, max: 9 });
  return offsets.map((offset) => [`a multiple and ${offset}`, counts.map((count) => count * step + offset)]);
}

export function lengthMutations(build: Build, shape: Shape, { keyword, schema }: Clause): Mutation[] {
  const limit = schema[keyword] as number;
  const length = keyword === 'minLength' ? limit - 1 : limit + 1;
  // Beside a limit in bytes, only characters of one byte show that this limit is broken.
  if (keyword === 'maxLength' && strictest(shape, 'x-max-bytes') !== undefined)
    return [exactly(`${length} ASCII characters`, 'a'.repeat(length))];
  const what = keyword === 'minLength' ? 'one fewer than allowed' : 'one more than allowed';
  return among(`${length} characters, ${what}`, textsOfLength(build, shape, length));
}

export function byteMutations(_: Build, shape: Shape, { schema }: Clause): Mutation[] {
  const limit = schema['x-max-bytes'] as number;
  // Those characters pass where characters are counted, up to the last one.
  const chars = Math.min(limit, strictest(shape, 'maxLength') ?? limit);
  if (chars <= 0) return [];
  return [
    ...ofBytes(limit + 1, ', one more than allowed'),
    [`${chars} characters of 4 bytes`, textOfBytes(chars * 4, 4)],
  ];
}

/** Texts of so many bytes, in characters of each width. */
export function ofBytes(bytes: number, what = ''): Mutation[] {
  const widths = [1, 2, 3, 4].filter((width) => width <= bytes);
  return widths.map((width) => [`${bytes} bytes in characters of ${width}${what}`, textOfBytes(bytes, width)]);
}

/** Characters that a sloppy expression, trimming or decoding lets through. */
const INSERTED = ['\r\n', ...'\n \u0000/.%*?"\'\\\u00e9\u0661\u{1f600}\u200b-_:A'];

/** It breaks a `minLength` beside the rule, too, and most readers have a case of its own for it. */
function emptyUnless(isRight: boolean): Mutation[] {
  return isRight ? [] : [exactly('an empty text', '')];
}

function inOtherCase(text: string): string {
  return Array.from(text, (char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join('');
}

export function patternMutations(build: Build, shape: Shape, { schema }: Clause): Mutation[] {
  const near = Object.entries(realisticOf(build, shape)?.near ?? {}).map(([label, value]) => exactly(label, value));
  const mutated = fc
    .tuple(
      stringOf(build, shape),
      fc.constantFrom('append', 'prepend', 'insert', 'delete', 'replace'),
      fc.constantFrom(...INSERTED),
      fc.nat({ max: 300 }),
    )
    .map(([value, kind, char, at]) => {
      const chars = [...value];
      const index = at % Math.max(1, chars.length);
      if (kind === 'append') return value + char;
      if (kind === 'prepend') return char + value;
      if (kind === 'insert') return chars.toSpliced(index, 0, char).join('');
      return chars.toSpliced(index, 1, ...(kind === 'replace' ? [char] : [])).join('');
    });
  const expression = expressionOf(schema['pattern'] as string);
  const empty = emptyUnless(expression.test(''));
  const swapped = fc.sample(stringOf(build, shape), { numRuns: 10, seed: 1 }).map(inOtherCase);
  const cased = among(
    'a valid text in another case',
    swapped.filter((text) => !expression.test(text)),
  );
  return [...near, ['a valid text with one change', mutated], ...cased, ...empty];
}

export function formatMutations(_: Build, __: Shape, { schema }: Clause): Mutation[] {
  const name = schema['format'] as string;
  const [, bytes] = BYTE_FORMAT.exec(name) ?? [];
  if (bytes !== undefined) return ofBytes(Number(bytes) + 1);
  if (name === 'int32') return among('beyond 32 bits', [2 ** 31, -(2 ** 31) - 1]);
  const empty = emptyUnless(!isTextFormat(name) || SHORTEST[name] === 0);
  return [...among(`not quite ${name}`, formatOf(name)?.near ?? []), ...empty];
}
