/** Edges with their routes, in memory. Values are never changed, only replaced whole, so that a change can be refused. */
import { randomBytes, randomInt } from 'node:crypto';
import { type Json, MODULE_NAMES, MODULES, SIGN_IN } from '../../api/modules.ts';
import { EDGE, NEW_ROUTE, ROUTE_CHANGE } from './bodies.ts';
import type { Call, Operation, Params } from './operation.ts';
import { type PageOptions, Pages } from './pages.ts';
import { type HttpResponse, Refusal } from './problem.ts';
import { metadata, METADATA_PATH, supplied } from './saml.ts';
import { edgesUri, type Edge, type Route, shownEdge, shownRoute } from './view.ts';

const EDGES = '/edges/https';
const ONE_EDGE = `${EDGES}/{edge_id}`;
const ROUTES = `${EDGES}/{edge_id}/routes`;
const ONE_ROUTE = `${ROUTES}/{route_id}`;

const MOST_ROUTES = 1000;
/** Any limit from 2 to 4 MiB is right. */
const MOST_BYTES = 3 * 2 ** 20;

const EMPTY_EDGE: Json = { description: '', metadata: '', hostports: [], mutual_tls: null, tls_termination: null };
const EMPTY_ROUTE: Json = {
  ...{ description: '', metadata: '' },
  ...Object.fromEntries(MODULE_NAMES.map((name) => [name, null])),
};

/** The state after a request: null stands for the empty value, an omitted property keeps its value. */
function applied<T extends Json>(old: T, sent: Json, empty: Json): T {
  return { ...old, ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, value ?? empty[name]])) };
}

/** TLS that ends upstream has no version here; otherwise the service picks one where none is given (D07). */
function withVersion(edge: Edge): Edge {
  const tls = edge['tls_termination'] as Json | null;
  if (tls === null) return edge;
  const version = tls['terminate_at'] === 'upstream' ? null : (tls['min_version'] ?? '1.3');
  return { ...edge, tls_termination: { ...tls, min_version: version } };
}

/** RFC 3339 with a numeric offset and whole seconds. */
const now = () => new Date().toISOString().replace(/\.[0-9]+Z$/, '+00:00');

/** 12 to 64 characters: ids are opaque, so nothing may rest on their length. */
const randomId = () => randomBytes(randomInt(9, 49)).toString('base64url');

const conflict = (detail: string) => new Refusal('conflict', detail);
const seesTraffic = (route: Json) => MODULE_NAMES.some((name) => !MODULES[name].worksUpstream && route[name] !== null);

/** Refuses an edge and routes that contradict each other. */
function requireAgreement(edge: Edge): void {
  const { mutual_tls: mutual, tls_termination: tls, routes } = edge;
  const isUpstream = (tls as Json | null)?.['terminate_at'] === 'upstream';
  if (isUpstream && mutual !== null)
    throw conflict('TLS ends upstream or client certificates are verified here: not both.');
  if (isUpstream && routes.some(seesTraffic))
    throw conflict('TLS ends upstream or a module of a route sees the traffic: not both.');
  if (routes.length > MOST_ROUTES) throw conflict(`An edge has ${MOST_ROUTES} routes at most.`);
  const pairs = new Set(routes.map(({ match_type, match }) => JSON.stringify([match_type, match])));
  if (pairs.size < routes.length) throw new Refusal('already_exists', 'A route of this edge matches exactly this.');
  if (Buffer.byteLength(JSON.stringify(edge)) > MOST_BYTES)
    throw conflict(`An edge with its routes has ${MOST_BYTES} bytes at most.`);
}

function requireOneSignIn(route: Json): void {
  const enabled = SIGN_IN.filter((name) => (route[name] as Json | null)?.['enabled'] === true);
  if (enabled.length > 1) throw conflict('This would enable a second module that signs users in.');
}

class Edges {
  readonly pages: Pages;
  readonly newId: () => string;
  readonly #edges = new Map<string, Edge>();
  #lastRank = Number.MAX_SAFE_INTEGER;

  constructor(newId: () => string, pages?: PageOptions) {
    this.newId = newId;
    this.pages = new Pages(pages);
  }

