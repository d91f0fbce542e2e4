/** Commands on the service as data, so that a sequence can be printed and shrunk: what each calls, and what it does. */
import type { CallInput } from '../../engine/http/call.ts';
import type { Json } from './route.ts';
import * as service from './service.ts';
import type { Outcome, State } from './service.ts';

/** Edges, routes and subscriptions are places in what was ever created; types are places in those of the run. */
export type Command =
  | { do: 'create edge'; body: Json }
  | { do: 'read edge'; edge: number }
  | { do: 'patch edge'; edge: number; patch: Json }
  | { do: 'delete edge'; edge: number }
  | { do: 'create route'; edge: number; body: Json }
  | { do: 'read route'; route: number }
  | { do: 'patch route'; route: number; patch: Json }
  | { do: 'delete route'; route: number }
  | { do: 'add source'; subscription: number; type: number }
  | { do: 'read source'; subscription: number; type: number }
  | { do: 'move source'; subscription: number; type: number; to: number | null }
  | { do: 'remove source'; subscription: number; type: number }
  | { do: 'list sources'; subscription: number; limit: number };

/** What the service calls what the model numbers. */
export interface Names {
  edges: string[];
  routes: { edge_id: string; id: string }[];
  subscriptions: string[];
  /** In ascending order. */
  types: string[];
}

interface Kind<C> {
  operationId: string;
  input(names: Names, command: C): CallInput;
  outcome(state: State, command: C, names: Names): Outcome;
}

type Kinds = { [Name in Command['do']]: Kind<Extract<Command, { do: Name }>> };

/** Below an own edge, an id that no route has. */
const NO_ROUTE = 'conformance-no-route';

function at<T>(of: readonly T[], index: number): T {
  return of[index % of.length]!;
}

function edgeOf(names: Names, index: number): number {
  return index % names.edges.length;
}

/** -1 while none has a name: one that is not there. */
function routeOf({ routes }: Names, index: number): number {
  return routes.length === 0 ? -1 : index % routes.length;
}

function routePath(names: Names, index: number): Record<string, string> {
  return { ...(names.routes[routeOf(names, index)] ?? { edge_id: names.edges[0]!, id: NO_ROUTE }) };
}

function sourcePath(names: Names, { subscription, type }: { subscription: number; type: number }) {
  return { subscription_id: at(names.subscriptions, subscription), type: at(names.types, type) };
}

function placeOf({ subscriptions }: Names, { subscription }: { subscription: number }): number {
  return subscription % subscriptions.length;
}

export const KINDS: Kinds = {
  'create edge': {
    operationId: 'createEdge',
    input: (_, { body }) => ({ json: body }),
    outcome: (state, { body }) => service.createEdge(state, body),
  },
  'read edge': {
    operationId: 'getEdge',
    input: (names, { edge }) => ({ path: { id: at(names.edges, edge) } }),
    outcome: (state, { edge }, names) => service.readEdge(state, edgeOf(names, edge)),
  },
  'patch edge': {
    operationId: 'updateEdge',
    input: (names, { edge, patch }) => ({ path: { id: at(names.edges, edge) }, json: patch }),
    outcome: (state, { edge, patch }, names) => service.patchEdge(state, edgeOf(names, edge), patch),
  },
  'delete edge': {
    operationId: 'deleteEdge',
    input: (names, { edge }) => ({ path: { id: at(names.edges, edge) } }),
    outcome: (state, { edge }, names) => service.deleteEdge(state, edgeOf(names, edge)),
  },
  'create route': {
    operationId: 'createRoute',
    input: (names, { edge, body }) => ({ path: { edge_id: at(names.edges, edge) }, json: body }),
    outcome: (state, { edge, body }, names) => service.createRoute(state, edgeOf(names, edge), body),
  },
  'read route': {
    operationId: 'getRoute',
    input: (names, { route }) => ({ path: routePath(names, route) }),
    outcome: (state, { route }, names) => service.readRoute(state, routeOf(names, route)),
  },
  'patch route': {
    operationId: 'updateRoute',
    input: (names, { route, patch }) => ({ path: routePath(names, route), json: patch }),
    outcome: (state, { route, patch }, names) => service.patchRoute(state, routeOf(names, route), patch),
  },
  'delete route': {
    operationId: 'deleteRoute',
    input: (names, { route }) => ({ path: routePath(names, route) }),
    outcome: (state, { route }, names) => service.deleteRoute(state, routeOf(names, route)),
  },
  'add source': {
    operationId: 'createEventSource',
    input: (names, command) => {
      const { subscription_id, type } = sourcePath(names, command);
      return { path: { subscription_id }, json: { type } };
    },
    outcome: (state, command, names) =>
      service.addSource(state, placeOf(names, command), at(names.types, command.type)),
  },
  'read source': {
    operationId: 'getEventSource',
    input: (names, command) => ({ path: sourcePath(names, command) }),
    outcome: (state, command, names) =>
      service.readSource(state, placeOf(names, command), at(names.types, command.type)),
  },
  'move source': {
    operationId: 'updateEventSource',
    input: (names, command) => ({
      path: sourcePath(names, command),
      json: command.to === null ? {} : { type: at(names.types, command.to) },
    }),
    outcome: (state, command, names) => {
      const to = command.to === null ? undefined : at(names.types, command.to);
      return service.moveSource(state, placeOf(names, command), at(names.types, command.type), to);
    },
  },
  'remove source': {
    operationId: 'deleteEventSource',
    input: (names, command) => ({ path: sourcePath(names, command) }),
    outcome: (state, command, names) =>
      service.removeSource(state, placeOf(names, command), at(names.types, command.type)),
  },
  'list sources': {
    operationId: 'listEventSources',
    input: (names, command) => ({ path: { subscription_id: at(names.subscriptions, command.subscription) } }),
    outcome: (state, command, names) => service.listSources(state, placeOf(names, command)),
  },
};

export function kindOf(command: Command): Kind<Command> {
  return KINDS[command.do] as Kind<Command>;
}
