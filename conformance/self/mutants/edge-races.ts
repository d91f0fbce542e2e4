/** Requests on one edge that come at once, and are not as if they had come one after the other. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { ServiceRequest } from '../service.ts';
import { json, jsonOf, problem, succeeded } from '../mutate/response.ts';
import { noneWins } from '../mutate/busy.ts';
import { EDGES, edgeIdOf, edgeOf, edgePath, isUpstream, routePath, sentEdge } from '../mutate/edges.ts';
import { pause } from '../mutate/pause.ts';
import { after, both, instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { ask, type Json, jsonIn } from '../mutate/request.ts';

const mutant = mutantsOf('edge-races', 'extended');

/** Looks first, then acts without looking again. */
const checkThenSwitch = (loser: 'updateEdge' | 'updateRoute'): Mutate =>
  instead(['updateEdge', 'updateRoute'], async (next, request, call) => {
    const edge = await edgeOf(next, request, edgeIdOf(call)!);
    await pause();
    const response = await next(request);
    const wasFine =
      edge && !isUpstream(edge) && (edge['routes'] as Json[]).every(({ compression }) => compression === null);
    if (response.status !== 409 || !wasFine || call.operationId !== loser) return response;
    return ask(next, request, 'GET', request.target);
  });

/** A route as it would be on an edge that is gone by now. */
async function orphan(next: Parameters<Mutate>[0], request: ServiceRequest, edge: string): Promise<Json> {
  const { id: other } = jsonOf(await ask(next, request, 'POST', EDGES, {}));
  const { body } = await next({ ...request, target: routePath(other) });
  await ask(next, request, 'DELETE', edgePath(other));
  return JSON.parse(body.toString().replaceAll(other, edge)) as Json;
}

/**
 * A creation that saw the edge adds its route, though the edge is gone meanwhile; `revived` says what else is there
 * then.
 */
const outliving = (revived: 'route' | 'edge'): Mutate =>
  remembering(() => {
    const routes = new Map<string, Json>();
    const edges = new Map<string, Json>();
    const create: Mutate = instead('createRoute', async (next, request, { path }) => {
      const looked = await edgeOf(next, request, path['edge_id']!);
      await pause();
      const response = await next(request);
      if (response.status !== 404 || !looked) return response;
      const route = await orphan(next, request, path['edge_id']!);
      if (revived === 'route') routes.set(String(route['id']), route);
      else edges.set(path['edge_id']!, { ...looked, routes: [route] });
      return json(201, route);
    });
    const read: Mutate = after(['getRoute', 'getEdge'], (response, _, { path }) => {
      const found = routes.get(path['id']!) ?? edges.get(path['id']!);
      return response.status === 404 && found ? json(200, found) : response;
    });
    return both(create, read);
  });

/** A route that was created last before its edge is deleted stays behind: the deletion had looked before. */
const leftBehind: Mutate = remembering(() => {
  const created = new Map<string, Json>();
  const gone = new Set<string>();
  return instead(['createRoute', 'deleteEdge', 'getRoute'], async (next, request, { operationId, path }) => {
    const response = await next(request);
    if (operationId === 'createRoute' && response.status === 201) created.set(jsonOf(response).id, jsonOf(response));
    if (operationId === 'deleteEdge' && response.status === 204) gone.add(path['id']!);
    const left = operationId === 'getRoute' && gone.has(path['edge_id']!) ? created.get(path['id']!) : undefined;
    return left ? json(200, left) : response;
  });
});

/** Of several changes at once, the responses are right, and the last one that began is all that is stored. */
const lastOnly: Mutate = remembering(() => {
  const began = new Map<string, number>();
  return instead('updateEdge', async (next, request, { path }) => {
    const id = path['id']!;
    const before = await edgeOf(next, request, id);
    const turn = (began.get(id) ?? 0) + 1;
    began.set(id, turn);
    await pause();
    const response = await next(request);
    if (succeeded(response) && before && began.get(id) !== turn) {
      const patch = jsonIn(request) as Json;
      await ask(
        next,
        request,
        'PATCH',
        edgePath(id),
        Object.fromEntries(Object.entries(sentEdge(before)).filter(([name]) => name in patch)),
      );
    }
    return response;
  });
});

export const edgeRaces: Mutant[] = [
  mutant('last-only', 'Of several changes of an edge at once, only the last is stored.', lastOnly),
  mutant(
    'switch-wins-too',
    'An edge is switched while its route is given a module: both are done.',
    both(checkThenSwitch('updateEdge'), checkThenSwitch('updateRoute')),
  ),
  mutant(
    'neither-wins',
    'An edge is switched while its route is given a module: neither is done.',
    noneWins(
      ['updateEdge', 'updateRoute'],
      (call) => edgeIdOf(call)!,
      () => problem(409, 'conflict'),
    ),
  ),
  mutant(
    'route-outlives',
    'A route that is created while its edge is deleted is there without it.',
    outliving('route'),
  ),
  mutant('edge-revived', 'A route that is created while its edge is deleted brings the edge back.', outliving('edge')),
  mutant('route-left-behind', 'A route that was created just before its edge was deleted stays.', leftBehind),
];
