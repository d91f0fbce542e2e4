/**
 * The whole service as data: edges with their routes, and subscriptions with their sources. A change makes a new state, so
 * that a search can go back to an old one.
 */
import { patchedEdge, shownEdge } from './edge-update.ts';
import { isAmbiguous, type Json, patched, shownRoute } from './route.ts';
import { MODULE_NAMES, WITH_UPSTREAM } from '../modules.ts';

export interface State {
  /** In the order of creation; undefined once deleted. */
  readonly edges: readonly (Json | undefined)[];
  /** In the order of creation, with the place of the edge; undefined once deleted. */
  readonly routes: readonly ({ edge: number; shown: Json } | undefined)[];
  /** Of each subscription the types, in ascending order. */
  readonly sources: readonly (readonly string[])[];
}

/** What one call comes to: its status, what it shows, and what is there afterwards. */
export interface Outcome {
  status: number;
  shown?: Json;
  state: State;
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

export function createEdge(state: State, body: Json): Outcome {
  const shown = shownEdge(body);
  return { status: 201, shown: { ...shown, routes: [] }, state: { ...state, edges: [...state.edges, shown] } };
}

export function readEdge(state: State, at: number): Outcome {
  const edge = state.edges[at];
  if (!edge) return refusal(state, 404);
  return { status: 200, shown: { ...edge, routes: routesOf(state, at) }, state };
}

function routesOf(state: State, edge: number): Json[] {
  return state.routes.filter((route) => route?.edge === edge).map((route) => route!.shown);
}

export function patchEdge(state: State, at: number, patch: Json): Outcome {
  const edge = state.edges[at];
  if (!edge) return refusal(state, 404);
  const shown = patchedEdge(edge, patch);
  if (isUpstream(shown) && (shown['mutual_tls'] !== null || routesOf(state, at).some(isDisallowed)))
    return refusal(state, 409);
  return readEdgeAs(200, { ...state, edges: state.edges.with(at, shown) }, at);
}

function readEdgeAs(status: number, state: State, at: number): Outcome {
  return { ...readEdge(state, at), status };
}

export function deleteEdge(state: State, at: number): Outcome {
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

export function createRoute(state: State, edge: number, body: Json): Outcome {
  if (!state.edges[edge]) return refusal(state, 404);
  const shown = shownRoute(body);
  if (!fits(state, edge, shown)) return refusal(state, 409);
  return { status: 201, shown, state: { ...state, routes: [...state.routes, { edge, shown }] } };
}

export function readRoute(state: State, at: number): Outcome {
  const route = state.routes[at];
  return route ? { status: 200, shown: route.shown, state } : refusal(state, 404);
}

export function patchRoute(state: State, at: number, patch: Json): Outcome {
  const route = state.routes[at];
  if (!route) return refusal(state, 404);
  const shown = patched(route.shown, patch);
  if (!fits(state, route.edge, shown, at)) return refusal(state, 409);
  return { status: 200, shown, state: { ...state, routes: state.routes.with(at, { ...route, shown }) } };
}

export function deleteRoute(state: State, at: number): Outcome {
  if (!state.routes[at]) return refusal(state, 404);
  return { status: 204, state: { ...state, routes: state.routes.with(at, undefined) } };
}

export function addSource(state: State, at: number, type: string): Outcome {
  const types = state.sources[at]!;
  if (types.includes(type)) return refusal(state, 409);
  return {
    status: 201,
    shown: { type },
    state: { ...state, sources: state.sources.with(at, [...types, type].toSorted()) },
  };
}

export function readSource(state: State, at: number, type: string): Outcome {
  return state.sources[at]!.includes(type) ? { status: 200, shown: { type }, state } : refusal(state, 404);
}

export function listSources(state: State, at: number): Outcome {
  return { status: 200, shown: { sources: state.sources[at]!.map((type) => ({ type })) }, state };
}

/** @param to undefined: no new type is sent (D12) */
export function moveSource(state: State, at: number, from: string, to: string | undefined): Outcome {
  const types = state.sources[at]!;
  if (!types.includes(from)) return refusal(state, 404);
  if (to === undefined || to === from) return { status: 200, shown: { type: from }, state };
  if (types.includes(to)) return refusal(state, 409);
  const moved = types.map((type) => (type === from ? to : type)).toSorted();
  return { status: 200, shown: { type: to }, state: { ...state, sources: state.sources.with(at, moved) } };
}

export function removeSource(state: State, at: number, type: string): Outcome {
  const types = state.sources[at]!;
  if (!types.includes(type)) return refusal(state, 404);
  return {
    status: 204,
    state: {
      ...state,
      sources: state.sources.with(
        at,
        types.filter((one) => one !== type),
      ),
    },
  };
}
