/** Requests on routes that come at once, and are not as if they had come one after the other. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { noneWins } from '../mutate/busy.ts';
import { edgePath, routeOf, routePath, routesOf } from '../mutate/edges.ts';
import type { OperationId } from '../mutate/operation.ts';
import { pause } from '../mutate/pause.ts';
import { instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { ask, isObject, type Json, jsonIn } from '../mutate/request.ts';

const mutant = mutantsOf('route-races', 'extended');

/** Looks first, then acts without looking again: whoever saw it possible gets the response of success. */
const checkThenAct = (
  operation: OperationId,
  isPossible: (routes: Json[], request: ServiceRequest, id: string) => boolean,
  won: (next: Service, request: ServiceRequest, edge: string, routes: Json[]) => Promise<ServiceResponse>,
): Mutate =>
  instead(operation, async (next, request, { path }) => {
    const edge = path['edge_id']!;
    const looked = isPossible(await routesOf(next, request, edge), request, path['id'] ?? '');
    await pause();
    const response = await next(request);
    return response.status >= 400 && looked ? won(next, request, edge, await routesOf(next, request, edge)) : response;
  });

const matchOf = (request: ServiceRequest) => {
  const body = jsonIn(request);
  return isObject(body) ? body['match'] : undefined;
};

const isFree = (routes: Json[], request: ServiceRequest) => !routes.some(({ match }) => match === matchOf(request));

const authenticationOf = (route: Json) => ['oauth', 'saml', 'oidc'].filter((name) => route[name] !== null);

/** A route is written back as it was read, with one change: what others wrote in between is undone. */
const readModifyWrite: Mutate = instead('updateRoute', async (next, request, { path }) => {
  const target = routePath(path['edge_id']!, path['id']!);
  const before = await routeOf(next, request, path['edge_id']!, path['id']!);
  await pause();
  const response = await next(request);
  const patch = jsonIn(request);
  if (response.status !== 200 || !before || !isObject(patch)) return response;
  const lost = Object.entries(jsonOf(response) as Json).filter(
    ([name, value]) => before[name] === null && value !== null && !(name in patch),
  );
  return lost.length === 0
    ? response
    : ask(next, request, 'PATCH', target, Object.fromEntries(lost.map(([name]) => [name, null])));
});

/** Answers are right, and what was written first is lost a moment later. */
const lostLater: Mutate = remembering(() => {
  const under = new Map<string, Json[]>();
  return instead('updateRoute', async (next, request, { path }) => {
    const id = path['id']!;
    const patch = jsonIn(request);
    const all = under.get(id) ?? [];
    under.set(id, [...all, ...(isObject(patch) ? [patch] : [])]);
    const response = await next(request);
    await pause();
    const last = under.get(id)?.at(-1);
    const lost = isObject(patch) && last !== patch ? Object.keys(patch).filter((name) => isObject(patch[name])) : [];
    if (response.status === 200 && lost.length > 0)
      await ask(
        next,
        request,
        'PATCH',
        routePath(path['edge_id']!, id),
        Object.fromEntries(lost.map((name) => [name, null])),
      );
    return response;
  });
});

/** An edge is kept whole with its routes, and written back as it was read. */
const wholeEdge = (loses: 'route' | 'change'): Mutate =>
  instead(['createRoute', 'updateEdge'], async (next, request, { operationId, path }) => {
    const edge = path['edge_id'] ?? path['id']!;
    const before = await ask(next, request, 'GET', edgePath(edge));
    const seen: Json = before.status === 200 ? jsonOf(before) : {};
    const isLoser = operationId === (loses === 'route' ? 'updateEdge' : 'createRoute');
    await pause();
    const response = await next(request);
    if (!isLoser || response.status >= 300) return response;
    // The writer that comes last has not seen what the other one wrote.
    await pause();
    if (loses === 'change') {
      await ask(next, request, 'PATCH', edgePath(edge), { description: seen['description'] });
      return response;
    }
    const known = (seen['routes'] as Json[]).map(({ id }) => id);
    for (const { id } of await routesOf(next, request, edge))
      if (!known.includes(id)) await ask(next, request, 'DELETE', routePath(edge, String(id)));
    return response;
  });

