/**
 * Lengths of metadata. That a value of the right form is taken, and another one is not, is seen in
 * whole runs.
 */
import { expect, test } from 'vitest';
import { entityDescriptorsOfLength } from './xml.ts';

test.each([200, 262_144])('there is metadata of %i characters', (length) => {
  const lengths = entityDescriptorsOfLength(length).map((text) => [...text].length);
  expect(lengths).toEqual([length, length]);
});