  /** The newer, the lower, in the order of ASCII. */
  nextRank(): string {
    return String((this.#lastRank -= 1));
  }

  byRank(): Map<string, Edge> {
    return new Map(Array.from(this.#edges.values(), (edge) => [edge.rank, edge]));
  }

  rankOf(id: string): string | undefined {
    return this.#edges.get(id)?.rank;
  }

  edge(id: string | undefined): Edge {
    const edge = this.#edges.get(id!);
    if (edge === undefined) throw new Refusal('not_found', 'No edge bears this id.');
    return edge;
  }

  route({ edge_id, route_id }: Params): Route {
    const route = this.edge(edge_id).routes.find((one) => one.id === route_id);
    if (route === undefined) throw new Refusal('not_found', 'No route of this edge bears this id.');
    return route;
  }

  put(edge: Edge): Edge {
    requireAgreement(edge);
    this.#edges.set(edge.id, edge);
    return edge;
  }

  delete(id: string | undefined): void {
    this.#edges.delete(id!);
  }
}

/** @param newId gives an id that it has not given before */
export function edgeOperations(newId = randomId, pages?: PageOptions): Operation[] {
  const all = new Edges(newId, pages);
  return [...operationsOfEdges(all), ...operationsOfRoutes(all)];
}

function showing(status: number, edge: Edge, { base }: Call): HttpResponse {
  return { status, body: shownEdge(edge, base) };
}

function operationsOfEdges(all: Edges): Operation[] {
  const find = ({ edge_id }: Params) => void all.edge(edge_id);
  const changed = (edge: Edge, { body }: Call) => all.put(withVersion(applied(edge, body, EMPTY_EDGE)));
  return [
    {
      ...{ method: 'POST', path: EDGES, body: { required: true, kind: EDGE } },
      run(call) {
        const own = { id: all.newId(), created_at: now(), rank: all.nextRank(), routes: [] };
        return showing(201, changed({ ...EMPTY_EDGE, ...own }, call), call);
      },
    },
    {
      ...{ method: 'GET', path: EDGES },
      pages: { of: all.pages, owner: () => EDGES, nameOf: (id) => all.rankOf(id) },
      run({ base, page, search }) {
        const byRank = all.byRank();
        const { names, next } = all.pages.cut(byRank.keys(), EDGES, edgesUri(base), page);
        const shown = names.map((rank) => shownEdge(byRank.get(rank)!, base));
        const uri = `${edgesUri(base)}${search}`;
        return { status: 200, body: { next_page_uri: next, uri, https_edges: shown, on_this_page: names.length } };
      },
    },
    {
      ...{ method: 'GET', path: ONE_EDGE, find },
      run: (call) => showing(200, all.edge(call.params['edge_id']), call),
    },
    {
      ...{ method: 'PATCH', path: ONE_EDGE, find, body: { required: true, kind: EDGE } },
      run: (call) => showing(200, changed(all.edge(call.params['edge_id']), call), call),
    },
    {
      ...{ method: 'DELETE', path: ONE_EDGE, find },
      run({ params }) {
        all.delete(params['edge_id']);
        return { status: 204 };
      },
    },
  ];
}

function operationsOfRoutes(all: Edges): Operation[] {
  const find = (params: Params) => void all.route(params);
  const shown = (status: number, route: Route, { params, base }: Call): HttpResponse => ({
    status,
    body: shownRoute(route, params['edge_id']!, base),
  });
  return [
    {
      ...{ method: 'POST', path: ROUTES, find: ({ edge_id }) => void all.edge(edge_id) },
      body: { required: true, kind: NEW_ROUTE },
      run(call) {
        const edge = all.edge(call.params['edge_id']);
        const own = { id: all.newId(), created_at: now() };
        const route = applied<Route>({ ...EMPTY_ROUTE, ...own } as unknown as Route, call.body, EMPTY_ROUTE);
        all.put({ ...edge, routes: [...edge.routes, route] });
        return shown(201, route, call);
      },
    },
    {
      ...{ method: 'GET', path: ONE_ROUTE, find },
      run: (call) => shown(200, all.route(call.params), call),
    },
    {
      ...{ method: 'PATCH', path: ONE_ROUTE, find, body: { required: true, kind: ROUTE_CHANGE } },
      run(call) {
        const edge = all.edge(call.params['edge_id']);
        const route = all.route(call.params);
        const changed = applied(route, call.body, EMPTY_ROUTE);
        requireOneSignIn(changed);
        all.put({ ...edge, routes: edge.routes.map((one) => (one === route ? changed : one)) });
        return shown(200, changed, call);
      },
    },
    {
      ...{ method: 'DELETE', path: ONE_ROUTE, find },
      run({ params }) {
        const edge = all.edge(params['edge_id']);
        all.put({ ...edge, routes: edge.routes.filter(({ id }) => id !== params['route_id']) });
        return { status: 204 };
      },
    },
    {
      ...{ method: 'GET', path: METADATA_PATH, open: true, find },
      run({ params, base }) {
        const saml = all.route(params)['saml'] as Json | null;
        if (saml === null) throw new Refusal('not_found', 'This route has no SAML.');
        const values = supplied(base, params['edge_id']!, params['route_id']!);
        const headers = { 'content-type': 'application/samlmetadata+xml; charset=utf-8' };
        return { status: 200, headers, text: metadata(values, saml['nameid_format'] as string) };
      },
    },
  ];
}
