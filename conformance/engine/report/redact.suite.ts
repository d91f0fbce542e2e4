/** What holds of any secret: the tests beside each other try it as often as they have time for. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { REDACTED, redactor } from './redact.ts';

function encode(character: string, how: number): string {
  return [character, encodeURIComponent(character), JSON.stringify(character).slice(1, -1)][how % 3] ?? '';
}

export function testAnyEncoding(runs: number): void {
  it('finds any secret in any mix of encodings', () => {
    const secret = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 30 }).filter((s) => s.trim().length >= 4);
    fc.assert(
      fc.property(secret, fc.infiniteStream(fc.nat()), (value, stream) => {
        const text = [...value.trim()].map((character) => encode(character, stream.next().value)).join('');
        expect(redactor([value])(`<${text}>`)).toBe(`<${REDACTED}>`);
      }),
      { numRuns: runs },
    );
  });
}
