/** Two writers at once on edges and routes: as if they had come one after the other. */
import fc from 'fast-check';
import { expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import { type Json, MODULES } from '../model/route.ts';
import { AT, type Cases, each, extended, type Law, oneOf } from './law.ts';
import { expectOneWinner } from './races.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { createRoute, expectShown, getRoute, newEdge, newRoute, type RouteResponse, routesOf } from '../route-steps.ts';
import { allModules, BARE, FORMS } from '../values/route-values.ts';
import { getEdge, refuse } from '../steps.ts';

function law(id: string, rule: Law, properties: Cases): Requirement {
  return extended(id, rule, properties);
}

const RACERS = fc.integer({ min: 2, max: 8 });

/** Chance decides which of two is the first, and whether they meet at all. */
const ROUNDS = [1, 2, 3, 4, 5, 6];

export function extendedRaceLaws(): Requirement[] {
  return [
    law(
      'edges.race.update',
      {
        origin: 'D11',
        clause: AT.updateEdge,
        sentence: 'Changes of different properties of an edge at once are all there afterwards.',
      },
      [
        oneOf('one property each', ROUNDS, async (_, session) => {
          const { id } = await newEdge(session);
          const patches: Json[] = [
            { description: 'raced' },
            { metadata: 'raced' },
            { mutual_tls: { enabled: false } },
            { tls_termination: { min_version: '1.3' } },
          ];
          const responses = await session.together(() =>
            patches.map((json) => session.call('updateEdge', { path: { id }, json })),
          );
          for (const response of responses)
            expectSuccess(session.implementation, session.operation('updateEdge'), response);
          expectSame('A change was lost', await getEdge(session, id), {
            description: 'raced',
            metadata: 'raced',
            mutual_tls: { enabled: false, certificate_authorities: [] },
            tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
          });
        }),
      ],
    ),
    law(
      'edges.race.upstream',
      {
        origin: 'D09',
        clause: AT.conflict,
        sentence:
          'Of switching an edge to pass TLS through and giving its route a module at once, one is refused with 409.',
      },
      [
        oneOf('an edge and its route', ROUNDS, async (_, session) => {
          const route = await newRoute(session);
          const responses = await session.together(() => [
            session.call('updateEdge', {
              path: { id: route.edge_id },
              json: { tls_termination: { terminate_at: 'upstream' } },
            }),
            session.call('updateRoute', { path: { edge_id: route.edge_id, id: route.id }, json: { compression: {} } }),
          ]);
          const statuses = responses.map(({ status }) => status);
          expectThat(statuses.toSorted().join() === '200,409', 'Exactly one of them wins.', {
            expected: '200 and 409',
            got: statuses,
          });
          const edge = await getEdge(session, route.edge_id);
          const switched = (edge['tls_termination'] as Json | null)?.['terminate_at'] === 'upstream';
          expectThat(switched === (statuses[0] === 200), 'The edge is not what the responses say.', {
            expected: statuses,
            got: edge,
          });
          const shown = (await routesOf(session, route.edge_id))[0]!['compression'];
          expectThat((shown === null) === switched, 'The route is not what the responses say.', {
            expected: statuses,
            got: shown,
          });
        }),
      ],
    ),
    law(
      'edges.race.delete',
      {
        origin: 'D10',
        clause: AT.deleteEdge,
        sentence: 'Of several deletions of one edge at once, one succeeds and the others get 404.',
      },
      [
        each('deletions at once', RACERS, async (count, session) => {
          const { id } = await newEdge(session);
          const remove = () => session.call('deleteEdge', { path: { id } });
          expectOneWinner(
            session,
            'deleteEdge',
            await session.together(() => Array.from({ length: count }, remove)),
            204,
            404,
          );
        }),
      ],
    ),
    law(
      'edges.race.delete-and-create',
      {
        origin: 'D10',
        clause: AT.deleteEdge,
        sentence: 'A route that is created while its edge is deleted does not outlive the edge.',
      },
      [
        each('a deletion among creations', fc.integer({ min: 1, max: 4 }), async (count, session) => {
          const { id } = await newEdge(session);
          const create = (_: unknown, index: number) =>
            session.call('createRoute', { path: { edge_id: id }, json: { ...BARE, match: `/${index}` } });
          const responses = await session.together(() => [
            ...Array.from({ length: count }, create),
            session.call('deleteEdge', { path: { id } }),
          ]);
          for (const { status } of responses.slice(0, -1))
            expectThat([201, 404].includes(status), 'The edge is there, or it is not.', {
              expected: '201 or 404',
              got: status,
            });
          await refuse(session, 'getEdge', { path: { id } }, [404], 'The edge was deleted.');
          for (const { status, json } of responses.slice(0, -1)) {
            const route = json as { id: string };
            if (status === 201)
              await refuse(
                session,
                'getRoute',
                { path: { edge_id: id, id: route.id } },
                [404],
                'The edge was deleted with its routes.',
              );
          }
        }),
      ],
    ),
    law(
      'routes.race.match',
      {
        origin: 'D18',
        clause: AT.conflict,
        sentence: 'Of several creations of one match at once, one succeeds and the others are refused with 409.',
      },
      [
        each('creations at once', RACERS, async (count, session) => {
          const { id } = await newEdge(session);
          const create = () => session.call('createRoute', { path: { edge_id: id }, json: BARE });
          expectOneWinner(
            session,
            'createRoute',
            await session.together(() => Array.from({ length: count }, create)),
            201,
            409,
          );
          const routes = await routesOf(session, id);
          expectThat(routes.length === 1, 'The edge has one route.', { expected: '1 route', got: routes });
        }),
      ],
    ),
    law(
      'routes.race.match-on-update',
      {
        origin: 'D18',
        clause: AT.conflict,
        sentence: 'Of several changes to one match at once, one succeeds and the others are refused with 409.',
      },
      [
        each('changes at once', fc.integer({ min: 2, max: 4 }), async (count, session) => {
          const { id } = await newEdge(session);
          const routes: RouteResponse[] = [];
          for (let index = 0; index < count; index++)
            routes.push(await createRoute(session, id, { ...BARE, match: `/${index}` }));
          const responses = await session.together(() =>
            routes.map((route) =>
              session.call('updateRoute', { path: { edge_id: id, id: route.id }, json: { match: '/raced' } }),
            ),
          );
          expectOneWinner(session, 'updateRoute', responses, 200, 409);
          const matches = (await routesOf(session, id)).map(({ match }) => match);
          expectThat(matches.filter((match) => match === '/raced').length === 1, 'Only the winner moved.', {
            expected: 'one /raced',
            got: matches,
          });
        }),
      ],
    ),
    law(
      'routes.race.update',
      {
        origin: 'D11',
        clause: AT.updateRoute,
        sentence: 'Changes of different modules of a route at once are all there afterwards.',
      },
      [
        each('one module each', fc.subarray([...MODULES], { minLength: 2, maxLength: 6 }), async (names, session) => {
          const route = await newRoute(session);
          const modules: Json = allModules();
          const path = { edge_id: route.edge_id, id: route.id };
          const responses = await session.together(() =>
            names.map((name) => session.call('updateRoute', { path, json: { [name]: modules[name] } })),
          );
          for (const response of responses)
            expectSuccess(session.implementation, session.operation('updateRoute'), response);
          const read = await getRoute(session, route);
          const lost = names.filter((name) => read[name] === null);
          expectThat(lost.length === 0, 'A change was lost.', { expected: names, got: lost });
          expectShown(
            'Something else changed',
            read,
            Object.fromEntries(MODULES.filter((name) => !names.includes(name)).map((name) => [name, null])),
          );
        }),
      ],
    ),
    law(
      'routes.race.authentication',
      {
        origin: 'D21',
        clause: AT.conflict,
        sentence: 'Of enabling two authentication modules at once, one is refused with 409.',
      },
      [
        oneOf('two modules', ROUNDS, async (_, session) => {
          const route = await newRoute(session);
          const path = { edge_id: route.edge_id, id: route.id };
          const responses = await session.together(() =>
            (['oauth', 'oidc'] as const).map((name) =>
              session.call('updateRoute', { path, json: { [name]: FORMS[name].bare } }),
            ),
          );
          expectOneWinner(session, 'updateRoute', responses, 200, 409);
          const { oauth, oidc } = await getRoute(session, route);
          expectThat((oauth === null) !== (oidc === null), 'One of them is there.', {
            expected: 'one',
            got: { oauth, oidc },
          });
        }),
      ],
    ),
    law(
      'routes.race.delete',
      {
        origin: 'D10',
        clause: AT.deleteRoute,
        sentence: 'Of several deletions of one route at once, one succeeds and the others get 404.',
      },
      [
        each('deletions at once', RACERS, async (count, session) => {
          const { edge_id, id } = await newRoute(session);
          const remove = () => session.call('deleteRoute', { path: { edge_id, id } });
          expectOneWinner(
            session,
            'deleteRoute',
            await session.together(() => Array.from({ length: count }, remove)),
            204,
            404,
          );
        }),
      ],
    ),
    law(
      'routes.race.lost-update',
      {
        origin: 'D10',
        clause: AT.createRoute,
        sentence: 'A route that is created while the edge is changed is there afterwards, and so is the change.',
      },
      [
        oneOf('a creation and a change', ROUNDS, async (_, session) => {
          const { id } = await newEdge(session);
          const responses = await session.together(() => [
            session.call('createRoute', { path: { edge_id: id }, json: BARE }),
            session.call('updateEdge', { path: { id }, json: { description: 'raced' } }),
          ]);
          expectSuccess(session.implementation, session.operation('createRoute'), responses[0]!);
          expectSuccess(session.implementation, session.operation('updateEdge'), responses[1]!);
          expectSame('One of them was lost', await getEdge(session, id), {
            description: 'raced',
            routes: [responses[0]!.json],
          });
        }),
      ],
    ),
  ];
}
