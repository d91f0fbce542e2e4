/** The tests that every store must pass. Each store's own test file runs them. */
import { readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEdge, type EdgeRecord } from '../domain/edge.ts';
import { addType, emptySubscription, type SubscriptionRecord } from '../domain/subscription.ts';
import { MAX_PAGE_BYTES, pagesOf, type Store, type StoreEvents } from './store.ts';

/** For a store that is expected to report nothing. */
export const quiet: StoreEvents = {
  damaged: (error) => expect.unreachable(error.message),
  warning: (message) => expect.unreachable(message),
};

/** Replaces the first occurrence of a text in a file. */
export async function edit(file: string, from: string, to: string): Promise<void> {
  const content = await readFile(file, 'utf8');
  expect(content).toContain(from);
  await writeFile(file, content.replace(from, to));
}

export interface StoreUnderTest {
  /** A new place for data, such as a folder; undefined if nothing outlives the store. */
  place?(): Promise<string>;
  openAt(place: string): Promise<Store>;
}

export function describeStore(name: string, { place, openAt }: StoreUnderTest): void {
  const open = async () => openAt((await place?.()) ?? '');

  describe(name, () => {
    test('gives back every value to the byte, in its order', async () => {
      const store = await open();
      const keep = async (edge: EdgeRecord) => {
        await store.edges.update(edge.id, () => edge);
        expect(JSON.stringify(await store.edges.get(edge.id))).toBe(JSON.stringify(edge));
      };
      for (const odd of ODD_TEXTS) {
        await keep({
          ...PLAIN,
          description: odd,
          metadata: JSON.stringify(odd),
          hostports: [odd, odd],
        });
      }
      for (const value of ODD_VALUES) {
        await keep({ ...PLAIN, metadata: value } as unknown as EdgeRecord);
      }
      await fc.assert(fc.asyncProperty(edges, keep), { seed: 1, numRuns: 100 });
    });

    test('does what a map does', async () => {
      const { subscriptions } = await open();
      const property = fc.asyncProperty(steps, async (list) => {
        for (const one of IDS) {
          await subscriptions.replace(one, null);
        }
        const model: Model = new Map();
        for (const [call, values] of list) {
          await STEPS[call]!(subscriptions, model, values);
        }
      });
      await fc.assert(property, { seed: 1, numRuns: 40 });
    });

    test('loses no update among writers of one record', async () => {
      const store = await open();
      const types = Array.from({ length: 40 }, (_, n) => `t${n}.v0`);
      const add = (type: string) =>
        store.subscriptions.update('s', (now) => addType(now ?? emptySubscription('s'), type));
      await Promise.all(types.map(add));
      expect((await store.subscriptions.get('s'))?.types).toEqual(types.toSorted());
    });

    test('creates a record once', async () => {
      const { subscriptions } = await open();
      const types = ['a.v0', 'b.v0', 'c.v0'];
      const made = await Promise.all(
        types.map((type) => subscriptions.create({ id: 's', types: [type] })),
      );
      expect(made.toSorted()).toEqual([false, false, true]);
      expect((await subscriptions.get('s'))?.types).toEqual([types[made.indexOf(true)]]);
    });

    test('ends a page early for its bytes, but not before its first record', async () => {
      const store = await open();
      const sizes = [0.6, 0.1, 0.3, 1.2, 0.9, 0.05].map((part) => Math.ceil(part * MAX_PAGE_BYTES));
      for (const [n, size] of sizes.entries()) {
        await store.edges.create({ ...PLAIN, id: `e${n}`, metadata: 'm'.repeat(size) });
      }
      expect(await idsOf(store.edges, 5)).toEqual([['e5', 'e4'], ['e3'], ['e2', 'e1'], ['e0']]);
    });

    test('lists everything page by page while others write', async () => {
      const { subscriptions } = await open();
      const kept = Array.from({ length: 30 }, (_, n) => `k${String(n).padStart(2, '0')}`);
      for (const id of kept) {
        await subscriptions.create({ id, types: [] });
      }
      const done = new AbortController();
      const writer = (async () => {
        for (let n = 0; !done.signal.aborted; n++) {
          const id = `${kept[n % 30]}x`;
          await subscriptions.update(id, (now) => (now ? null : { id, types: [] }));
        }
      })();
      const seen = (await idsOf(subscriptions, 4)).flat();
      done.abort();
      await writer;
      expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
      expect(seen.filter((id) => !id.endsWith('x'))).toEqual(kept.toReversed());
    });

    test('gives a route without the private key that an earlier version kept', async () => {
      const store = await open();
      const signing = { certificate_pem: 'public', private_key_pem: 'hush' };
      await store.edges.create({
        ...PLAIN,
        routes: [{ id: 'r', signing }],
      } as unknown as EdgeRecord);
      await store.edges.update('e', (current) => ({ ...current!, description: 'changed' }));
      const { records } = await store.edges.list({ limit: 1, before: undefined });
      for (const record of [await store.edges.get('e'), ...records]) {
        expect(record?.routes).toEqual([{ id: 'r', signing: { certificate_pem: 'public' } }]);
      }
    });

    test('keeps what it has: what it gives is a copy, or cannot be changed', async () => {
      const store = await open();
      await store.subscriptions.create({ id: 's', types: ['a.v0'] });
      const { types } = (await store.subscriptions.get('s'))!;
      if (Object.isFrozen(types)) {
        expect(() => types.push('stray.v0')).toThrow(TypeError);
      } else {
        types.push('stray.v0');
      }
      expect((await store.subscriptions.get('s'))?.types).toEqual(['a.v0']);
      await store.edges.create({ ...PLAIN, metadata: 'm'.repeat(100_000) });
      const edge = await store.edges.get('e');
      expect(await store.edges.get('e')).toBe(edge);
      expect(Object.isFrozen(edge?.hostports)).toBe(true);
      await store.edges.update('e', (now) => ({ ...now!, description: 'new' }));
      expect((await store.edges.get('e'))?.description).toBe('new');
    });

    test.runIf(place)('keeps everything over a restart', async () => {
      const at = await place!();
      const store = await openAt(at);
      const kept = new Map(
        fc.sample(edges, { seed: 1, numRuns: 20 }).map((edge) => [edge.id, edge]),
      );
      for (const edge of kept.values()) {
        await store.edges.create(edge);
      }
      await store.subscriptions.create({ id: 'gone', types: ['a.v0'] });
      await store.subscriptions.update('gone', () => null);
      await store.close();
      const again = await openAt(at);
      for (const edge of kept.values()) {
        expect(await again.edges.get(edge.id)).toEqual(edge);
      }
      expect([await again.edges.count(), await again.subscriptions.count()]).toEqual([
        kept.size,
        0,
      ]);
    });
  });
}

