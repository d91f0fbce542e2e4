import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readContract } from '../contract.ts';
import { compileDefaults } from '../http/validation/defaults.ts';
import { createIds } from '../ids.ts';
import { edgeHandlers } from '../operations/edges.ts';
import { createMemoryStore } from '../store/memory.ts';
import { BARE_EDGE } from '../testing/bare-edge.ts';
import { addRoute, changeRoute, consistent, createEdge, type EdgeRecord, type NewEdge, showEdge } from './edge.ts';
import { Links } from './links.ts';
import { createRoute, updateRoute } from './route.ts';
import type { EdgeCreate } from './types.ts';

const links = new Links('https://api.example');
const created_at = '2026-01-15T09:30:00.000Z';

test('an edge shows what was sent, and defaults for the rest (D04, D05, D07, D08)', () => {
  const fill = compileDefaults(readContract().document, { $ref: '#/components/schemas/HTTPSEdgeCreate' });
  const enabled = fc.boolean();
  const min_version = fc.option(fc.constantFrom('1.2' as const, '1.3' as const));
  const optional = { requiredKeys: [] };
  const atEdge = fc.record({ enabled, terminate_at: fc.constant('edge' as const), min_version }, optional);
  const upstream = fc.record(
    { enabled, terminate_at: fc.constant('upstream' as const), min_version: fc.constant(null) },
    { requiredKeys: ['terminate_at'] },
  );
  const certificate_authority_ids = fc.array(fc.constantFrom('ca_1', 'ca_2', 'ca_3'));
  const inputs: fc.Arbitrary<EdgeCreate> = fc.record(
    {
      description: fc.string(),
      metadata: fc.string(),
      hostports: fc.array(fc.constantFrom('a:1', 'b:2', '*.c:3')),
      mutual_tls: fc.option(fc.record({ enabled, certificate_authority_ids }, optional)),
      tls_termination: fc.option(fc.oneof(atEdge, upstream)),
    },
    optional,
  );
  const property = fc.property(inputs, (input) => {
    const edge = createEdge(fill(structuredClone(input)) as NewEdge, { id: 'edghts_1', created_at });
    const { mutual_tls: mutual, tls_termination: tls } = input;
    const certificates = (mutual?.certificate_authority_ids ?? []).map((id) => ({
      ...{ id, uri: `https://api.example/certificate_authorities/${id}` },
    }));
    expect(showEdge(edge, links)).toEqual({
      ...{ id: 'edghts_1', created_at, uri: 'https://api.example/edges/https/edghts_1', routes: [] },
      ...{ description: input.description ?? '', metadata: input.metadata ?? '', hostports: input.hostports ?? [] },
      mutual_tls: mutual ? { enabled: mutual.enabled ?? true, certificate_authorities: certificates } : null,
      tls_termination: tls
        ? {
            enabled: tls.enabled ?? true,
            terminate_at: tls.terminate_at ?? 'edge',
            min_version: tls.terminate_at === 'upstream' ? null : (tls.min_version ?? '1.2'),
          }
        : null,
    });
  });
  fc.assert(property, { seed: 1 });
});

test('an edge with its routes has at most 4 MiB, also after a new route or a change of one (D39)', () => {
  const MAX = 4 * 1024 * 1024;
  const TEXTS = { description: '', metadata: '' };
  const bytesOf = (edge: EdgeRecord) => Buffer.byteLength(JSON.stringify(edge));
  const policy = (value: string) => ({ traffic_policy: { enabled: true, value } });
  const route = (id: string, value: string) =>
    createRoute(
      { match_type: 'exact_path', match: `/${id}`, ...TEXTS, ...policy(value) },
      { id, created_at, signing: null },
    );
  const edgeOf = (bytes: number): EdgeRecord => {
    const edge = createEdge(BARE_EDGE, { id: 'edghts_1', created_at });
    const without = bytesOf({ ...edge, routes: [route('r', '')] });
    return { ...edge, routes: [route('r', 'x'.repeat(bytes - without))] };
  };
  const tooLarge = expect.objectContaining({ code: 'conflict', detail: expect.stringContaining('4194304 bytes') });

  expect(consistent(edgeOf(MAX))).toBeDefined();
  expect(() => consistent(edgeOf(MAX + 1))).toThrow(tooLarge);
  // Bytes, not characters: é has two.
  const nearly = edgeOf(MAX - 2);
  expect(bytesOf(consistent({ ...nearly, description: 'é' }))).toBe(MAX);
  expect(() => consistent({ ...nearly, description: 'éé' })).toThrow(tooLarge);

  const value = 'y'.repeat(3000);
  const edge = edgeOf(MAX - 2000);
  expect(() => addRoute(edge, route('s', value))).toThrow(tooLarge);
  const grow = () =>
    changeRoute(addRoute(edge, route('s', '')), 's', (one) =>
      updateRoute(one, policy(value), { signing: null, defaults: TEXTS }),
    );
  expect(grow).toThrow(tooLarge);
});

test('pages of large edges end early, and the next one begins where they end', async () => {
  const handlers = edgeHandlers({
    store: createMemoryStore(),
    clock: () => new Date(),
    newId: createIds(),
    defaultsOf: () => BARE_EDGE as never,
    createSigningKey: () => Promise.reject(new Error('no key is needed')),
  });
  const made: string[] = [];
  for (let n = 0; n < 5; n++) {
    // Larger than the contract allows: the size in the store counts.
    const body = { ...BARE_EDGE, metadata: 'm'.repeat(1_800_000) };
    made.unshift((await handlers.createEdge({ path: {}, query: {}, body, links } as never)).body.id);
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
