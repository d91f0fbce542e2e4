/**
 * Formats of texts (JSON Schema 2020-12 Validation, 7.3, and the registry of OpenAPI): valid texts
 * that any validator takes, and wrong ones that any validator refuses.
 */
import * as fc from 'fast-check';
import { isTextFormat, type TextFormat, words } from '../contract/keywords.ts';

/**
 * Texts that the strictest validators take, too: names of hosts are those that RFC 2606 keeps for
 * examples and libraries do not refuse as special, years have four digits, and nothing
 * can be read in two ways. A service may call a host or write to an address: only names below
 * `example.com` and its like have no address, which they have themselves.
 */
const host = fc.constantFrom('api.example.com', 'shop.example.com', '127.0.0.1:9');
/** Never empty: a URI is made longer at its end, and a port or a name would become a wrong one. */
const path = fc.constantFrom('/', '/a', '/a/b?c=d&e=%20', '/%C3%A9#f', '/~a;b=1/');
const uri = fc
  .tuple(fc.constantFrom('http', 'https'), host, path)
  .map(([scheme, name, rest]) => `${scheme}://${name}${rest}`);
const uriReference = fc.oneof(fc.constant('/a'), uri);
const email = fc.constantFrom('ada@a.example.com', 'a.b+c@b.example.org', 'x@mail.example.net');
const hostname = fc.constantFrom(
  'a.example.com',
  'shop.example.org',
  'a-b.example.net',
  'b.example.com',
  'a',
);

const date = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2100-01-01'),
  noInvalidDate: true,
});

/** Of numbers that are sent as texts, as the registry of OpenAPI allows for some formats. */
const wholeNumber = fc.constantFrom('0', '7', '42', '100');
const decimal = fc.constantFrom('0.5', '1.25', '42');

type Texts = fc.Arbitrary<string>;

const VALID: Readonly<Record<TextFormat, Texts> & Record<string, Texts>> = {
  uri,
  'uri-reference': uriReference,
  'date-time': date.map((one) => one.toISOString()),
  date: fc.constantFrom('2026-01-15', '1970-01-01', '2024-02-29'),
  email,
  uuid: fc.uuid({ version: 4 }),
  ipv4: fc.ipV4(),
  ipv6: fc.constantFrom('::1', '2001:db8::1', '2001:db8:85a3::8a2e:370:7334', 'fe80::1'),
  re2: fc.constantFrom('a', '(?i)bot/[0-9]+', '^curl/', '[^a-z]{2,5}$', '(?P<name>x)|y', '\\pL'),
  hostname,
  // Some services take other texts for these, too, or check none: no text is refused for certain.
  time: fc.constantFrom('12:30:00Z', '00:00:00Z', '23:59:59.5+05:30'),
  duration: fc.constantFrom('PT1H', 'P3D', 'P1DT12H30M'),
  'idn-email': email,
  'idn-hostname': hostname,
  iri: uri,
  'iri-reference': uriReference,
  regex: fc.constantFrom('a', '^[a-z]+$', 'x|y'),
  // With zeros in the bits that are left over: "implementations may reject" others (RFC 4648, 3.5).
  byte: fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  base64url: fc.constantFrom('YQ', 'YWI', 'YWJj', 'YWJjZA'),
  url: fc.constantFrom('https://api.example.com/b', 'http://shop.example.com'),
  'uri-template': fc.constantFrom('/a/{b}', 'https://api.example.com/{?c}'),
  'json-pointer': fc.constantFrom('', '/a/0', '/~0'),
  'relative-json-pointer': fc.constantFrom('0', '1/a', '0#'),
  'iso-time': fc.constantFrom('12:30:00', '00:00:00Z'),
  'iso-date-time': date.map((one) => one.toISOString()),
  'http-date': fc.constantFrom('Sun, 06 Nov 1994 08:49:37 GMT', 'Thu, 01 Jan 2026 00:00:00 GMT'),
  'media-range': fc.constantFrom('text/html', 'application/*', '*/*'),
  char: fc.constantFrom('a', 'Z', '7'),
  html: fc.constantFrom('<p>a</p>', 'a'),
  commonmark: fc.constantFrom('# a', 'a'),
  'sf-binary': fc.constantFrom(':YWJj:', ':YQ==:'),
  'sf-boolean': fc.constantFrom('?0', '?1'),
  'sf-decimal': fc.constantFrom('0.5', '42.25'),
  'sf-integer': wholeNumber,
  'sf-string': fc.constantFrom('""', '"a"'),
  'sf-token': fc.constantFrom('a', 'abc'),
  int8: wholeNumber,
  uint8: wholeNumber,
  int16: wholeNumber,
  uint16: wholeNumber,
  int32: wholeNumber,
  uint32: wholeNumber,
  int64: wholeNumber,
  uint64: wholeNumber,
  'double-int': wholeNumber,
  float: decimal,
  double: decimal,
  decimal,
  decimal128: decimal,
};

