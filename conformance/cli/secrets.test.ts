import { expect, it } from 'vitest';
import { type Options, readOptions } from './options.ts';
import { secretsOf, shownProxy } from './secrets.ts';

function secretsIn(args: string[], fetched: string[] = []): string[] {
  const options = readOptions(['http://127.0.0.1:9', ...args], {}) as Options;
  return secretsOf(options, fetched);
}

it.each([
  ['a token, and almost the token', ['--token', 'the-token'], ['the-token', 'the-toke']],
  ['the password of a token', ['--token', 'me:pass-word'], ['me:pass-word', 'pass-word']],
  [
    'a read-only token',
    ['--token', 'the-token', '--read-only-token', 'the-reader'],
    ['the-token', 'the-reader'],
  ],
  [
    'the token of another user, and its password',
    ['--token', 'the-token', '--other-token', 'her:pass-word'],
    ['her:pass-word', 'pass-word'],
  ],
  ['a password of a proxy', ['--proxy', 'http://me:pass%20word@p:1'], ['pass word']],
  [
    'a header, and its long parts',
    ['--header', 'Cookie: a=cookie-8c41f2d7; b=c'],
    ['a=cookie-8c41f2d7; b=c', 'cookie-8c41f2d7'],
  ],
  [
    'the pair and the password of basic authentication',
    ['--header', `X: Basic ${Buffer.from('user:pass word').toString('base64')}`],
    ['user:pass word', 'pass word'],
  ],
])('secrets are %s', (_, args, expected) => {
  expect(secretsIn(args)).toEqual(expect.arrayContaining(expected));
});

it('a token that was fetched is secret like a given one', () => {
  expect(secretsIn([], ['fetched-1'])).toEqual(expect.arrayContaining(['fetched-1', 'fetched-']));
});

it('short parts of a header, and empty texts, are no secrets', () => {
  expect(secretsIn(['--header', 'X: Basic abc'])).toEqual(['Basic abc', 'i\ufffd', 'i\ufffd']);
  expect(secretsIn([])).toEqual([]);
});

it.each([
  ['http://me:secret@proxy:1', 'http://…@proxy:1'],
  ['http://proxy:1', 'http://proxy:1'],
])('the proxy %s is shown as %s', (url, shown) => {
  expect(shownProxy(new URL(url))).toBe(shown);
});
