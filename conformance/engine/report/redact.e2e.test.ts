/** Many secrets, and long texts, where `redact.test.ts` tries a few. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { REDACTED, redactor } from './redact.ts';

function encode(character: string, how: number): string {
  return [character, encodeURIComponent(character), JSON.stringify(character).slice(1, -1)][how % 3] ?? '';
}

it('finds any secret in any mix of encodings', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 30 }).filter((s) => s.trim().length >= 4);
  fc.assert(
    fc.property(secret, fc.infiniteStream(fc.nat()), (value, stream) => {
      const text = [...value.trim()].map((character) => encode(character, stream.next().value)).join('');
      expect(redactor([value])(`<${text}>`)).toBe(`<${REDACTED}>`);
    }),
    { numRuns: 300 },
  );
});

it('comes to an end on a text made to stall it', () => {
  const secrets = ['\\'.repeat(12), `${'\\"'.repeat(8)}x`, '%%%%%%%%', 'a'.repeat(64), '++++////'];
  const texts = ['\\', '\\"', '%25', '%', 'a', '+', '/', '\\\\u005c', 'A'].map((text) => text.repeat(30_000));
  // Backtracking without bounds would outlast the limit of any test.
  for (const text of texts) expect(redactor(secrets.map((secret) => `${secret}!`))(`${text}.`)).toBe(`${text}.`);
});
