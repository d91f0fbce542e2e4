/** The facts that this API lays over what the engine infers from its contract. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { inferredResources } from '../../engine/laws/inference/inferred-resources.ts';
import type { Overlay } from '../../engine/laws/inference/overlay.ts';
import type { Resource } from '../../engine/laws/resource.ts';
import { edgeOverlay, edgesOf } from './edges.ts';
import { laidOver } from './laid-over.ts';
import { routeOverlay, routesOf } from './routes.ts';
import { sourceOverlay, sourcesOf } from './sources.ts';

const contract = loadContract();

function inferred(create: string): Resource {
  return laidOver(create, {})(contract);
}

/** The parts that both give, and that differ. */
function replacedParts(resource: Resource, { replaces, list = {}, ...parts }: Overlay): string[] {
  const differs = (part: unknown, other: unknown) =>
    part !== undefined && !isDeepStrictEqual(part, other);
  const own = Object.entries(parts)
    .filter(([name, value]) => {
      // The values of routes take seconds to infer.
      return name === 'values' || differs(resource[name as keyof Resource], value);
    })
    .map(([name]) => name);
  const inList = Object.entries(list)
    .filter(([name, value]) => differs(resource.list[name as keyof Resource['list']], value))
    .map(([name]) => `list.${name}`);
  const leftOut = Object.keys(replaces).filter(
    (name) => !(name in parts) && resource[name as keyof Resource] !== undefined,
  );
  return [...own, ...inList, ...leftOut];
}

/** The parts that the overlay repeats. */
function repeatedParts(resource: Resource, { list = {}, ...parts }: Overlay): string[] {
  const own = Object.entries(parts).filter(
    ([name, value]) =>
      name !== 'values' && isDeepStrictEqual(resource[name as keyof Resource], value),
  );
  const inList = Object.entries(list).filter(
    ([name, value]) =>
      value !== undefined &&
      isDeepStrictEqual(resource.list[name as keyof Resource['list']], value),
  );
  return [...own, ...inList].map(([name]) => name);
}

test.each([
  ['createEdge', edgeOverlay],
  ['createRoute', routeOverlay],
  ['createEventSource', sourceOverlay],
] as const)('the overlay of %s names each inferred part that it replaces', (create, overlay) => {
  const resource = inferred(create);
  expect(replacedParts(resource, overlay).toSorted()).toEqual(
    Object.keys(overlay.replaces).toSorted(),
  );
  expect(repeatedParts(resource, overlay)).toEqual([]);
});

test('calls, keys, lists and nesting are those that the contract gives', () => {
  const edges = edgesOf(contract);
  const routes = routesOf(contract);
  const sources = sourcesOf(contract);
  expect([edges.calls, routes.calls, sources.calls]).toEqual([
    {
      create: 'createEdge',
      read: 'getEdge',
      list: 'listEdges',
      update: 'updateEdge',
      delete: 'deleteEdge',
    },
    { create: 'createRoute', read: 'getRoute', update: 'updateRoute', delete: 'deleteRoute' },
    {
      create: 'createEventSource',
      read: 'getEventSource',
      list: 'listEventSources',
      update: 'updateEventSource',
      delete: 'deleteEventSource',
    },
  ]);
  expect([edges.id, routes.id, sources.id]).toEqual([
    { parameter: 'edge_id', member: 'id', givenBy: 'service' },
    { parameter: 'route_id', member: 'id', givenBy: 'service' },
    { parameter: 'type', member: 'type', givenBy: 'body' },
  ]);
  expect([edges.list, routes.list, sources.list]).toMatchObject([
    { kind: 'paged', items: 'https_edges', next: 'next_page_uri', size: 'limit', shared: true },
    { kind: 'embedded', read: 'getEdge', items: 'routes', shared: false },
    { kind: 'paged', items: 'sources', next: 'uri', size: 'limit', shared: false },
  ]);
  expect([edges.createdAt, routes.createdAt, sources.createdAt]).toEqual([
    'created_at',
    'created_at',
    undefined,
  ]);
  expect(edges.children?.resource.one).toBe('a route');
  expect(routes.children).toBeUndefined();
  const inside = edges.children?.placeIn({ path: { edge_id: 'a' } } as never, 2);
  expect(inside).toMatchObject({ path: { edge_id: 'a' }, bodies: [{}, {}] });
});

test('a part that only `replaces` has is left out, and so it is without an overlay', () => {
  expect([inferred('createEdge').missing, inferred('createEdge').view]).toEqual([
    { read: [404], update: expect.any(Array) as unknown },
    expect.any(Function),
  ]);
  expect([edgesOf(contract).missing, edgesOf(contract).view]).toEqual([undefined, undefined]);
});

test('no operation makes subscriptions: others may fill the first page of their sources', () => {
  const { calls, list } = inferred('createEventSource');
  expect([calls.list, list]).toEqual([undefined, { kind: 'whole', items: undefined }]);
});

test('a contract without such a resource says so', () => {
  expect(() => laidOver('listEdges', {})(contract)).toThrow(
    'the contract does not say how to read what listEdges makes',
  );
  expect(inferredResources(contract).every((one) => 'resource' in one)).toBe(true);
});
