import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Links } from './links.ts';
import {
  addType,
  emptySubscription,
  listSources,
  removeType,
  replaceType,
  requireType,
  type SubscriptionRecord,
} from './subscription.ts';

const links = new Links('https://api.example');
/** Three names, so that sequences collide. */
const type = fc.constantFrom('a.v0', 'b.v0', 'b.v10');
const types = fc.uniqueArray(type).map((list) => list.toSorted());
const subscriptions: fc.Arbitrary<SubscriptionRecord> = types.map((list) => ({ id: 's', types: list }));

function codeOf(action: () => unknown): unknown {
  try {
    action();
    return 'done';
  } catch (error) {
    return (error as { code: unknown }).code;
  }
}

describe('a set of event types', () => {
  test('adds a type once (D15)', () => {
    fc.assert(
      fc.property(subscriptions, type, (before, added) => {
        if (before.types.includes(added)) {
          expect(codeOf(() => addType(before, added))).toBe('already_exists');
        } else {
          const after = addType(before, added);
          expect(after.types).toEqual([...before.types, added].toSorted());
        }
      }),
    );
  });

  test('removes what is there (D15)', () => {
    fc.assert(
      fc.property(subscriptions, type, (before, removed) => {
        if (before.types.includes(removed)) {
          expect(removeType(before, removed).types).toEqual(before.types.filter((one) => one !== removed));
        } else {
          expect(codeOf(() => removeType(before, removed))).toBe('not_found');
        }
      }),
    );
  });

  test('replaces in one step, and 404 comes before 409 (D12)', () => {
    fc.assert(
      fc.property(subscriptions, type, type, (before, from, to) => {
        const outcome = codeOf(() => replaceType(before, from, to));
        if (!before.types.includes(from)) expect(outcome).toBe('not_found');
        else if (from === to) expect(replaceType(before, from, to)).toBe(before);
        else if (before.types.includes(to)) expect(outcome).toBe('already_exists');
        else {
          const after = replaceType(before, from, to);
          expect(new Set(after.types)).toEqual(new Set([...before.types.filter((one) => one !== from), to]));
          expect(after.types).toEqual(after.types.toSorted());
        }
      }),
    );
  });

  test('never changes the record that it was given', () => {
    fc.assert(
      fc.property(subscriptions, type, type, (before, one, other) => {
        const copy = structuredClone(before);
        codeOf(() => addType(before, one));
        codeOf(() => removeType(before, one));
        codeOf(() => replaceType(before, one, other));
        expect(before).toEqual(copy);
      }),
    );
  });

  test('knows what it has', () => {
    expect(codeOf(() => requireType({ id: 's', types: ['a.v0'] }, 'a.v0'))).toBe('done');
    expect(codeOf(() => requireType(emptySubscription('s'), 'a.v0'))).toBe('not_found');
  });
});

describe('a listing', () => {
  test('is complete and without repeats at every page size, also when types come and go (D16)', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-c]{1,3}\.v[0-9]$/), { maxLength: 12 }),
        fc.integer({ min: 1, max: 13 }),
        fc.array(fc.tuple(fc.boolean(), fc.stringMatching(/^[a-c]{1,3}\.v[0-9]$/)), { maxLength: 6 }),
        (start, limit, writes) => {
          let current: SubscriptionRecord = { id: 's', types: start.toSorted() };
          const throughout = new Set(start);
          const seen: string[] = [];
          let cursor: string | undefined;
          for (;;) {
            const page = listSources(current, { limit, cursor }, links);
            seen.push(...page.sources.map((source) => source.type));
            expect(page.sources.length).toBeLessThanOrEqual(limit);
            const write = writes.shift();
            if (write) {
              const others = current.types.filter((one) => one !== write[1]);
              throughout.delete(write[1]);
              current = { id: 's', types: (write[0] ? [...others, write[1]] : others).toSorted() };
            }
            if (page.uri === null) break;
            const next = new URL(page.uri).searchParams;
            expect(next.get('limit')).toBe(String(limit));
            cursor = next.get('cursor') ?? undefined;
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toEqual(seen.toSorted());
          for (const one of throughout) expect(seen).toContain(one);
        },
      ),
    );
  });

  test('has no next page behind the last item', () => {
    expect(listSources({ id: 's', types: ['a.v0', 'b.v0'] }, { limit: 2, cursor: undefined }, links).uri).toBeNull();
    expect(listSources({ id: 's', types: ['a.v0', 'b.v0'] }, { limit: 1, cursor: undefined }, links).uri).toBe(
      'https://api.example/event_subscriptions/s/sources?limit=1&cursor=a.v0',
    );
  });
});
