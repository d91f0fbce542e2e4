/** `formats.test.ts` shows that no report has a secret; here are the spellings in which one is found. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactor } from './redact.ts';

const SECRET = `p@ss "word"/+\\é'`;
const bytes = Buffer.from(SECRET, 'utf8');
const inJson = JSON.stringify(SECRET).slice(1, -1);

describe('redactor', () => {
  const redact = redactor([SECRET]);

  it.each([
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['percent-encoded byte by byte', [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')],
    ['as a form value', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['in JSON in ASCII, with slashes escaped', inJson.replace('é', '\\u00E9').replace('/', '\\/')],
    ['in a quoted word of the shell', SECRET.replaceAll("'", `'\\''`)],
    ['on an HTML page', SECRET.replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('/', '&#x2F;')],
    ['in base64', bytes.toString('base64')],
    ['in base64url', bytes.toString('base64url')],
    ['percent-encoded in base64', encodeURIComponent(bytes.toString('base64'))],
  ])('finds a secret %s', (_, text) => {
    expect(redact(`before ${text} after ${text}`)).toBe(`before ${REDACTED} after ${REDACTED}`);
  });

  it('finds any secret in any mix of encodings', () => {
    const encode = (character: string, how: number) =>
      [character, encodeURIComponent(character), JSON.stringify(character).slice(1, -1)][how % 3]!;
    const secret = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 30 }).filter((s) => s.trim().length >= 4);
    fc.assert(
      fc.property(secret, fc.infiniteStream(fc.nat()), (value, stream) => {
        const text = [...value.trim()].map((character) => encode(character, stream.next().value!)).join('');
        expect(redactor([value])(`<${text}>`)).toBe(`<${REDACTED}>`);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  it.each(['u', 'us', 'user', 'user:'])('finds it in the base64 of basic authentication after `%s`', (user) => {
    const redacted = redact(`Basic ${Buffer.from(`${user}${SECRET}${user}`).toString('base64')}`);
    expect(redacted).toContain(REDACTED);
    expect(redacted.length).toBeLessThan('Basic '.length + REDACTED.length + 2 * user.length + 6);
  });

  it.each(['ab', 'Bearer ab', 'x-key: ab', 'Authorization: Bearer ab', 'curl -H "X-Key: ab"'])(
    'finds a short secret where it is a whole header value: %s',
    (text) => expect(redactor(['ab'])(text)).toBe(text.replace(/ab(?="?$)/u, REDACTED)),
  );

  it.each([
    ['other text', 'password p@ss word "word" /+\\ é', [SECRET, '', '  ']],
    ['letters of a short secret', '{"about":"fab","n":ab}', ['ab', '1']],
    ['what a pattern would match', 'abcc', ['a.c*']],
  ])('leaves %s alone', (_, text, secrets) => expect(redactor(secrets)(text)).toBe(text));

  it('takes the longest of secrets that begin alike, without the white space around them', () => {
    expect(redactor(['token\n', 'token-and-more'])('token-and-more token')).toBe(`${REDACTED} ${REDACTED}`);
  });

  it('ends on a text made to stall it', () => {
    const secrets = ['\\'.repeat(12), `${'\\"'.repeat(8)}x`, '%%%%%%%%', 'a'.repeat(64), '++++////'];
    const texts = ['\\', '\\"', '%25', '%', 'a', '+', '/', '\\\\u005c', 'A'].map((text) => text.repeat(3_000));
    // Backtracking without bounds would outlast the limit of any test.
    for (const text of texts) expect(redactor(secrets.map((secret) => `${secret}!`))(`${text}.`)).toBe(`${text}.`);
  });
});
