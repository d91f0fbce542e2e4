/** Every sentence of `info.description` has a requirement that tries it, or a reason. */
import { expect, test } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { sentencesOf } from '../engine/contract/sentences.ts';
import { requirementsOf } from './index.ts';
import { SENTENCES } from './sentences.ts';

const contract = loadContract();
const sentences = sentencesOf(contract);
const ids = requirementsOf(contract).map(({ id }) => id);

test('each sentence is listed, in the order of the contract, and none that is gone', () => {
  expect(Object.keys(SENTENCES)).toEqual(sentences.map(({ id }) => id));
});

test('none has changed since it was listed', () => {
  const changed = sentences.filter(({ id, text }) => !text.startsWith(SENTENCES[id]?.begins ?? text));
  expect(changed).toEqual([]);
});

test('each has a requirement that exists, or a reason in words', () => {
  for (const [id, held] of Object.entries(SENTENCES)) {
    if ('reason' in held) {
      expect(held.reason, id).toMatch(/^\S+ \S+ .+\.$/);
      continue;
    }
    expect(held.by.length, id).toBeGreaterThan(0);
    for (const pattern of held.by) {
      const matching = new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`);
      expect(
        ids.some((one) => matching.test(one)),
        `${id}: ${pattern}`,
      ).toBe(true);
    }
  }
});
