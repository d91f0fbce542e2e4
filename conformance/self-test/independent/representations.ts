/** The representations of edges and routes in responses. */
import { type Json, type ValueKind, MODULE_NAMES, MODULES } from '../../api/modules.ts';
import { fieldsOfEdgeModule } from './bodies.ts';
import { isObject } from './check.ts';
import type { Edge, Route } from './edges.ts';
import { serviceProvider } from './saml.ts';

/** The path of the list of edges. */
export const EDGES_PATH = '/edges/https';

export function shownEdge(edge: Edge, base: string): Json {
  const { rank: _, routes, mutual_tls: mutualTls, ...others } = edge;
  return {
    routes: routes.map((route) => shownRoute(route, edge.id, base)),
    ...others,
    mutual_tls: mutualTls && shownFields(fieldsOfEdgeModule('mutual_tls'), mutualTls as Json),
    uri: `${base}${EDGES_PATH}/${edge.id}`,
    kind: 'https_edge',
  };
}

export function shownRoute(route: Route, edgeId: string, base: string): Json {
  const shown: Json = {};
  for (const name of MODULE_NAMES.toReversed()) {
    const module = route[name] as Json | null;
    shown[name] = module && shownFields(MODULES[name].fields, module);
  }
  if (isObject(shown['saml'])) {
    shown['saml'] = { ...serviceProvider(base, edgeId, route.id), ...shown['saml'] };
  }
  for (const [name, value] of Object.entries(route)) {
    if (!(name in MODULES)) {
      shown[name] = value;
    }
  }
  shown['uri'] = `${base}${EDGES_PATH}/${edgeId}/routes/${route.id}`;
  shown['edge_id'] = edgeId;
  shown['kind'] = 'https_edge_route';
  return shown;
}

/** The fields of a module, in the reverse order. */
function shownFields(fields: Record<string, ValueKind>, module: Json): Json {
  const shown: Json = {};
  for (const [name, { shownAs }] of Object.entries(fields).toReversed()) {
    const value = module[name];
    if (shownAs === undefined) {
      shown[name] = value;
    } else if (Array.isArray(value)) {
      shown[shownAs] = value.map((id) => ref(shownAs, id));
    } else {
      shown[shownAs] = ref(shownAs, value);
    }
  }
  return shown;
}

/**
 * Refs lead to resources of other services, so their URIs need not begin with the base URL of this
 * one.
 */
const ref = (kind: string, id: unknown) => ({
  uri: `https://${kind}.example.net/v7/${String(id)}`,
  id,
  kind,
});
