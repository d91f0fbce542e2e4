/** Tested against the XML parser of the independent service, which was written without looking at this one. */
import { describe, expect, test } from 'vitest';
import { HINTS } from '../implementation.ts';
import { loadContract } from '../../engine/contract/load.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';

import { rootOf } from '../../self/independent/xml.ts';
import { valuesSeen } from '../../engine/generate/seen.test.fixture.ts';
import { validValues } from '../../engine/generate/valid.ts';
import { entityDescriptors, entityDescriptorsOfLength, MALFORMED, OTHER_ROOT } from './xml.ts';

const METADATA = '/components/schemas/IdpMetadata';
const contract = loadContract();

function isMetadata(text: string): boolean {
  return /^([\w.-]+:)?EntityDescriptor$/.test(rootOf(text) ?? '');
}

describe('entityDescriptors', () => {
  test('are well-formed, have the root, and are valid by schema', () => {
    for (const text of valuesSeen(entityDescriptors, { samples: 300, shrinks: 4, seed: 1 })) {
      expect(isMetadata(text), text).toBe(true);
      expect(schemasOf(contract).isValid(METADATA, text)).toBe(true);
    }
  });

  test('are all that the schema is given, also in shrinking', () => {
    for (const text of valuesSeen(validValues(contract, METADATA, HINTS), { samples: 50, shrinks: 4, seed: 1 }))
      expect(isMetadata(text as string), text as string).toBe(true);
  });

  test.each([200, 262_144])('there is one of %i characters', (length) => {
    const [text] = entityDescriptorsOfLength(length);
    expect(text).toHaveLength(length);
    expect(isMetadata(text!)).toBe(true);
  });
});

test.each(MALFORMED)('not metadata, since it is malformed: %j', (text) => expect(isMetadata(text)).toBe(false));
test.each(OTHER_ROOT)('not metadata, since its root is another: %j', (text) => expect(isMetadata(text)).toBe(false));
