/** The operations on routes. */
import { type Json, SIGN_IN } from '../../api/modules.ts';
import { NEW_ROUTE, ROUTE_CHANGE } from './bodies.ts';
import { applied, conflict, type Edges, EMPTY_ROUTE, now, type Route } from './edges.ts';
import type { OperationCall, Operation, Params } from './operation.ts';
import { ApiError } from './problem.ts';
import type { HttpResponse } from './response.ts';
import { METADATA_PATH, metadataOf, serviceProvider } from './saml.ts';
import { EDGES_PATH, shownRoute } from './representations.ts';

const ROUTES_PATH = `${EDGES_PATH}/{edge_id}/routes`;
const ROUTE_PATH = `${ROUTES_PATH}/{route_id}`;

type NewId = (edgeId: string) => string;

/** @param newId returns an id that it did not return before for this edge */
export function routeOperations(edges: Edges, newId: NewId): Operation[] {
  const find = (params: Params): void => {
    edges.route(params);
  };
  return [
    createRoute(edges, newId),
    {
      method: 'GET',
      path: ROUTE_PATH,
      find,
      run: (call) => shown(200, edges.route(call.params), call),
    },
    {
      method: 'PATCH',
      path: ROUTE_PATH,
      find,
      body: { required: true, kind: ROUTE_CHANGE },
      run: (call) => updateRoute(edges, call),
    },
    {
      method: 'DELETE',
      path: ROUTE_PATH,
      find,
      run({ params }) {
        const edge = edges.edge(params);
        const routes = edge.routes.filter(({ id }) => id !== params['route_id']);
        edges.put({ ...edge, routes });
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: METADATA_PATH,
      isOpen: true,
      find,
      run: (call) => readMetadata(edges, call),
    },
  ];
}

function createRoute(edges: Edges, newId: NewId): Operation {
  return {
    method: 'POST',
    path: ROUTES_PATH,
    find(params) {
      edges.edge(params);
    },
    body: { required: true, kind: NEW_ROUTE },
    run(call) {
      const edge = edges.edge(call.params);
      const empty = { ...EMPTY_ROUTE, id: newId(edge.id), created_at: now() };
      const route = applied(empty, call.body, EMPTY_ROUTE);
      edges.put({ ...edge, routes: [...edge.routes, route] });
      return shown(201, route, call);
    },
  };
}

function updateRoute(edges: Edges, call: OperationCall): HttpResponse {
  const edge = edges.edge(call.params);
  const route = edges.route(call.params);
  const changed = applied(route, call.body, EMPTY_ROUTE);
  const isEnabled = (name: string) => (changed[name] as Json | null)?.['enabled'] === true;
  if (SIGN_IN.filter(isEnabled).length > 1) {
    throw conflict('This would enable a second module that signs users in.');
  }
  const routes = edge.routes.map((one) => (one === route ? changed : one));
  edges.put({ ...edge, routes });
  return shown(200, changed, call);
}

/** The metadata of the SAML service provider of a route. */
function readMetadata(edges: Edges, { params, base }: OperationCall): HttpResponse {
  const edge = edges.edge(params);
  const route = edges.route(params);
  if (route['saml'] === null) {
    throw new ApiError('not_found', 'This route has no SAML.');
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8' },
    text: metadataOf(serviceProvider(base, edge.id, route.id)),
  };
}

function shown(status: number, route: Route, { params, base }: OperationCall): HttpResponse {
  return { status, body: shownRoute(route, params['edge_id'] ?? '', base) };
}
