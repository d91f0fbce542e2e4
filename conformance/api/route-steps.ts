/** Steps on routes, each checked as it is taken. */
import { expectSame, expectThat } from '../engine/http/nonconformity.ts';
import type { HttpResponse } from '../engine/http/response.ts';
import type { Session } from '../engine/http/session.ts';
import { expectShown as expectShownOf } from '../engine/laws/items.ts';
import type { Json } from './model/route.ts';
import { routes as resource } from './resources/routes.ts';
import { acceptable } from './values/edge-values.ts';
import { BARE } from './values/route-values.ts';
import { createEdge, type EdgeResponse, getEdge, refuse, succeed } from './steps.ts';

export interface RouteResponse extends Json {
  id: string;
  edge_id: string;
  uri: string;
  created_at: string;
}

/** Names a route in calls: `RouteResponse` is one. */
export interface RouteName {
  id: string;
  edge_id: string;
}

export async function newEdge(session: Session, body: Json = {}): Promise<EdgeResponse> {
  return createEdge(session, acceptable(session.implementation, body));
}

export async function createRoute(session: Session, edge_id: string, body: Json = BARE): Promise<RouteResponse> {
  return routeIn(await succeed(session, 'createRoute', { path: { edge_id }, json: body }));
}

/** A route on an edge of its own. */
export async function newRoute(session: Session, body: Json = {}): Promise<RouteResponse> {
  return createRoute(session, (await newEdge(session)).id, { ...BARE, ...body });
}

export async function getRoute(session: Session, { edge_id, id }: RouteName): Promise<RouteResponse> {
  return routeIn(await succeed(session, 'getRoute', { path: { edge_id, id } }, 'The route exists.'));
}

export async function patchRoute(
  session: Session,
  { edge_id, id }: RouteName,
  json: Json,
  why?: string,
): Promise<RouteResponse> {
  return routeIn(await succeed(session, 'updateRoute', { path: { edge_id, id }, json }, why));
}

export async function deleteRoute(session: Session, { edge_id, id }: RouteName): Promise<void> {
  await succeed(session, 'deleteRoute', { path: { edge_id, id } }, 'The route exists.');
}

export async function patchEdge(session: Session, id: string, json: Json, why?: string): Promise<EdgeResponse> {
  return (await succeed(session, 'updateEdge', { path: { id }, json }, why)).json as EdgeResponse;
}

export async function deleteEdge(session: Session, id: string): Promise<void> {
  await succeed(session, 'deleteEdge', { path: { id } }, 'The edge exists.');
}

function routeIn(response: HttpResponse): RouteResponse {
  const route = response.json as RouteResponse;
  // Checked by the source alone, a schema may let a response without these pass; nothing can be tried without them.
  expectThat(
    typeof route.id === 'string' && typeof route.edge_id === 'string',
    'A route has an id, and that of its edge.',
    { expected: 'texts', got: route },
  );
  return route;
}

/** The routes that the edge shows. */
export async function routesOf(session: Session, edge_id: string): Promise<RouteResponse[]> {
  const { routes } = await getEdge(session, edge_id);
  expectThat(Array.isArray(routes), 'An edge shows its routes.', { expected: 'a list', got: routes });
  return routes as RouteResponse[];
}

/** The edge shows just these routes, in this order (D02). */
export async function expectRoutes(
  session: Session,
  edge_id: string,
  expected: RouteResponse[],
  what: string,
): Promise<void> {
  expectSame(what, await routesOf(session, edge_id), expected);
}

/** What is shown is what is due; a map has no more names than it was sent with. */
export function expectShown(what: string, got: Json, shown: Json): void {
  expectShownOf(resource, what, got, shown);
}

/** Refused with 409 for other settings of the edge or the route. */
export async function conflict(
  session: Session,
  operationId: string,
  path: Record<string, string>,
  json: Json,
  why: string,
): Promise<void> {
  await refuse(session, operationId, { path, json }, [409], why, 'conflict');
}
