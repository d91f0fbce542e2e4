import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdIndex } from './id-index.ts';

/** A folder whose reading can be counted, and stopped on the way. */
function folder(ids: string[]) {
  const kept = new Set(ids);
  let reads = 0;
  let onId = (_passed: string): void => undefined;
  const index = new IdIndex({
    windowSize: 4,
    readIds: async function* () {
      reads += 1;
      for (const id of [...kept]) {
        onId(id);
        if (kept.has(id)) yield id;
      }
    },
  });
  const set = (id: string, there: boolean) => {
    if (there) kept.add(id);
    else kept.delete(id);
    index.set(id, there);
  };
  return { index, set, kept, reads: () => reads, during: (hook: typeof onId) => (onId = hook) };
}

async function walk(index: IdIndex, position?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let id = await index.below(position); id !== undefined; id = await index.below(id)) ids.push(id);
  return ids;
}

const id = fc.stringMatching(/^[a-c]{1,3}$/);

test('finds what is there, whatever comes and goes between', async () => {
  const steps = fc.array(fc.record({ id, there: fc.boolean(), from: fc.option(id, { nil: undefined }) }), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id), steps, async (ids, changes) => {
      const { index, set, kept } = folder(ids);
      for (const change of changes) {
        set(change.id, change.there);
        const expected = [...kept].filter((one) => change.from === undefined || one < change.from);
        expect(await walk(index, change.from)).toEqual(expected.toSorted().toReversed());
      }
    }),
  );
});

test('reads nothing before it is asked, and the names once for those who read the newest', async () => {
  const { index, set, reads } = folder(['a', 'b']);
  set('c', true);
  expect(reads()).toBe(0);
  expect(await index.below(undefined)).toBe('c');
  for (let n = 0; n < 20; n++) {
    set(`d${String.fromCharCode(97 + n)}`, true);
    expect(await index.below(undefined)).toBe(`d${String.fromCharCode(97 + n)}`);
  }
  expect(reads()).toBe(1);
});

test('misses nothing that comes or goes while the names are read', async () => {
  const { index, set, during } = folder(['b', 'c', 'd']);
  during((passed) => {
    if (passed !== 'c') return;
    set('a', true); // behind the place of reading, as a folder may show it or not
    set('b', false); // read already
    set('e', true);
  });
  expect(await walk(index)).toEqual(['e', 'd', 'c', 'a']);
});

test('answers many at once, from different places', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => String(n).padStart(2, '0'));
  const { index } = folder(ids);
  const starts = Array.from({ length: 12 }, (_, n) => ids[n * 3 + 3]!);
  const walks = await Promise.all(starts.map((start) => walk(index, start)));
  walks.forEach((found, n) => expect(found).toEqual(ids.slice(0, n * 3 + 3).toReversed()));
});
