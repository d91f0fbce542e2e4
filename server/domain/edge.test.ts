import { expect, test } from 'vitest';
import { addRoute, changeRoute, consistent, createEdge, type EdgeRecord } from './edge.ts';
import { createRoute, type RouteRecord, updateRoute } from './route.ts';

const created_at = '2026-01-15T09:30:00.000Z';

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
    const edge = createEdge({ ...TEXTS, hostports: [] }, { id: 'edghts_1', created_at });
    const without = bytesOf({ ...edge, routes: [route('r', '')] });
    return { ...edge, routes: [route('r', 'x'.repeat(bytes - without))] };
  };
  const tooLarge = expect.objectContaining({
    code: 'conflict',
    detail: expect.stringContaining('4194304 bytes'),
  });

  expect(consistent(edgeOf(MAX))).toBeDefined();
  expect(() => consistent(edgeOf(MAX + 1))).toThrow(tooLarge);
  // Bytes, not characters: é has two.
  const nearly = edgeOf(MAX - 2);
  expect(bytesOf(consistent({ ...nearly, description: 'é' }))).toBe(MAX);
  expect(() => consistent({ ...nearly, description: 'éé' })).toThrow(tooLarge);

  const value = 'y'.repeat(3000);
  const edge = edgeOf(MAX - 2000);
  expect(() => addRoute(edge, route('s', value))).toThrow(tooLarge);
  const grown = (one: RouteRecord) =>
    updateRoute(one, policy(value), { signing: null, defaults: TEXTS });
  expect(() => changeRoute(addRoute(edge, route('s', '')), 's', grown)).toThrow(tooLarge);
});
