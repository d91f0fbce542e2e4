/** Edges with their routes, in memory. Values are never changed, only replaced whole, so that a change can be refused. */
import { randomBytes, randomInt } from 'node:crypto';
import {
  EDGE_MODULES,
  type Json,
  type Kind,
  MODULE_NAMES,
  MODULES,
  SIGN_IN,
} from '../../api/modules.ts';
import { EDGE, NEW_ROUTE, ROUTE_CHANGE } from './bodies.ts';
import { type HttpResponse, Refusal } from './http.ts';
import {
  type OperationCall,
  type Operation,
  type PageOptions,
  Pages,
  type Params,
} from './operation.ts';
import { metadata, METADATA_PATH, supplied } from './saml.ts';

const EDGES = '/edges/https';
const ONE_EDGE = `${EDGES}/{edge_id}`;
const ROUTES = `${EDGES}/{edge_id}/routes`;
const ONE_ROUTE = `${ROUTES}/{route_id}`;

const MOST_ROUTES = 1000;
/** Any limit from 2 to 4 MiB is right. */
const MOST_BYTES = 3 * 2 ** 20;

const EMPTY_EDGE: Json = {
  description: '',
  metadata: '',
  hostports: [],
  mutual_tls: null,
  tls_termination: null,
};
const EMPTY_ROUTE: Json = {
  description: '',
  metadata: '',
  ...Object.fromEntries(MODULE_NAMES.map((name) => [name, null])),
};

/** The state after a request: null stands for the empty value, an omitted property keeps its value. */
function applied<T extends Json>(old: T, sent: Json, empty: Json): T {
  return {
    ...old,
    ...Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, value ?? empty[name]]),
    ),
  };
}

/** TLS that ends upstream has no version here; otherwise the service picks one where none is given (D07). */
function withVersion(edge: Edge): Edge {
  const tls = edge['tls_termination'] as Json | null;
  if (tls === null) {
    return edge;
  }
  const version = tls['terminate_at'] === 'upstream' ? null : (tls['min_version'] ?? '1.3');
  return { ...edge, tls_termination: { ...tls, min_version: version } };
}

/** RFC 3339 with a numeric offset and whole seconds. */
const now = () => new Date().toISOString().replace(/\.[0-9]+Z$/, '+00:00');

/** 12 to 64 characters: ids are opaque, so nothing may rest on their length. */
const randomId = () => randomBytes(randomInt(9, 49)).toString('base64url');

const conflict = (detail: string) => new Refusal('conflict', detail);
const seesTraffic = (route: Json) =>
  MODULE_NAMES.some((name) => !MODULES[name].worksUpstream && route[name] !== null);

function requireAgreement(edge: Edge): void {
  const { mutual_tls: mutual, tls_termination: tls, routes } = edge;
  const isUpstream = (tls as Json | null)?.['terminate_at'] === 'upstream';
  if (isUpstream && mutual !== null) {
    throw conflict('TLS ends upstream or client certificates are verified here: not both.');
  }
  if (isUpstream && routes.some(seesTraffic)) {
    throw conflict('TLS ends upstream or a module of a route sees the traffic: not both.');
  }
  if (routes.length > MOST_ROUTES) {
    throw conflict(`An edge has ${MOST_ROUTES} routes at most.`);
  }
  const pairs = new Set(routes.map(({ match_type, match }) => JSON.stringify([match_type, match])));
  if (pairs.size < routes.length) {
    throw new Refusal('already_exists', 'A route of this edge matches exactly this.');
  }
  if (Buffer.byteLength(JSON.stringify(edge)) > MOST_BYTES) {
    throw conflict(`An edge with its routes has ${MOST_BYTES} bytes at most.`);
  }
}

interface Route extends Json {
  id: string;
}

interface Edge extends Json {
  id: string;
  /** Where it stands in the list. */
  rank: string;
  /** In creation order. */
  routes: readonly Route[];
}

/** Refs lead to resources of other services, so their URIs need not begin with the base URL of this one. */
const ref = (kind: string, id: unknown) => ({
  uri: `https://${kind}.example.net/v7/${String(id)}`,
  id,
  kind,
});

function shownFields(fields: Record<string, Kind>, kept: Json): Json {
  const shown = Object.entries(fields).map(([name, { shownAs }]) => {
    const value = kept[name];
    if (shownAs === undefined) {
      return [name, value];
    }
    return [
      shownAs,
      Array.isArray(value) ? value.map((id) => ref(shownAs, id)) : ref(shownAs, value),
    ];
  });
  return Object.fromEntries(shown.toReversed()) as Json;
}

function shownRoute(route: Route, edgeId: string, base: string): Json {
  const modules = MODULE_NAMES.toReversed().map((name) => {
    const kept = route[name] as Json | null;
    const more = name === 'saml' ? supplied(base, edgeId, route.id) : {};
    return [name, kept && { ...more, ...shownFields(MODULES[name].fields, kept) }];
  });
  const uri = `${base}${EDGES}/${edgeId}/routes/${route.id}`;
  const others = Object.entries(route).filter(([name]) => !(name in MODULES));
  return {
    ...Object.fromEntries([...modules, ...others]),
    uri,
    edge_id: edgeId,
    kind: 'https_edge_route',
  };
}

function shownEdge(kept: Edge, base: string): Json {
  const { rank: _, routes, mutual_tls: mutual, ...edge } = kept;
  return {
    routes: routes.map((route) => shownRoute(route, edge.id as string, base)),
    ...edge,
    mutual_tls: mutual && shownFields(EDGE_MODULES['mutual_tls']!, mutual as Json),
    uri: `${base}${EDGES}/${edge.id as string}`,
    kind: 'https_edge',
  };
}

