/** HTTPS edges: what is kept of one, how one comes to be and changes, and how it is shown (source §2.1–2.4, §2.11). */
import type { Links } from './links.ts';
import { type RouteRecord, showRoute } from './route.ts';
import type { Edge, EdgeCreate, EdgeUpdate } from './types.ts';

/** What has a default, which is filled in already. */
interface Filled {
  description: string;
  metadata: string;
  hostports: string[];
}

interface MutualTls {
  enabled: boolean;
  certificate_authority_ids: string[];
}

type TlsTermination = NonNullable<Edge['tls_termination']>;

/** A new edge as it was sent, with the defaults of the contract. */
export interface NewEdge extends Omit<EdgeCreate, keyof Filled>, Filled {
  mutual_tls?: MutualTls | null;
  tls_termination?: TlsTermination | null;
}

/** A change as it was sent, with the defaults of the contract within its modules. */
export interface EdgeChange extends EdgeUpdate {
  mutual_tls?: MutualTls | null;
  tls_termination?: TlsTermination | null;
}

/** An edge as it is kept: ids in place of Refs and no URI. */
export interface EdgeRecord extends Filled {
  id: string;
  created_at: string;
  mutual_tls: MutualTls | null;
  tls_termination: TlsTermination | null;
  /** In creation order (D02). */
  routes: RouteRecord[];
}

/** What D07 calls the service's default. */
const DEFAULT_MIN_VERSION = '1.2';

export function createEdge(input: NewEdge, identity: { id: string; created_at: string }): EdgeRecord {
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

/**
 * What is omitted stays, null removes or resets, anything else replaces whole (D11).
 * @param defaults what null resets to
 */
export function updateEdge(edge: EdgeRecord, input: EdgeChange, defaults: Filled): EdgeRecord {
  return {
    ...edge,
    ...(input.description === undefined ? {} : { description: input.description ?? defaults.description }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata ?? defaults.metadata }),
    ...(input.hostports === undefined ? {} : { hostports: input.hostports ?? defaults.hostports }),
    ...(input.mutual_tls === undefined ? {} : { mutual_tls: input.mutual_tls }),
    ...(input.tls_termination === undefined ? {} : { tls_termination: tlsTermination(input.tls_termination) }),
  };
}

/** The contract leaves the version to the service where none is sent (D07). */
function tlsTermination(input: NewEdge['tls_termination']): EdgeRecord['tls_termination'] {
  if (input == null) return null;
  return {
    ...input,
    min_version: input.terminate_at === 'upstream' ? null : (input.min_version ?? DEFAULT_MIN_VERSION),
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
        uri: links.certificateAuthority(id),
      })),
    },
    tls_termination: record.tls_termination,
    routes: record.routes.map((route) => showRoute(record.id, route, links)),
  };
}
