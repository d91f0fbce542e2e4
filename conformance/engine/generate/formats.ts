/** Formats of texts: some valid texts of each, and texts that are nearly right. */
import * as fc from 'fast-check';
import { isTextFormat, type TextFormat, words } from '../contract/keywords.ts';

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

type Texts = fc.Arbitrary<string>;

const VALID: Readonly<Record<TextFormat, Texts> & Record<string, Texts>> = {
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
  // Some services take other texts for these, too, or check none: no text is refused for certain.
  time: fc.constantFrom('12:30:00Z', '00:00:00Z', '23:59:59.5+05:30'),
  duration: fc.constantFrom('PT1H', 'P3D', 'P1DT12H30M'),
  byte: fc.base64String(),
  url: fc.constantFrom('https://a.example/b', 'http://shop.example.com'),
  'uri-template': fc.constantFrom('/a/{b}', 'https://a.example/{?c}'),
  'json-pointer': fc.constantFrom('', '/a/0', '/~0'),
  'iso-time': fc.constantFrom('12:30:00', '00:00:00Z'),
  'iso-date-time': date.map((one) => one.toISOString()),
};

/** The texts of a format that are made; undefined for a format that is not known. */
export function textsOfFormat(name: string): Texts | undefined {
  if (Object.hasOwn(VALID, name)) {
    return VALID[name];
  }
  return undefined;
}

/** Texts that are wrong, and that a careless check takes for right. */
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
  // Every engine with the syntax of RE2 refuses open and missing parts, and constructs that need
  // backtracking. The error for a long one may be too long, if it quotes the text.
  re2: words(
    `( ) [a *a + a\\ (?=a) (?!a) (?<=a) (a)\\1 [z-a] a{2,1} (?P<>a) (?>a) (${'a'.repeat(1020)}`,
  ),
  hostname: ['-a', 'a_b', 'a..b', 'a b'],
};

/** Texts that the format refuses; empty if it is not known to refuse any. */
export function nearFormat(name: string): readonly string[] {
  if (isTextFormat(name)) {
    return NEAR[name];
  }
  return [];
}
