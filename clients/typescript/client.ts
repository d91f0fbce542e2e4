/**
 * The client on openapi-fetch. That each method sends and receives what its operation says is
 * checked by `tsc`.
 */
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
  /** The list whose first page `first` fetches. The URI of a page is used as it is (D16). */
  function list<List, Item>(
    options: ListOptions = {},
    first: (query: PageQuery, call: CallOptions) => Promise<List>,
    pageOf: (list: List) => Page<Item>,
  ): Pages<Item> {
    const { from, signal } = options;
    const query = pageQuery(options);
    const call: CallOptions = signal === undefined ? {} : { signal };
    return new Pages(async (uri) => {
      const page = uri === undefined ? await first(query, call) : await pageAt<List>(uri, call);
      return pageOf(page);
    }, from);
  }
  async function pageAt<List>(uri: string, call: CallOptions): Promise<List> {
    if (!URL.canParse(uri)) {
      throw new UnexpectedResponseError(`the URI of a page is not absolute: '${uri}'`);
    }
    const response = await send(new Request(uri, call));
    return (await response.json()) as List;
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

type PageQuery = Pick<ListOptions, 'limit' | 'cursor'>;

/**
 * @throws {TypeError} if the URI of a page stands beside a limit or a cursor, which it has in
 * itself
 */
function pageQuery({ limit, cursor, from }: ListOptions): PageQuery {
  const query: PageQuery = {};
  if (limit !== undefined) {
    query.limit = limit;
  }
  if (cursor !== undefined) {
    query.cursor = cursor;
  }
  if (from !== undefined && Object.keys(query).length > 0) {
    throw new TypeError('from names a page by itself: limit and cursor must be omitted beside it');
  }
  return query;
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
    const message = `HTTP ${response.status} without a body from ${response.url}`;
    throw new UnexpectedResponseError(message, response);
  }
  return body as Exclude<Body, undefined>;
}

const nothing = async (call: Promise<unknown>): Promise<void> => void (await call);
