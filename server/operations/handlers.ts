/** The handlers of the operations, and their type, derived from the contract: what each gets, and what it may reply. */
import type { operations } from '../../generated/openapi.ts';
import type { OperationId } from '../contract.ts';
import { ApiError, invalidRequest } from '../domain/api-error.ts';
import {
  addRoute,
  changeRoute,
  consistent,
  createEdge,
  type EdgeChange,
  type EdgeRecord,
  findRoute,
  type NewEdge,
  removeRoute,
  showEdge,
  updateEdge,
} from '../domain/edge.ts';
import type { Links } from '../domain/links.ts';
import {
  createRoute,
  type NewRoute,
  type RouteChange,
  type RouteRecord,
  showRoute,
  updateRoute,
} from '../domain/route.ts';
import {
  addType,
  emptySubscription,
  listSources,
  removeType,
  replaceType,
  requireType,
  showSource,
  type SubscriptionRecord,
} from '../domain/subscription.ts';
import type { EdgeList } from '../domain/types.ts';
import { createSigningCertificate } from '../saml.ts';
import type { Store } from '../store/store.ts';
import { Shown, shown, shownList } from './shown.ts';

export interface Services {
  store: Store;
  /** A new id, which sorts behind earlier ones; `prefix` shows people what it names (D01). */
  newId(prefix: string): string;
  /** The defaults of the contract for the body of this operation. */
  defaultsOf<K extends keyof FilledBodies>(operation: K): FilledBodies[K];
}

/** Bodies with the defaults of the contract; other bodies have none. */
interface FilledBodies {
  createEdge: NewEdge;
  updateEdge: EdgeChange;
  createRoute: NewRoute;
  updateRoute: RouteChange;
}

type Parameters<K extends OperationId> = operations[K]['parameters'];

interface Call<K extends OperationId> {
  path: NonNullable<Parameters<K>['path']>;
  query: FilledQuery<NonNullable<Parameters<K>['query']>>;
  body: K extends keyof FilledBodies ? FilledBodies[K] : SentBody<K>;
  links: Links;
}

/** `limit` is the one parameter that has a default. */
type FilledQuery<Q> = Q extends { limit?: number } ? Q & { limit: number } : Q;

type SentBody<K extends OperationId> = operations[K] extends {
  requestBody?: { content: { 'application/json': infer B } };
}
  ? undefined extends operations[K]['requestBody']
    ? B | undefined
    : B
  : undefined;

type Success = 200 | 201 | 204;

type Body<T> = T | Shown<T>;

/** One of the operation's documented successes. Errors are thrown. */
type Reply<K extends OperationId> = {
  [S in keyof operations[K]['responses'] & Success]: operations[K]['responses'][S] extends {
    content: infer C;
  }
    ? S extends 201
      ? { status: S; body: Body<C[keyof C]>; location: string }
      : { status: S; body: Body<C[keyof C]> }
    : { status: S };
}[keyof operations[K]['responses'] & Success];

export type Handlers = { [K in OperationId]: (call: Call<K>) => Promise<Reply<K>> };

/** One for each operation: a missing one does not compile. */
export function handlersOf(services: Services): Handlers {
  return {
    ...edgeHandlers(services),
    ...routeHandlers(services),
    ...eventSourceHandlers(services),
  };
}

/** Ids have up to 64 characters. What follows in a cursor decides nothing, and could make the URI of a page too long. */
const MOST_OF_CURSOR = 65;

