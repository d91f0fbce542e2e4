import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../store/memory.ts';
import { DamagedRecord } from '../store/store.ts';
import { contract } from '../testing/serve.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { loadSeed, readSeed, type Seed, SeedError } from './seed.ts';

async function read(content: unknown): Promise<Seed> {
  const path = join(await temporaryFolder(), 'seed.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readSeed(path, contract);
}

const ROUTE = { id: 'edghtsrt_1', match_type: 'path_prefix', match: '/', compression: {} };
const TWICE = { request_headers: { add: { A: '1', a: '2' } } };
const SEED = {
  edges: [
    {
      id: 'edghts_shop',
      description: 'Shop',
      hostports: ['shop.example.com:443'],
      routes: [ROUTE],
    },
  ],
  event_sources: ['b.v0', 'a.v0'].map((type) => ({ subscription_id: 'sub_1', type })),
};

test('adds what is missing, with every default, and leaves what is there', async () => {
  const store = createMemoryStore();
  const seed = await read(SEED);
  expect(await loadSeed(store, seed)).toEqual({ edges: 1, sources: 2, damaged: 0 });
  const edge = await store.edges.get('edghts_shop');
  expect(edge).toMatchObject({
    description: 'Shop',
    metadata: '',
    created_at: expect.stringMatching(/Z$/),
  });
  expect(edge?.routes[0]).toMatchObject({
    id: 'edghtsrt_1',
    compression: { enabled: true },
    oauth: null,
  });
  expect((await store.subscriptions.get('sub_1'))?.types).toEqual(['a.v0', 'b.v0']);

  await store.edges.update('edghts_shop', (current) => ({ ...current!, description: 'Changed' }));
  await store.subscriptions.update('sub_1', (current) => ({
    ...current!,
    types: ['b.v0', 'c.v0'],
  }));
  expect(await loadSeed(store, seed)).toEqual({ edges: 0, sources: 1, damaged: 0 });
  expect((await store.edges.get('edghts_shop'))?.description).toBe('Changed');
  expect((await store.subscriptions.get('sub_1'))?.types).toEqual(['a.v0', 'b.v0', 'c.v0']);
  expect(await loadSeed(store, await read({}))).toEqual({ edges: 0, sources: 0, damaged: 0 });
});

test('a damaged record is left as it is, and does not stop the rest', async () => {
  const store = createMemoryStore();
  const broken = {
    ...store,
    edges: { ...store.edges, update: () => Promise.reject(new DamagedRecord('torn')) },
  };
  expect(await loadSeed(broken, await read(SEED))).toEqual({ edges: 0, sources: 2, damaged: 1 });
});

test.for([
  ['{"edges":', /is not JSON$/],
  ['[]', /the file must be object/],
  [{ edge: [] }, /must NOT have additional properties: "edge"/],
  [{ edges: [{}] }, /\/edges\/0 must have required property 'id'/],
  [{ edges: [{ id: 'a/b' }] }, /\/edges\/0\/id must be only letters/],
  [{ edges: [{ id: 'e' }, { id: 'e' }] }, /\/edges\/1\/id occurs twice/],
  [
    { edges: [{ id: 'e', description: 'é'.repeat(128) }] },
    /\/edges\/0\/description must have at most 255 bytes/,
  ],
  [{ edges: [{ id: 'e', description: '\ud800' }] }, /\/edges\/0\/description has a lone surrogate/],
  [{ edges: [{ id: 'e', routes: [ROUTE, ROUTE] }] }, /\/edges\/0\/routes\/1\/id occurs twice/],
  [
    { edges: [{ id: 'e', routes: [ROUTE, { ...ROUTE, id: 'r' }] }] },
    /\/edges\/0\/routes\/1: The edge has a route/,
  ],
  [
    { edges: [{ id: 'e', routes: [{ ...ROUTE, ...TWICE }] }] },
    /request_headers\/add\/a is a header name that/,
  ],
  [
    { event_sources: [{ subscription_id: 's', type: 'hush' }] },
    /\/event_sources\/0\/type must be a name of lower-case/,
  ],
] as const)('%j is refused in one line', async ([content, message]) => {
  const error: unknown = await read(content).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SeedError);
  expect(String(error)).toMatch(message);
  expect(String(error)).not.toMatch(/\n|hush/);
});

test('a file that is not there is named', async () => {
  await expect(readSeed('/nowhere', contract)).rejects.toThrow(
    '--seed-file /nowhere: cannot be read (ENOENT)',
  );
});
