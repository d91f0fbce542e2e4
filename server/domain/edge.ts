/**
 * HTTPS edges with their routes: as they are kept, created, changed and shown (source §2.1–2.4,
 * §2.11).
 */
import { ApiError } from './api-error.ts';
import type { Links } from './links.ts';
import { NOT_UPSTREAM } from './modules.ts';
import { patched } from './patch.ts';
import { type RouteRecord, showRoute } from './route.ts';
import type { Edge, EdgeCreate, EdgeProperty, EdgeUpdate } from './types.ts';

/** Properties whose default the contract states. */
export interface EdgeDefaults {
  description: string;
  metadata: string;
  hostports: string[];
}

type MutualTls = Required<NonNullable<EdgeCreate['mutual_tls']>>;

type ShownMutualTls = Required<NonNullable<Edge['mutual_tls']>>;

type TlsTermination = Required<NonNullable<Edge['tls_termination']>>;

/** As it was sent: the contract leaves the version to the service (D07). */
type SentTlsTermination = Omit<TlsTermination, 'min_version'> &
  Partial<Pick<TlsTermination, 'min_version'>>;

/** Modules as they were sent, with the defaults of the contract within them. */
interface SentModules {
  mutual_tls?: MutualTls | null;
  tls_termination?: SentTlsTermination | null;
}

/** A new edge as it was sent, with the defaults of the contract. */
export type NewEdge = Omit<EdgeCreate, keyof EdgeDefaults | keyof SentModules> &
  EdgeDefaults &
  SentModules;

/** A change as it was sent, with the defaults of the contract within its modules. */
export type EdgeChange = Omit<EdgeUpdate, keyof SentModules> & SentModules;

/** All properties of an edge except for that which depends on its place. */
type KeptProperties = Record<Exclude<EdgeProperty, 'uri'>, unknown>;

/** An edge as it is kept: ids in place of Refs, and no URI. */
export interface EdgeRecord extends KeptProperties {
  id: string;
  created_at: string;
  description: string;
  metadata: string;
  hostports: string[];
  mutual_tls: MutualTls | null;
  tls_termination: TlsTermination | null;
  /** In creation order (D02). */
  routes: RouteRecord[];
}

/** The service supplies these for a new edge. */
type EdgeSupplies = Pick<EdgeRecord, 'id' | 'created_at'>;

export function createEdge(input: NewEdge, { id, created_at }: EdgeSupplies): EdgeRecord {
  return {
    id,
    created_at,
    description: input.description,
    metadata: input.metadata,
    hostports: input.hostports,
    mutual_tls: input.mutual_tls ?? null,
    tls_termination: tlsTermination(input.tls_termination),
    routes: [],
  };
}

/**
 * Omitted properties stay, null removes or resets to the default, any other value replaces (D11).
 */
export function updateEdge(
  edge: EdgeRecord,
  change: EdgeChange,
  defaults: EdgeDefaults,
): EdgeRecord {
  const tls_termination =
    change.tls_termination === undefined
      ? edge.tls_termination
      : tlsTermination(change.tls_termination);
  return {
    id: edge.id,
    created_at: edge.created_at,
    description: patched(edge.description, change.description, defaults.description),
    metadata: patched(edge.metadata, change.metadata, defaults.metadata),
    hostports: patched(edge.hostports, change.hostports, defaults.hostports),
    mutual_tls: patched(edge.mutual_tls, change.mutual_tls, null),
    tls_termination,
    routes: edge.routes,
  };
}

/** The default of the service (D07). */
const MIN_VERSION = '1.2';

function tlsTermination(sent: SentTlsTermination | null | undefined): TlsTermination | null {
  if (sent === undefined || sent === null) {
    return null;
  }
  if (sent.terminate_at === 'upstream') {
    return { ...sent, min_version: null };
  }
  return { ...sent, min_version: sent.min_version ?? MIN_VERSION };
}

