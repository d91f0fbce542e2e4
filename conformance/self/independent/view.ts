/** Edges and routes as responses show them. */
import { type Json, type Kind, MODULE_NAMES, MODULES } from '../../api/modules.ts';
import { supplied } from './saml.ts';

export interface Route extends Json {
  id: string;
  match_type: string;
  match: string;
}

export interface Edge extends Json {
  id: string;
  /** Where it stands in the list. */
  rank: string;
  /** In creation order. */
  routes: readonly Route[];
}

export const edgesUri = (base: string) => `${base}/edges/https`;

/** Refs lead to resources of other services, so their URIs need not begin with the base URL of this one. */
const ref = (kind: string, id: unknown) => ({ uri: `https://${kind}.example.net/v7/${String(id)}`, id, kind });

function shownFields(fields: Record<string, Kind>, kept: Json): Json {
  const shown = Object.entries(fields).map(([name, { shownAs }]) => {
    const value = kept[name];
    if (shownAs === undefined) return [name, value];
    return [shownAs, Array.isArray(value) ? value.map((id) => ref(shownAs, id)) : ref(shownAs, value)];
  });
  return Object.fromEntries(shown.toReversed()) as Json;
}

export function shownRoute(route: Route, edgeId: string, base: string): Json {
  const modules = MODULE_NAMES.toReversed().map((name) => {
    const kept = route[name] as Json | null;
    const more = name === 'saml' ? supplied(base, edgeId, route.id) : {};
    return [name, kept && { ...more, ...shownFields(MODULES[name].fields, kept) }];
  });
  const uri = `${edgesUri(base)}/${edgeId}/routes/${route.id}`;
  return { ...Object.fromEntries(modules), ...withoutModules(route), uri, edge_id: edgeId, kind: 'https_edge_route' };
}

function withoutModules(route: Route): Json {
  return Object.fromEntries(Object.entries(route).filter(([name]) => !(name in MODULES)));
}

export function shownEdge(kept: Edge, base: string): Json {
  const { rank: _, routes, mutual_tls: mutual, ...edge } = kept;
  const { certificate_authority_ids: ids, ...rest } = (mutual ?? {}) as { certificate_authority_ids?: string[] };
  const authorities = (ids ?? []).map((id) => ref('authorities', id));
  return {
    routes: routes.map((route) => shownRoute(route, edge.id as string, base)),
    ...edge,
    mutual_tls: mutual && { certificate_authorities: authorities, ...rest },
    uri: `${edgesUri(base)}/${edge.id as string}`,
    kind: 'https_edge',
  };
}
