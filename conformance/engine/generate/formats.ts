/** Values of the formats of JSON Schema, and near misses. A format that is not here states no rule about a text. */
import * as fc from 'fast-check';
import { isTextFormat, type TextFormat } from '../contract/formats.ts';

interface Format {
  valid: fc.Arbitrary<string>;
  /** Tempting, and wrong. */
  near: readonly string[];
}

const host = fc.constantFrom('a.example', 'shop.example.com', '127.0.0.1:4010', 'x--y.example:8443');
const path = fc.constantFrom('', '/', '/a', '/a/b?c=d&e=%20', '/%C3%A9#f', '/~a;b=1/');
const uri = fc
  .tuple(fc.constantFrom('http', 'https'), host, path)
  .map(([scheme, name, rest]) => `${scheme}://${name}${rest}`);

const FORMATS: Readonly<Record<TextFormat, Format>> = {
  uri: {
    valid: uri,
    near: ['example.com', '/a', 'http://a b', 'http://a.example/é', 'http//a', '://a', 'http://a\n', ' http://a'],
  },
  'uri-reference': {
    valid: fc.oneof(fc.constant('/a'), uri),
    near: ['/a b', '/é', '/a\n', '\\a', 'http://a/%zz', '/a"b'],
  },
  'date-time': {
    valid: fc
      .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    near: [
      '2026-01-15',
      '2026-02-30T00:00:00Z',
      '2026-01-15T09:30:00',
      '2026-01-15T24:30:00Z',
      '1768469400',
      '2026-13-01T00:00:00Z',
    ],
  },
  date: {
    valid: fc.constantFrom('2026-01-15', '1970-01-01', '2024-02-29'),
    near: ['2026-02-30', '2026-1-5', '15.01.2026', '2026-01-15T00:00:00Z'],
  },
  email: {
    valid: fc.constantFrom('ada@example.com', 'a.b+c@x.example'),
    near: ['ada', 'ada@', '@example.com', 'a b@example.com'],
  },
  uuid: { valid: fc.uuid(), near: ['0', '00000000-0000-0000-0000-00000000000g', '00000000000000000000000000000000'] },
  ipv4: { valid: fc.ipV4(), near: ['256.0.0.1', '1.2.3', '01.2.3.4.5', '1.2.3.4 '] },
  ipv6: { valid: fc.ipV6(), near: [':::', '1::2::3', 'g::', '1.2.3.4'] },
  re2: {
    valid: fc.constantFrom('a', '(?i)bot/[0-9]+', '^curl/', '[^a-z]{2,5}$', '(?P<name>x)|y', '\\pL'),
    // What every engine with the syntax of RE2 refuses: what is open, what is missing, and what backtracking alone
    // can do.
    near: [
      '(',
      ')',
      '[a',
      '*a',
      '+',
      'a\\',
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(a)\\1',
      '[z-a]',
      'a{2,1}',
      '(?P<>a)',
      '(?>a)',
    ],
  },
  hostname: { valid: fc.constantFrom('a', 'a.example'), near: ['-a', 'a_b', 'a..b', 'a b'] },
};

/** The format called `name`, or undefined when it states no rule about a text that is known here. */
export function formatOf(name: string): Format | undefined {
  return isTextFormat(name) ? FORMATS[name] : undefined;
}
