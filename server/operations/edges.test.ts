import { expect, test } from 'vitest';
import { Links } from '../domain/links.ts';
import { createIds } from '../ids.ts';
import { createMemoryStore } from '../store/memory.ts';
import { BARE_EDGE } from '../testing/bare-edge.ts';
import { edgeHandlers } from './edges.ts';

const links = new Links('https://api.example');

test('pages of large edges end early, and the next one goes on where they end', async () => {
  const store = createMemoryStore();
  const handlers = edgeHandlers({
    store,
    clock: () => new Date(),
    newId: createIds(),
    defaultsOf: () => BARE_EDGE as never,
    createSigningKey: () => Promise.reject(new Error('no key is needed')),
  });
  const made: string[] = [];
  for (let n = 0; n < 5; n++) {
    // Larger than the contract allows: it is the store's size that counts.
    const { body } = await handlers.createEdge({
      path: {},
      query: {},
      body: { ...BARE_EDGE, metadata: 'm'.repeat(1_800_000) },
      links,
    } as never);
    made.unshift(body.id);
  }
  const seen: string[][] = [];
  for (let query: { limit?: number; cursor?: string } = { limit: 4 }; ;) {
    const { body } = await handlers.listEdges({ path: {}, query, body: undefined, links } as never);
    seen.push(body.https_edges.map(({ id }) => id));
    if (body.next_page_uri === null) break;
    const next = new URL(body.next_page_uri).searchParams;
    query = { limit: Number(next.get('limit')), cursor: next.get('cursor')! };
  }
  expect(seen).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
});
