/**
 * The client on openapi-fetch. That each method sends and receives what its operation says is
 * checked by `tsc`.
 */
import openapiFetch, { type Client as OpenApiClient, type Middleware } from 'openapi-fetch';
import type { EventSourceList, HTTPSEdgeList, operations, paths } from '../../generated/openapi.ts';
import { type Call, callOf, type CallOptions, type WithResponse } from './call.ts';
import type { EdgeClient, ListOptions } from './edge-client.ts';
import { requireSuccess, UnexpectedResponseError } from './errors.ts';
import { type Page, Pages } from './pages.ts';
import { requirePathParameters } from './path-parameters.ts';
import { connect, type Connection, type Send, type Transport } from './transport.ts';

const EDGES = '/edges/https';
const EDGE = '/edges/https/{edge_id}';
const ROUTES = '/edges/https/{edge_id}/routes';
const ROUTE = '/edges/https/{edge_id}/routes/{route_id}';
const SOURCES = '/event_subscriptions/{subscription_id}/sources';
const SOURCE = '/event_subscriptions/{subscription_id}/sources/{type}';

type Operation = keyof operations;

/**
 * A client of the service at `baseUrl`, with a method for each operation. Nothing is sent before a
 * method is called.
 * @throws {TypeError} when an option cannot be used.
 */
export function createClient(connection: Connection): EdgeClient {
  const core = new Core(connection);
  return { ...edgesOf(core), ...routesOf(core), ...eventSourcesOf(core) };
}

function edgesOf(
  core: Core,
): Pick<EdgeClient, 'createEdge' | 'listEdges' | 'getEdge' | 'updateEdge' | 'deleteEdge'> {
  const { http } = core;
  return {
    createEdge: (body, options) =>
      core.one('createEdge', options, (init) => http.POST(EDGES, { body, ...init })),
    listEdges: (options) =>
      core.list('listEdges', options, {
        first: (query, init) => http.GET(EDGES, { params: { query }, ...init }),
        read: ({ https_edges: items, next_page_uri: next }: HTTPSEdgeList) => ({ items, next }),
      }),
    getEdge: (path, options) =>
      core.one('getEdge', options, (init) => http.GET(EDGE, { params: { path }, ...init })),
    updateEdge: (path, body, options) =>
      core.one('updateEdge', options, (init) =>
        http.PATCH(EDGE, { params: { path }, body, ...init }),
      ),
    deleteEdge: (path, options) =>
      core.none('deleteEdge', options, (init) => http.DELETE(EDGE, { params: { path }, ...init })),
  };
}

function routesOf(
  core: Core,
): Pick<EdgeClient, 'createRoute' | 'getRoute' | 'updateRoute' | 'deleteRoute'> {
  const { http } = core;
  return {
    createRoute: (path, body, options) =>
      core.one('createRoute', options, (init) =>
        http.POST(ROUTES, { params: { path }, body, ...init }),
      ),
    getRoute: (path, options) =>
      core.one('getRoute', options, (init) => http.GET(ROUTE, { params: { path }, ...init })),
    updateRoute: (path, body, options) =>
      core.one('updateRoute', options, (init) =>
        http.PATCH(ROUTE, { params: { path }, body, ...init }),
      ),
    deleteRoute: (path, options) =>
      core.none('deleteRoute', options, (init) =>
        http.DELETE(ROUTE, { params: { path }, ...init }),
      ),
  };
}

function eventSourcesOf(
  core: Core,
): Pick<
  EdgeClient,
  | 'createEventSource'
  | 'listEventSources'
  | 'getEventSource'
  | 'updateEventSource'
  | 'deleteEventSource'
