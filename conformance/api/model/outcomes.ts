/** The model of the service: the response and the state that result from a command in a state. */
import { type Json, MODULE_NAMES, WITH_UPSTREAM } from '../modules.ts';
import { required } from '../required.ts';
import { isAmbiguous, patched, patchedEdge, shownEdge, shownRoute } from './shown.ts';

/** It is never changed in place, so that a search can go back to it. */
export interface State {
  /** In the order of creation; undefined once deleted. */
  readonly edges: readonly (Json | undefined)[];
  /** In the order of creation; undefined once deleted. */
  readonly routes: readonly (RouteState | undefined)[];
  /** The types of each subscription, in ascending order. */
  readonly sources: readonly (readonly string[])[];
}

interface RouteState {
  /** The index of its edge. */
  readonly edge: number;
  readonly shown: Json;
}

export const EMPTY: State = { edges: [], routes: [], sources: [[], []] };

/** The arguments of a command: indexes in the lists of the state, and the values that are sent. */
export interface Step {
  edge: number;
  route: number;
  subscription: number;
  type: string;
  /** The new type of a source; undefined: none is sent (D12). */
  to: string | undefined;
  body: Json;
}

/** The outcome of one call: its status, what it shows, and the state after it. */
export interface CallOutcome {
  status: number;
  shown?: Json;
  /** The codes that a refusal may have; default: those of its status. */
  codes?: readonly string[];
  state: State;
}

/** An outcome that leaves the state as it is, unless it has one. */
type Result = Omit<CallOutcome, 'state'> & Partial<CallOutcome>;

const NOT_FOUND: Result = { status: 404 };
const TAKEN: Result = { status: 409, codes: ['already_exists'] };
const CONTRADICTION: Result = { status: 409, codes: ['conflict'] };
const AMBIGUOUS: Result = { status: 400, codes: ['invalid_request'] };

const OUTCOMES = {
  createEdge(state, { body }) {
    const shown = shownEdge(body);
    return {
      status: 201,
      shown: { ...shown, routes: [] },
      state: { ...state, edges: [...state.edges, shown] },
    };
  },
  getEdge(state, { edge: index }) {
    const edge = state.edges[index];
    if (!edge) {
      return NOT_FOUND;
    }
    return { status: 200, shown: { ...edge, routes: routesOf(state, index) } };
  },
  updateEdge(state, { edge: index, body }) {
    const edge = state.edges[index];
    if (!edge) {
      return NOT_FOUND;
    }
    const shown = patchedEdge(edge, body);
    const routes = routesOf(state, index);
    const cannotPassThrough = shown['mutual_tls'] !== null || routes.some(isDisallowed);
    if (isUpstream(shown) && cannotPassThrough) {
      return CONTRADICTION;
    }
    return {
      status: 200,
      shown: { ...shown, routes },
      state: { ...state, edges: state.edges.with(index, shown) },
    };
  },
  deleteEdge(state, { edge: index }) {
    if (!state.edges[index]) {
      return NOT_FOUND;
    }
    const routes = state.routes.map((route) => (route?.edge === index ? undefined : route));
    return { status: 204, state: { ...state, edges: state.edges.with(index, undefined), routes } };
  },
  createRoute(state, { edge, body }) {
    if (!state.edges[edge]) {
      return NOT_FOUND;
    }
    const route = { edge, shown: shownRoute(body) };
    if (isAmbiguous(route.shown)) {
      return AMBIGUOUS;
    }
    const codes = conflictsOf(state, route);
    if (codes.length > 0) {
      return { status: 409, codes };
    }
    const routes = [...state.routes, route];
    return { status: 201, shown: route.shown, state: { ...state, routes } };
  },
  getRoute(state, { route: index }) {
    const route = state.routes[index];
    if (!route) {
      return NOT_FOUND;
    }
    return { status: 200, shown: route.shown };
  },
  updateRoute(state, { route: index, body }) {
    const route = state.routes[index];
    if (!route) {
      return NOT_FOUND;
    }
    if (isAmbiguous(patched({}, body))) {
      return AMBIGUOUS;
    }
    const changed = { ...route, shown: patched(route.shown, body) };
    const codes = conflictsOf(state, changed, index);
    if (codes.length > 0) {
      return { status: 409, codes };
    }
    const routes = state.routes.with(index, changed);
    return { status: 200, shown: changed.shown, state: { ...state, routes } };
  },
  deleteRoute(state, { route: index }) {
    if (!state.routes[index]) {
      return NOT_FOUND;
    }
    return { status: 204, state: { ...state, routes: state.routes.with(index, undefined) } };
  },
  createEventSource(state, { subscription, type }) {
    const types = typesIn(state, subscription);
    if (types.includes(type)) {
      return TAKEN;
    }
    const added = [...types, type];
    return { status: 201, shown: { type }, state: withTypes(state, subscription, added) };
  },
  getEventSource(state, { subscription, type }) {
    if (!typesIn(state, subscription).includes(type)) {
      return NOT_FOUND;
    }
    return { status: 200, shown: { type } };
  },
  listEventSources(state, { subscription }) {
    const sources = typesIn(state, subscription).map((type) => ({ type }));
    return { status: 200, shown: { sources } };
  },
  updateEventSource(state, { subscription, type: from, to = from }) {
    const types = typesIn(state, subscription);
    if (!types.includes(from)) {
      return NOT_FOUND;
    }
    if (to !== from && types.includes(to)) {
      return TAKEN;
    }
    const moved = types.map((type) => (type === from ? to : type));
    return { status: 200, shown: { type: to }, state: withTypes(state, subscription, moved) };
  },
  deleteEventSource(state, { subscription, type }) {
    const types = typesIn(state, subscription);
    if (!types.includes(type)) {
      return NOT_FOUND;
    }
    const rest = types.filter((one) => one !== type);
    return { status: 204, state: withTypes(state, subscription, rest) };
  },
} satisfies Record<string, (state: State, step: Step) => Result>;

