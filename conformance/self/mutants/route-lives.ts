/** Routes that begin, change or end when they should not. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { json, jsonOf, NO_CONTENT, problem, showing, succeeded } from '../mutate/response.ts';
import { reusingRouteIds } from '../mutate/aliases.ts';
import { busy } from '../mutate/busy.ts';
import { routeOf, routePath, routesOf, showingRoutes } from '../mutate/edges.ts';
import type { OperationId } from '../mutate/operation.ts';
import { both, done, instead, type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import { pause } from '../mutate/pause.ts';
import { refusedInPart } from '../mutate/refused-in-part.ts';
import { ask, isObject, type Json, jsonIn } from '../mutate/request.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('routes');

const read = (change: (route: Json) => Json): Mutate => showingAs('getRoute', change);

/** The id of a new route is how many there are: those that look at once count the same. */
const countedIds: Mutate = instead('createRoute', async (next, request, { path }) => {
  const count = (await routesOf(next, request, path['edge_id']!)).length;
  await pause();
  const response = await next(request);
  return response.status === 201 ? showing(response, { ...jsonOf(response), id: `route_${count + 1}` }) : response;
});

/** The routes of an edge are read, added to and written back: what others wrote in between is lost. */
const readModifyWrite: Mutate = instead('createRoute', async (next, request, { path }) => {
  const edge = path['edge_id']!;
  const looked = new Set((await routesOf(next, request, edge)).map(({ id }) => id));
  await pause();
  const response = await next(request);
  if (response.status !== 201) return response;
  const own = jsonOf(response).id;
  for (const { id } of await routesOf(next, request, edge))
    if (id !== own && !looked.has(id)) await ask(next, request, 'DELETE', routePath(edge, String(id)));
  return response;
});

/** Does something to the other routes of the edge when one was changed or deleted. */
const besides = (
  operation: 'updateRoute' | 'deleteRoute',
  deed: (next: Service, request: ServiceRequest, edge: string, other: string, routes: Json[]) => Promise<unknown>,
): Mutate =>
  instead(operation, async (next, request, { path }) => {
    const before = await routesOf(next, request, path['edge_id']!);
    const response = await next(request);
    if (!succeeded(response)) return response;
    for (const { id } of before) if (id !== path['id']) await deed(next, request, path['edge_id']!, String(id), before);
    return response;
  });

/** `created_at` of each route moves when something is done on its edge. */
const touched = (operation: OperationId): Mutate =>
  remembering(() => {
    const edges = new Map<string, string>();
    const touch = (route: Json) => ({
      ...route,
      created_at: edges.get(String(route['edge_id'])) ?? route['created_at'],
    });
    const remember = done(operation, (response, _, { path }) => {
      edges.set(path['edge_id']!, new Date().toISOString());
      return response;
    });
    return both(remember, showingRoutes(touch));
  });

/** What is generated when a route is read is another one each time. */
const madeAnew = (property: string): Mutate =>
  remembering(() => {
    let reads = 0;
    return read((route) =>
      isObject(route['saml'])
        ? { ...route, saml: { ...route['saml'], [property]: `${route['saml'][property]}?${++reads}` } }
        : route,
    );
  });

/** A refused creation of which a part was done. */
const partly = (part: (body: Json) => Json): Mutate => refusedInPart('createRoute', 400, part);

/** The match of a route that was refused is taken from then on. */
const reserved: Mutate = remembering(() => {
  const taken = new Set<string>();
  return instead('createRoute', async (next, request, { path }) => {
    const body = jsonIn(request);
    const match = `${path['edge_id']} ${isObject(body) ? body['match'] : ''}`;
    if (taken.has(match)) return problem(409, 'already_exists');
    const response = await next(request);
    if (response.status === 400) taken.add(match);
    return response;
  });
});

/** Deleted routes are kept somewhere; one operation still finds them. */
const stillThere = (operation: OperationId, response: (route: Json) => ServiceResponse): Mutate =>
  remembering(() => {
    const gone = new Map<string, Json>();
    return instead(['deleteRoute', operation], async (next, request, { operationId, path }) => {
      const found = gone.get(path['id']!);
      if (operationId === operation && found) return response(found);
      const route =
        operationId === 'deleteRoute' ? await routeOf(next, request, path['edge_id']!, path['id']!) : undefined;
      const deletion = await next(request);
      if (operationId === 'deleteRoute' && deletion.status === 204 && route) gone.set(path['id']!, route);
      return deletion;
    });
  });

