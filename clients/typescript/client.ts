/** The client on openapi-fetch. That each method sends and receives what its operation says is checked by `tsc`. */
import openapiFetch from 'openapi-fetch';
import type { paths } from '../../generated/openapi.ts';
import type { CallOptions, EdgeClient, ListOptions, Schemas } from './edge-client.ts';
import { type Page, Pages } from './pages.ts';
import { UnexpectedResponseError } from './problem.ts';
import { connect, type Connection, type Send } from './transport.ts';

const EDGES = '/edges/https';
const EDGE = '/edges/https/{edge_id}';
const ROUTES = '/edges/https/{edge_id}/routes';
const ROUTE = '/edges/https/{edge_id}/routes/{route_id}';
const SOURCES = '/event_subscriptions/{subscription_id}/sources';
const SOURCE = '/event_subscriptions/{subscription_id}/sources/{type}';

/** @throws {TypeError} when `baseUrl` or `token` cannot be used. */
export function createClient(connection: Connection): EdgeClient {
  const send = connect(connection);
  const http = openapiFetch<paths>({ baseUrl: connection.baseUrl, fetch: send });
  return {
    createEdge: (body, options) => data(http.POST(EDGES, { body, ...options })),
    listEdges: (options) => {
      const { query, call } = split(options);
      const first = async () => edges(await data(http.GET(EDGES, { params: { query }, ...call })));
      return new Pages(first, async (uri) => edges(await follow<Schemas['HTTPSEdgeList']>(send, uri, call)));
    },
    getEdge: (path, options) => data(http.GET(EDGE, { params: { path }, ...options })),
    updateEdge: (path, body, options) => data(http.PATCH(EDGE, { params: { path }, body, ...options })),
    deleteEdge: (path, options) => nothing(http.DELETE(EDGE, { params: { path }, ...options })),

    createRoute: (path, body, options) => data(http.POST(ROUTES, { params: { path }, body, ...options })),
    getRoute: (path, options) => data(http.GET(ROUTE, { params: { path }, ...options })),
    updateRoute: (path, body, options) => data(http.PATCH(ROUTE, { params: { path }, body, ...options })),
    deleteRoute: (path, options) => nothing(http.DELETE(ROUTE, { params: { path }, ...options })),

    createEventSource: (path, body, options) => data(http.POST(SOURCES, { params: { path }, body, ...options })),
    listEventSources: (path, options) => {
      const { query, call } = split(options);
      const first = async () => sources(await data(http.GET(SOURCES, { params: { path, query }, ...call })));
      return new Pages(first, async (uri) => sources(await follow<Schemas['EventSourceList']>(send, uri, call)));
    },
    getEventSource: (path, options) => data(http.GET(SOURCE, { params: { path }, ...options })),
    updateEventSource: (path, body, options) => data(http.PATCH(SOURCE, { params: { path }, body, ...options })),
    deleteEventSource: (path, options) => nothing(http.DELETE(SOURCE, { params: { path }, ...options })),
  };
}

function split({ limit, ...call }: ListOptions = {}): { query: { limit?: number }; call: CallOptions } {
  return { query: limit === undefined ? {} : { limit }, call };
}

const edges = ({ https_edges: items, next_page_uri: uri }: Schemas['HTTPSEdgeList']): Page<Schemas['HTTPSEdge']> => ({
  items,
  uri,
});
const sources = ({ sources: items, uri }: Schemas['EventSourceList']): Page<Schemas['EventSource']> => ({ items, uri });

/** The body of a success. Refusals never come here: `send` has thrown them. */
async function data<Body>(call: Promise<{ data?: Body; response: Response }>): Promise<Exclude<Body, undefined>> {
  const { data: body, response } = await call;
  if (body === undefined)
    throw new UnexpectedResponseError(response.status, `HTTP ${response.status} without a body from ${response.url}`);
  return body as Exclude<Body, undefined>;
}

async function nothing(call: Promise<unknown>): Promise<void> {
  await call;
}

/** A page by its address, which is used as it is (D16). */
async function follow<List>(send: Send, uri: string, options: CallOptions): Promise<List> {
  if (!URL.canParse(uri)) throw new UnexpectedResponseError(200, `the uri of the next page is not absolute: '${uri}'`);
  const response = await send(new Request(uri, options));
  return (await response.json()) as List;
}
