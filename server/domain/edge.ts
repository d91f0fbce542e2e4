/** HTTPS edges: what is kept of one, how one comes to be and changes, and how it is shown (source §2.1–2.4, §2.11). */
import type { Links } from './links.ts';
import { type RouteRecord, showRoute } from './route.ts';
import type { Edge, EdgeCreate, EdgeUpdate } from './types.ts';

/** An edge as it is kept: ids in place of Refs and no URI, with every default filled in (D04). */
export interface EdgeRecord {
  id: string;
  created_at: string;
  description: string;
  metadata: string;
  hostports: string[];
  mutual_tls: { enabled: boolean; certificate_authority_ids: string[] } | null;
  tls_termination: Edge['tls_termination'];
  /** In creation order (D02). */
  routes: RouteRecord[];
}

/** What D07 calls the service's default. */
const DEFAULT_MIN_VERSION = '1.2';

/** @param input valid by the contract; fields that are left out get the defaults of D04, D07 and D08 */
export function createEdge(input: EdgeCreate, identity: { id: string; created_at: string }): EdgeRecord {
  return {
    id: identity.id,
    created_at: identity.created_at,
    description: input.description ?? '',
    metadata: input.metadata ?? '',
    hostports: input.hostports ?? [],
    mutual_tls: mutualTls(input.mutual_tls),
    tls_termination: tlsTermination(input.tls_termination),
    routes: [],
  };
}

/** What is left out stays, null removes or resets, anything else replaces whole (D11). */
export function updateEdge(edge: EdgeRecord, input: EdgeUpdate): EdgeRecord {
  return {
    ...edge,
    ...(input.description === undefined ? {} : { description: input.description ?? '' }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata ?? '' }),
    ...(input.hostports === undefined ? {} : { hostports: input.hostports ?? [] }),
    ...(input.mutual_tls === undefined ? {} : { mutual_tls: mutualTls(input.mutual_tls) }),
    ...(input.tls_termination === undefined ? {} : { tls_termination: tlsTermination(input.tls_termination) }),
  };
}

function mutualTls(input: EdgeCreate['mutual_tls']): EdgeRecord['mutual_tls'] {
  if (input == null) return null;
  return { enabled: input.enabled ?? true, certificate_authority_ids: input.certificate_authority_ids ?? [] };
}

function tlsTermination(input: EdgeCreate['tls_termination']): EdgeRecord['tls_termination'] {
  if (input == null) return null;
  const terminate_at = input.terminate_at ?? 'edge';
  return {
    enabled: input.enabled ?? true,
    terminate_at,
    min_version: terminate_at === 'upstream' ? null : (input.min_version ?? DEFAULT_MIN_VERSION),
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
