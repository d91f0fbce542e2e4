/** Requests on one edge that come at once, and are not as if they had come one after the other. */
import { type Fault, faultsOf } from '../fault.ts';
import type { ServiceRequest } from '../service.ts';
import { json, jsonOf, NO_CONTENT, problem, succeeded } from '../plant/answer.ts';
import { busy, noneWins } from '../plant/busy.ts';
import { EDGES, edgeIdOf, edgeOf, edgePath, isUpstream, routePath, sentEdge } from '../plant/edges.ts';
import { pause } from '../plant/pause.ts';
import { after, both, instead, type Plant, remembering } from '../plant/plant.ts';
import { ask, isObject, type Json, jsonIn, sending } from '../plant/request.ts';

const fault = faultsOf('edge-races');

/** The edge is read, changed and written back whole: what others wrote in between is lost. */
const readModifyWrite: Plant = instead('updateEdge', async (next, request, { path }) => {
  const patch = jsonIn(request);
  const edge = isObject(patch) ? await edgeOf(next, request, path['id']!) : undefined;
  await pause();
  return next(edge ? sending(request, { ...sentEdge(edge), ...(patch as Json) }) : request);
});

/** Looks first, then acts without looking again. */
const checkThenSwitch = (loser: 'updateEdge' | 'updateRoute'): Plant =>
  instead(['updateEdge', 'updateRoute'], async (next, request, call) => {
    const edge = await edgeOf(next, request, edgeIdOf(call)!);
    await pause();
    const answer = await next(request);
    const wasFine =
      edge && !isUpstream(edge) && (edge['routes'] as Json[]).every(({ compression }) => compression === null);
    if (answer.status !== 409 || !wasFine || call.operationId !== loser) return answer;
    return ask(next, request, 'GET', request.target);
  });

const twoDeletions: Plant = instead('deleteEdge', async (next, request, { path }) => {
  const looked = await edgeOf(next, request, path['id']!);
  await pause();
  const answer = await next(request);
  return answer.status === 404 && looked ? NO_CONTENT : answer;
});

/** A route as it would be on an edge that is gone by now. */
async function orphan(next: Parameters<Plant>[0], request: ServiceRequest, edge: string): Promise<Json> {
  const { id: other } = jsonOf(await ask(next, request, 'POST', EDGES, {}));
  const { body } = await next({ ...request, target: routePath(other) });
  await ask(next, request, 'DELETE', edgePath(other));
  return JSON.parse(body.toString().replaceAll(other, edge)) as Json;
}

/** A creation that saw the edge adds its route, though the edge is gone meanwhile; `revived` says what else is there then. */
const outliving = (revived: 'route' | 'edge'): Plant =>
  remembering(() => {
    const routes = new Map<string, Json>();
    const edges = new Map<string, Json>();
    const create: Plant = instead('createRoute', async (next, request, { path }) => {
      const looked = await edgeOf(next, request, path['edge_id']!);
      await pause();
      const answer = await next(request);
      if (answer.status !== 404 || !looked) return answer;
      const route = await orphan(next, request, path['edge_id']!);
      if (revived === 'route') routes.set(String(route['id']), route);
      else edges.set(path['edge_id']!, { ...looked, routes: [route] });
      return json(201, route);
    });
    const read: Plant = after(['getRoute', 'getEdge'], (answer, _, { path }) => {
      const found = routes.get(path['id']!) ?? edges.get(path['id']!);
      return answer.status === 404 && found ? json(200, found) : answer;
    });
    return both(create, read);
  });

/** A route that was created last before its edge is deleted stays behind: the deletion had looked before. */
const leftBehind: Plant = remembering(() => {
  const created = new Map<string, Json>();
  const gone = new Set<string>();
  return instead(['createRoute', 'deleteEdge', 'getRoute'], async (next, request, { operationId, path }) => {
    const answer = await next(request);
    if (operationId === 'createRoute' && answer.status === 201) created.set(jsonOf(answer).id, jsonOf(answer));
    if (operationId === 'deleteEdge' && answer.status === 204) gone.add(path['id']!);
    const left = operationId === 'getRoute' && gone.has(path['edge_id']!) ? created.get(path['id']!) : undefined;
    return left ? json(200, left) : answer;
  });
});

