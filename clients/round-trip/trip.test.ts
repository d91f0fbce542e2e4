import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '../command/languages.ts';
import { difference, trip } from './trip.ts';

const language = languages[0]!;
const expected = readFileSync(join(import.meta.dirname, 'expected.txt'), 'utf8');

describe('a round trip', () => {
  it('is skipped where a tool is missing', async () => {
    expect(await trip({ ...language, toGenerate: ['no-such-tool'] }, '')).toMatchObject({
      result: 'skipped',
      detail: expect.stringMatching(/^no-such-tool/),
    });
  });

  it('passes with exactly the lines that are expected, whatever ends a line', () => {
    expect(difference(expected)).toBeUndefined();
    expect(difference(expected.replaceAll('\n', '\r\n'))).toBeUndefined();
  });

  it.each([
    ['another line', expected.replace('409', '400'), /line 13\n {2}expected 409 already_exists\n {2}printed {2}400/],
    ['a line too few', expected.replace(/404 not_found\n$/, ''), /line 15\n.*\n {2}printed {2}\(no more\)/],
    ['a line too many', `${expected}more\n`, /line 16\n {2}expected \(no more\)\n {2}printed {2}more/],
    ['nothing', '', /line 1\n/],
  ])('fails with %s', (_, text, message) => {
    expect(difference(text)).toMatch(message);
  });
});
