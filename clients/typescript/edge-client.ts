/**
 * The methods of a client: one for each operation of the contract, under its operationId;
 * types.test.ts proves it.
 */
import type {
  components,
  EventSource,
  HTTPSEdge,
  HTTPSEdgeCreate,
  HTTPSEdgeRoute,
  operations,
} from '../../generated/openapi.ts';
import type { Pages } from './pages.ts';

export type Schemas = components['schemas'];
/** The parameters in the path of an operation. */
export type PathOf<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['path']
>;

type Sends<
  Operation extends keyof operations,
  Body extends keyof Schemas,
  Result extends keyof Schemas,
> = (
  path: PathOf<Operation>,
  body: Schemas[Body],
  options?: CallOptions,
) => Promise<Schemas[Result]>;

export interface CallOptions {
  /** Ends the call early, with its retries; it then throws the reason of the signal. */
  signal?: AbortSignal;
}

export interface ListOptions extends CallOptions {
  /** The largest number of items on a page, 1 to 100. Default: 100, by the service. */
  limit?: number;
  /**
   * The `cursor` of a page's URI: the list begins there. A cursor belongs to the service and may
   * become invalid (D16).
   */
  cursor?: string;
  /**
   * The URI of the page that the list begins at, such as `next` of a `Page`; `limit` and `cursor`
   * are part of it.
   */
  from?: string;
}

/**
 * Every method throws a `ProblemError` when the service refuses, an `UnexpectedResponseError` when
 * the response is not one of this contract, and what `fetch` throws when there is no response. A
 * path parameter that is missing or that the contract does not allow, such as `..`, is a `TypeError`
 * that names it, and nothing is sent. A change says three things about a property: omitted stays, null removes it or resets it to
 * its default, a value replaces it whole.
 */
export interface EdgeClient {
  /** Nothing is required: `{}` creates an edge without hostports. */
  createEdge(body: HTTPSEdgeCreate, options?: CallOptions): Promise<HTTPSEdge>;
  /** Every edge, newest first. */
  listEdges(options?: ListOptions): Pages<HTTPSEdge>;
  /** The edge with its routes. Refused: 404. */
  getEdge(path: PathOf<'getEdge'>, options?: CallOptions): Promise<HTTPSEdge>;
  /** Refused: 404; 409 when the change contradicts other settings. */
  updateEdge: Sends<'updateEdge', 'HTTPSEdgeUpdate', 'HTTPSEdge'>;
  /** The edge with all its routes. Refused: 404. */
  deleteEdge(path: PathOf<'deleteEdge'>, options?: CallOptions): Promise<void>;

  /**
   * Refused: 404 without the edge; 409 when it has such a `match` already, or does not allow a
   * module.
   */
  createRoute: Sends<'createRoute', 'HTTPSEdgeRouteCreate', 'HTTPSEdgeRoute'>;
  /** Refused: 404. */
  getRoute(path: PathOf<'getRoute'>, options?: CallOptions): Promise<HTTPSEdgeRoute>;
  /**
   * One step: `{ oauth: null, oidc: ... }` never leaves the route open in between. Refused: 404,
   * 409.
   */
  updateRoute: Sends<'updateRoute', 'HTTPSEdgeRouteUpdate', 'HTTPSEdgeRoute'>;
  /** Refused: 404. */
  deleteRoute(path: PathOf<'deleteRoute'>, options?: CallOptions): Promise<void>;

  /** Refused: 409 when the subscription has a source of this type. */
  createEventSource: Sends<'createEventSource', 'EventSourceCreate', 'EventSource'>;
  /** Every source of the subscription, by ascending type. */
  listEventSources(path: PathOf<'listEventSources'>, options?: ListOptions): Pages<EventSource>;
  /** Refused: 404. */
  getEventSource(path: PathOf<'getEventSource'>, options?: CallOptions): Promise<EventSource>;
  /**
   * `type` in the path is the current one, in the body the new one. Refused: 404; 409 when there is
   * one of the new type.
   */
  updateEventSource: Sends<'updateEventSource', 'EventSourceUpdate', 'EventSource'>;
  /** Refused: 404. */
  deleteEventSource(path: PathOf<'deleteEventSource'>, options?: CallOptions): Promise<void>;
}
