/** Targets that a server below an application may refuse, and others. */
import { expect, test } from 'vitest';
import { mayBeRefusedBelow } from './below-application.ts';

test.each([
  ['/edges/https/a%2Fb', true],
  ['/edges/https/a%5cb', true],
  ['/edges/https/a%00', true],
  ['/edges/https/a%1F', true],
  ['/edges/https/a%7f', true],
  ['/edges/https?limit%00=1', true],
  ['/edges//https', true],
  [`/edges/https/${'x'.repeat(2_000)}`, true],
  ['/edges/https/a%20b', false],
  ['/edges/https/a%252Fb', false],
  ['/edges/https?from=http://other.example.com//x', false],
  ['http://127.0.0.1:80/edges/https', false],
  ['http://127.0.0.1:80//edges/https', true],
])('%s: %s', (target, expected) => {
  expect(mayBeRefusedBelow(target)).toBe(expected);
});
