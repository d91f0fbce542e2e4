import { expect, test } from 'vitest';
import { addRoute, changeRoute, consistent, createEdge, type EdgeRecord } from './edge.ts';
import { createRoute, updateRoute } from './route.ts';
import { BARE_EDGE } from '../testing/bare-edge.ts';

const created_at = '2026-01-15T09:30:00.000Z';
const MAX = 4 * 1024 * 1024;
const TEXTS = { description: '', metadata: '' };

const bytesOf = (edge: EdgeRecord) => Buffer.byteLength(JSON.stringify(edge));
const route = (id: string, value: string) =>
  createRoute(
    { match_type: 'exact_path', match: `/${id}`, ...TEXTS, traffic_policy: { enabled: true, value } },
    { id, created_at, signing: null },
  );

/** An edge with one route, of so many bytes. */
function edgeOf(bytes: number): EdgeRecord {
  const edge = createEdge(BARE_EDGE, { id: 'edghts_1', created_at });
  const without = bytesOf({ ...edge, routes: [route('r', '')] });
  return { ...edge, routes: [route('r', 'x'.repeat(bytes - without))] };
}

test('an edge with its routes has at most 4 MiB', () => {
  expect(consistent(edgeOf(MAX))).toBeDefined();
  expect(() => consistent(edgeOf(MAX + 1))).toThrow(expect.objectContaining({ code: 'conflict' }));
  // Bytes, not characters: é has two.
  const nearly = edgeOf(MAX - 2);
  expect(bytesOf(consistent({ ...nearly, description: 'é' }))).toBe(MAX);
  expect(() => consistent({ ...nearly, description: 'éé' })).toThrow(/more than 4194304 bytes/);
});

test('neither a new route nor a change of one makes it larger', () => {
  const edge = edgeOf(MAX - 2000);
  const value = 'y'.repeat(3000);
  expect(() => addRoute(edge, route('s', value))).toThrow(/more than 4194304 bytes/);
  const smaller = addRoute(edge, route('s', ''));
  const change = () =>
    changeRoute(smaller, 's', (one) =>
      updateRoute(one, { traffic_policy: { enabled: true, value } }, { signing: null, defaults: TEXTS }),
    );
  expect(change).toThrow(expect.objectContaining({ code: 'conflict' }));
});