async function idsOf(
  collection: Store['edges'] | Store['subscriptions'],
  limit: number,
): Promise<string[][]> {
  const pages: string[][] = [];
  for await (const records of pagesOf<{ id: string }>(collection, limit)) {
    pages.push(records.map(({ id }) => id));
  }
  return pages;
}

const NEW = { id: 'e', created_at: '2026-01-15T09:30:00.000Z' };
const PLAIN = createEdge({ description: '', metadata: '', hostports: [] }, NEW);

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

const ODD_VALUES = [
  0.1,
  1e-7,
  5e-324,
  Number.MAX_VALUE,
  2 ** 53 + 2,
  0.1 + 0.2,
  { b: 1, a: 2, é: 3, '': 4 },
];

const text = fc.string({ unit: 'binary', maxLength: 40 });

const edges = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  created_at: fc.constant(PLAIN.created_at),
  description: text,
  metadata: fc.oneof(text, fc.jsonValue({ stringUnit: 'binary' })),
  hostports: fc.array(text),
  mutual_tls: fc.option(
    fc.record({ enabled: fc.boolean(), certificate_authority_ids: fc.array(text) }),
  ),
  tls_termination: fc.constant(null),
  routes: fc.constant([]),
}) as fc.Arbitrary<EdgeRecord>;

/** Ids that differ in case only, and names of built-ins. */
const IDS = ['Ab', 'aB', 'ab', 'a', 'a-', '_', '0', '__proto__', 'constructor'];

const anyId = fc.constantFrom(...IDS);

/** Any text is a position in a list. */
const position = fc.oneof(
  anyId,
  fc.constant(undefined),
  fc.constantFrom(
    '',
    'a\0b',
    '\0',
    'a\u007f',
    'aé',
    'a\u{1f600}',
    'a\uffff',
    '\ud800',
    "a'; --",
    'x'.repeat(5000),
  ),
  fc.tuple(anyId, fc.string({ unit: 'binary', maxLength: 2 })).map((parts) => parts.join('')),
);

const stepValues = fc.record({
  record: fc.record({ id: anyId, types: fc.uniqueArray(fc.constantFrom('a.v0', 'b.v0', 'c.v0')) }),
  removes: fc.boolean(),
  limit: fc.integer({ min: 1, max: 8 }),
  before: position,
});
type StepValues = typeof stepValues extends fc.Arbitrary<infer Values> ? Values : never;

type Model = Map<string, SubscriptionRecord>;
type Step = (real: Store['subscriptions'], model: Model, values: StepValues) => Promise<void>;

function put(model: Model, id: string, next: SubscriptionRecord | null): void {
  if (next) {
    model.set(id, next);
  } else {
    model.delete(id);
  }
}

/** Each call of a collection, compared with the same on a map. */
const STEPS: Record<string, Step> = {
  create: async (real, model, { record }) => {
    expect(await real.create(record)).toBe(!model.has(record.id));
    if (!model.has(record.id)) {
      model.set(record.id, record);
    }
  },
  update: async (real, model, { record, removes }) => {
    const next = removes ? null : record;
    const change = (now: SubscriptionRecord | undefined) => {
      expect(now).toEqual(model.get(record.id));
      return next;
    };
    expect(await real.update(record.id, change)).toEqual(next ?? undefined);
    put(model, record.id, next);
  },
  changeNothing: async (real, model, { record }) => {
    expect(await real.update(record.id, (now) => now)).toEqual(model.get(record.id));
    const refuse = () => {
      throw new Error('refused');
    };
    await expect(real.update(record.id, refuse)).rejects.toThrow('refused');
  },
  replace: async (real, model, { record, removes }) => {
    const next = removes ? null : record;
    await real.replace(record.id, next);
    put(model, record.id, next);
  },
  get: async (real, model, { record }) => {
    expect(await real.get(record.id)).toEqual(model.get(record.id));
    expect(await real.count()).toBe(model.size);
  },
  list: async (real, model, { limit, before }) => {
    const below = [...model.keys()].filter((one) => before === undefined || one < before);
    const expected = below.toSorted().toReversed();
    expect(await real.list({ limit, before })).toEqual({
      records: expected.slice(0, limit).map((one) => model.get(one)),
      next: expected.length > limit ? expected[limit - 1] : undefined,
    });
  },
};

const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(STEPS)), stepValues), {
  maxLength: 40,
  size: 'max',
});
