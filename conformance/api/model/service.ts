/**
 * The whole service as data: edges with their routes, and subscriptions with their sources. A change makes a new state, so
 * that a search can go back to an old one. Commands are data, too, so that a sequence can be printed and shrunk: how each
 * is sent, and what it does.
 */
import type { CallInput } from '../../engine/http/call.ts';
import { type Json, MODULE_NAMES, WITH_UPSTREAM } from '../modules.ts';
import { BARE } from '../values/bodies.ts';
import { isAmbiguous, patched, patchedEdge, shownEdge, shownRoute } from './shown.ts';

export interface State {
  /** In the order of creation; undefined once deleted. */
  readonly edges: readonly (Json | undefined)[];
  /** In the order of creation, with the place of the edge; undefined once deleted. */
  readonly routes: readonly ({ edge: number; shown: Json } | undefined)[];
  /** The types of each subscription, in ascending order. */
  readonly sources: readonly (readonly string[])[];
}

/** The outcome of one call: its status, what it shows, and what is there afterwards. */
export interface Outcome {
  status: number;
  shown?: Json;
  /** The codes that a refusal may have; default: those of its status. */
  codes?: readonly string[];
  state: State;
}

/** One call: places in the lists of the state, and what is sent. */
interface Step {
  edge: number;
  route: number;
  subscription: number;
  type: string;
  /** The new type of a source; undefined: none is sent (D12). */
  to: string | undefined;
  body: Json;
}

export const EMPTY: State = { edges: [], routes: [], sources: [[], []] };

const isUpstream = (edge: Json) => (edge['tls_termination'] as Json | null)?.['terminate_at'] === 'upstream';
const isDisallowed = (route: Json) =>
  MODULE_NAMES.some((name) => !WITH_UPSTREAM.includes(name) && route[name] !== null);

function routesOf(state: State, edge: number): Json[] {
  return state.routes.filter((route) => route?.edge === edge).map((route) => route!.shown);
}

/** The codes of a conflict, none where there is no conflict. @param own the place of the route that is changed */
function conflictsOf(state: State, edge: number, shown: Json, own?: number): string[] {
  const pairOf = ({ match_type, match }: Json) => JSON.stringify([match_type, match]);
  const isSame = (route: Json) => pairOf(route) === pairOf(shown);
  const taken = state.routes.some((route, at) => at !== own && route?.edge === edge && isSame(route.shown));
  const contradicts = isAmbiguous(shown) || (isUpstream(state.edges[edge]!) && isDisallowed(shown));
  return [...(taken ? ['already_exists'] : []), ...(contradicts ? ['conflict'] : [])];
}

function withTypes(state: State, subscription: number, types: readonly string[]): State {
  return { ...state, sources: state.sources.with(subscription, types.toSorted()) };
}

/** 404, or the outcome; without a state, nothing changes. */
type Result = 404 | (Omit<Outcome, 'state'> & Partial<Outcome>);

const TAKEN: Result = { status: 409, codes: ['already_exists'] };
const AMBIGUOUS: Result = { status: 400, codes: ['invalid_request'] };

/** By operation. */
const OUTCOMES = {
  createEdge(state, { body }) {
    const shown = shownEdge(body);
    return { status: 201, shown: { ...shown, routes: [] }, state: { ...state, edges: [...state.edges, shown] } };
  },
  getEdge(state, { edge: at }) {
    const edge = state.edges[at];
    return edge ? { status: 200, shown: { ...edge, routes: routesOf(state, at) } } : 404;
  },
  updateEdge(state, { edge: at, body }) {
    const edge = state.edges[at];
    if (!edge) return 404;
    const shown = patchedEdge(edge, body);
    const routes = routesOf(state, at);
    if (isUpstream(shown) && (shown['mutual_tls'] !== null || routes.some(isDisallowed)))
      return { status: 409, codes: ['conflict'] };
    return { status: 200, shown: { ...shown, routes }, state: { ...state, edges: state.edges.with(at, shown) } };
  },
  deleteEdge(state, { edge: at }) {
    if (!state.edges[at]) return 404;
    const routes = state.routes.map((route) => (route?.edge === at ? undefined : route));
    return { status: 204, state: { ...state, edges: state.edges.with(at, undefined), routes } };
  },
  createRoute(state, { edge, body }) {
    if (!state.edges[edge]) return 404;
    const shown = shownRoute(body);
    if (isAmbiguous(shown)) return AMBIGUOUS;
    const codes = conflictsOf(state, edge, shown);
    if (codes.length > 0) return { status: 409, codes };
    return { status: 201, shown, state: { ...state, routes: [...state.routes, { edge, shown }] } };
  },
  getRoute(state, { route: at }) {
    const route = state.routes[at];
    return route ? { status: 200, shown: route.shown } : 404;
  },
  updateRoute(state, { route: at, body }) {
    const route = state.routes[at];
    if (!route) return 404;
    if (isAmbiguous(patched({}, body))) return AMBIGUOUS;
    const shown = patched(route.shown, body);
    const codes = conflictsOf(state, route.edge, shown, at);
    if (codes.length > 0) return { status: 409, codes };
    return { status: 200, shown, state: { ...state, routes: state.routes.with(at, { ...route, shown }) } };
  },
  deleteRoute(state, { route: at }) {
    if (!state.routes[at]) return 404;
    return { status: 204, state: { ...state, routes: state.routes.with(at, undefined) } };
  },
  createEventSource(state, { subscription, type }) {
    const types = state.sources[subscription]!;
    if (types.includes(type)) return TAKEN;
    return { status: 201, shown: { type }, state: withTypes(state, subscription, [...types, type]) };
  },
  getEventSource(state, { subscription, type }) {
    return state.sources[subscription]!.includes(type) ? { status: 200, shown: { type } } : 404;
  },
  listEventSources(state, { subscription }) {
    return { status: 200, shown: { sources: state.sources[subscription]!.map((type) => ({ type })) } };
  },
  updateEventSource(state, { subscription, type: from, to = from }) {
    const types = state.sources[subscription]!;
    if (!types.includes(from)) return 404;
    if (to !== from && types.includes(to)) return TAKEN;
    const moved = types.map((type) => (type === from ? to : type));
    return { status: 200, shown: { type: to }, state: withTypes(state, subscription, moved) };
  },
  deleteEventSource(state, { subscription, type }) {
    const types = state.sources[subscription]!;
    const rest = types.filter((one) => one !== type);
    return rest.length === types.length ? 404 : { status: 204, state: withTypes(state, subscription, rest) };
  },
} satisfies Record<string, (state: State, step: Step) => Result>;