/** HTTPS edges (source §4.1–4.2, D10). */
function edgeHandlers({ store: { edges }, newId, defaultsOf }: Services) {
  const defaults = defaultsOf('createEdge');
  return {
    async createEdge({ body, links }) {
      const edge = createEdge(body, { id: newId('edghts'), created_at: new Date().toISOString() });
      if (!(await edges.create(edge))) {
        throw new Error(`the id ${edge.id} was made twice`);
      }
      return {
        status: 201,
        body: new Shown(JSON.stringify(showEdge(edge, links))),
        location: links.edge(edge.id),
      };
    },

    async listEdges({ query, links }) {
      const { limit, cursor, before_id } = query;
      if (cursor !== undefined && before_id !== undefined) {
        throw invalidRequest([
          { parameter: 'before_id', code: 'not_allowed_here', detail: 'excludes `cursor`' },
        ]);
      }
      // Ids sort by creation (D01), so that the last one of a page is the cursor of the next, and any text is a
      // position: the place of a deleted edge, too.
      const position = cursor?.slice(0, MOST_OF_CURSOR);
      const { records, next } = await edges.list({ limit, before: position ?? before_id });
      return {
        status: 200,
        body: shownList<EdgeList, 'https_edges'>(
          'https_edges',
          records.map((edge) => shown(edge, links, showEdge)),
          {
            uri: links.edges(position === undefined ? query : { limit, cursor: position }),
            next_page_uri: next === undefined ? null : links.edges({ limit, cursor: next }),
          },
        ),
      };
    },

    async getEdge({ path, links }) {
      return { status: 200, body: shown(known(await edges.get(path.edge_id)), links, showEdge) };
    },

    async updateEdge({ path, body, links }) {
      const edge = await edges.update(path.edge_id, (now) =>
        consistent(updateEdge(known(now), body, defaults)),
      );
      return { status: 200, body: shown(known(edge), links, showEdge) };
    },

    async deleteEdge({ path }) {
      // Its routes are in the same record, and go with it.
      await edges.update(path.edge_id, (current) => known(current) && null);
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}

/** @throws ApiError `not_found` */
function known(edge: EdgeRecord | undefined): EdgeRecord {
  if (!edge) {
    throw new ApiError('not_found', 'There is no edge with this id.');
  }
  return edge;
}

/** A record of a route is part of one edge. */
const shownRoute = (edgeId: string, route: RouteRecord, links: Links) =>
  shown(route, links, () => showRoute(edgeId, route, links));

/** Routes of an edge (D10), which are kept in its record, so that each change is atomic. */
function routeHandlers({ store: { edges }, newId, defaultsOf }: Services) {
  const defaults = defaultsOf('createRoute');
  return {
    async createRoute({ path: { edge_id }, body, links }) {
      const route = createRoute(body, {
        id: newId('edghtsrt'),
        created_at: new Date().toISOString(),
        signing: body.saml ? await createSigningCertificate() : null,
      });
      await edges.update(edge_id, (edge) => addRoute(known(edge), route));
      return {
        status: 201,
        body: shownRoute(edge_id, route, links),
        location: links.route(edge_id, route.id),
      };
    },

    async getRoute({ path: { edge_id, route_id }, links }) {
      return {
        status: 200,
        body: shownRoute(edge_id, findRoute(known(await edges.get(edge_id)), route_id), links),
      };
    },

    async updateRoute({ path: { edge_id, route_id }, body, links }) {
      const before = findRoute(known(await edges.get(edge_id)), route_id);
      // Made before the change, which must be quick: the key takes time. Discarded where it is not needed.
      const signing = body.saml && !before.signing ? await createSigningCertificate() : null;
      const edge = await edges.update(edge_id, (current) =>
        changeRoute(known(current), route_id, (route) =>
          updateRoute(route, body, { signing, defaults }),
        ),
      );
      return { status: 200, body: shownRoute(edge_id, findRoute(known(edge), route_id), links) };
    },

    async deleteRoute({ path: { edge_id, route_id } }) {
      await edges.update(edge_id, (edge) => removeRoute(known(edge), route_id));
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}

/** The event sources of a subscription (source §4.3–4.7). */
function eventSourceHandlers({ store: { subscriptions } }: Services) {
  /** Any subscription exists; one without sources is not kept (D14). */
  const read = async (id: string) => (await subscriptions.get(id)) ?? emptySubscription(id);
  const change = (id: string, rule: (kept: SubscriptionRecord) => SubscriptionRecord) =>
    subscriptions.update(id, (current) => {
      const next = rule(current ?? emptySubscription(id));
      return next.types.length > 0 ? next : null;
    });

  return {
    async createEventSource({ path: { subscription_id }, body: { type }, links }) {
      await change(subscription_id, (kept) => addType(kept, type));
      const source = showSource(subscription_id, type, links);
      return { status: 201, body: source, location: source.uri };
    },

    async listEventSources({ path: { subscription_id }, query, links }) {
      return { status: 200, body: listSources(await read(subscription_id), query, links) };
    },

    async getEventSource({ path: { subscription_id, type }, links }) {
      requireType(await read(subscription_id), type);
      return { status: 200, body: showSource(subscription_id, type, links) };
    },

    async updateEventSource({ path: { subscription_id, type }, body, links }) {
      const next = body?.type ?? type;
      await change(subscription_id, (kept) => replaceType(kept, type, next));
      return { status: 200, body: showSource(subscription_id, next, links) };
    },

    async deleteEventSource({ path: { subscription_id, type } }) {
      await change(subscription_id, (kept) => removeType(kept, type));
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}
