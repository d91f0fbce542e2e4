/**
 * The methods of a client: one for each operation of the contract, under its operationId;
 * types.test.ts proves it.
 */
import type {
  components,
  EventSource,
  EventSourceCreate,
  EventSourceUpdate,
  HTTPSEdge,
  HTTPSEdgeCreate,
  HTTPSEdgeRoute,
  HTTPSEdgeRouteCreate,
  HTTPSEdgeRouteUpdate,
  HTTPSEdgeUpdate,
  operations,
} from '../../generated/openapi.ts';
import type { Call, CallOptions } from './call.ts';
import type { Pages } from './pages.ts';

export type Schemas = components['schemas'];
/** The parameters in the path of an operation. */
export type PathOf<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['path']
>;

export interface EdgePath {
  /** The `id` of the edge. */
  edge_id: string;
}

export interface RoutePath extends EdgePath {
  /** The `id` of the route. */
  route_id: string;
}

export interface SubscriptionPath {
  /** The identifier of the event subscription; any is accepted. */
  subscription_id: string;
}

export interface SourcePath extends SubscriptionPath {
  /** The event type of the source, such as `ip_policy_created.v0`. */
  type: string;
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
 * Every method throws a `ProblemError` when the service refuses (a `NotFoundError`, a
 * `ConflictError`, ...), an `UnexpectedResponseError` when the response is not one of this
 * contract, and a `ConnectionError` when there is no response. A path parameter that is missing or
 * that the contract does not allow, such as `..`, is a `TypeError` that names it, and nothing is
 * sent. A change says three things about a property: omitted stays, null removes it or resets it to
 * its default, a value replaces it whole.
 */
export interface EdgeClient {
  /** Creates an edge and returns it. `{}` creates an edge without hostports. */
  createEdge(body: HTTPSEdgeCreate, options?: CallOptions): Call<HTTPSEdge>;
  /** Lists every edge, newest first; the pages are fetched as they are needed. */
  listEdges(options?: ListOptions): Pages<HTTPSEdge>;
  /** Returns the edge with its routes. */
  getEdge(path: EdgePath, options?: CallOptions): Call<HTTPSEdge>;
  /**
   * Changes the properties that are sent, in one step, and returns the edge.
   * @throws {ConflictError} if the change contradicts other settings of the edge
   */
  updateEdge(path: EdgePath, body: HTTPSEdgeUpdate, options?: CallOptions): Call<HTTPSEdge>;
  /** Deletes the edge with all its routes. */
  deleteEdge(path: EdgePath, options?: CallOptions): Call<void>;

  /**
   * Adds a route to the edge and returns it.
   * @throws {AlreadyExistsError | ConflictError} if the edge has a route with this `match`, or does
   * not allow a module of it
   */
  createRoute(
    path: EdgePath,
    body: HTTPSEdgeRouteCreate,
    options?: CallOptions,
  ): Call<HTTPSEdgeRoute>;
  /** Returns the route. */
  getRoute(path: RoutePath, options?: CallOptions): Call<HTTPSEdgeRoute>;
  /**
   * Changes the properties that are sent, in one step, and returns the route:
   * `{ oauth: null, oidc: ... }` never leaves it open in between.
   * @throws {AlreadyExistsError | ConflictError} if another route has this `match`, or the change
   * contradicts other settings
   */
  updateRoute(
    path: RoutePath,
    body: HTTPSEdgeRouteUpdate,
    options?: CallOptions,
  ): Call<HTTPSEdgeRoute>;
  /** Deletes the route. */
  deleteRoute(path: RoutePath, options?: CallOptions): Call<void>;

  /**
   * Adds an event type to those for which the subscription triggers, and returns the source.
   * @throws {AlreadyExistsError} if the subscription has a source of this type
   */
  createEventSource(
    path: SubscriptionPath,
    body: EventSourceCreate,
    options?: CallOptions,
  ): Call<EventSource>;
  /** Lists every source of the subscription, by ascending type. */
  listEventSources(path: SubscriptionPath, options?: ListOptions): Pages<EventSource>;
  /** Returns the source. */
  getEventSource(path: SourcePath, options?: CallOptions): Call<EventSource>;
  /**
   * Replaces the type of the source, which is in the path, by the one in the body.
   * @throws {AlreadyExistsError} if the subscription has a source of the new type
   */
  updateEventSource(
    path: SourcePath,
    body: EventSourceUpdate,
    options?: CallOptions,
  ): Call<EventSource>;
  /** Deletes the source: the subscription no longer triggers for its type. */
  deleteEventSource(path: SourcePath, options?: CallOptions): Call<void>;
}
