/** HTTPS edges with their routes: as they are kept, created, changed and shown (source §2.1–2.4, §2.11). */
import { ApiError } from './api-error.ts';
import type { Links } from './links.ts';
import { NOT_UPSTREAM } from './modules.ts';
import { type RouteRecord, showRoute } from './route.ts';
import type { Edge, EdgeCreate, EdgeUpdate } from './types.ts';

/** Properties whose default is filled in already. */
type Filled = { description: string; metadata: string; hostports: string[] };

type MutualTls = { enabled: boolean; certificate_authority_ids: string[] };

type TlsTermination = NonNullable<Edge['tls_termination']>;

/** Modules as they were sent, with the defaults of the contract within them. */
type SentModules = { mutual_tls?: MutualTls | null; tls_termination?: TlsTermination | null };

/** A new edge as it was sent, with the defaults of the contract. */
export type NewEdge = Omit<EdgeCreate, keyof Filled | keyof SentModules> & Filled & SentModules;

/** A change as it was sent, with the defaults of the contract within its modules. */
export type EdgeChange = Omit<EdgeUpdate, keyof SentModules> & SentModules;

/** An edge as it is kept: ids in place of Refs and no URI. */
export interface EdgeRecord extends Filled {
  id: string;
  created_at: string;
  mutual_tls: MutualTls | null;
  tls_termination: TlsTermination | null;
  /** In creation order (D02). */
  routes: RouteRecord[];
}

/** The default of the service (D07). */
const MIN_VERSION = '1.2';

export function createEdge(
  input: NewEdge,
  identity: { id: string; created_at: string },
): EdgeRecord {
  // Each property behind a spread would cost half a microsecond on Node 20.
  return {
    id: identity.id,
    created_at: identity.created_at,
    description: input.description,
    metadata: input.metadata,
    hostports: input.hostports,
    mutual_tls: input.mutual_tls ?? null,
    tls_termination: tlsTermination(input.tls_termination),
    routes: [],
  };
}

/** Omitted properties stay, null removes or resets to `defaults`, any other value replaces (D11). */
export function updateEdge(edge: EdgeRecord, input: EdgeChange, defaults: Filled): EdgeRecord {
  return {
    ...edge,
    ...(input.description === undefined
      ? {}
      : { description: input.description ?? defaults.description }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata ?? defaults.metadata }),
    ...(input.hostports === undefined ? {} : { hostports: input.hostports ?? defaults.hostports }),
    ...(input.mutual_tls === undefined ? {} : { mutual_tls: input.mutual_tls }),
    ...(input.tls_termination === undefined
      ? {}
      : { tls_termination: tlsTermination(input.tls_termination) }),
  };
}

/** The contract leaves the version to the service where none is sent (D07). */
function tlsTermination(input: NewEdge['tls_termination']): EdgeRecord['tls_termination'] {
  if (input == null) {
    return null;
  }
  return {
    ...input,
    min_version: input.terminate_at === 'upstream' ? null : (input.min_version ?? MIN_VERSION),
  };
}

export function showEdge(record: EdgeRecord, links: Links): Edge {
  return {
    id: record.id,
    description: record.description,
    metadata: record.metadata,
    created_at: record.created_at,
    uri: links.edge(record.id),
    hostports: record.hostports,
    mutual_tls: record.mutual_tls && {
      enabled: record.mutual_tls.enabled,
      certificate_authorities: record.mutual_tls.certificate_authority_ids.map((id) => ({
        id,
        uri: links.other('certificate_authorities', id),
      })),
    },
    tls_termination: record.tls_termination,
    routes: record.routes.map((route) => showRoute(record.id, route, links)),
  };
}

/** D36. */
const MAX_ROUTES = 1000;

/** D39: the size of an edge with its routes, as it is kept: JSON in UTF-8. */
const MAX_EDGE_BYTES = 4 * 1024 * 1024;

/** Texts that were made to measure them, for the store: that of a large edge takes 10 ms. */
const texts = new WeakMap<object, string>();

export const textOf = (record: object): string => texts.get(record) ?? JSON.stringify(record);

/** @throws ApiError `already_exists` (D18) or `conflict` (D09, D36, D39) */
export function addRoute(edge: EdgeRecord, route: RouteRecord): EdgeRecord {
  if (edge.routes.length >= MAX_ROUTES) {
    throw new ApiError('conflict', `An edge has at most ${MAX_ROUTES} routes.`);
  }
  return consistent({ ...edge, routes: [...edge.routes, route] });
}

/** @throws ApiError `not_found` */
export function findRoute(edge: EdgeRecord, id: string): RouteRecord {
  const route = edge.routes.find((one) => one.id === id);
  if (!route) {
    throw new ApiError('not_found', 'The edge has no route with this id.');
  }
  return route;
}

/** @throws ApiError `not_found`, `already_exists` (D18), `conflict` (D09), and the errors of `change` */
export function changeRoute(
  edge: EdgeRecord,
  id: string,
  change: (route: RouteRecord) => RouteRecord,
): EdgeRecord {
  const next = change(findRoute(edge, id));
  return consistent({ ...edge, routes: edge.routes.map((one) => (one.id === id ? next : one)) });
}

/** @throws ApiError `not_found` */
export function removeRoute(edge: EdgeRecord, id: string): EdgeRecord {
  findRoute(edge, id);
  return { ...edge, routes: edge.routes.filter((one) => one.id !== id) };
}

/** The edge itself, checked before it is kept. @throws ApiError `already_exists` (D18) or `conflict` (D09, D39) */
export function consistent(edge: EdgeRecord): EdgeRecord {
  const matches = new Set<string>();
  for (const { match_type, match } of edge.routes) {
    const key = `${match_type} ${match}`;
    if (matches.has(key)) {
      throw new ApiError(
        'already_exists',
        'The edge has a route with this match_type and match already.',
      );
    }
    matches.add(key);
  }
  if (edge.tls_termination?.terminate_at === 'upstream') {
    checkUpstream(edge);
  }
  const text = JSON.stringify(edge);
  texts.set(edge, text);
  if (Buffer.byteLength(text) > MAX_EDGE_BYTES) {
    throw new ApiError(
      'conflict',
      `The edge with its routes would have more than ${MAX_EDGE_BYTES} bytes.`,
    );
  }
  return edge;
}

function checkUpstream(edge: EdgeRecord): void {
  if (edge.mutual_tls) {
    throw new ApiError('conflict', 'The edge passes TLS through, so it cannot have mutual_tls.');
  }
  for (const route of edge.routes) {
    const seeing = NOT_UPSTREAM.filter((name) => route[name] !== null).join(', ');
    if (seeing !== '') {
      throw new ApiError(
        'conflict',
        `The edge passes TLS through, which excludes ${seeing} on the route ${route.id}.`,
      );
    }
  }
}
