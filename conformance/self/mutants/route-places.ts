/** Routes that are found where they are not, or not where they are. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { answering, json, jsonOf, NO_CONTENT, problem } from '../mutate/response.ts';
import { edgeOf, edgePath, routePath, routesOf, showingRoutes } from '../mutate/edges.ts';
import type { OperationId } from '../mutate/operation.ts';
import { after, both, done, instead, type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import { ask, type Json } from '../mutate/request.ts';

const mutant = mutantsOf('routes');

const ROUTE: OperationId[] = ['getRoute', 'updateRoute', 'deleteRoute'];

const shownUri = (change: (uri: string, route: Json) => string): Mutate =>
  showingRoutes((route) => ({ ...route, uri: change(String(route['uri']), route) }));

const location = (change: (uri: string) => string): Mutate =>
  done('createRoute', (response) => answering(response, { location: change(jsonOf(response).uri) }));

/** Which edge each route is on, as a service knows that keeps routes apart from edges. */
function knowingEdges(
  handle: (
    next: Service,
    request: ServiceRequest,
    real: string,
    id: string,
    operationId: OperationId,
    asked: string,
  ) => Promise<ServiceResponse | undefined>,
  operations: OperationId[] = ROUTE,
): Mutate {
  return remembering(() => {
    const edges = new Map<string, string>();
    return instead(['createRoute', ...operations], async (next, request, { operationId, path }) => {
      const real = edges.get(path['id'] ?? '');
      if (operations.includes(operationId) && real !== undefined && real !== path['edge_id']) {
        const response = await handle(next, request, real, path['id']!, operationId, path['edge_id']!);
        if (response) return response;
      }
      const response = await next(request);
      if (operationId === 'createRoute' && response.status === 201) edges.set(jsonOf(response).id, path['edge_id']!);
      return response;
    });
  });
}

/** A route is looked for by its id alone. */
const byIdAlone = (operation: OperationId, edgeExists?: boolean): Mutate =>
  knowingEdges(
    async (next, request, real, id, _, asked) => {
      const isThere = (await edgeOf(next, request, asked)) !== undefined;
      return edgeExists === undefined || isThere === edgeExists
        ? next({ ...request, target: routePath(real, id) })
        : undefined;
    },
    [operation],
  );

/** Refuses as it should, and does it all the same. */
const refusedButDone = (operation: OperationId): Mutate =>
  knowingEdges(
    async (next, request, real, id) => {
      await next({ ...request, target: routePath(real, id) });
      return problem(404, 'not_found');
    },
    [operation],
  );

/** What a list in memory does with an id that is a number. */
const firstFor = (unknown: RegExp): Mutate =>
  instead('getRoute', async (next, request, { path }) => {
    const response = await next(request);
    if (response.status !== 404 || !unknown.test(path['id']!)) return response;
    const [first] = await routesOf(next, request, path['edge_id']!);
    return first ? json(200, first) : response;
  });

const unknownRoute = (operation: OperationId, response: () => ServiceResponse): Mutate =>
  after(operation, (refused) => (refused.status === 404 ? response() : refused));

