import { expect, it } from 'vitest';
import { errorsOf, SERVICES } from './compare/services.ts';
import { errorsIn } from './planted.ts';

it('errors are found in sources of both languages, each once', () => {
  const sources = [
    "if (planted('one-error')) return;",
    'if planted(',
    '    "another"',
    "planted('one-error')",
  ];
  expect(errorsIn(sources.join('\n'))).toEqual(['one-error', 'another']);
});

it.each(Object.keys(SERVICES))('%s has errors enough', (name) => {
  expect(errorsOf(name).length).toBeGreaterThanOrEqual(12);
});
