import { expect, it } from 'vitest';
import { inOneSpelling } from './spelling.ts';

const spelled = (pattern: string) => inOneSpelling({ schema: { pattern } });

it.each([
  [String.raw`^[^\r\n\0]*$`, String.raw`^[^\r\n\x00]*$`],
  [String.raw`^[^\u0000-\u0020\u007F]$`, String.raw`^[^\x00-\x20\x7f]$`],
])('%s is %s', (one, other) => {
  expect(spelled(one)).toEqual(spelled(other));
  expect(spelled(other)).toEqual({ schema: { pattern: other } });
});

it.each([
  [String.raw`\u0100`, String.raw`\x00`],
  [String.raw`\\0`, String.raw`\\x00`],
  [String.raw`\\u0000`, String.raw`\\x00`],
  [String.raw`\0`, String.raw`\x01`],
  [String.raw`\0`, '0'],
])('%s is not %s', (one, other) => {
  expect(spelled(one)).not.toEqual(spelled(other));
});

it('leaves what is no pattern', () => {
  const document = { pattern: { description: String.raw`\0` }, list: [{ example: String.raw`\u0000` }] };
  expect(inOneSpelling(document)).toEqual(document);
});
