/** Deleting an edge takes its routes with it, and nothing else. */
import fc from 'fast-check';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import { AT, each, extended, type Law, once } from './law.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { createRoute, deleteEdge, expectNoRoute, expectRoutes, newEdge } from '../route-steps.ts';
import { BARE } from '../values/route-values.ts';
import { manyRoutes } from './routes.ts';
import { getEdge, refuse } from '../steps.ts';

function law(name: string, rule: Partial<Law> & { sentence: string }, properties: Property[]): Requirement {
  return extended(`edges.delete.${name}`, { origin: 'D10', clause: AT.deleteEdge, ...rule }, properties);
}

export function edgeDeleteLaws(): Requirement[] {
  return [
    law('gone', { sentence: 'An edge that was deleted is gone: reading, changing and deleting it get 404.' }, [
      once('a bare edge', async (session) => {
        const { id } = await newEdge(session);
        await deleteEdge(session, id);
        const why = 'The edge was deleted.';
        await refuse(session, 'getEdge', { path: { id } }, [404], why);
        await refuse(session, 'updateEdge', { path: { id }, json: { description: 'again' } }, [404], why);
        await refuse(session, 'deleteEdge', { path: { id } }, [404], why);
        await refuse(session, 'getEdge', { path: { id } }, [404], why);
      }),
    ]),
    law('cascades', { sentence: 'Deleting an edge deletes its routes.' }, [
      each('an edge with routes', fc.integer({ min: 1, max: 4 }), async (count, session) => {
        const { id } = await newEdge(session);
        const routes = await manyRoutes(session, id, count);
        await deleteEdge(session, id);
        const why = 'The edge was deleted with its routes.';
        for (const route of routes) {
          const path = { edge_id: id, id: route.id };
          await expectNoRoute(session, route, why);
          await refuse(session, 'updateRoute', { path, json: {} }, [404], why);
          await refuse(session, 'deleteRoute', { path }, [404], why);
        }
        await refuse(session, 'createRoute', { path: { edge_id: id }, json: BARE }, [404], 'The edge was deleted.');
        await refuse(session, 'getEdge', { path: { id } }, [404], why);
      }),
    ]),
    law('others-stay', { sentence: 'Deleting an edge leaves other edges and their routes as they are.' }, [
      once('one of two alike', async (session) => {
        const body = { description: 'alike' };
        const [gone, kept] = [await newEdge(session, body), await newEdge(session, body)];
        await createRoute(session, gone.id);
        const route = await createRoute(session, kept.id);
        await deleteEdge(session, gone.id);
        expectSame('Another edge changed', await getEdge(session, kept.id), { ...kept, routes: [route] });
        await expectRoutes(session, kept.id, [route], 'Another edge lost its route');
      }),
    ]),
    law(
      'ids-not-reused',
      {
        clause: '/components/schemas/HTTPSEdge/properties/id',
        sentence: 'The id of a deleted edge is not given to a new one.',
      },
      [
        once('delete and create, the same again', async (session) => {
          const ids: string[] = [];
          for (let round = 0; round < 4; round++) {
            const { id } = await newEdge(session);
            expectThat(!ids.includes(id), 'The id of a deleted edge came again.', { expected: 'a new id', got: id });
            ids.push(id);
            await deleteEdge(session, id);
          }
          for (const id of ids) await refuse(session, 'getEdge', { path: { id } }, [404], 'The edge was deleted.');
        }),
      ],
    ),
  ];
}
