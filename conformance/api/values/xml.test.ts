/** Tested against the XML parser of the independent service. */
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { valuesSeen } from '../../engine/generate/generators.test.fixture.ts';
import { validValues } from '../../engine/generate/valid.ts';
import { rootOf } from '../../self/independent/xml.ts';
import { HINTS } from '../implementation.ts';
import { entityDescriptorsOfLength, MALFORMED, OTHER_ROOT } from './xml.ts';

function isMetadata(text: string): boolean {
  return /^([\w.-]+:)?EntityDescriptor$/.test(rootOf(text) ?? '');
}

test('what the schema of metadata is given is well-formed and has the root, also in shrinking', () => {
  const values = validValues(loadContract(), '/components/schemas/IdpMetadata', HINTS);
  const seen = valuesSeen(values, { samples: 200, shrinks: 4, seed: 1 }) as Iterable<string>;
  for (const text of seen) expect(isMetadata(text), text).toBe(true);
});

test.each([200, 262_144])('there is metadata of %i characters', (length) => {
  const [text] = entityDescriptorsOfLength(length);
  expect([text!.length, isMetadata(text!)]).toEqual([length, true]);
});

test.each([...MALFORMED, ...OTHER_ROOT])('not metadata: %j', (text) => expect(isMetadata(text)).toBe(false));
