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

function refusal(state: State, status: 404 | 409): Outcome {
  return { status, state };
}

function isUpstream(edge: Json): boolean {
  return (edge['tls_termination'] as Json | null)?.['terminate_at'] === 'upstream';
}

function isDisallowed(route: Json): boolean {
  return MODULE_NAMES.some((name) => !WITH_UPSTREAM.includes(name) && route[name] !== null);
}

export function createEdge(state: State, { body }: Step): Outcome {
  const shown = shownEdge(body);
  return { status: 201, shown: { ...shown, routes: [] }, state: { ...state, edges: [...state.edges, shown] } };
}

export function readEdge(state: State, { edge: at }: Pick<Step, 'edge'>): Outcome {
  const edge = state.edges[at];
  return edge ? { status: 200, shown: { ...edge, routes: routesOf(state, at) }, state } : refusal(state, 404);
}

function routesOf(state: State, edge: number): Json[] {
  return state.routes.filter((route) => route?.edge === edge).map((route) => route!.shown);
}

export function patchEdge(state: State, { edge: at, body }: Step): Outcome {
  const edge = state.edges[at];
  if (!edge) return refusal(state, 404);
  const shown = patchedEdge(edge, body);
  if (isUpstream(shown) && (shown['mutual_tls'] !== null || routesOf(state, at).some(isDisallowed)))
    return refusal(state, 409);
  return readEdge({ ...state, edges: state.edges.with(at, shown) }, { edge: at });
}

export function deleteEdge(state: State, { edge: at }: Step): Outcome {
  if (!state.edges[at]) return refusal(state, 404);
  const routes = state.routes.map((route) => (route?.edge === at ? undefined : route));
  return { status: 204, state: { ...state, edges: state.edges.with(at, undefined), routes } };
}

/** @param own the place of the route that is changed */
function fits(state: State, edge: number, shown: Json, own?: number): boolean {
  const taken = state.routes.some(
    (route, at) =>
      at !== own &&
      route?.edge === edge &&
      route.shown['match'] === shown['match'] &&
      route.shown['match_type'] === shown['match_type'],
  );
  return !taken && !isAmbiguous(shown) && !(isUpstream(state.edges[edge]!) && isDisallowed(shown));
}

export function createRoute(state: State, { edge, body }: Step): Outcome {
  if (!state.edges[edge]) return refusal(state, 404);
  const shown = shownRoute(body);
  if (!fits(state, edge, shown)) return refusal(state, 409);
  return { status: 201, shown, state: { ...state, routes: [...state.routes, { edge, shown }] } };
}

export function readRoute(state: State, { route: at }: Step): Outcome {
  const route = state.routes[at];
  return route ? { status: 200, shown: route.shown, state } : refusal(state, 404);
}

export function patchRoute(state: State, { route: at, body }: Step): Outcome {
  const route = state.routes[at];
  if (!route) return refusal(state, 404);
  const shown = patched(route.shown, body);
  if (!fits(state, route.edge, shown, at)) return refusal(state, 409);
  return { status: 200, shown, state: { ...state, routes: state.routes.with(at, { ...route, shown }) } };
}

export function deleteRoute(state: State, { route: at }: Step): Outcome {
  if (!state.routes[at]) return refusal(state, 404);
  return { status: 204, state: { ...state, routes: state.routes.with(at, undefined) } };
}

function withTypes(state: State, { subscription }: Step, types: readonly string[]): State {
  return { ...state, sources: state.sources.with(subscription, types.toSorted()) };
}

export function addSource(state: State, step: Step): Outcome {
  const { subscription, type } = step;
  const types = state.sources[subscription]!;
  if (types.includes(type)) return refusal(state, 409);
  return { status: 201, shown: { type }, state: withTypes(state, step, [...types, type]) };
}

export function readSource(state: State, { subscription, type }: Step): Outcome {
  return state.sources[subscription]!.includes(type) ? { status: 200, shown: { type }, state } : refusal(state, 404);
}

export function listSources(state: State, { subscription }: Step): Outcome {
  return { status: 200, shown: { sources: state.sources[subscription]!.map((type) => ({ type })) }, state };
}

export function moveSource(state: State, step: Step): Outcome {
  const { subscription, type: from, to = from } = step;
  const types = state.sources[subscription]!;
  if (!types.includes(from)) return refusal(state, 404);
  if (to !== from && types.includes(to)) return refusal(state, 409);
  const moved = types.map((type) => (type === from ? to : type));
  return { status: 200, shown: { type: to }, state: withTypes(state, step, moved) };
}

export function removeSource(state: State, step: Step): Outcome {
  const { subscription, type } = step;
  const types = state.sources[subscription]!;
  if (!types.includes(type)) return refusal(state, 404);
  return {
    status: 204,
    state: withTypes(
      state,
      step,
      types.filter((one) => one !== type),
    ),
  };
}
