/** Edges and routes as responses show them. */
import type { Edge, Route } from './edge-store.ts';
import { supplied } from './service-provider.ts';

export const edgesUri = (base: string) => `${base}/edges/https`;

/** Refs lead to resources of other services, so their URIs need not begin with the base URL of this one. */
const ref = (kind: string) => (id: string) => ({ uri: `https://${kind}.example.net/v7/${id}`, id, kind });

export function renderRoute(route: Route, edgeId: string, base: string) {
  const { matchType, createdAt, backend, ip_restriction: restriction, saml, ...rest } = route;
  return {
    ...rest,
    saml: saml && { ...supplied(base, edgeId, route.id), ...saml },
    ip_restriction: restriction && {
      ip_policies: restriction.policyIds.map(ref('policies')),
      enabled: restriction.enabled,
    },
    backend: backend && { backend: ref('backends')(backend.backendId), enabled: backend.enabled },
    match_type: matchType,
    created_at: createdAt,
    uri: `${edgesUri(base)}/${edgeId}/routes/${route.id}`,
    edge_id: edgeId,
    kind: 'https_edge_route',
  };
}

export const renderEdge = (edge: Edge, base: string) => ({
  routes: edge.routes.map((route) => renderRoute(route, edge.id, base)),
  tls_termination: edge.tlsTermination && {
    min_version: edge.tlsTermination.minVersion,
    terminate_at: edge.tlsTermination.terminateAt,
    enabled: edge.tlsTermination.enabled,
    ciphers: 'default',
  },
  mutual_tls: edge.mutualTls && {
    certificate_authorities: edge.mutualTls.authorityIds.map(ref('authorities')),
    enabled: edge.mutualTls.enabled,
  },
  hostports: edge.hostports,
  uri: `${edgesUri(base)}/${edge.id}`,
  metadata: edge.metadata,
  description: edge.description,
  created_at: edge.createdAt,
  id: edge.id,
  kind: 'https_edge',
});
