/**
 * The whole service as data: edges with their routes, and subscriptions with their sources. A change makes a new state, so
 * that a search can go back to an old one.
 */
import { type Json, MODULE_NAMES, WITH_UPSTREAM } from '../modules.ts';
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
export interface Step {
  edge: number;
  route: number;
  subscription: number;
  type: string;
  /** The new type of a source; undefined: none is sent (D12). */
  to: string | undefined;
  body: Json;
}

export const EMPTY: State = { edges: [], routes: [], sources: [[], []] };

function isUpstream(edge: Json): boolean {
  return (edge['tls_termination'] as Json | null)?.['terminate_at'] === 'upstream';
}

function isDisallowed(route: Json): boolean {
  return MODULE_NAMES.some((name) => !WITH_UPSTREAM.includes(name) && route[name] !== null);
}

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
export const OUTCOMES = {
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