export const routePlaces: Mutant[] = [
  mutant(
    'edge-id-own',
    'routes.edge-id',
    '`edge_id` is the id of the route.',
    showingRoutes((route) => ({ ...route, edge_id: route['id'] })),
  ),
  mutant(
    'edge-id-uri',
    'routes.edge-id',
    '`edge_id` is a path.',
    showingRoutes((route) => ({ ...route, edge_id: edgePath(String(route['edge_id'])) })),
  ),
  mutant(
    'edge-id-newest',
    'routes.edge-id',
    '`edge_id` is the id of the newest edge.',
    remembering(() => {
      let newest: string | undefined;
      const remember = done('createEdge', (response) => {
        newest = jsonOf(response).id;
        return response;
      });
      return both(
        remember,
        showingAs('createRoute', (route) => ({ ...route, edge_id: newest })),
      );
    }),
  ),
  mutant(
    'edge-id-lower-case',
    'routes.edge-id',
    '`edge_id` is in lower case.',
    showingRoutes((route) => ({ ...route, edge_id: String(route['edge_id']).toLowerCase() })),
  ),

  mutant(
    'read-below-any-edge',
    'routes.of-another-edge',
    'A route is read below any edge.',
    byIdAlone('getRoute', true),
  ),
  mutant(
    'changed-below-any-edge',
    'routes.of-another-edge',
    'A route is changed below any edge.',
    byIdAlone('updateRoute', true),
  ),
  mutant(
    'deleted-below-any-edge',
    'routes.of-another-edge',
    'A route is deleted below any edge.',
    byIdAlone('deleteRoute', true),
  ),
  mutant(
    'below-another-403',
    'routes.of-another-edge',
    'A route below another edge is answered with 403.',
    knowingEdges(async () => problem(403, 'forbidden')),
  ),
  mutant(
    'below-another-409',
    'routes.of-another-edge',
    'A change of a route below another edge is answered with 409.',
    knowingEdges(async () => problem(409, 'conflict'), ['updateRoute']),
  ),
  mutant(
    'below-another-redirected',
    'routes.of-another-edge',
    'A route below another edge is redirected to its own.',
    knowingEdges(
      async (_, request, real, id) => ({
        status: 308,
        headers: { location: `http://${request.headers['host']}${routePath(real, id)}` },
        body: '',
      }),
      ['getRoute'],
    ),
  ),
  mutant(
    'below-another-changed',
    'routes.of-another-edge',
    'A change of a route below another edge is answered with 404 once it is done.',
    refusedButDone('updateRoute'),
  ),
  mutant(
    'below-another-deleted',
    'routes.of-another-edge',
    'A deletion of a route below another edge is answered with 404 once it is done.',
    refusedButDone('deleteRoute'),
  ),

  mutant(
    'unknown-edge-ignored',
    'routes.unknown',
    'A route is read below an edge that does not exist.',
    byIdAlone('getRoute', false),
  ),
  mutant(
    'unknown-edge-changed',
    'routes.unknown',
    'A route is changed below an edge that does not exist.',
    byIdAlone('updateRoute', false),
  ),
  mutant(
    'unknown-edge-deleted',
    'routes.unknown',
    'A route is deleted below an edge that does not exist.',
    byIdAlone('deleteRoute', false),
  ),
  mutant('id-as-index', 'routes.unknown', 'A route is read by its number.', firstFor(/^\d+$/)),
  mutant(
    'edge-for-route',
    'routes.unknown',
    'The id of an edge in place of that of a route gives its first route.',
    instead('getRoute', async (next, request, { path }) => {
      const [first] = path['id'] === path['edge_id'] ? await routesOf(next, request, path['edge_id']!) : [];
      return first ? json(200, first) : next(request);
    }),
  ),
  mutant(
    'route-for-edge',
    'routes.unknown',
    'The id of a route in place of that of an edge adds a route to its edge.',
    remembering(() => {
      const edges = new Map<string, string>();
      return instead('createRoute', async (next, request, { path }) => {
        const edge = edges.get(path['edge_id']!);
        const response = await next(edge === undefined ? request : { ...request, target: routePath(edge) });
        if (response.status === 201) edges.set(jsonOf(response).id, path['edge_id']!);
        return response;
      });
    }),
  ),
  mutant(
    'unknown-delete-204',
    'routes.unknown',
    'Deleting a route that does not exist is answered with 204.',
    unknownRoute('deleteRoute', () => NO_CONTENT),
  ),
  mutant(
    'unknown-nothing-400',
    'routes.unknown',
    'A change of nothing is refused before the route is looked for.',
    unknownRoute('updateRoute', () =>
      problem(400, 'invalid_request', { errors: [{ pointer: '', code: 'minProperties', detail: 'It is empty.' }] }),
    ),
  ),
  mutant(
    'unknown-edge-500',
    'routes.unknown',
    'Creating a route on an edge that does not exist fails with 500.',
    unknownRoute('createRoute', () => problem(500, 'internal_error')),
  ),
  mutant(
    'unknown-edge-created',
    'routes.unknown',
    'Creating a route on an edge that does not exist creates the edge.',
    instead('createRoute', async (next, request) => {
      const response = await next(request);
      if (response.status !== 404) return response;
      const { id } = jsonOf(await ask(next, request, 'POST', '/edges/https', {}));
      return next({ ...request, target: routePath(id) });
    }),
  ),
  mutant(
    'unknown-read-null',
    'routes.unknown',
    'A route that does not exist reads as null.',
    unknownRoute('getRoute', () => json(200, null)),
  ),

  mutant(
    'uri-without-edge',
    'routes.uri',
    'The `uri` of a route lacks its edge.',
    shownUri((uri) => uri.replace(/\/edges\/https\/[^/]+\//, '/')),
  ),
  mutant(
    'uri-of-edge',
    'routes.uri',
    'The `uri` of a route is that of its edge.',
    shownUri((uri) => uri.replace(/\/routes\/.*$/, '')),
  ),
  mutant(
    'uri-of-list',
    'routes.uri',
    'The `uri` of a route ends with `routes`.',
    shownUri((uri) => uri.replace(/\/[^/]+$/, '')),
  ),
  mutant(
    'uri-relative',
    'routes.uri',
    'The `uri` of a route is a path.',
    shownUri((uri) => new URL(uri).pathname),
  ),
  mutant(
    'uri-singular',
    'routes.uri',
    'The `uri` of a route has a path that does not exist.',
    shownUri((uri) => uri.replace('/routes/', '/route/')),
  ),
  mutant(
    'uri-slash',
    'routes.uri',
    'The `uri` of a route ends with a slash that its path does not have.',
    shownUri((uri) => `${uri}/`),
  ),
  mutant(
    'uri-ids-swapped',
    'routes.uri',
    'The `uri` of a route has its ids the wrong way round.',
    shownUri((uri, { id, edge_id }) => uri.replace(/\/edges\/.*$/, routePath(String(id), String(edge_id)))),
  ),
  mutant(
    'uri-of-another',
    'routes.uri',
    'The `uri` of a new route is that of the one before.',
    remembering(() => {
      let last: unknown;
      return showingAs('createRoute', (route) => {
        const before = last ?? route.uri;
        last = route.uri;
        return { ...route, uri: before };
      });
    }),
  ),

  mutant(
    'location-of-list',
    'routes.location',
    '`Location` of a route is the path that it was created at.',
    location((uri) => uri.replace(/\/[^/]+$/, '')),
  ),
  mutant(
    'location-of-edge',
    'routes.location',
    '`Location` of a route is that of its edge.',
    location((uri) => uri.replace(/\/routes\/.*$/, '')),
  ),
  mutant(
    'location-relative',
    'routes.location',
    '`Location` of a route is a path.',
    location((uri) => new URL(uri).pathname),
  ),
  mutant(
    'location-slash',
    'routes.location',
    '`Location` of a route has a slash more than `uri`.',
    location((uri) => `${uri}/`),
  ),
];
