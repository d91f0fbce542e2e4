import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { printfOf, quote } from './shell.ts';

const ODD = 'it\'s "$HOME" $(id) `id` \\ ~ * ! %s \r\n\t\u0001ü';

it.each([
  ['plain/word:1', 'plain/word:1'],
  ['', "''"],
  ["it's", String.raw`'it'\''s'`],
])('%j is the word %s', (text, word) => {
  expect(quote(text)).toBe(word);
});

it('a quoted word has its text', () => {
  expect(execFileSync('sh', ['-c', `printf %s ${quote(ODD)}`], { encoding: 'utf8' })).toBe(ODD);
});

it.each([
  ['short bytes', Buffer.from(ODD)],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0x25, 0x5c, 0x0a])],
  ['long bytes', Buffer.from('%\n'.repeat(5_000))],
])('a command writes %s', (_, bytes) => {
  expect(execFileSync('sh', ['-c', printfOf(bytes)])).toEqual(bytes);
});
