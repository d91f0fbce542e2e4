/** What every store is held to. Each store's own test file runs it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EdgeRecord } from '../domain/edge.ts';
import { addType, emptySubscription } from '../domain/subscription.ts';
import { MAX_PAGE_BYTES, type Store, type StoreEvents } from './store.ts';

/** For a store that is expected to report nothing. */
export const quiet: StoreEvents = {
  damaged: (error) => expect.unreachable(error.message),
  disconnected: (reason) => expect.unreachable(reason),
  warning: (message) => expect.unreachable(message),
};

export interface StoreUnderTest {
  /** An empty store. */
  open(): Promise<Store>;
  /** Closes the store and opens its data again; undefined where nothing outlives the store. */
  reopen?(store: Store): Promise<Store>;
}

export function describeStore(name: string, { open, reopen }: StoreUnderTest): void {
  describe(name, () => {
    test('gives undefined for what is not there', async () => {
      const store = await open();
      expect(await store.edges.get('nothing')).toBeUndefined();
      expect(await store.subscriptions.get('nothing')).toBeUndefined();
    });

    test('gives back every text, list and flag as it was kept', async () => {
      const store = await open();
      await fc.assert(
        fc.asyncProperty(edges, async (edge) => {
          await store.edges.update(edge.id, () => edge);
          expect(await store.edges.get(edge.id)).toEqual(edge);
        }),
        { numRuns: 50 },
      );
    });

    test('gives back NUL, every plane of Unicode, order of keys and numbers to the last digit', async () => {
      const store = await open();
      for (const [n, odd] of ODD_TEXTS.entries()) {
        const edge = { ...PLAIN, id: `e${n}`, description: odd, metadata: JSON.stringify(odd), hostports: [odd, odd] };
        await store.edges.update(edge.id, () => edge);
        expect(JSON.stringify(await store.edges.get(edge.id))).toBe(JSON.stringify(edge));
      }
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), async (value) => {
          const edge = { ...PLAIN, metadata: value } as unknown as EdgeRecord;
          await store.edges.update(edge.id, () => edge);
          expect(JSON.stringify(await store.edges.get(edge.id))).toBe(JSON.stringify(edge));
        }),
        { numRuns: 50 },
      );
      for (const value of [
        0.1,
        1e-7,
        5e-324,
        1.7976931348623157e308,
        2 ** 53 + 2,
        0.30000000000000004,
        { b: 1, a: 2, é: 3, '': 4 },
      ]) {
        const edge = { ...PLAIN, metadata: value } as unknown as EdgeRecord;
        await store.edges.update(edge.id, () => edge);
        expect(JSON.stringify(await store.edges.get(edge.id))).toBe(JSON.stringify(edge));
      }
    });

    test('keeps records apart whose ids differ in case only', async () => {
      const store = await open();
      for (const id of ['Ab', 'aB', 'ab', 'AB', 'con', '-', '_']) {
        await store.subscriptions.update(id, () => ({ id, types: [`${id.length}.v0`, id] }));
      }
      for (const id of ['Ab', 'aB', 'ab', 'AB', 'con', '-', '_']) {
        expect((await store.subscriptions.get(id))?.types[1]).toBe(id);
      }
    });

    test('removes a record for null, and for undefined where there is none', async () => {
      const store = await open();
      await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0'] }));
      await store.subscriptions.update('s', () => null);
      expect(await store.subscriptions.get('s')).toBeUndefined();
      await store.subscriptions.update('s', () => undefined);
      expect(await store.subscriptions.get('s')).toBeUndefined();
    });

    test('counts what is there', async () => {
      const store = await open();
      expect(await store.subscriptions.count()).toBe(0);
      for (const id of ['a', 'A', 'b']) await store.subscriptions.update(id, () => ({ id, types: ['a.v0'] }));
      await store.subscriptions.update('a', () => ({ id: 'a', types: ['b.v0'] }));
      await store.subscriptions.update('b', () => null);
      expect([await store.subscriptions.count(), await store.edges.count()]).toEqual([2, 0]);
    });

    test('changes nothing when the change throws', async () => {
      const store = await open();
      await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0'] }));
      const refused = store.subscriptions.update('s', () => {
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
      expect(await store.subscriptions.get('s')).toEqual({ id: 's', types: ['a.v0'] });
      await store.subscriptions.update('s', (current) => addType(current!, 'b.v0'));
      expect((await store.subscriptions.get('s'))?.types).toEqual(['a.v0', 'b.v0']);
    });

    test('loses no update among concurrent writers of one record', async () => {
      const store = await open();
      const types = Array.from({ length: 40 }, (_, n) => `t${n}.v0`);
      await Promise.all(
        types.map((type) => store.subscriptions.update('s', (now) => addType(now ?? emptySubscription('s'), type))),
      );
      expect((await store.subscriptions.get('s'))?.types).toEqual(types.toSorted());
    });

    test('lets one of several racing adds of a type win', async () => {
      const store = await open();
      const add = () => store.subscriptions.update('s', (now) => addType(now ?? emptySubscription('s'), 'a.v0'));
      const outcomes = await Promise.allSettled(Array.from({ length: 16 }, add));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('lists by descending id, from any position', async () => {
      const store = await open();
      expect(await store.subscriptions.list({ limit: 5, before: undefined })).toEqual({ records: [], next: undefined });
      for (const id of ['b', 'B', 'a', '_', '0', 'ab'])
        await store.subscriptions.update(id, () => ({ id, types: ['a.v0'] }));
      const ids = async (limit: number, before?: string) =>
        (await store.subscriptions.list({ limit, before })).records.map(({ id }) => id);
      expect(await ids(10)).toEqual(['b', 'ab', 'a', '_', 'B', '0']);
      expect(await ids(2)).toEqual(['b', 'ab']);
      expect(await ids(2, 'ab')).toEqual(['a', '_']);
      expect(await ids(9, 'aaa')).toEqual(['a', '_', 'B', '0']);
      expect(await ids(9, '')).toEqual([]);
      const next = async (limit: number, before?: string) => (await store.subscriptions.list({ limit, before })).next;
      expect([await next(2), await next(5), await next(6), await next(1, 'B')]).toEqual([
        'ab',
        'B',
        undefined,
        undefined,
      ]);
    });

    test('ends a page early for its bytes, but not before its first record', async () => {
      const store = await open();
      const sizes = [0.6, 0.1, 0.3, 1.2, 0.9, 0.05].map((part) => Math.ceil(part * MAX_PAGE_BYTES));
      for (const [n, size] of sizes.entries())
        await store.edges.update(`e${n}`, () => ({ ...PLAIN, id: `e${n}`, metadata: 'm'.repeat(size) }));
      const pages: string[][] = [];
      for (let before: string | undefined; ;) {
        const { records, next } = await store.edges.list({ limit: 5, before });
        pages.push(records.map(({ id }) => id));
        if (next === undefined) break;
        before = next;
      }
      expect(pages).toEqual([['e5', 'e4'], ['e3'], ['e2', 'e1'], ['e0']]);
    });

    test('creates a record once', async () => {
      const store = await open();
      const create = (type: string) => store.subscriptions.create({ id: 's', types: [type] });
      const made = await Promise.all([create('a.v0'), create('b.v0'), create('c.v0')]);
      expect(made.toSorted()).toEqual([false, false, true]);
      const kept = await store.subscriptions.get('s');
      expect(kept?.types).toEqual([['a.v0', 'b.v0', 'c.v0'][made.indexOf(true)]]);
      expect(await create('d.v0')).toBe(false);
      await store.subscriptions.update('s', () => null);
      expect(await create('d.v0')).toBe(true);
    });

    test('replaces whatever there is', async () => {
      const store = await open();
      await store.subscriptions.replace('s', null);
      for (const types of [['a.v0'], ['b.v0']]) {
        await store.subscriptions.replace('s', { id: 's', types });
        expect(await store.subscriptions.get('s')).toEqual({ id: 's', types });
      }
      await store.subscriptions.replace('s', null);
      expect(await store.subscriptions.get('s')).toBeUndefined();
      expect(await store.subscriptions.count()).toBe(0);
    });

    test('gives a route without the private key that an earlier version kept', async () => {
      const store = await open();
      const signing = { certificate_pem: 'public', private_key_pem: 'hush' };
      const edge = { ...PLAIN, routes: [{ id: 'r', signing }] } as unknown as EdgeRecord;
      await store.edges.update('e', () => edge);
      await store.edges.update('e', (current) => ({ ...current!, description: 'changed' }));
      for (const record of [
        await store.edges.get('e'),
        ...(await store.edges.list({ limit: 1, before: undefined })).records,
      ])
        expect(record?.routes).toEqual([{ id: 'r', signing: { certificate_pem: 'public' } }]);
    });

    test('takes any text as a position', async () => {
      const store = await open();
      const kept = ['b', 'B', 'a', '_', '0', 'ab', '-', 'aB', 'a-', 'a_'];
      for (const id of kept) await store.subscriptions.update(id, () => ({ id, types: ['a.v0'] }));
      const positions = fc.oneof(
        fc.constantFrom(
          'a\0',
          'a\0b',
          '\0',
          'a\u007f',
          'aé',
          'a\u{1f600}',
          'a\uffff',
          '\ud800',
          ' ',
          '~',
          "a'; --",
          'a%',
          'x'.repeat(5000),
        ),
        fc.string({ unit: 'binary', maxLength: 4 }),
        fc.tuple(fc.constantFrom(...kept), fc.string({ unit: 'binary', maxLength: 2 })).map((parts) => parts.join('')),
      );
      await fc.assert(
        fc.asyncProperty(positions, async (before) => {
          const found = (await store.subscriptions.list({ limit: 20, before })).records.map(({ id }) => id);
          expect(found).toEqual(
            kept
              .filter((id) => id < before)
              .toSorted()
              .toReversed(),
          );
        }),
      );
    });

    test('lists everything page by page while others write', async () => {
      const store = await open();
      const kept = Array.from({ length: 30 }, (_, n) => `k${String(n).padStart(2, '0')}`);
      for (const id of kept) await store.subscriptions.update(id, () => ({ id, types: ['a.v0'] }));
      const done = new AbortController();
      const writer = (async () => {
        for (let n = 0; !done.signal.aborted; n++) {
          const id = `k${String(n % 30).padStart(2, '0')}x`;
          await store.subscriptions.update(id, (now) => (now ? null : { id, types: ['a.v0'] }));
        }
      })();
      const seen: string[] = [];
      for (let before: string | undefined; ;) {
        const { records, next } = await store.subscriptions.list({ limit: 4, before });
        seen.push(...records.map(({ id }) => id));
        if (next === undefined) break;
        before = next;
      }
      done.abort();
      await writer;
      expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
      expect(seen.filter((id) => !id.endsWith('x'))).toEqual(kept.toReversed());
    });

    test('keeps what it has: what it gives is a copy, or cannot be changed', async () => {
      const store = await open();
      await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0'] }));
      const { types } = (await store.subscriptions.get('s'))!;
      if (Object.isFrozen(types)) expect(() => types.push('stray.v0')).toThrow(TypeError);
      else types.push('stray.v0');
      expect((await store.subscriptions.get('s'))?.types).toEqual(['a.v0']);
    });

    test.runIf(reopen)('keeps everything over a restart', async () => {
      const store = await open();
      const kept = fc.sample(edges, 20);
      for (const edge of kept) await store.edges.update(edge.id, () => edge);
      await store.subscriptions.update('gone', () => ({ id: 'gone', types: ['a.v0'] }));
      await store.subscriptions.update('gone', () => null);
      const again = await reopen!(store);
      for (const edge of new Map(kept.map((one) => [one.id, one])).values()) {
        expect(await again.edges.get(edge.id)).toEqual(edge);
      }
      expect(await again.subscriptions.get('gone')).toBeUndefined();
    });
  });
}

/** Texts that stores have been known to lose. */
const ODD_TEXTS = [
  '',
  '\0',
  'a\0b\0',
  Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join(''),
  '\u007f\u0080\u009f\u00a0\u00ad',
  'é e\u0301 \u212b \u00c5',
  '\u2028\u2029\ufeff\ufffd\ufffe\uffff',
  '\u{10000}\u{1f600}\u{10ffff}',
  '\\ " \\u0000 \\x00 \' $1 %s',
  '\ud800', // a lone surrogate, which the API refuses and JSON can write
];

const PLAIN: EdgeRecord = {
  id: 'e',
  created_at: '2026-01-15T09:30:00.000Z',
  description: '',
  metadata: '',
  hostports: [],
  mutual_tls: null,
  tls_termination: null,
  routes: [],
};

const text = fc.string({ unit: 'binary', maxLength: 40 });
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

const edges: fc.Arbitrary<EdgeRecord> = fc.record({
  id,
  created_at: fc.constant('2026-01-15T09:30:00.000Z'),
  description: text,
  metadata: text,
  hostports: fc.array(text),
  mutual_tls: fc.option(fc.record({ enabled: fc.boolean(), certificate_authority_ids: fc.array(id) })),
  tls_termination: fc.option(
    fc.record({
      enabled: fc.boolean(),
      terminate_at: fc.constantFrom('edge' as const, 'upstream' as const),
      min_version: fc.option(fc.constantFrom('1.2' as const, '1.3' as const)),
    }),
  ),
  routes: fc.constant([]),
});
