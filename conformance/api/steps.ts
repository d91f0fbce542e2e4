/** Steps on edges, routes and event sources, each checked as it is taken. */
import { expectSame, expectThat } from '../engine/http/nonconformity.ts';
import type { HttpResponse } from '../engine/http/response.ts';
import type { Session } from '../engine/http/session.ts';
import { refuse, succeed } from '../engine/http/expect-response.ts';
import { expectShown as expectShownOf } from '../engine/laws/steps.ts';
import { patched, shownRoute } from './model/shown.ts';
import type { Json } from './modules.ts';
import { acceptable } from './values/edges.ts';
import { BARE, HEADER_MAPS } from './values/routes.ts';

export interface EdgeResponse extends Json {
  id: string;
}

export interface RouteResponse extends EdgeResponse {
  edge_id: string;
}

/** Names a route in calls: `RouteResponse` is one. */
type RouteName = Pick<RouteResponse, 'id' | 'edge_id'>;

/** The path parameters of calls that name this route. */
export function pathOf({ edge_id, id }: RouteName): { edge_id: string; route_id: string } {
  return { edge_id, route_id: id };
}

/** @param body what the service must have besides is added, where it is checked by the source document alone */
export async function newEdge(session: Session, body: Json = {}): Promise<EdgeResponse> {
  return withIds(await succeed(session, 'createEdge', { json: acceptable(session.implementation, body) }), 'id');
}

export async function getEdge(session: Session, id: string): Promise<EdgeResponse> {
  return withIds(await succeed(session, 'getEdge', { path: { edge_id: id } }, 'The edge exists.'), 'id');
}

export async function patchEdge(session: Session, id: string, json: Json): Promise<EdgeResponse> {
  return withIds(await succeed(session, 'updateEdge', { path: { edge_id: id }, json }), 'id');
}

/** A route on an edge of its own. */
export async function newRoute(session: Session, body: Json = {}): Promise<RouteResponse> {
  return createRoute(session, (await newEdge(session)).id, { ...BARE, ...body });
}

export async function createRoute(session: Session, edge_id: string, body: Json = BARE): Promise<RouteResponse> {
  return withIds(await succeed(session, 'createRoute', { path: { edge_id }, json: body }), 'id', 'edge_id');
}

export async function getRoute(session: Session, route: RouteName): Promise<RouteResponse> {
  return withIds(await succeed(session, 'getRoute', { path: pathOf(route) }, 'The route exists.'), 'id', 'edge_id');
}

export async function patchRoute(session: Session, route: RouteName, json: Json, why?: string): Promise<RouteResponse> {
  return withIds(await succeed(session, 'updateRoute', { path: pathOf(route), json }, why), 'id', 'edge_id');
}

/** Checked by the source alone, a schema may let a response without ids pass; nothing can be tried without them. */
function withIds({ json }: HttpResponse, ...names: string[]): RouteResponse {
  const shown = json as RouteResponse;
  for (const name of names)
    expectThat(typeof shown[name] === 'string', `The response has \`${name}\`.`, { expected: 'a text', got: shown });
  return shown;
}

/** The edge shows exactly these routes, in this order (D02). */
export async function expectRoutes(session: Session, edge_id: string, expected: Json[], what: string): Promise<void> {
  expectSame(what, (await getEdge(session, edge_id))['routes'], expected);
}

/** Changed, a route shows what it must. @param sent the body that has created it */
export async function expectTaken(session: Session, route: RouteResponse, sent: Json, patch: Json): Promise<void> {
  const due = patched(shownRoute({ ...BARE, ...sent }), patch);
  expectShown('The change is not there', await patchRoute(session, route, patch), due);
}

/** A route with this body is refused with 400, on a new edge that shows no route afterwards. */
export async function refuseRoute(session: Session, body: Json, why: string): Promise<void> {
  const { id: edge_id } = await newEdge(session);
  await refuse(session, 'createRoute', { path: { edge_id }, json: { ...BARE, ...body } }, [400], why);
  await expectRoutes(session, edge_id, [], 'A refused route is there');
}

/** A change is refused with 400, or with 409 `conflict`, and the edge shows the route as it was. */
export async function refuseChange(
  session: Session,
  route: RouteResponse,
  patch: Json,
  why: string,
  status: 400 | 409 = 400,
): Promise<void> {
  if (status === 409) await conflict(session, 'updateRoute', pathOf(route), patch, why);
  else await refuse(session, 'updateRoute', { path: pathOf(route), json: patch }, [status], why);
  await expectRoutes(session, route.edge_id, [route], 'A refused change changed something');
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

/** The response shows these members; a map has no more names than it was sent with. */
export function expectShown(what: string, got: Json, shown: Json): void {
  expectShownOf({ maps: HEADER_MAPS }, what, got, shown);
}
