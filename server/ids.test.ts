import { expect, test } from 'vitest';
import { createEdge } from './domain/edge.ts';
import { createIds, newestId } from './ids.ts';
import { createMemoryStore } from './store/memory.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 15);

async function newestOf(...ids: string[]): Promise<string | undefined> {
  const { edges } = createMemoryStore();
  const bare = { description: '', metadata: '', hostports: [] };
  for (const id of ids) {
    await edges.create(createEdge(bare, { id, created_at: '2026-01-15T00:00:00.000Z' }));
  }
  return newestId(edges);
}

test('ids sort by the time they were made, also when the clock is set back', () => {
  const times = [0, 0, -HOUR, -HOUR, HOUR].map((offset) => NOW + offset);
  const newId = createIds(undefined, () => times.shift()!);
  const ids = Array.from({ length: 5 }, () => newId('edghts'));
  expect([...new Set(ids)].toSorted()).toEqual(ids);
});

test('ids sort behind those of the process before, whose clock was ahead', async () => {
  const before = [NOW - HOUR, NOW].map((time) => createIds(undefined, () => time)('edghts'));
  const newest = await newestOf(...before, 'edghts_shop', 'edghts_zz', 'edghts_1', 'other');
  expect(newest).toBe(before[1]);
  const [one, other] = [1, 2].map(() => createIds(newest, () => NOW - HOUR)('edghts'));
  expect([one! > newest!, other! > newest!]).toEqual([true, true]);
  // Two servers that begin with the same edges.
  expect(one!.slice(0, 20)).not.toBe(other!.slice(0, 20));
});

test('an id sorts behind the greatest one of the time before', () => {
  const newest = createIds(undefined, () => NOW)('edghts').slice(0, -16) + 'z'.repeat(16);
  expect(createIds(newest, () => NOW)('edghts') > newest).toBe(true);
});

test('edges may be absent, or have ids without a time', async () => {
  expect(await newestOf()).toBeUndefined();
  expect(await newestOf(...Array.from({ length: 150 }, (_, n) => `edghts_${n}`))).toBeUndefined();
  expect(createIds(undefined, () => NOW)('edghts')).toMatch(/^edghts_[0-9a-z]{26}$/);
  expect(createIds('edghts_7zzzzzzzzzzzzzzzzzzzzzzzzz')('edghts')).toMatch(/^edghts_7zzzzzzzzz/);
});
