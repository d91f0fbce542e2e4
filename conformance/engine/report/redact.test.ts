/**
 * `formats.test.ts` shows that no report has a secret; here are the spellings in which one is
 * found.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactor } from './redact.ts';

const SECRET = `p@ss "word"/+\\é'`;

const percent = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const ascii = (text: string) =>
  text.replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  );
const ENTITIES: Record<string, string> = {
  '"': '&quot;',
  "'": '&#39;',
  '/': '&#x2F;',
  '&': '&amp;',
  '<': '&lt;',
};
const SPELLINGS: [string, (secret: string) => string][] = [
  ['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['as a form value', (secret) => new URLSearchParams({ a: secret }).toString().slice(2)],
  ['in JSON within JSON', (secret) => json(json(secret))],
  [
    'in JSON in ASCII, with slashes escaped',
    (secret) => ascii(json(secret)).replaceAll('/', '\\/'),
  ],
  ['in a quoted word of the shell', (secret) => secret.replaceAll("'", `'\\''`)],
  [
    'on an HTML page',
    (secret) => secret.replaceAll(/["'/&<]/g, (character) => ENTITIES[character]!),
  ],
  ['in base64', (secret) => Buffer.from(secret).toString('base64')],
  ['in base64url', (secret) => Buffer.from(secret).toString('base64url')],
  [
    'percent-encoded in base64',
    (secret) => encodeURIComponent(Buffer.from(secret).toString('base64')),
  ],
  [
    'in a mix of encodings',
    (secret) => [...secret].map((one, i) => [one, percent(one), json(one)][i % 3]).join(''),
  ],
];

describe('redactor', () => {
  const redact = redactor([SECRET]);

  it.each(SPELLINGS)('finds any secret %s', (_, spell) => {
    const secrets = fc
      .string({ unit: 'grapheme', minLength: 4, maxLength: 30 })
      .map((text) => text.trim());
    const isFound = (secret: string) => {
      expect(redactor([secret])(`<${spell(secret)}> <${spell(secret)}>`)).toBe(
        `<${REDACTED}> <${REDACTED}>`,
      );
    };
    const long = secrets.filter(({ length }) => length >= 4);
    fc.assert(fc.property(long, isFound), { numRuns: 30, seed: 1, examples: [[SECRET]] });
  });

  it.each(['u', 'us', 'user', 'user:'])(
    'finds it in the base64 of basic authentication after `%s`',
    (user) => {
      const redacted = redact(`Basic ${Buffer.from(`${user}${SECRET}${user}`).toString('base64')}`);
      expect(redacted).toContain(REDACTED);
      expect(redacted.length).toBeLessThan('Basic '.length + REDACTED.length + 2 * user.length + 6);
    },
  );

  it.each(['ab', 'Bearer ab', 'x-key: ab', 'Authorization: Bearer ab', 'curl -H "X-Key: ab"'])(
    'finds a short secret if it is a whole header value: %s',
    (text) => expect(redactor(['ab'])(text)).toBe(text.replace(/ab(?="?$)/u, REDACTED)),
  );

  it.each([
    ['other text', 'password p@ss word "word" /+\\ é', [SECRET, '', '  ']],
    ['letters of a short secret', '{"about":"fab","n":ab}', ['ab', '1']],
    ['what a pattern would match', 'abcc', ['a.c*']],
  ])('leaves %s alone', (_, text, secrets) => expect(redactor(secrets)(text)).toBe(text));

  it('takes the longest of secrets that begin alike, without the white space around them', () => {
    expect(redactor(['token\n', 'token-and-more'])('token-and-more token')).toBe(
      `${REDACTED} ${REDACTED}`,
    );
  });

  it('ends on a text made to stall it', () => {
    const secrets = [
      '\\'.repeat(12),
      `${'\\"'.repeat(8)}x`,
      '%%%%%%%%',
      'a'.repeat(64),
      '++++////',
    ];
    const texts = ['\\', '\\"', '%25', '%', 'a', '+', '/', '\\\\u005c', 'A'].map((text) =>
      text.repeat(3_000),
    );
    // Backtracking without bounds would outlast the limit of any test.
    for (const text of texts) {
      expect(redactor(secrets.map((secret) => `${secret}!`))(`${text}.`)).toBe(`${text}.`);
    }
  });
});
