/** What goes wrong with routes only after something else was done to them. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { edgeIdOf, isUpstream, routeOf, routePath, routesOf } from '../mutate/edges.ts';
import { instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { ask, isObject, type Json, jsonIn } from '../mutate/request.ts';

const mutant = mutantsOf('route-model', 'extended');

/** Something that was counted makes the next one fail. */
const afterDeletions = (most: number): Mutate =>
  remembering(() => {
    const deleted = new Map<string, number>();
    return instead(['createRoute', 'deleteRoute'], async (next, request, { operationId, path }) => {
      const count = deleted.get(path['edge_id']!) ?? 0;
      if (operationId === 'createRoute' && count >= most) return problem(409, 'conflict');
      const response = await next(request);
      if (operationId === 'deleteRoute' && response.status === 204) deleted.set(path['edge_id']!, count + 1);
      return response;
    });
  });

/** Routes are kept with their first values, and each change is added to those. */
const changesFromCreation: Mutate = remembering(() => {
  const first = new Map<string, Json>();
  return instead(['createRoute', 'updateRoute'], async (next, request, { operationId, path }) => {
    const response = await next(request);
    if (operationId === 'createRoute' && response.status === 201) first.set(jsonOf(response).id, jsonOf(response));
    const created = first.get(path['id'] ?? '');
    const patch = jsonIn(request);
    if (operationId !== 'updateRoute' || response.status !== 200 || !created || !isObject(patch)) return response;
    // Modules that were set by the change before are gone.
    const lost = Object.entries(jsonOf(response) as Json).filter(
      ([name, value]) => isObject(value) && created[name] === null && !(name in patch),
    );
    return lost.length === 0
      ? response
      : ask(next, request, 'PATCH', request.target, Object.fromEntries(lost.map(([name]) => [name, null])));
  });
});

/** The match of a route is looked up in an index that changes do not keep. */
const staleIndex: Mutate = remembering(() => {
  const index = new Map<string, string>();
  const keyOf = (edge: string, { match, match_type }: Json) => `${edge} ${match_type} ${match}`;
  return instead(['createRoute', 'deleteRoute'], async (next, request, { operationId, path }) => {
    const edge = path['edge_id']!;
    if (operationId === 'createRoute') {
      const body = jsonIn(request);
      if (isObject(body) && index.has(keyOf(edge, body))) return problem(409, 'already_exists');
      const response = await next(request);
      if (response.status === 201) index.set(keyOf(edge, jsonOf(response)), jsonOf(response).id);
      return response;
    }
    const response = await next(request);
    if (response.status === 204) for (const [key, id] of index) if (id === path['id']) index.delete(key);
    return response;
  });
});

/** Switching an edge there and back does something to its routes. */
const switched = (deed: (route: Json) => Json | undefined): Mutate =>
  instead('updateEdge', async (next, request, { path }) => {
    const before = await routesOf(next, request, path['id']!);
    const response = await next(request);
    if (response.status !== 200 || !isUpstream(jsonOf(response))) return response;
    for (const route of before) {
      const patch = deed(route);
      if (patch) await ask(next, request, 'PATCH', routePath(path['id']!, String(route['id'])), patch);
    }
    return response;
  });

/** A route that was refused once is changed the next time. */
const retried: Mutate = remembering(() => {
  const refused = new Map<string, Json>();
  return instead('updateRoute', async (next, request, { path }) => {
    const response = await next(request);
    const patch = jsonIn(request);
    if (response.status === 409 && isObject(patch)) refused.set(path['id']!, patch);
    const late = refused.get(path['id']!);
    if (response.status !== 200 || !late) return response;
    refused.delete(path['id']!);
    const both = await ask(next, request, 'PATCH', request.target, late);
    return both.status === 200 ? both : response;
  });
});

/** What is deleted is deleted by its place among those that were ever created. */
const deletedByPlace: Mutate = remembering(() => {
  const places = new Map<string, string[]>();
  return instead(['createRoute', 'deleteRoute'], async (next, request, { operationId, path }) => {
    const edge = path['edge_id']!;
    const order = places.get(edge) ?? [];
    if (operationId === 'createRoute') {
      const response = await next(request);
      if (response.status === 201) places.set(edge, [...order, jsonOf(response).id]);
      return response;
    }
    const routes = await routesOf(next, request, edge);
    const meant = routes[order.indexOf(path['id']!)];
    const isThere = routes.some(({ id }) => id === path['id']);
    return next(isThere && meant ? { ...request, target: routePath(edge, String(meant['id'])) } : request);
  });
});

export const routeModel: Mutant[] = [
  mutant('create-after-delete-409', 'After a deletion, an edge takes no further route.', afterDeletions(1)),
  mutant('changes-forget-changes', 'A change of a route begins from the route as it was created.', changesFromCreation),
  mutant('stale-index', 'The match that a route has left by a change stays taken.', staleIndex),
  mutant(
    'switch-loses-backends',
    'Switching an edge takes `backend` from its routes.',
    switched(({ backend }) => (backend === null ? undefined : { backend: null })),
  ),
  mutant('refused-change-comes-later', 'A change that was refused is done together with the next one.', retried),
  mutant('deleted-by-place', 'A route is deleted by its place, which moved when another was deleted.', deletedByPlace),
  mutant(
    'three-routes',
    'An edge takes three routes.',
    instead('createRoute', async (next, request, { path }) =>
      (await routesOf(next, request, path['edge_id']!)).length >= 3 ? problem(409, 'conflict') : next(request),
    ),
  ),
  mutant(
    'created-while-switched-refused',
    'An edge that passes TLS through takes no new route.',
    instead('createRoute', async (next, request, { path }) => {
      const edge = await ask(next, request, 'GET', `/edges/https/${path['edge_id']}`);
      return edge.status === 200 && isUpstream(jsonOf(edge)) ? problem(409, 'conflict') : next(request);
    }),
  ),
  mutant(
    'disabled-counts',
    'An authentication module that is disabled is in the way of another.',
    instead('updateRoute', async (next, request, { path }) => {
      const patch = jsonIn(request);
      const route = await routeOf(next, request, path['edge_id']!, path['id']!);
      const names = ['oauth', 'saml', 'oidc'].filter((name) => isObject({ ...route, ...(patch as Json) }[name]));
      return route && isObject(patch) && names.length > 1 ? problem(409, 'conflict') : next(request);
    }),
  ),
  mutant(
    'order-by-change',
    'A route that was changed becomes the last one of its edge.',
    remembering(() => {
      const moved = new Map<string, string[]>();
      return instead(['updateRoute', 'getEdge'], async (next, request, call) => {
        const response = await next(request);
        const edge = edgeIdOf(call)!;
        const order = moved.get(edge) ?? [];
        if (response.status !== 200) return response;
        if (call.operationId === 'updateRoute') {
          moved.set(edge, [...order.filter((id) => id !== call.path['id']), call.path['id']!]);
          return response;
        }
        const shown = jsonOf(response);
        return showing(response, {
          ...shown,
          routes: shown.routes.toSorted(
            (one: Json, other: Json) => order.indexOf(String(one['id'])) - order.indexOf(String(other['id'])),
          ),
        });
      });
    }),
  ),
];
