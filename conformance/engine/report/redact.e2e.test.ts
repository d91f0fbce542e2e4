/** Many secrets, and long texts, where `redact.test.ts` tries a few. */
import { expect, it } from 'vitest';
import { testAnyEncoding } from './redact.suite.ts';
import { redactor } from './redact.ts';

testAnyEncoding(300);

it('comes to an end on a text made to stall it', () => {
  const secrets = ['\\'.repeat(12), `${'\\"'.repeat(8)}x`, '%%%%%%%%', 'a'.repeat(64), '++++////'];
  const texts = ['\\', '\\"', '%25', '%', 'a', '+', '/', '\\\\u005c', 'A'].map((text) => text.repeat(30_000));
  // Backtracking without bounds would outlast the limit of any test.
  for (const text of texts) expect(redactor(secrets.map((secret) => `${secret}!`))(`${text}.`)).toBe(`${text}.`);
});