> {
  const { http } = core;
  return {
    createEventSource: (path, body, options) =>
      core.one('createEventSource', options, (init) =>
        http.POST(SOURCES, { params: { path }, body, ...init }),
      ),
    listEventSources: (path, options) =>
      core.list('listEventSources', options, {
        first: (query, init) => http.GET(SOURCES, { params: { path, query }, ...init }),
        read: ({ sources: items, uri: next }: EventSourceList) => ({ items, next }),
      }),
    getEventSource: (path, options) =>
      core.one('getEventSource', options, (init) =>
        http.GET(SOURCE, { params: { path }, ...init }),
      ),
    updateEventSource: (path, body, options) =>
      core.one('updateEventSource', options, (init) =>
        http.PATCH(SOURCE, { params: { path }, body, ...init }),
      ),
    deleteEventSource: (path, options) =>
      core.none('deleteEventSource', options, (init) =>
        http.DELETE(SOURCE, { params: { path }, ...init }),
      ),
  };
}

/** Sends the request of any method. */
class Core {
  readonly http: OpenApiClient<paths>;
  readonly #transport: Transport;

  constructor(connection: Connection) {
    this.#transport = connect(connection);
    this.http = openapiFetch<paths>({ baseUrl: connection.baseUrl });
    this.http.use(checks, ...(connection.middleware ?? []));
  }

  /** A call whose success has a body. */
  one<Body>(
    operation: Operation,
    options: CallOptions | undefined,
    send: (init: Init) => Promise<Settled<Body>>,
  ): Call<Exclude<Body, undefined>> {
    const settled = async () => success(send(this.#init(operation, options)));
    return callOf(settled());
  }

  /** A call whose success has no body. */
  none(
    operation: Operation,
    options: CallOptions | undefined,
    send: (init: Init) => Promise<Settled<unknown>>,
  ): Call<void> {
    const settled = async () => {
      const { response } = await send(this.#init(operation, options));
      return { data: undefined, response };
    };
    return callOf(settled());
  }

  list<List, Item>(
    operation: Operation,
    options: ListOptions = {},
    { first, read }: PagedList<List, Item>,
  ): Pages<Item> {
    const query = pageQuery(options);
    return new Pages(async (uri) => {
      const init = this.#init(operation, options);
      const page = uri === undefined ? first(query, init) : this.#pageAt<List>(uri, init);
      const { data, response } = await success(page);
      return { data: read(data as List), response };
    }, options.from);
  }

  /** The options of openapi-fetch beside parameters and body. */
  #init(operation: Operation, options: CallOptions = {}): Init {
    const { signal, headers = {} } = options;
    const fetch = this.#transport(operation, options);
    if (signal === undefined) {
      return { fetch, headers };
    }
    return { fetch, headers, signal };
  }

  /** The URI of a page is used as it is (D16). */
  #pageAt<List>(uri: string, init: Init): Promise<Settled<List>> {
    if (!URL.canParse(uri)) {
      throw new UnexpectedResponseError(`the URI of a page is not absolute: '${uri}'`);
    }
    const { origin, pathname, search } = new URL(uri);
    // A URI has no braces; for openapi-fetch, they would stand for a path parameter.
    const path = `${pathname}${search}`.replaceAll('{', '%7B').replaceAll('}', '%7D');
    const get = this.http.GET as unknown as (
      path: string,
      init: Init & { baseUrl: string },
    ) => Promise<Settled<List>>;
    return get(path, { ...init, baseUrl: origin });
  }
}

interface PagedList<List, Item> {
  /** Fetches the first page. */
  first(query: PageQuery, init: Init): Promise<Settled<List>>;
  read(list: List): Page<Item>;
}

/**
 * The first middleware: it sees the parameters before all others, and the response after them.
 * Nothing is sent with a path parameter that the contract does not allow.
 */
const checks: Middleware = {
  onRequest({ schemaPath, params }) {
    requirePathParameters(schemaPath, params.path);
  },
  onResponse: ({ response }) => requireSuccess(response) as Promise<undefined>,
};

interface Init {
  fetch: Send;
  headers: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** The result of openapi-fetch; `data` is missing without a body. */
interface Settled<Body> {
  data?: Body;
  response: Response;
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

async function success<Body>(
  settled: Promise<Settled<Body>>,
): Promise<WithResponse<Exclude<Body, undefined>>> {
  const { data, response } = await settled;
  if (data === undefined) {
    const message = `HTTP ${response.status} without a body from ${response.url}`;
    throw new UnexpectedResponseError(message, response);
  }
  return { data: data as Exclude<Body, undefined>, response };
}