/** Deleted routes are hidden from `getRoute`, and nowhere else. */
const hiddenOnly: Mutate = remembering(() => {
  const hidden = new Map<string, Json[]>();
  return instead(['deleteRoute', 'getEdge'], async (next, request, { operationId, path }) => {
    const edge = path['edge_id'] ?? path['id']!;
    const route = operationId === 'deleteRoute' ? await routeOf(next, request, edge, path['id']!) : undefined;
    const response = await next(request);
    if (route && response.status === 204) hidden.set(edge, [...(hidden.get(edge) ?? []), route]);
    if (operationId === 'deleteRoute' || response.status !== 200) return response;
    return showing(response, {
      ...jsonOf(response),
      routes: [...jsonOf(response).routes, ...(hidden.get(edge) ?? [])],
    });
  });
});

/** Deletes another route than the one that is named. */
const deletingAnother = (which: (routes: Json[], named: number) => Json | undefined): Mutate =>
  instead('deleteRoute', async (next, request, { path }) => {
    const routes = await routesOf(next, request, path['edge_id']!);
    const named = routes.findIndex(({ id }) => id === path['id']);
    const another = named < 0 ? undefined : which(routes, named);
    return next(another ? { ...request, target: routePath(path['edge_id']!, String(another['id'])) } : request);
  });

