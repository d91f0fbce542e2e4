import { describe, expect, test } from 'vitest';
import {
  addRoute,
  changeRoute,
  checkedEdge,
  createEdge,
  type EdgeRecord,
  updateEdge,
} from './edge.ts';
import { createRoute, type RouteRecord, updateRoute } from './route.ts';

const created_at = '2026-01-15T09:30:00.000Z';
const TEXTS = { description: '', metadata: '' };
const EDGE = createEdge({ ...TEXTS, hostports: [] }, { id: 'edghts_1', created_at });

/** A route whose size depends on a text. */
function routeOf(id: string, text = ''): RouteRecord {
  const traffic_policy = { enabled: true, value: text };
  const sent = { match_type: 'exact_path' as const, match: `/${id}`, ...TEXTS, traffic_policy };
  return createRoute(sent, { id, created_at, signing: null });
}

const edgeWith = (routes: RouteRecord[]): EdgeRecord => ({ ...EDGE, routes });

const bytesOf = (edge: EdgeRecord) => Buffer.byteLength(JSON.stringify(edge));

describe('an edge with its routes has at most 4 MiB (D39)', () => {
  const MAX = 4 * 1024 * 1024;
  const tooLarge = expect.objectContaining({
    code: 'conflict',
    detail: expect.stringContaining('4194304 bytes'),
  });

  /** An edge with one route that has as many bytes in all. */
  function edgeOf(bytes: number): EdgeRecord {
    const others = bytesOf(edgeWith([routeOf('r')]));
    return edgeWith([routeOf('r', 'x'.repeat(bytes - others))]);
  }

  test('as it is kept', () => {
    expect(checkedEdge(edgeOf(MAX))).toBeDefined();
    expect(() => checkedEdge(edgeOf(MAX + 1))).toThrow(tooLarge);
  });

  test('counted in bytes and not in characters', () => {
    const nearly = edgeOf(MAX - 2);
    expect(bytesOf(checkedEdge({ ...nearly, description: 'é' }))).toBe(MAX);
    expect(() => checkedEdge({ ...nearly, description: 'éé' })).toThrow(tooLarge);
  });

  test('after a new route', () => {
    expect(() => addRoute(edgeOf(MAX - 2000), routeOf('s', 'y'.repeat(3000)))).toThrow(tooLarge);
  });

  test('after a change of a route', () => {
    const edge = addRoute(edgeOf(MAX - 2000), routeOf('s'));
    const traffic_policy = { enabled: true, value: 'y'.repeat(3000) };
    const grow = (route: RouteRecord) =>
      updateRoute(route, { traffic_policy }, { signing: null, defaults: TEXTS });
    expect(() => changeRoute(edge, 's', grow)).toThrow(tooLarge);
  });
});

test('an edge has at most 1,000 routes (D36)', () => {
  const routes = Array.from({ length: 999 }, (_, index) => routeOf(`r${index}`));
  const full = addRoute(edgeWith(routes), routeOf('last'));
  expect(full.routes).toHaveLength(1000);
  const tooMany = expect.objectContaining({
    code: 'conflict',
    detail: 'An edge has at most 1000 routes.',
  });
  expect(() => addRoute(full, routeOf('more'))).toThrow(tooMany);
});

describe('a change of an edge (D11)', () => {
  const before: EdgeRecord = {
    ...EDGE,
    description: 'before',
    metadata: 'before',
    hostports: ['before.example:443'],
    mutual_tls: { enabled: true, certificate_authority_ids: ['ca_1'] },
    tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
    routes: [routeOf('r')],
  };
  const defaults = {
    description: 'default',
    metadata: 'default',
    hostports: ['default.example:1'],
  };

  test('leaves the properties that are omitted', () => {
    expect(updateEdge(before, {}, defaults)).toEqual(before);
  });

  test('resets or removes the properties that are null', () => {
    const change = {
      description: null,
      metadata: null,
      hostports: null,
      mutual_tls: null,
      tls_termination: null,
    };
    const removed = { mutual_tls: null, tls_termination: null };
    expect(updateEdge(before, change, defaults)).toEqual({ ...before, ...defaults, ...removed });
  });

  test('replaces all other properties, with the TLS version of the service (D07)', () => {
    const change = {
      description: '',
      metadata: 'after',
      hostports: [],
      mutual_tls: { enabled: false, certificate_authority_ids: ['ca_2', 'ca_3'] },
      tls_termination: { enabled: false, terminate_at: 'edge' as const },
    };
    const tls_termination = { ...change.tls_termination, min_version: '1.2' };
    expect(updateEdge(before, change, defaults)).toEqual({ ...before, ...change, tls_termination });
  });
});

describe('routes of an edge (D18)', () => {
  const taken = expect.objectContaining({ code: 'already_exists' });
  const prefix = { ...routeOf('b'), match_type: 'path_prefix' as const, match: '/a' };

  test('may have the same match with another match_type', () => {
    expect(addRoute(edgeWith([routeOf('a')]), prefix).routes).toHaveLength(2);
  });

  test('may not have the same match with the same match_type', () => {
    const edge = edgeWith([routeOf('a')]);
    expect(() => addRoute(edge, { ...routeOf('b'), match: '/a' })).toThrow(taken);
  });
});

test('one module that sees requests is a conflict on an edge that passes TLS through (D09)', () => {
  const compressed = { ...routeOf('a'), traffic_policy: null, compression: { enabled: true } };
  const tls_termination = { enabled: true, terminate_at: 'upstream' as const, min_version: null };
  const conflict = expect.objectContaining({
    code: 'conflict',
    detail: expect.stringContaining('compression'),
  });
  expect(checkedEdge(edgeWith([compressed]))).toBeDefined();
  expect(() => checkedEdge({ ...edgeWith([compressed]), tls_termination })).toThrow(conflict);
});