type Edges = Map<string, Edge>;

/** @param newId gives an id that it has not given before */
export function edgeOperations(newId = randomId, pages?: PageOptions): Operation[] {
  const edges: Edges = new Map();
  return [
    ...operationsOfEdges(edges, newId, new Pages(pages)),
    ...operationsOfRoutes(edges, newId),
  ];
}

function edgeIn(edges: Edges, { edge_id }: Params): Edge {
  const edge = edges.get(edge_id!);
  if (edge === undefined) {
    throw new Refusal('not_found', 'No edge bears this id.');
  }
  return edge;
}

function routeIn(edges: Edges, params: Params): Route {
  const route = edgeIn(edges, params).routes.find((one) => one.id === params['route_id']);
  if (route === undefined) {
    throw new Refusal('not_found', 'No route of this edge bears this id.');
  }
  return route;
}

function put(edges: Edges, edge: Edge): Edge {
  requireAgreement(edge);
  edges.set(edge.id, edge);
  return edge;
}

function operationsOfEdges(edges: Edges, newId: () => string, pages: Pages): Operation[] {
  let rank = Number.MAX_SAFE_INTEGER;
  const find = (params: Params) => void edgeIn(edges, params);
  const change = (status: number, edge: Edge, { body, base }: OperationCall) => {
    return {
      status,
      body: shownEdge(put(edges, withVersion(applied(edge, body, EMPTY_EDGE))), base),
    };
  };
  return [
    {
      method: 'POST',
      path: EDGES,
      body: { required: true, kind: EDGE },
      run(call) {
        // The newer, the lower, in the order of ASCII.
        const own = { id: newId(), created_at: now(), rank: String((rank -= 1)), routes: [] };
        return change(201, { ...EMPTY_EDGE, ...own }, call);
      },
    },
    {
      method: 'GET',
      path: EDGES,
      pages: { of: pages, owner: () => EDGES, nameOf: (id) => edges.get(id)?.rank },
      run({ base, page, search }) {
        const byRank = new Map(Array.from(edges.values(), (edge) => [edge.rank, edge]));
        const { names, next } = pages.cut(byRank.keys(), EDGES, `${base}${EDGES}`, page);
        const shown = names.map((name) => shownEdge(byRank.get(name)!, base));
        const uri = `${base}${EDGES}${search}`;
        return {
          status: 200,
          body: { next_page_uri: next, uri, https_edges: shown, on_this_page: names.length },
        };
      },
    },
    {
      method: 'GET',
      path: ONE_EDGE,
      find,
      run: ({ params, base }) => ({ status: 200, body: shownEdge(edgeIn(edges, params), base) }),
    },
    {
      method: 'PATCH',
      path: ONE_EDGE,
      find,
      body: { required: true, kind: EDGE },
      run: (call) => change(200, edgeIn(edges, call.params), call),
    },
    {
      method: 'DELETE',
      path: ONE_EDGE,
      find,
      run({ params }) {
        edges.delete(params['edge_id']!);
        return { status: 204 };
      },
    },
  ];
}

function operationsOfRoutes(edges: Edges, newId: () => string): Operation[] {
  const find = (params: Params) => void routeIn(edges, params);
  const shown = (status: number, route: Route, { params, base }: OperationCall): HttpResponse => ({
    status,
    body: shownRoute(route, params['edge_id']!, base),
  });
  return [
    {
      method: 'POST',
      path: ROUTES,
      find: (params) => void edgeIn(edges, params),
      body: { required: true, kind: NEW_ROUTE },
      run(call) {
        const edge = edgeIn(edges, call.params);
        const own = { id: newId(), created_at: now() };
        const route = applied({ ...EMPTY_ROUTE, ...own }, call.body, EMPTY_ROUTE);
        put(edges, { ...edge, routes: [...edge.routes, route] });
        return shown(201, route, call);
      },
    },
    {
      method: 'GET',
      path: ONE_ROUTE,
      find,
      run: (call) => shown(200, routeIn(edges, call.params), call),
    },
    {
      method: 'PATCH',
      path: ONE_ROUTE,
      find,
      body: { required: true, kind: ROUTE_CHANGE },
      run(call) {
        const edge = edgeIn(edges, call.params);
        const route = routeIn(edges, call.params);
        const changed = applied(route, call.body, EMPTY_ROUTE);
        const signIns = SIGN_IN.filter(
          (name) => (changed[name] as Json | null)?.['enabled'] === true,
        );
        if (signIns.length > 1) {
          throw conflict('This would enable a second module that signs users in.');
        }
        put(edges, { ...edge, routes: edge.routes.map((one) => (one === route ? changed : one)) });
        return shown(200, changed, call);
      },
    },
    {
      method: 'DELETE',
      path: ONE_ROUTE,
      find,
      run({ params }) {
        const edge = edgeIn(edges, params);
        put(edges, { ...edge, routes: edge.routes.filter(({ id }) => id !== params['route_id']) });
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: METADATA_PATH,
      open: true,
      find,
      run({ params, base }) {
        const saml = routeIn(edges, params)['saml'] as Json | null;
        if (saml === null) {
          throw new Refusal('not_found', 'This route has no SAML.');
        }
        const headers = { 'content-type': 'application/samlmetadata+xml; charset=utf-8' };
        return {
          status: 200,
          headers,
          text: metadata(supplied(base, params['edge_id']!, params['route_id']!)),
        };
      },
    },
  ];
}
