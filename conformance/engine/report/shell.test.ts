import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { lengthInShort, printfOf, quote, quoteInShort, REPEAT } from './shell.ts';

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

it.each([
  `{"a":"${'x'.repeat(4096)}"}`,
  `${'{'.repeat(5000)}'${'9'.repeat(300)}`,
  '_'.repeat(200),
  'no run',
])('a word with long runs has its text, and is short: %#', (text) => {
  const word = quoteInShort(text);
  const script = `${REPEAT}\nprintf %s ${word}`;
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(text);
  expect(word.length).toBeLessThan(120);
  expect(lengthInShort(text)).toBeLessThan(200);
});