/** The operations that the model knows. */
export type ModelOperation = keyof typeof OUTCOMES;

/** The outcome of each operation in a state. */
export function outcomeIn(state: State, operation: ModelOperation, step: Step): CallOutcome {
  const result: Result = OUTCOMES[operation](state, step);
  return { state, ...result };
}

function routesOf(state: State, edge: number): Json[] {
  return state.routes.flatMap((route) => (route?.edge === edge ? [route.shown] : []));
}

function isUpstream(edge: Json): boolean {
  const termination = edge['tls_termination'] as Json | null;
  return termination?.['terminate_at'] === 'upstream';
}

/** Whether the route has a module that does not work on an edge that passes TLS through (D09). */
function isDisallowed(route: Json): boolean {
  return MODULE_NAMES.some((name) => !WITH_UPSTREAM.includes(name) && route[name] !== null);
}

/**
 * The codes of the conflicts that a route would be in; empty without a conflict.
 * @param own the index of the route, if it exists already
 */
function conflictsOf(state: State, { edge, shown }: RouteState, own?: number): string[] {
  const codes: string[] = [];
  const isTaken = state.routes.some(
    (route, index) => index !== own && route?.edge === edge && hasSameMatch(route.shown, shown),
  );
  if (isTaken) {
    codes.push('already_exists');
  }
  const parent = required(state.edges[edge], 'a route has no edge');
  if (isAmbiguous(shown) || (isUpstream(parent) && isDisallowed(shown))) {
    codes.push('conflict');
  }
  return codes;
}

function hasSameMatch(one: Json, other: Json): boolean {
  return one['match_type'] === other['match_type'] && one['match'] === other['match'];
}

function typesIn({ sources }: State, subscription: number): readonly string[] {
  return required(sources[subscription], 'the model has no such subscription');
}

function withTypes(state: State, subscription: number, types: readonly string[]): State {
  return { ...state, sources: state.sources.with(subscription, types.toSorted()) };
}
