/** Rules that bind an edge and its routes together. Each change is checked as a whole, before it is kept. */
import type { EdgeRecord } from './edge.ts';
import { ApiError } from './api-error.ts';
import { NOT_UPSTREAM } from './modules.ts';
import type { RouteRecord } from './route.ts';

/** D36. */
const MAX_ROUTES = 1000;

/** D39: of an edge with its routes, as JSON text in UTF-8, as it is kept. */
const MAX_EDGE_BYTES = 4 * 1024 * 1024;

/** @throws ApiError `already_exists` (D18) or `conflict` (D09, D36, D39) */
export function addRoute(edge: EdgeRecord, route: RouteRecord): EdgeRecord {
  if (edge.routes.length >= MAX_ROUTES) throw new ApiError('conflict', `An edge has at most ${MAX_ROUTES} routes.`);
  return consistent({ ...edge, routes: [...edge.routes, route] });
}

/** @throws ApiError `not_found` */
export function findRoute(edge: EdgeRecord, id: string): RouteRecord {
  const route = edge.routes.find((one) => one.id === id);
  if (!route) throw new ApiError('not_found', 'The edge has no route with this id.');
  return route;
}

/** @throws ApiError `not_found`, `already_exists` (D18), `conflict` (D09), and whatever `change` throws */
export function changeRoute(edge: EdgeRecord, id: string, change: (route: RouteRecord) => RouteRecord): EdgeRecord {
  const next = change(findRoute(edge, id));
  return consistent({ ...edge, routes: edge.routes.map((one) => (one.id === id ? next : one)) });
}

/** @throws ApiError `not_found` */
export function removeRoute(edge: EdgeRecord, id: string): EdgeRecord {
  findRoute(edge, id);
  return { ...edge, routes: edge.routes.filter((one) => one.id !== id) };
}

/** The edge itself, when everything in it goes together. @throws ApiError `already_exists` or `conflict` */
export function consistent(edge: EdgeRecord): EdgeRecord {
  const matches = new Set<string>();
  for (const { match_type, match } of edge.routes) {
    const key = `${match_type} ${match}`;
    if (matches.has(key))
      throw new ApiError('already_exists', 'The edge has a route with this match_type and match already.');
    matches.add(key);
  }
  if (edge.tls_termination?.terminate_at === 'upstream') checkUpstream(edge);
  if (Buffer.byteLength(JSON.stringify(edge)) > MAX_EDGE_BYTES)
    throw new ApiError('conflict', `The edge with its routes would have more than ${MAX_EDGE_BYTES} bytes.`);
  return edge;
}

function checkUpstream(edge: EdgeRecord): void {
  if (edge.mutual_tls) throw new ApiError('conflict', 'The edge passes TLS through, so it cannot have mutual_tls.');
  for (const route of edge.routes) {
    const seeing = NOT_UPSTREAM.filter((name) => route[name] !== null);
    if (seeing.length > 0) {
      const what = seeing.join(', ');
      throw new ApiError(
        'conflict',
        `The edge passes TLS through, which does not go with ${what} on the route ${route.id}.`,
      );
    }
  }
}
