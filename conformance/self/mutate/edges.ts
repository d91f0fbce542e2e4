/** Edges and their routes as a mutant sees them: where they are, what they show, and how that is sent again. */
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { jsonOf, succeeded } from './response.ts';
import type { Call } from './operation.ts';
import { both, instead, type Mutate, showingAs } from './mutate.ts';
import { ask, isObject, type Json, jsonIn } from './request.ts';

export const EDGES = '/edges/https';

export function edgePath(id: string): string {
  return `${EDGES}/${encodeURIComponent(id)}`;
}

export function routePath(edge: string, id?: string): string {
  const routes = `${edgePath(edge)}/routes`;
  return id === undefined ? routes : `${routes}/${encodeURIComponent(id)}`;
}

/** The id of the edge that a call is about; undefined where it names none. */
export function edgeIdOf({ operationId, path }: Call): string | undefined {
  return operationId.endsWith('Edge') ? path['id'] : path['edge_id'];
}

/** Undefined where there is no such edge. */
export async function edgeOf(service: Service, request: ServiceRequest, id: string): Promise<Json | undefined> {
  return found(await ask(service, request, 'GET', edgePath(id)));
}

export async function routesOf(service: Service, request: ServiceRequest, id: string): Promise<Json[]> {
  return ((await edgeOf(service, request, id))?.['routes'] ?? []) as Json[];
}

export async function routeOf(
  service: Service,
  request: ServiceRequest,
  edge: string,
  id: string,
): Promise<Json | undefined> {
  return found(await ask(service, request, 'GET', routePath(edge, id)));
}

function found(response: ServiceResponse): Json | undefined {
  return succeeded(response) ? jsonOf(response) : undefined;
}

/** The body that makes an edge what is shown. */
export function sentEdge(shown: Json): Json {
  const { description, metadata, hostports, mutual_tls: mutual, tls_termination: tls } = shown;
  return {
    description,
    metadata,
    hostports,
    mutual_tls: isObject(mutual)
      ? { enabled: mutual['enabled'], certificate_authority_ids: idsOf(mutual['certificate_authorities']) }
      : null,
    tls_termination: isObject(tls) ? sentTermination(tls) : null,
  };
}

function sentTermination({ enabled, terminate_at, min_version }: Json): Json {
  return { enabled, terminate_at, ...(min_version === null ? {} : { min_version }) };
}

export function idsOf(refs: unknown): unknown[] {
  return Array.isArray(refs) ? refs.map((ref: Json) => ref['id']) : [];
}

export function isUpstream(edge: Json | undefined): boolean {
  return isObject(edge?.['tls_termination']) && edge['tls_termination']['terminate_at'] === 'upstream';
}

/** Changes each route that is shown alone or by its edge. */
export function showingRoutes(change: (route: Json) => Json): Mutate {
  const onEdge = showingAs(['getEdge', 'updateEdge'], (edge: Json) => ({
    ...edge,
    routes: (edge['routes'] as Json[]).map(change),
  }));
  return both(showingAs(['createRoute', 'getRoute', 'updateRoute'], change), onEdge);
}

/** Accepts what is refused with 409, where `is` says so, and shows what is there. */
export function overlooking(
  operations: 'updateEdge' | 'createRoute' | 'updateRoute',
  is: (body: Json, edge: Json, call: Call) => boolean,
  deed: (next: Service, request: ServiceRequest, call: Call) => Promise<unknown> = async () => undefined,
): Mutate {
  return instead(operations, async (next, request, call) => {
    const response = await next(request);
    const body = jsonIn(request);
    if (response.status !== 409 || !isObject(body)) return response;
    const id = edgeIdOf(call)!;
    const edge = await edgeOf(next, request, id);
    if (!edge || !is(body, edge, call)) return response;
    await deed(next, request, call);
    if (operations === 'updateEdge') return ask(next, request, 'GET', edgePath(id));
    const route = call.path['id'] ?? String((edge['routes'] as Json[])[0]?.['id']);
    return {
      ...(await ask(next, request, 'GET', routePath(id, route))),
      status: operations === 'createRoute' ? 201 : 200,
    };
  });
}
