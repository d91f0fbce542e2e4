/** The client on openapi-fetch. That each method sends and receives what its operation says is checked by `tsc`. */
import openapiFetch from 'openapi-fetch';
import type {
  EventSource,
  EventSourceList,
  HTTPSEdge,
  HTTPSEdgeList,
  paths,
} from '../../generated/openapi.ts';
import type { CallOptions, EdgeClient, ListOptions } from './edge-client.ts';
import { pathParameterCheck } from './path-parameters.ts';
import { type Page, Pages } from './pages.ts';
import { UnexpectedResponseError } from './errors.ts';
import { connect, type Connection } from './transport.ts';

const EDGES = '/edges/https';
const EDGE = '/edges/https/{edge_id}';
const ROUTES = '/edges/https/{edge_id}/routes';
const ROUTE = '/edges/https/{edge_id}/routes/{route_id}';
const SOURCES = '/event_subscriptions/{subscription_id}/sources';
const SOURCE = '/event_subscriptions/{subscription_id}/sources/{type}';

/** @throws {TypeError} when an option cannot be used. */
export function createClient(connection: Connection): EdgeClient {
  const send = connect(connection);
  const http = openapiFetch<paths>({ baseUrl: connection.baseUrl, fetch: send });
  http.use(pathParameterCheck);
  /** A page that is named by its URI has its own limit and cursor in it, and the URI is used as it is (D16). */
  function list<List, Item>(
    { limit, cursor, from, ...call }: ListOptions = {},
    first: (query: Pick<ListOptions, 'limit' | 'cursor'>, call: CallOptions) => Promise<List>,
    pageOf: (list: List) => Page<Item>,
  ): Pages<Item> {
    if (from !== undefined && (limit !== undefined || cursor !== undefined)) {
      throw new TypeError(
        'from names a page by itself: limit and cursor must be omitted beside it',
      );
    }
    const query = {
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    };
    return new Pages(async (uri) => {
      if (uri === undefined) {
        return pageOf(await first(query, call));
      }
      if (!URL.canParse(uri)) {
        throw new UnexpectedResponseError(`the URI of a page is not absolute: '${uri}'`);
      }
      return pageOf((await (await send(new Request(uri, call))).json()) as List);
    }, from);
  }
  return {
    createEdge: (body, options) => data(http.POST(EDGES, { body, ...options })),
    listEdges: (options) =>
      list(options, (query, call) => data(http.GET(EDGES, { params: { query }, ...call })), edges),
    getEdge: (path, options) => data(http.GET(EDGE, { params: { path }, ...options })),
    updateEdge: (path, body, options) =>
      data(http.PATCH(EDGE, { params: { path }, body, ...options })),
    deleteEdge: (path, options) => nothing(http.DELETE(EDGE, { params: { path }, ...options })),

    createRoute: (path, body, options) =>
      data(http.POST(ROUTES, { params: { path }, body, ...options })),
    getRoute: (path, options) => data(http.GET(ROUTE, { params: { path }, ...options })),
    updateRoute: (path, body, options) =>
      data(http.PATCH(ROUTE, { params: { path }, body, ...options })),
    deleteRoute: (path, options) => nothing(http.DELETE(ROUTE, { params: { path }, ...options })),

    createEventSource: (path, body, options) =>
      data(http.POST(SOURCES, { params: { path }, body, ...options })),
    listEventSources: (path, options) =>
      list(
        options,
        (query, call) => data(http.GET(SOURCES, { params: { path, query }, ...call })),
        sources,
      ),
    getEventSource: (path, options) => data(http.GET(SOURCE, { params: { path }, ...options })),
    updateEventSource: (path, body, options) =>
      data(http.PATCH(SOURCE, { params: { path }, body, ...options })),
    deleteEventSource: (path, options) =>
      nothing(http.DELETE(SOURCE, { params: { path }, ...options })),
  };
}

const edges = ({ https_edges: items, next_page_uri: next }: HTTPSEdgeList): Page<HTTPSEdge> => ({
  items,
  next,
});
const sources = ({ sources: items, uri: next }: EventSourceList): Page<EventSource> => ({
  items,
  next,
});

/** The body of a success. Refusals never come here: `send` has thrown them. */
async function data<Body>(
  call: Promise<{ data?: Body; response: Response }>,
): Promise<Exclude<Body, undefined>> {
  const { data: body, response } = await call;
  if (body === undefined) {
    throw new UnexpectedResponseError(
      `HTTP ${response.status} without a body from ${response.url}`,
      response,
    );
  }
  return body as Exclude<Body, undefined>;
}

const nothing = async (call: Promise<unknown>): Promise<void> => void (await call);