export const routeLives: Mutant[] = [
  mutant(
    'ids-counted',
    'routes.ids-unique',
    'The id of a route is how many there are, so that two at once have the same.',
    countedIds,
  ),
  mutant(
    'ids-of-seconds',
    'routes.ids-unique',
    'The id of a route is the second of its creation.',
    showingAs('createRoute', (route) => ({ ...route, id: `route_${Math.floor(Date.parse(route.created_at) / 1000)}` })),
  ),
  mutant(
    'created-at-once-lost',
    'routes.ids-unique',
    'Of routes that are created at once, those that are written first are lost.',
    readModifyWrite,
  ),
  mutant(
    'created-at-once-500',
    'routes.ids-unique',
    'A route that is created while another is under way is answered with 500.',
    busy(
      'createRoute',
      ({ path }) => path['edge_id'],
      () => problem(500, 'internal_error'),
    ),
  ),
  mutant(
    'created-at-once-409',
    'routes.ids-unique',
    'A route that is created while another is under way is answered with 409.',
    busy(
      'createRoute',
      ({ path }) => path['edge_id'],
      () => problem(409, 'conflict'),
    ),
  ),

  mutant(
    'changes-siblings',
    'routes.stable',
    'A change of a route reaches the description of the others of its edge.',
    besides('updateRoute', async (next, request, edge, other) => {
      const { description } = jsonIn(request) as Json;
      if (description !== undefined) await ask(next, request, 'PATCH', routePath(edge, other), { description });
    }),
  ),
  mutant(
    'one-saml-each-edge',
    'routes.stable',
    'SAML of a route becomes that of the others of its edge.',
    besides('updateRoute', async (next, request, edge, other) => {
      const { saml } = jsonIn(request) as Json;
      if (saml !== undefined) await ask(next, request, 'PATCH', routePath(edge, other), { saml });
    }),
  ),
  mutant(
    'change-touches-siblings',
    'routes.stable',
    'A deletion sets `created_at` of the other routes of the edge.',
    touched('deleteRoute'),
  ),
  mutant(
    'secret-shown-once',
    'routes.stable',
    'A secret of OAuth is read once, and masked from then on.',
    remembering(() => {
      const isRead = new Set<string>();
      return read((route) => {
        const first = !isRead.has(String(route['id']));
        isRead.add(String(route['id']));
        return first
          ? route
          : (JSON.parse(
              JSON.stringify(route, (name, value) => (name === 'client_secret' && value !== null ? '***' : value)),
            ) as Json);
      });
    }),
  ),
  mutant(
    'saml-made-anew',
    'routes.stable',
    'An address that SAML supplies is another one with each reading.',
    madeAnew('assertion_consumer_service_url'),
  ),
  mutant(
    'deletion-disables-siblings',
    'routes.stable',
    'A deletion resets the descriptions of the other routes, and takes SAML from them.',
    besides('deleteRoute', (next, request, edge, other) =>
      ask(next, request, 'PATCH', routePath(edge, other), { saml: null }),
    ),
  ),

  mutant(
    'refused-known-kept',
    'routes.refused-changes-nothing',
    'A route with an unknown property is refused once it was created without it.',
    partly((body) => without(body, 'colour')),
  ),
  mutant(
    'refused-module-left-out',
    'routes.refused-changes-nothing',
    'A route with a wrong module is refused once it was created without it.',
    partly((body) => without(body, 'compression')),
  ),
  mutant(
    'refused-limit-clamped',
    'routes.refused-changes-nothing',
    'A route with a number out of range is refused once it was created with the default.',
    partly((body) => without(body, 'circuit_breaker')),
  ),
  mutant(
    'refused-default-type',
    'routes.refused-changes-nothing',
    'A route with an unknown `match_type` is refused once it was created with the default.',
    partly((body) => ({ ...body, match_type: 'path_prefix' })),
  ),
  mutant(
    'refused-bare',
    'routes.refused-changes-nothing',
    'A route is created bare before its modules are looked at.',
    partly(({ match, match_type }) => ({ match, match_type })),
  ),
  mutant(
    'refused-match-taken',
    'routes.refused-changes-nothing',
    'The match of a route that was refused is taken.',
    reserved,
  ),

  mutant(
    'deletion-does-nothing',
    'routes.deleted',
    'A deletion of a route is answered with 204, and the route stays.',
    instead('deleteRoute', async (next, request, { path }) =>
      (await routeOf(next, request, path['edge_id']!, path['id']!)) ? NO_CONTENT : next(request),
    ),
  ),
  mutant(
    'deleted-still-read',
    'routes.deleted',
    'A route that was deleted is still read.',
    stillThere('getRoute', (route) => json(200, route)),
  ),
  mutant(
    'deleted-still-changed',
    'routes.deleted',
    'A route that was deleted can be changed.',
    stillThere('updateRoute', (route) => json(200, route)),
  ),
  mutant(
    'deleted-twice-204',
    'routes.deleted',
    'Deleting a route again is answered with 204.',
    stillThere('deleteRoute', () => NO_CONTENT),
  ),
  mutant(
    'deleted-410',
    'routes.deleted',
    'A route that was deleted is answered with 410.',
    stillThere('getRoute', () => problem(410, 'gone')),
  ),
  mutant('deleted-on-edge', 'routes.deleted', 'An edge still shows a route that was deleted.', hiddenOnly),
  mutant(
    'deletes-last',
    'routes.deleted',
    'A deletion of a route deletes the last one.',
    deletingAnother((all) => all.at(-1)),
  ),
  mutant(
    'deletes-first',
    'routes.deleted',
    'A deletion of a route deletes the first one.',
    deletingAnother(([first]) => first),
  ),
  mutant(
    'deletes-next',
    'routes.deleted',
    'A deletion of a route deletes the one behind it, where there is one.',
    deletingAnother((all, named) => all[named + 1]),
  ),
  mutant(
    'deletes-all',
    'routes.deleted',
    'A deletion of a route deletes all of its edge.',
    besides('deleteRoute', (next, request, edge, other) => ask(next, request, 'DELETE', routePath(edge, other))),
  ),

  mutant(
    'id-reused',
    'routes.ids-not-reused',
    'A new route gets the id of the one that was deleted last.',
    reusingRouteIds((free) => free.pop()),
  ),
  mutant(
    'oldest-id-reused',
    'routes.ids-not-reused',
    'A new route gets the id that is free for the longest time, once there are two.',
    reusingRouteIds((free) => (free.length > 1 ? free.shift() : undefined)),
  ),
  mutant(
    'id-from-match',
    'routes.ids-not-reused',
    'The id of a route is made from its match.',
    showingRoutes((route) => ({
      ...route,
      id: Buffer.from(String(route['match'])).toString('base64url').slice(0, 64),
    })),
  ),
];
