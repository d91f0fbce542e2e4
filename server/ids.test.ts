import { expect, test } from 'vitest';
import { createIds, newestId } from './ids.ts';
import { createMemoryStore } from './store/memory.ts';
import { createEdge } from './domain/edge.ts';
import { BARE_EDGE } from './testing/bare-edge.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 15);

async function storeWith(...ids: string[]) {
  const store = createMemoryStore();
  for (const id of ids) await store.edges.create(createEdge(BARE_EDGE, { id, created_at: '2026-01-15T00:00:00.000Z' }));
  return store;
}

test('ids sort by the time they were made, also when the clock is set back', () => {
  let now = NOW;
  const newId = createIds(undefined, () => now);
  const ids = [newId('edghts'), newId('edghts')];
  now -= HOUR;
  ids.push(newId('edghts'), newId('edghts'));
  now += 2 * HOUR;
  ids.push(newId('edghts'));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(5);
});

test('ids sort behind those of the process before, whose clock was ahead', async () => {
  const before = [createIds(undefined, () => NOW - HOUR)('edghts'), createIds(undefined, () => NOW)('edghts')];
  const store = await storeWith(...before, 'edghts_shop', 'edghts_zz', 'edghts_1', 'other');
  const newest = await newestId(store.edges);
  expect(newest).toBe(before[1]);
  const behind = () => NOW - HOUR;
  const [one, other] = [createIds(newest, behind)('edghts'), createIds(newest, behind)('edghts')];
  expect([one > newest!, other > newest!]).toEqual([true, true]);
  // Two servers that begin with the same edges.
  expect(one.slice(0, 20)).not.toBe(other.slice(0, 20));
});

test('no edges, or none whose id tells a time, are no matter', async () => {
  expect(await newestId((await storeWith()).edges)).toBeUndefined();
  const many = Array.from({ length: 150 }, (_, n) => `edghts_${n}`);
  expect(await newestId((await storeWith(...many)).edges)).toBeUndefined();
  expect(createIds(undefined, () => NOW)('edghts')).toMatch(/^edghts_[0-9a-z]{26}$/);
  expect(createIds('edghts_7zzzzzzzzzzzzzzzzzzzzzzzzz')('edghts')).toMatch(/^edghts_7zzzzzzzzz/);
});
