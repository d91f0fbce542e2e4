/** One method per operation of the contract, under its operationId. */
import openapiFetch from 'openapi-fetch';
import type { components, operations, paths } from '../../generated/openapi.ts';
import { type Page, Pages } from './pages.ts';
import { UnexpectedAnswerError } from './problem.ts';
import { connect, type Connection, type Send } from './transport.ts';

export type Schemas = components['schemas'];
type Path<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['path']>;

export interface CallOptions {
  /** Ends the call early; it then throws the reason of the signal. Default: no limit of time. */
  signal?: AbortSignal;
}

export interface ListOptions extends CallOptions {
  /** The largest number of items on a page, 1 to 100. Default: 100, by the service. */
  limit?: number;
}

export type EdgeClient = ReturnType<typeof createClient>;

/**
 * Every method throws a `ProblemError` when the service refuses, an `UnexpectedAnswerError` when the answer is not one of
 * this contract, and the TypeError of `fetch` when there is no answer.
 *
 * @throws {TypeError} when `baseUrl` or `token` cannot be used.
 */
export function createClient(connection: Connection) {
  const send = connect(connection);
  const http = openapiFetch<paths>({ baseUrl: connection.baseUrl, fetch: send });
  return {
    /** Nothing is required: `{}` creates an edge without hostports. */
    createEdge: (body: Schemas['HTTPSEdgeCreate'], options?: CallOptions) => data(http.POST('/edges/https', { body, ...options })),
    /** Every edge, newest first. */
    listEdges: (options: ListOptions = {}) => {
      const { limit, ...rest } = options;
      const query = limit === undefined ? {} : { limit };
      return new Pages(
        async () => edges(await data(http.GET('/edges/https', { params: { query }, ...rest }))),
        async (uri) => edges(await follow<Schemas['HTTPSEdgeList']>(send, uri, rest)),
      );
    },
    getEdge: (path: Path<'getEdge'>, options?: CallOptions) => data(http.GET('/edges/https/{id}', { params: { path }, ...options })),
    /** Left out: unchanged. Null: removed, or reset to its default. */
    updateEdge: (path: Path<'updateEdge'>, body: Schemas['HTTPSEdgeUpdate'], options?: CallOptions) =>
      data(http.PATCH('/edges/https/{id}', { params: { path }, body, ...options })),
    /** The edge with all its routes. */
    deleteEdge: (path: Path<'deleteEdge'>, options?: CallOptions) => nothing(http.DELETE('/edges/https/{id}', { params: { path }, ...options })),

    createRoute: (path: Path<'createRoute'>, body: Schemas['HTTPSEdgeRouteCreate'], options?: CallOptions) =>
      data(http.POST('/edges/https/{edge_id}/routes', { params: { path }, body, ...options })),
    getRoute: (path: Path<'getRoute'>, options?: CallOptions) => data(http.GET('/edges/https/{edge_id}/routes/{id}', { params: { path }, ...options })),
    /** Left out: unchanged. Null: removed, or reset to its default. */
    updateRoute: (path: Path<'updateRoute'>, body: Schemas['HTTPSEdgeRouteUpdate'], options?: CallOptions) =>
      data(http.PATCH('/edges/https/{edge_id}/routes/{id}', { params: { path }, body, ...options })),
    deleteRoute: (path: Path<'deleteRoute'>, options?: CallOptions) =>
      nothing(http.DELETE('/edges/https/{edge_id}/routes/{id}', { params: { path }, ...options })),

    createEventSource: (path: Path<'createEventSource'>, body: Schemas['EventSourceCreate'], options?: CallOptions) =>
      data(http.POST('/event_subscriptions/{subscription_id}/sources', { params: { path }, body, ...options })),
    /** Every source of the subscription, by ascending type. */
    listEventSources: (path: Path<'listEventSources'>, options: ListOptions = {}) => {
      const { limit, ...rest } = options;
      const query = limit === undefined ? {} : { limit };
      return new Pages(
        async () => sources(await data(http.GET('/event_subscriptions/{subscription_id}/sources', { params: { path, query }, ...rest }))),
        async (uri) => sources(await follow<Schemas['EventSourceList']>(send, uri, rest)),
      );
    },
    getEventSource: (path: Path<'getEventSource'>, options?: CallOptions) =>
      data(http.GET('/event_subscriptions/{subscription_id}/sources/{type}', { params: { path }, ...options })),
    /** `type` in the path is the current one, in the body the new one. */
    updateEventSource: (path: Path<'updateEventSource'>, body: Schemas['EventSourceUpdate'], options?: CallOptions) =>
      data(http.PATCH('/event_subscriptions/{subscription_id}/sources/{type}', { params: { path }, body, ...options })),
    deleteEventSource: (path: Path<'deleteEventSource'>, options?: CallOptions) =>
      nothing(http.DELETE('/event_subscriptions/{subscription_id}/sources/{type}', { params: { path }, ...options })),
    // A new operation without a method does not compile.
  } satisfies Record<keyof operations, unknown>;
}

const edges = ({ edges: items, uri }: Schemas['HTTPSEdgeList']): Page<Schemas['HTTPSEdge']> => ({ items, uri });
const sources = ({ sources: items, uri }: Schemas['EventSourceList']): Page<Schemas['EventSource']> => ({ items, uri });

/** The body of a success. Refusals never come here: `send` has thrown them. */
async function data<Body>(call: Promise<{ data?: Body; response: Response }>): Promise<Exclude<Body, undefined>> {
  const { data: body, response } = await call;
  if (body === undefined) throw new UnexpectedAnswerError(response.status, `HTTP ${response.status} without a body from ${response.url}`);
  return body as Exclude<Body, undefined>;
}

async function nothing(call: Promise<unknown>): Promise<void> {
  await call;
}

/** A page by its address, which is used as it is (D16). */
async function follow<List>(send: Send, uri: string, options: CallOptions): Promise<List> {
  if (!URL.canParse(uri)) throw new UnexpectedAnswerError(200, `the uri of the next page is not absolute: '${uri}'`);
  const response = await send(new Request(uri, options));
  return (await response.json()) as List;
}