/** Of several changes at once, the answers are right, and the last one that began is all that is stored. */
const lastOnly: Plant = remembering(() => {
  const began = new Map<string, number>();
  return instead('updateEdge', async (next, request, { path }) => {
    const id = path['id']!;
    const before = await edgeOf(next, request, id);
    const turn = (began.get(id) ?? 0) + 1;
    began.set(id, turn);
    await pause();
    const answer = await next(request);
    if (succeeded(answer) && before && began.get(id) !== turn) {
      const patch = jsonIn(request) as Json;
      await ask(
        next,
        request,
        'PATCH',
        edgePath(id),
        Object.fromEntries(Object.entries(sentEdge(before)).filter(([name]) => name in patch)),
      );
    }
    return answer;
  });
});

export const edgeRaces: Fault[] = [
  fault(
    'lost-update',
    'edges.race.update',
    'An edge is written back whole, so that a change at the same time is lost.',
    readModifyWrite,
  ),
  fault('last-only', 'edges.race.update', 'Of several changes of an edge at once, only the last is stored.', lastOnly),
  fault(
    'update-busy-409',
    'edges.race.update',
    'A change of an edge while another is under way is answered with 409.',
    busy(['updateEdge'], edgeIdOf, () => problem(409, 'conflict')),
  ),
  fault(
    'update-busy-500',
    'edges.race.update',
    'A change of an edge while another is under way fails with 500.',
    busy(['updateEdge'], edgeIdOf, () => problem(500, 'internal_error')),
  ),
  fault(
    'switch-wins-too',
    'edges.race.upstream',
    'An edge is switched while its route is given a module: both are done.',
    both(checkThenSwitch('updateEdge'), checkThenSwitch('updateRoute')),
  ),
  fault(
    'neither-wins',
    'edges.race.upstream',
    'An edge is switched while its route is given a module: neither is done.',
    noneWins(
      ['updateEdge', 'updateRoute'],
      (call) => edgeIdOf(call)!,
      () => problem(409, 'conflict'),
    ),
  ),
  fault(
    'switch-busy-503',
    'edges.race.upstream',
    'While an edge is changed, changes of its routes fail with 503.',
    busy(['updateEdge', 'updateRoute'], edgeIdOf, () => problem(503, 'service_unavailable')),
  ),
  fault(
    'two-deletions-win',
    'edges.race.delete',
    'Of several deletions of one edge at once, all succeed.',
    twoDeletions,
  ),
  fault(
    'deletion-busy-500',
    'edges.race.delete',
    'A deletion of an edge while another is under way fails with 500.',
    busy(['deleteEdge'], edgeIdOf, () => problem(500, 'internal_error')),
  ),
  fault(
    'deletion-busy-409',
    'edges.race.delete',
    'A deletion of an edge while another is under way is answered with 409.',
    busy(['deleteEdge'], edgeIdOf, () => problem(409, 'conflict')),
  ),
  fault(
    'route-outlives',
    'edges.race.delete-and-create',
    'A route that is created while its edge is deleted is there without it.',
    outliving('route'),
  ),
  fault(
    'edge-revived',
    'edges.race.delete-and-create',
    'A route that is created while its edge is deleted brings the edge back.',
    outliving('edge'),
  ),
  fault(
    'route-left-behind',
    'edges.race.delete-and-create',
    'A route that was created just before its edge was deleted stays.',
    leftBehind,
  ),
  fault(
    'creation-busy-409',
    'edges.race.delete-and-create',
    'While an edge is deleted, creating a route on it is answered with 409.',
    instead('createRoute', async (next, request, { path }) => {
      const looked = await edgeOf(next, request, path['edge_id']!);
      await pause();
      const answer = await next(request);
      return answer.status === 404 && looked ? problem(409, 'conflict') : answer;
    }),
  ),
  fault(
    'creation-500',
    'edges.race.delete-and-create',
    'Creating a route on an edge that is deleted meanwhile fails with 500.',
    instead('createRoute', async (next, request, { path }) => {
      const looked = await edgeOf(next, request, path['edge_id']!);
      await pause();
      const answer = await next(request);
      return answer.status === 404 && looked ? problem(500, 'internal_error') : answer;
    }),
  ),
];
