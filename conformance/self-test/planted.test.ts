import { expect, it } from 'vitest';
import { errorsOf, SERVICES } from './compare/services.ts';
import { errorsIn } from './planted.ts';

it('errors are found in TypeScript and in Python, and each is listed once', () => {
  const sources = [
    "if (planted('one-error')) return;",
    'if planted(',
    '    "another"',
    "planted('one-error')",
  ];
  expect(errorsIn(sources.join('\n'))).toEqual(['one-error', 'another']);
});

it.each(Object.keys(SERVICES))('%s has at least 12 errors', (name) => {
  expect(errorsOf(name).length).toBeGreaterThanOrEqual(12);
});
