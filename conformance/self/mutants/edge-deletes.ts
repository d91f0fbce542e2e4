/** Edges that are deleted, and not gone, or not alone. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { json, jsonOf, NO_CONTENT } from '../mutate/response.ts';
import { reusingEdgeIds } from '../mutate/aliases.ts';
import { edgeOf, edgePath, routePath, routesOf } from '../mutate/edges.ts';
import { after, both, done, instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { ask, type Json } from '../mutate/request.ts';
import type { OperationId } from '../mutate/operation.ts';

const mutant = mutantsOf('edge-deletes', 'extended');

/** Routes are not deleted with their edge: some operation still finds them. */
const orphans = (operation: OperationId, status: number, isLeft: (index: number) => boolean = () => true): Mutate =>
  remembering(() => {
    const left = new Map<string, Json>();
    const remember: Mutate = instead('deleteEdge', async (next, request, { path }) => {
      const routes = await routesOf(next, request, path['id']!);
      const deleted = await next(request);
      if (deleted.status === 204)
        for (const [index, route] of routes.entries())
          if (isLeft(index)) left.set(`${path['id']} ${route['id']}`, route);
      return deleted;
    });
    return both(
      after(operation, (refused, _, { path }) => {
        const route = left.get(`${path['edge_id']} ${path['id']}`);
        if (refused.status !== 404 || !route) return refused;
        return status === 204 ? NO_CONTENT : json(status, route);
      }),
      remember,
    );
  });

/** Deletes more than it should: what `which` picks from the other edges. */
const deletingAlso = (which: (gone: Json, other: Json) => boolean): Mutate =>
  remembering(() => {
    const all = new Set<string>();
    return instead(['createEdge', 'deleteEdge'], async (next, request, { operationId, path }) => {
      const gone = operationId === 'deleteEdge' ? await edgeOf(next, request, path['id']!) : undefined;
      const response = await next(request);
      if (operationId === 'createEdge' && response.status === 201) all.add(jsonOf(response).id);
      if (!gone || response.status !== 204) return response;
      all.delete(path['id']!);
      for (const id of all) {
        const other = await edgeOf(next, request, id);
        if (other && which(gone, other)) await ask(next, request, 'DELETE', edgePath(id));
      }
      return response;
    });
  });

/** Routes of other edges go, too. */
const deletingRoutes = (which: (gone: Json, other: Json) => boolean): Mutate =>
  remembering(() => {
    const all = new Set<string>();
    return instead(['createEdge', 'deleteEdge'], async (next, request, { operationId, path }) => {
      const gone = operationId === 'deleteEdge' ? await routesOf(next, request, path['id']!) : [];
      const response = await next(request);
      if (operationId === 'createEdge' && response.status === 201) all.add(jsonOf(response).id);
      if (operationId !== 'deleteEdge' || response.status !== 204) return response;
      for (const id of all) {
        for (const route of await routesOf(next, request, id)) {
          if (gone.some((one) => which(one, route)))
            await ask(next, request, 'DELETE', routePath(id, String(route['id'])));
        }
      }
      return response;
    });
  });

export const edgeDeletes: Mutant[] = [
  mutant(
    'first-route-only',
    'Only the first route of an edge is deleted with it.',
    orphans('getRoute', 200, (index) => index > 0),
  ),
  mutant(
    'routes-before-edge',
    'Deleting an edge with routes deletes the routes, and the edge only when it is deleted again.',
    instead('deleteEdge', async (next, request, { path }) => {
      const routes = await routesOf(next, request, path['id']!);
      for (const route of routes) await ask(next, request, 'DELETE', routePath(path['id']!, String(route['id'])));
      return routes.length > 0 ? NO_CONTENT : next(request);
    }),
  ),

  mutant(
    'alike',
    'Edges with the same description are deleted as well.',
    deletingAlso((gone, other) => gone['description'] === other['description']),
  ),
  mutant(
    'same-second',
    'Edges that were created in the same second or later are deleted as well.',
    deletingAlso((gone, other) => String(other['created_at']) >= String(gone['created_at'])),
  ),
  mutant(
    'routes-alike',
    'Routes with the same match are deleted from other edges.',
    deletingRoutes((gone, other) => gone['match'] === other['match']),
  ),

  mutant(
    'id-reused',
    'A new edge gets the id of the one that was deleted last.',
    reusingEdgeIds((free) => free.pop()),
  ),
  mutant(
    'oldest-id-reused',
    'A new edge gets the id that is free for the longest time, once there are two.',
    reusingEdgeIds((free) => (free.length > 1 ? free.shift() : undefined)),
  ),
  mutant(
    'still-there-by-id',
    'An edge that was deleted is found by its id once another was created.',
    remembering(() => {
      const gone = new Map<string, Json>();
      const remember: Mutate = instead('deleteEdge', async (next, request, { path }) => {
        const edge = await edgeOf(next, request, path['id']!);
        const response = await next(request);
        if (edge && response.status === 204) gone.set(path['id']!, edge);
        return response;
      });
      let revived: Json | undefined;
      const revive: Mutate = done('createEdge', (response) => {
        revived = [...gone.values()].at(-1) ?? revived;
        return response;
      });
      const read: Mutate = after('getEdge', (response, _, { path }) =>
        response.status === 404 && revived?.['id'] === path['id'] ? json(200, revived) : response,
      );
      return both(both(remember, revive), read);
    }),
  ),
];
