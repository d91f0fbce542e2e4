/**
 * The handlers of the operations: each asks the domain for the new state, and the store to keep it.
 */
import { ApiError, invalidRequest } from '../domain/api-error.ts';
import {
  addRoute,
  changeRoute,
  checkedEdge,
  createEdge,
  type EdgeRecord,
  findRoute,
  removeRoute,
  showEdge,
  updateEdge,
} from '../domain/edge.ts';
import type { Links } from '../domain/links.ts';
import { createRoute, type RouteRecord, showRoute, updateRoute } from '../domain/route.ts';
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
import type { EdgeList, Route } from '../domain/types.ts';
import type { NewId } from '../ids.ts';
import { createSigningCertificate } from '../saml.ts';
import type { Store } from '../store/store.ts';
import type { FilledBodies, Handlers } from './handler-types.ts';
import { jsonOfList, jsonOfRecord, JsonText } from './json-text.ts';

export interface Services {
  store: Store;
  /** A new id, which sorts behind earlier ones; the prefix shows people what it names (D01). */
  newId: NewId;
  /** The defaults of the contract for the body of this operation. */
  defaultsOf<K extends keyof FilledBodies>(operation: K): FilledBodies[K];
}

/** One for each operation: a missing one does not compile. */
export function handlersOf(services: Services): Handlers {
  return {
    ...edgeHandlers(services),
    ...routeHandlers(services),
    ...eventSourceHandlers(services),
  };
}

const now = (): string => new Date().toISOString();

/**
 * Ids have up to 64 characters. A longer cursor would decide nothing more, and could make the URI
 * of a page too long.
 */
const MOST_OF_CURSOR = 65;

/** HTTPS edges (source §4.1–4.2, D10). */
function edgeHandlers({ store: { edges }, newId, defaultsOf }: Services) {
  const defaults = defaultsOf('createEdge');
  return {
    async createEdge({ body, links }) {
      const edge = createEdge(body, { id: newId('edghts'), created_at: now() });
      const isCreated = await edges.create(edge);
      if (!isCreated) {
        throw new Error(`the id ${edge.id} was made twice`);
      }
      const shown = JSON.stringify(showEdge(edge, links));
      return { status: 201, body: new JsonText(shown), location: links.edge(edge.id) };
    },

    async listEdges({ query, links }) {
      const { limit, cursor, before_id } = query;
      if (cursor !== undefined && before_id !== undefined) {
        throw invalidRequest([
          { parameter: 'before_id', code: 'not_allowed_here', detail: 'excludes `cursor`' },
        ]);
      }
      // Ids sort by creation (D01): the last one of a page is the cursor of the next, and any text
      // is a position, also the id of an edge that was deleted.
      const position = cursor?.slice(0, MOST_OF_CURSOR);
      const { records, next } = await edges.list({ limit, before: position ?? before_id });
      const shown = records.map((edge) => jsonOfRecord(edge, links, showEdge));
      const uri = links.edges({ limit, cursor: position, before_id });
      const nextPage = { limit, cursor: next, before_id: undefined };
      const others = { uri, next_page_uri: next === undefined ? null : links.edges(nextPage) };
      return {
        status: 200,
        body: jsonOfList<EdgeList, 'https_edges'>('https_edges', shown, others),
      };
    },

    async getEdge({ path, links }) {
      const edge = existing(await edges.get(path.edge_id));
      return { status: 200, body: jsonOfRecord(edge, links, showEdge) };
    },

    async updateEdge({ path, body, links }) {
      const edge = await edges.update(path.edge_id, (before) =>
        checkedEdge(updateEdge(existing(before), body, defaults)),
      );
      return { status: 200, body: jsonOfRecord(existing(edge), links, showEdge) };
    },

    async deleteEdge({ path }) {
      // Its routes are in the same record, and go with it.
      await edges.update(path.edge_id, (edge) => {
        existing(edge);
        return null;
      });
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}

/** @throws ApiError `not_found` */
function existing(edge: EdgeRecord | undefined): EdgeRecord {
  if (!edge) {
    throw new ApiError('not_found', 'There is no edge with this id.');
  }
  return edge;
}

/** Routes of an edge (D10), which are kept in its record, so that each change is atomic. */
function routeHandlers({ store: { edges }, newId, defaultsOf }: Services) {
  const defaults = defaultsOf('createRoute');
  return {
    async createRoute({ path: { edge_id }, body, links }) {
      const signing = body.saml ? await createSigningCertificate() : null;
      const supplies = { id: newId('edghtsrt'), created_at: now(), signing };
      const route = createRoute(body, supplies);
      await edges.update(edge_id, (edge) => addRoute(existing(edge), route));
      const location = links.route(edge_id, route.id);
      return { status: 201, body: jsonOfRoute(edge_id, route, links), location };
    },

    async getRoute({ path: { edge_id, route_id }, links }) {
      const route = findRoute(existing(await edges.get(edge_id)), route_id);
      return { status: 200, body: jsonOfRoute(edge_id, route, links) };
    },

    async updateRoute({ path: { edge_id, route_id }, body, links }) {
      const before = findRoute(existing(await edges.get(edge_id)), route_id);
      // Made before the change, which must be quick: the key takes time. Discarded if it is not
      // needed.
      const signing = body.saml && !before.signing ? await createSigningCertificate() : null;
      const change = (route: RouteRecord) => updateRoute(route, body, { signing, defaults });
      const edge = await edges.update(edge_id, (current) =>
        changeRoute(existing(current), route_id, change),
      );
      const after = findRoute(existing(edge), route_id);
      return { status: 200, body: jsonOfRoute(edge_id, after, links) };
    },

    async deleteRoute({ path: { edge_id, route_id } }) {
      await edges.update(edge_id, (edge) => removeRoute(existing(edge), route_id));
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}

/** A record of a route is part of one edge: its JSON depends on nothing else. */
function jsonOfRoute(edgeId: string, route: RouteRecord, links: Links): JsonText<Route> {
  return jsonOfRecord(route, links, () => showRoute(edgeId, route, links));
}

/** The event sources of a subscription (source §4.3–4.7). */
function eventSourceHandlers({ store: { subscriptions } }: Services) {
  /** Any subscription exists; one without sources is not kept (D14). */
  const read = async (id: string) => (await subscriptions.get(id)) ?? emptySubscription(id);
  const change = (id: string, rule: (before: SubscriptionRecord) => SubscriptionRecord) =>
    subscriptions.update(id, (before) => {
      const after = rule(before ?? emptySubscription(id));
      return after.types.length > 0 ? after : null;
    });

  return {
    async createEventSource({ path: { subscription_id }, body: { type }, links }) {
      await change(subscription_id, (before) => addType(before, type));
      const source = showSource(subscription_id, type, links);
      return { status: 201, body: source, location: source.uri };
    },

    async listEventSources({ path: { subscription_id }, query, links }) {
      const subscription = await read(subscription_id);
      const { limit, cursor } = query;
      return { status: 200, body: listSources(subscription, { limit, cursor }, links) };
    },

    async getEventSource({ path: { subscription_id, type }, links }) {
      requireType(await read(subscription_id), type);
      return { status: 200, body: showSource(subscription_id, type, links) };
    },

    async updateEventSource({ path: { subscription_id, type }, body, links }) {
      const next = body?.type ?? type;
      await change(subscription_id, (before) => replaceType(before, type, next));
      return { status: 200, body: showSource(subscription_id, next, links) };
    },

    async deleteEventSource({ path: { subscription_id, type } }) {
      await change(subscription_id, (before) => removeType(before, type));
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}
