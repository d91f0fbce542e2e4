/** Ways to stand before routes and their modules. */
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { invalid, jsonOf, succeeded } from './response.ts';
import type { OperationId } from './operation.ts';
import { instead, type Mutate, showingAs, taking } from './mutate.ts';
import { ask, isObject, type Json, jsonIn } from './request.ts';

export const ROUTE_WRITES: OperationId[] = ['createRoute', 'updateRoute'];

const SHOWING_ROUTES: OperationId[] = [
  'createRoute',
  'getRoute',
  'updateRoute',
  'createEdge',
  'getEdge',
  'updateEdge',
  'listEdges',
];

/** Changes what a route is made from, or changed to. */
export function keepingRoute(change: (body: Json) => Json, operations: OperationId[] = ROUTE_WRITES): Mutate {
  return taking(operations, (body) => (isObject(body) ? change(body) : body));
}

/** Changes a module on its way in, where one is sent. */
export function keepingPart(
  name: string,
  change: (module: Json) => unknown,
  operations: OperationId[] = ROUTE_WRITES,
): Mutate {
  return keepingRoute((body) => (isObject(body[name]) ? { ...body, [name]: change(body[name]) } : body), operations);
}

/** The same for one property of a module. */
export function keepingField(module: string, name: string, change: (value: any) => unknown): Mutate {
  return keepingPart(module, (sent) => (sent[name] === undefined ? sent : { ...sent, [name]: change(sent[name]) }));
}

/** Changes each route that is shown: by itself, on its edge, or in a list of edges. */
export function showingRoutes(change: (route: Json) => Json): Mutate {
  const edge = (shown: Json): Json => ({ ...shown, routes: (shown['routes'] as Json[]).map(change) });
  return showingAs(SHOWING_ROUTES, (shown: Json) => {
    if (Array.isArray(shown['https_edges'])) return { ...shown, https_edges: shown['https_edges'].map(edge) };
    return Array.isArray(shown['routes']) ? edge(shown) : change(shown);
  });
}

/** Changes a module wherever it is shown. */
export function showingPart(name: string, change: (module: Json) => unknown): Mutate {
  return showingRoutes((route) => (isObject(route[name]) ? { ...route, [name]: change(route[name]) } : route));
}

export function showingField(module: string, name: string, change: (value: any) => unknown): Mutate {
  return showingPart(module, (shown) => ({ ...shown, [name]: change(shown[name]) }));
}

/** Refuses some bodies of routes. */
export function refusingRoutes(
  when: (body: Json) => boolean,
  pointer: string,
  operations: OperationId[] = ROUTE_WRITES,
): Mutate {
  return instead(operations, async (next, request) => {
    const body = jsonIn(request);
    return isObject(body) && when(body) ? invalid(pointer, 'value') : next(request);
  });
}

/** Refuses some values of a module. */
export function refusingPart(name: string, when: (module: Json) => boolean): Mutate {
  return refusingRoutes((body) => isObject(body[name]) && when(body[name]), `/${name}`);
}

/** Handles changes of routes, given what the route shows before. */
export function changing(
  handle: (next: Service, request: ServiceRequest, patch: Json, before: Json) => Promise<ServiceResponse>,
): Mutate {
  return instead('updateRoute', async (next, request) => {
    const patch = jsonIn(request);
    const before = await ask(next, request, 'GET', request.target);
    return isObject(patch) && succeeded(before) ? handle(next, request, patch, jsonOf(before)) : next(request);
  });
}