/** Edges, routes and subscriptions are places in what was ever created, types places in those of the run; 0 by default. */
export interface Command {
  /** An operation. */
  do: keyof typeof OUTCOMES;
  edge?: number;
  route?: number;
  subscription?: number;
  type?: number;
  /** The type that a source moves to; null: none is sent. */
  to?: number | null;
  /** The body that is sent for an edge or a route. */
  body?: Json;
  /** The size of the pages of a list. */
  limit?: number;
}

// Short forms of commands; edges and routes count from 0, in the order of creation.
export const createEdge = (body: Json = {}): Command => ({ do: 'createEdge', body });
export const patchEdge = (body: Json): Command => ({ do: 'updateEdge', body });
export const look = (edge: number): Command => ({ do: 'getEdge', edge });
export const createRoute = (body: Json, edge = 0): Command => ({ do: 'createRoute', edge, body: { ...BARE, ...body } });
export const patchRoute = (body: Json, route = 0): Command => ({ do: 'updateRoute', route, body });
export const removeRoute = (route: number): Command => ({ do: 'deleteRoute', route });

/** The ids that the service gives to what the model numbers. */
export interface Names {
  edges: string[];
  routes: { edge_id: string; route_id: string }[];
  subscriptions: string[];
  types: string[];
}

/** Below an own edge, an id that no route has. */
const NO_ROUTE = 'conformance-no-route';

export function inputOf(names: Names, command: Command): CallInput {
  const step = stepOf(names, command);
  return { path: pathOf(names, command.do, step), json: jsonOf(command.do, step) };
}

function pathOf(names: Names, name: Command['do'], { edge, route, subscription, type }: Step): Record<string, string> {
  if (name.includes('EventSource')) return { subscription_id: names.subscriptions[subscription]!, type };
  if (name === 'createRoute') return { edge_id: names.edges[edge]! };
  if (name.endsWith('Route')) return names.routes[route] ?? { edge_id: names.edges[0]!, route_id: NO_ROUTE };
  return { edge_id: names.edges[edge]! };
}

function jsonOf(name: Command['do'], { type, to, body }: Step): Json | undefined {
  if (name === 'createEventSource') return { type };
  if (name === 'updateEventSource') return to === undefined ? {} : { type: to };
  return /^(create|update)/.test(name) ? body : undefined;
}

export function outcomeOf(state: State, names: Names, command: Command): Outcome {
  const result = OUTCOMES[command.do](state, stepOf(names, command));
  return typeof result === 'number' ? { status: result, state } : { state, ...result };
}

/** The command with every number taken as a place in what has a name. */
function stepOf({ edges, routes: { length }, subscriptions, types }: Names, command: Command): Step {
  const { edge = 0, route = 0, subscription = 0, type = 0, to = null, body = {} } = command;
  const typeAt = (at: number) => types[at % types.length]!;
  return {
    edge: edge % edges.length,
    // -1 while none has a name: one that is not there.
    route: length === 0 ? -1 : route % length,
    subscription: subscription % subscriptions.length,
    type: typeAt(type),
    to: to === null ? undefined : typeAt(to),
    body,
  };
}