/** The texts of a format that are made; undefined for a format that is not known. */
export function textsOfFormat(name: string): Texts | undefined {
  if (Object.hasOwn(VALID, name)) {
    return VALID[name];
  }
  return undefined;
}

/**
 * Texts that every check refuses, also a plain one: an expression of a few characters, the parser
 * of a language, or a look at the `@`. JSON Schema (Validation, 7.2.1) asks nobody to check more of
 * a format than he can, so that `2026-02-30` and `ada@` are left to the service.
 */
const WRONG: Readonly<Record<TextFormat, readonly string[]>> = {
  uri: ['://a', ':a', '%zz'],
  'uri-reference': ['http://[a'],
  'date-time': ['yesterday', 'no time'],
  date: ['yesterday', 'no date'],
  email: ['ada', 'ada.example.com'],
  uuid: ['0', 'no-uuid', '00000000-0000-0000-0000-00000000000g'],
  ipv4: ['a.b.c.d', '::1', '1.2.3.4.5'],
  ipv6: ['1.2.3.4', 'example.com'],
  // Every engine with the syntax of RE2 refuses open and missing parts, constructs that need
  // backtracking, and more than 1,000 repetitions ("Implementation restriction" of its syntax). The
  // error for a long one may be too long, if it quotes the text.
  re2: words(
    `( ) [a *a + a\\ (?=a) (?!a) (?<=a) (a)\\1 [z-a] a{2,1} a{1001} (?P<>a) (?>a) ` +
      `(${'a'.repeat(1020)}`,
  ),
  hostname: ['a b', 'a/b'],
};

/** The end of names of hosts, and of addresses of mail, that are made longer: see `VALID`. */
const EXAMPLE = 'a.example.com';

/** In characters: RFC 1035, 2.3.4. */
const LONGEST_LABEL = 63;
const LONGEST_HOSTNAME = 253;
/** RFC 5321, 4.5.3.1: the part before the `@`, and the whole without angle brackets. */
const LONGEST_LOCAL_PART = 64;
const LONGEST_EMAIL = 254;

const SHORTEST_EMAIL = `a@${EXAMPLE}`.length;

/** Formats whose texts have parts of limited length: another one can be longer anywhere. */
const OF_LENGTH: Readonly<Record<string, (length: number) => string[]>> = {
  email: emailOfLength,
  'idn-email': emailOfLength,
  hostname: hostnameOfLength,
  'idn-hostname': hostnameOfLength,
};

/**
 * Texts of so many characters that the strictest validators take, none if there is no such text;
 * undefined if the format does not limit the length of a part.
 */
export function textsOfFormatAndLength(format: string, length: number): string[] | undefined {
  if (Object.hasOwn(OF_LENGTH, format)) {
    return OF_LENGTH[format]?.(length);
  }
  return undefined;
}

function emailOfLength(length: number): string[] {
  if (length < SHORTEST_EMAIL || length > LONGEST_EMAIL) {
    return [];
  }
  let local = Math.min(LONGEST_LOCAL_PART, length - 1 - EXAMPLE.length);
  // A label has at least one character, and a dot behind it.
  if (length - 1 - local - EXAMPLE.length === 1) {
    local -= 1;
  }
  return [`${'a'.repeat(local)}@${domainOfLength(length - 1 - local)}`];
}

function hostnameOfLength(length: number): string[] {
  if (length < 1 || length > LONGEST_HOSTNAME) {
    return [];
  }
  if (length <= LONGEST_LABEL) {
    return ['a'.repeat(length)];
  }
  return [domainOfLength(length)];
}

/** @param length of the end that all have, or at least two more */
function domainOfLength(length: number): string {
  const labels: string[] = [];
  let left = length - EXAMPLE.length;
  while (left > 0) {
    let size = Math.min(left, LONGEST_LABEL + 1);
    if (left - size === 1) {
      size -= 1;
    }
    labels.push('a'.repeat(size - 1));
    left -= size;
  }
  return [...labels, EXAMPLE].join('.');
}

/** Texts that the format refuses; empty if it is not known to refuse any. */
export function notOfFormat(name: string): readonly string[] {
  if (isTextFormat(name)) {
    return WRONG[name];
  }
  return [];
}
