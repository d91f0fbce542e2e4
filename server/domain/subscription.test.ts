import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Links } from './links.ts';
import { addType, listSources, removeType, replaceType, requireType, type SubscriptionRecord } from './subscription.ts';

const links = new Links('https://api.example');
/** Three names, so that sequences collide. */
const type = fc.constantFrom('a.v0', 'b.v0', 'b.v10');
const subscriptions: fc.Arbitrary<SubscriptionRecord> = fc
  .uniqueArray(type)
  .map((types) => ({ id: 's', types: types.toSorted() }));

/** The types afterwards, or the code of the error. */
function outcomeOf(action: () => SubscriptionRecord | void): unknown {
  try {
    return action()?.types;
  } catch (error) {
    return (error as { code: unknown }).code;
  }
}

test('a subscription is a set of event types (D12, D15)', () => {
  const property = fc.property(subscriptions, type, type, (before, one, other) => {
    const copy = structuredClone(before);
    const has = before.types.includes(one);
    const without = before.types.filter((name) => name !== one);
    expect(outcomeOf(() => addType(before, one))).toEqual(has ? 'already_exists' : [...before.types, one].toSorted());
    expect(outcomeOf(() => removeType(before, one))).toEqual(has ? without : 'not_found');
    expect(outcomeOf(() => requireType(before, one))).toBe(has ? undefined : 'not_found');
    // 404 comes before 409.
    const isTaken = one !== other && before.types.includes(other);
    const replaced = isTaken ? 'already_exists' : [...without, other].toSorted();
    expect(outcomeOf(() => replaceType(before, one, other))).toEqual(has ? replaced : 'not_found');
    expect(before).toEqual(copy);
  });
  fc.assert(property, { seed: 1 });
});

test('a list is complete and without repeats at every page size, also when types are added and removed (D16)', () => {
  const name = fc.stringMatching(/^[a-c]{1,3}\.v[0-9]$/);
  const property = fc.property(
    fc.uniqueArray(name, { maxLength: 12 }),
    fc.integer({ min: 1, max: 13 }),
    fc.array(fc.tuple(fc.boolean(), name), { maxLength: 6 }),
    (start, limit, writes) => {
      let current: SubscriptionRecord = { id: 's', types: start.toSorted() };
      const throughout = new Set(start);
      const seen: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = listSources(current, { limit, cursor }, links);
        seen.push(...page.sources.map((source) => source.type));
        expect(page.sources.length).toBeLessThanOrEqual(limit);
        const [isAdded, written] = writes.shift() ?? [];
        if (written !== undefined) {
          const others = current.types.filter((one) => one !== written);
          throughout.delete(written);
          current = { id: 's', types: (isAdded ? [...others, written] : others).toSorted() };
        }
        if (page.uri === null) break;
        const next = new URL(page.uri).searchParams;
        expect(next.get('limit')).toBe(String(limit));
        cursor = next.get('cursor')!;
      }
      expect(seen).toEqual([...new Set(seen)].toSorted());
      expect(seen).toEqual(expect.arrayContaining([...throughout]));
    },
  );
  fc.assert(property, { seed: 1 });
});