export const routeRaces: Mutant[] = [
  mutant(
    'all-creations-lose',
    'Of several creations of one match at once, none succeeds.',
    noneWins(
      'createRoute',
      ({ path }, request) => `${path['edge_id']} ${matchOf(request)}`,
      () => problem(409, 'already_exists'),
    ),
  ),
  mutant(
    'moves-remove',
    'Of several changes to one match at once, the last one removes the route of the first.',
    checkThenAct('updateRoute', isFree, async (next, request, edge, routes) => {
      const there = routes.find(({ match }) => match === matchOf(request));
      if (there) await ask(next, request, 'DELETE', routePath(edge, String(there['id'])));
      return next(request);
    }),
  ),

  mutant(
    'lost-module',
    'A route is written back whole, so that a module that is set at the same time is lost.',
    readModifyWrite,
  ),
  mutant(
    'lost-later',
    'Of several changes of a route at once, all are answered, and only the last one stays.',
    lostLater,
  ),

  mutant(
    'two-authentications-win',
    'Of enabling two authentication modules at once, both succeed.',
    instead('updateRoute', async (next, request, { path }) => {
      const looked = await routeOf(next, request, path['edge_id']!, path['id']!);
      await pause();
      const response = await next(request);
      return response.status === 409 && looked && authenticationOf(looked).length === 0
        ? ask(next, request, 'GET', request.target)
        : response;
    }),
  ),
  mutant(
    'second-authentication-replaces',
    'Of enabling two authentication modules at once, the second takes the place of the first.',
    instead('updateRoute', async (next, request, { path }) => {
      const looked = await routeOf(next, request, path['edge_id']!, path['id']!);
      await pause();
      const response = await next(request);
      if (response.status !== 409 || !looked || authenticationOf(looked).length > 0) return response;
      const there = await routeOf(next, request, path['edge_id']!, path['id']!);
      return ask(next, request, 'PATCH', request.target, {
        ...Object.fromEntries(authenticationOf(there ?? {}).map((name) => [name, null])),
        ...(jsonIn(request) as Json),
      });
    }),
  ),
  mutant(
    'loser-takes-all',
    'Of enabling two authentication modules at once, one is refused, and none is there.',
    instead('updateRoute', async (next, request) => {
      const response = await next(request);
      if (response.status === 409) await ask(next, request, 'PATCH', request.target, { oauth: null, oidc: null });
      return response;
    }),
  ),

  mutant(
    'change-loses-route',
    'A change of an edge writes its routes back, so that one that is created at the same time is lost.',
    wholeEdge('route'),
  ),
  mutant(
    'creation-loses-change',
    'A creation of a route writes its edge back, so that a change at the same time is lost.',
    wholeEdge('change'),
  ),
  mutant(
    'change-shows-no-route',
    'An edge does not show a route that was created while it was changed.',
    remembering(() => {
      const changing = new Set<string>();
      const hidden = new Set<string>();
      return instead(['createRoute', 'updateEdge', 'getEdge'], async (next, request, { operationId, path }) => {
        if (operationId === 'updateEdge') changing.add(path['id']!);
        if (operationId !== 'getEdge') await pause();
        const response = await next(request);
        if (operationId === 'createRoute' && response.status === 201 && changing.has(path['edge_id']!))
          hidden.add(jsonOf(response).id);
        if (operationId !== 'getEdge' || response.status !== 200) return response;
        return showing(response, {
          ...jsonOf(response),
          routes: jsonOf(response).routes.filter(({ id }: Json) => !hidden.has(String(id))),
        });
      });
    }),
  ),
];