export function showEdge(edge: EdgeRecord, links: Links): Required<Edge> {
  return {
    id: edge.id,
    description: edge.description,
    metadata: edge.metadata,
    created_at: edge.created_at,
    uri: links.edge(edge.id),
    hostports: edge.hostports,
    mutual_tls: edge.mutual_tls && showMutualTls(edge.mutual_tls, links),
    tls_termination: edge.tls_termination,
    routes: edge.routes.map((route) => showRoute(edge.id, route, links)),
  };
}

function showMutualTls(mutualTls: MutualTls, links: Links): ShownMutualTls {
  const authorities = mutualTls.certificate_authority_ids.map((id) => {
    const uri = links.other('certificate_authorities', id);
    return { id, uri };
  });
  return { enabled: mutualTls.enabled, certificate_authorities: authorities };
}

/** D36. */
const MAX_ROUTES = 1000;

/** D39: the size of an edge with its routes, as it is kept: JSON in UTF-8. */
const MAX_EDGE_BYTES = 4 * 1024 * 1024;

/** @throws ApiError `already_exists` (D18) or `conflict` (D09, D36, D39) */
export function addRoute(edge: EdgeRecord, route: RouteRecord): EdgeRecord {
  if (edge.routes.length >= MAX_ROUTES) {
    throw new ApiError('conflict', `An edge has at most ${MAX_ROUTES} routes.`);
  }
  return checkedEdge({ ...edge, routes: [...edge.routes, route] });
}

/** @throws ApiError `not_found` */
export function findRoute(edge: EdgeRecord, id: string): RouteRecord {
  const route = edge.routes.find((one) => one.id === id);
  if (!route) {
    throw new ApiError('not_found', 'The edge has no route with this id.');
  }
  return route;
}

/**
 * @throws ApiError `not_found`, `already_exists` (D18), `conflict` (D09, D39), and errors of
 * `change`
 */
export function changeRoute(
  edge: EdgeRecord,
  id: string,
  change: (route: RouteRecord) => RouteRecord,
): EdgeRecord {
  const before = findRoute(edge, id);
  const after = change(before);
  const routes = edge.routes.map((one) => (one === before ? after : one));
  return checkedEdge({ ...edge, routes });
}

/** @throws ApiError `not_found` */
export function removeRoute(edge: EdgeRecord, id: string): EdgeRecord {
  const removed = findRoute(edge, id);
  return { ...edge, routes: edge.routes.filter((one) => one !== removed) };
}

/** @returns the edge itself @throws ApiError `already_exists` (D18) or `conflict` (D09, D39) */
export function checkedEdge(edge: EdgeRecord): EdgeRecord {
  requireDistinctRoutes(edge);
  if (edge.tls_termination?.terminate_at === 'upstream') {
    requireUpstreamOnly(edge);
  }
  if (Buffer.byteLength(JSON.stringify(edge)) > MAX_EDGE_BYTES) {
    const detail = `The edge with its routes would have more than ${MAX_EDGE_BYTES} bytes.`;
    throw new ApiError('conflict', detail);
  }
  return edge;
}

/** No two routes of an edge may match the same requests in the same way (D18). */
function requireDistinctRoutes(edge: EdgeRecord): void {
  const matches = new Set<string>();
  for (const { match_type, match } of edge.routes) {
    const key = `${match_type} ${match}`;
    if (matches.has(key)) {
      const detail = 'The edge has a route with this match_type and match already.';
      throw new ApiError('already_exists', detail);
    }
    matches.add(key);
  }
}

/** An edge that passes TLS through sees no request: what needs one is excluded (D09). */
function requireUpstreamOnly(edge: EdgeRecord): void {
  if (edge.mutual_tls) {
    throw new ApiError('conflict', 'The edge passes TLS through, so it cannot have mutual_tls.');
  }
  for (const route of edge.routes) {
    const excluded = NOT_UPSTREAM.filter((name) => route[name] !== null);
    if (excluded.length > 0) {
      const names = excluded.join(', ');
      const reason = `which excludes ${names} on the route ${route.id}`;
      throw new ApiError('conflict', `The edge passes TLS through, ${reason}.`);
    }
  }
}
