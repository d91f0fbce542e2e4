/** Texts that satisfy the string keywords of a shape; free texts; valid values and near misses of formats. */
import * as fc from 'fast-check';
import { isTextFormat, sendableSize, type TextFormat, words } from '../contract/keywords.ts';
import { isPatterned, type Shape, shapeWith, strictest, texts } from '../contract/shape.ts';
import { type Build, fits, realisticOf } from './build.ts';
import { accepted } from './filter.ts';
import { textMatching } from './pattern-texts.ts';
import { shrinking } from './shrink.ts';

const host = fc.constantFrom(
  'a.example',
  'shop.example.com',
  '127.0.0.1:4010',
  'x--y.example:8443',
);
const path = fc.constantFrom('', '/', '/a', '/a/b?c=d&e=%20', '/%C3%A9#f', '/~a;b=1/');
const uri = fc
  .tuple(fc.constantFrom('http', 'https'), host, path)
  .map(([scheme, name, rest]) => `${scheme}://${name}${rest}`);

const date = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2100-01-01'),
  noInvalidDate: true,
});

const VALID: Readonly<
  Record<TextFormat, fc.Arbitrary<string>> & Record<string, fc.Arbitrary<string>>
> = {
  uri,
  'uri-reference': fc.oneof(fc.constant('/a'), uri),
  'date-time': date.map((one) => one.toISOString()),
  date: fc.constantFrom('2026-01-15', '1970-01-01', '2024-02-29'),
  email: fc.constantFrom('ada@example.com', 'a.b+c@x.example'),
  uuid: fc.uuid(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  re2: fc.constantFrom('a', '(?i)bot/[0-9]+', '^curl/', '[^a-z]{2,5}$', '(?P<name>x)|y', '\\pL'),
  hostname: fc.constantFrom('a', 'a.example'),
  // Of these, services also take other texts, or check none: nothing of them is refused for certain.
  time: fc.constantFrom('12:30:00Z', '00:00:00Z', '23:59:59.5+05:30'),
  duration: fc.constantFrom('PT1H', 'P3D', 'P1DT12H30M'),
  byte: fc.base64String(),
  url: fc.constantFrom('https://a.example/b', 'http://shop.example.com'),
  'uri-template': fc.constantFrom('/a/{b}', 'https://a.example/{?c}'),
  'json-pointer': fc.constantFrom('', '/a/0', '/~0'),
  'iso-time': fc.constantFrom('12:30:00', '00:00:00Z'),
  'iso-date-time': date.map((one) => one.toISOString()),
};

/** Tempting, and wrong. */
const NEAR: Readonly<Record<TextFormat, readonly string[]>> = {
  uri: [
    'example.com',
    '/a',
    'http://a b',
    'http://a.example/é',
    'http//a',
    '://a',
    'http://a\n',
    ' http://a',
  ],
  'uri-reference': ['/a b', '/é', '/a\n', '\\a', 'http://a/%zz', '/a"b'],
  'date-time': words(
    '2026-01-15 1768469400 2026-02-30T00:00:00Z 2026-13-01T00:00:00Z 2026-01-15T24:30:00Z',
  ),
  date: ['2026-02-30', '2026-1-5', '15.01.2026', '2026-01-15T00:00:00Z'],
  email: ['ada', 'ada@', '@example.com', 'a b@example.com'],
  uuid: ['0', '00000000-0000-0000-0000-00000000000g', '00000000000000000000000000000000'],
  ipv4: ['256.0.0.1', '1.2.3', '01.2.3.4.5', '1.2.3.4 '],
  ipv6: [':::', '1::2::3', 'g::', '1.2.3.4'],
  // Every engine with the syntax of RE2 refuses what is open, what is missing, and what backtracking alone can do. An
  // error that quotes a long one may be too long.
  re2: words(
    `( ) [a *a + a\\ (?=a) (?!a) (?<=a) (a)\\1 [z-a] a{2,1} (?P<>a) (?>a) (${'a'.repeat(1020)}`,
  ),
  hostname: ['-a', 'a_b', 'a..b', 'a b'],
};

/** Texts that the format refuses; none where it states no rule about a text that is known. */
export function nearFormat(name: string): readonly string[] {
  return isTextFormat(name) ? NEAR[name] : [];
}

export function stringOf(build: Build, given: Shape): fc.Arbitrary<string> {
  // Else null would be the simplest of them.
  const shape = shapeWith(given, { types: new Set(['string']) });
  const min = sendableSize(
    strictest(shape, 'minLength') ?? 0,
    'characters',
    shape.roots.join(' and '),
  );
  const max = strictest(shape, 'maxLength') ?? Infinity;
  const [pattern] = texts(shape, 'pattern');
  const format = texts(shape, 'format').find((name) => Object.hasOwn(VALID, name));
  const real = realisticOf(build, shape);
  const right = (value: string): boolean => fits(build, shape, value);

  if (real && fc.sample(real.values, { numRuns: 30, seed: 1 }).every(right)) {
    return shrinking(build, shape, real.values);
  }
  const source = format
    ? VALID[format]
    : pattern === undefined
      ? undefined
      : textMatching(pattern, max);
  if (source) {
    const isRight = (value: string) => value.isWellFormed() && right(value);
    return shrinking(
      build,
      shape,
      accepted(source, `text for ${shape.roots.join(' and ')}`, isRight),
    );
  }
  const maxBytes = strictest(shape, 'x-max-bytes') ?? Infinity;
  return shrinking(build, shape, text(min, Math.min(max, min + 4096), maxBytes));
}

/** Texts of so many characters that satisfy all other rules, the simplest first: a piece of a valid one is repeated. */
export function textsOfLength(build: Build, shape: Shape, length: number): string[] {
  if (length < 0) {
    return [];
  }
  const right = (value: string): boolean => fits(build, shape, value, true);
  const real = realisticOf(build, shape);
  if (real?.ofLength) {
    return real.ofLength(length).filter(right);
  }
  if (!isPatterned(shape)) {
    // A service that counts UTF-16 units, or bytes, takes these for longer than they are.
    const chars = length * 4 <= 65536 ? ['a', 'é', '漢', '😀'] : ['a'];
    const bytes = strictest(shape, 'x-max-bytes') ?? Infinity;
    const candidates = chars.map((char) => char.repeat(length));
    return candidates.filter(
      (value, index) => right(value) && (index === 0 || Buffer.byteLength(value) <= bytes),
    );
  }
  const edges = Object.values(real?.edges ?? {});
  const exact = edges.filter((edge) => [...edge].length === length && right(edge));
  if (exact.length > 0) {
    return exact;
  }
  const samples = [...fc.sample(stringOf(build, shape), { numRuns: 60, seed: 1 }), ...edges];
  const found = new Set<string>();
  for (const sample of samples.toSorted((one, other) => one.length - other.length)) {
    if ([...sample].length === length) {
      found.add(sample);
    }
    const pumped = pump(sample, length, right);
    if (pumped !== undefined) {
      found.add(pumped);
    }
    if (found.size >= 4) {
      break;
    }
  }
  if (found.size === 0 && length <= 3) {
    return shortTexts(samples, length).filter(right).slice(0, 4);
  }
  return [...found];
}

/** `sample` with one piece of at most three characters repeated until it has `length` characters and is `right`. */
function pump(
  sample: string,
  length: number,
  right: (value: string) => boolean,
): string | undefined {
  const chars = [...sample];
  const missing = length - chars.length;
  if (missing <= 0) {
    return undefined;
  }
  for (let size = 1; size <= 3; size += 1) {
    if (missing % size !== 0) {
      continue;
    }
    // From the end: the beginning often is a scheme or a name that means something.
    for (let start = chars.length - size; start >= 0; start -= 1) {
      const piece = chars.slice(start, start + size).join('');
      const candidate =
        chars.slice(0, start).join('') + piece.repeat(missing / size) + chars.slice(start).join('');
      if (right(candidate)) {
        return candidate;
      }
    }
  }
  return undefined;
}

/** Every text of `length` characters over the characters that the samples begin with. */
function shortTexts(samples: readonly string[], length: number): string[] {
  const chars = new Set(`aA0.-_:/${samples.join('').slice(0, 400)}`);
  const alphabet = [...chars].slice(0, 30);
  let made = [''];
  for (let count = 0; count < length; count += 1) {
    made = made.flatMap((head) => alphabet.map((char) => head + char));
  }
  return made;
}

/** Every kind of character that tends to break a service. */
const PLAIN = 'abcdefghijklmnopqrstuvwxyz ABCXYZ0123456789-_.,:;!?/';
// Quotes and other syntax of JSON, SQL, HTML and shells; NUL and control characters; line separators; combining marks,
// right-to-left text and overrides, a zero-width joiner and a byte order mark; 2, 3 and 4 bytes; non-characters.
const ODD =
  '"\'\\`<>&%$#{}[]()\u0000\u0001\u001f\u007f\t\n\r\u0085\u2028\u2029\u0301\u0338\u05d0\u0634\u202e\u200d\ufeff' +
  'éßñüЖ\u00a0€漢字ｦ\ufffd\uffff😀𝒳🏳\u{10ffff}';
/** One sample each of 1, 2, 3 and 4 bytes of UTF-8; the first of a row is the simplest. */
const OF_WIDTH = ['az0', 'éЖ\u00a0', '漢€\u2028', '😀𝒳\u{10ffff}'];

/** Texts of `min` to `max` code points, most of them short. No lone surrogates, which UTF-8 cannot hold. */
function text(min: number, max: number, maxBytes: number): fc.Arbitrary<string> {
  // As many characters as `min` asks for must fit.
  const odd = [...ODD].filter((char) => Buffer.byteLength(char) * min <= maxBytes);
  const maxLength = Math.max(min, Math.min(max, maxBytes));
  const textsOver = (chars: string[], size: fc.Size) =>
    fc.string({ unit: fc.constantFrom(...chars), minLength: min, maxLength, size });
  const short = [[...PLAIN], [...odd, ...PLAIN], [...odd, 'a']].map((chars) =>
    textsOver(chars, 'small'),
  );
  const long = textsOver([...odd, ...PLAIN], 'medium');
  const all = fc.oneof(
    { weight: 9, arbitrary: fc.oneof(...short) },
    { weight: 1, arbitrary: long },
  );
  return all.filter((value) => Buffer.byteLength(value) <= maxBytes);
}

/** Texts of so many bytes, of characters of `width` bytes (1 to 4), filled up with ASCII where it does not divide. */
export function textOfBytes(bytes: number, width: number): fc.Arbitrary<string> {
  const rest = 'a'.repeat(bytes % width);
  return fc
    .constantFrom(...OF_WIDTH[width - 1]!)
    .map((char) => char.repeat(Math.floor(bytes / width)) + rest);
}
