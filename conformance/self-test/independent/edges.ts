/**
 * Edges with their routes, in memory. Values are replaced as a whole and never changed, so that a
 * change can be refused.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { type Json, MODULE_NAMES, MODULES } from '../../api/modules.ts';
import type { Params } from './operation.ts';
import { ApiError } from './problem.ts';

export interface Route extends Json {
  id: string;
}

export interface Edge extends Json {
  id: string;
  /** Its rank in the list. */
  rank: string;
  /** In creation order. */
  routes: readonly Route[];
}

/** An id of 12 to 64 characters: ids are opaque, so nothing may depend on their length. */
export const randomId = (): string => randomBytes(randomInt(9, 49)).toString('base64url');

/** The time by RFC 3339, with a numeric offset and in whole seconds. */
export const now = (): string => new Date().toISOString().replace(/\.[0-9]+Z$/, '+00:00');

/** The empty value of each field that a request can set. */
export const EMPTY_EDGE: Json = {
  description: '',
  metadata: '',
  hostports: [],
  mutual_tls: null,
  tls_termination: null,
};
export const EMPTY_ROUTE: Json = emptyRoute();

function emptyRoute(): Json {
  const route: Json = { description: '', metadata: '' };
  for (const name of MODULE_NAMES) {
    route[name] = null;
  }
  return route;
}

/**
 * The state after a request: null stands for the empty value, an omitted property keeps its value.
 */
export function applied<T extends Json>(old: T, sent: Json, empty: Json): T {
  const changes: Json = {};
  for (const [name, value] of Object.entries(sent)) {
    changes[name] = value ?? empty[name];
  }
  return { ...old, ...changes };
}

/**
 * The edge with a TLS version: TLS that ends upstream has none, and the service chooses one that is
 * omitted (D07).
 */
export function withTlsVersion(edge: Edge): Edge {
  const tls = edge['tls_termination'] as Json | null;
  if (tls === null) {
    return edge;
  }
  const version = tls['terminate_at'] === 'upstream' ? null : (tls['min_version'] ?? '1.3');
  return { ...edge, tls_termination: { ...tls, min_version: version } };
}

export class Edges {
  readonly #edges = new Map<string, Edge>();

  all(): Iterable<Edge> {
    return this.#edges.values();
  }

  find(id: string): Edge | undefined {
    return this.#edges.get(id);
  }

  /** @throws ApiError if the edge does not exist */
  edge({ edge_id = '' }: Params): Edge {
    const edge = this.find(edge_id);
    if (edge === undefined) {
      throw new ApiError('not_found', 'No edge bears this id.');
    }
    return edge;
  }

  /** @throws ApiError if the edge or the route does not exist */
  route(params: Params): Route {
    const { routes } = this.edge(params);
    const route = routes.find(({ id }) => id === params['route_id']);
    if (route === undefined) {
      throw new ApiError('not_found', 'No route of this edge bears this id.');
    }
    return route;
  }

  /** Adds or replaces an edge. @throws ApiError if its parts conflict */
  put(edge: Edge): void {
    requireAgreement(edge);
    this.#edges.set(edge.id, edge);
  }

  delete(id: string): void {
    this.#edges.delete(id);
  }
}

const MAX_ROUTES = 1000;

/** The contract allows any limit from 2 to 4 MiB. */
const MAX_BYTES = 3 * 2 ** 20;

export const conflict = (detail: string) => new ApiError('conflict', detail);

function requireAgreement(edge: Edge): void {
  const { mutual_tls: mutualTls, tls_termination: tls, routes } = edge;
  const isUpstream = (tls as Json | null)?.['terminate_at'] === 'upstream';
  if (isUpstream && mutualTls !== null) {
    throw conflict('TLS ends upstream or client certificates are verified here: not both.');
  }
  if (isUpstream && routes.some(seesTraffic)) {
    throw conflict('TLS ends upstream or a module of a route sees the traffic: not both.');
  }
  if (routes.length > MAX_ROUTES) {
    throw conflict(`An edge has ${MAX_ROUTES} routes at most.`);
  }
  const matches = routes.map(({ match_type, match }) => JSON.stringify([match_type, match]));
  if (new Set(matches).size < routes.length) {
    throw new ApiError('already_exists', 'A route of this edge matches exactly this.');
  }
  if (Buffer.byteLength(JSON.stringify(edge)) > MAX_BYTES) {
    throw conflict(`An edge with its routes has ${MAX_BYTES} bytes at most.`);
  }
}

function seesTraffic(route: Route): boolean {
  return MODULE_NAMES.some((name) => !MODULES[name].worksUpstream && route[name] !== null);
}
