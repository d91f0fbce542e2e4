/** Which matches of routes are different ones (D18). That a pair is unique on its edge is a law of any resource. */
import { expectThat } from '../../engine/http/nonconformity.ts';
import { forEach, once } from '../../engine/laws/law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { PAIRS } from '../resources/routes.ts';
import { createRoute, expectRoutes, getRoute, newEdge, newRoute, type RouteResponse } from '../route-steps.ts';
import { AT, extended } from './law.ts';

const SPELLINGS = [
  ['/a', '/A'],
  ['/a', '/a/'],
  ['/a', '//a'],
  ['/é', '/%C3%A9'],
  ['/%c3%a9', '/%C3%A9'],
  ['/é', '/e'],
  ['/\u00e9', '/e\u0301'],
  ['a.example', 'A.example'],
  ['a.example', 'a.example/'],
];

export function matchLaws(): Requirement[] {
  return [
    extended('routes.match.other-edge', 'D18', AT.createRoute, 'Routes of two edges may have the same match.', [
      forEach('the same pair on another edge', PAIRS, async (pair, session) => {
        const routes = [await newRoute(session, pair), await newRoute(session, pair)];
        for (const route of routes) await expectRoutes(session, route.edge_id, [route], 'An edge lost its route');
      }),
    ]),
    extended(
      'routes.match.other-type',
      'D18',
      AT.createRoute,
      'Two routes of one edge may have the same match with different match types.',
      [
        forEach('both types', [...new Set(PAIRS.map(({ match }) => match))], async (match, session) => {
          const { id } = await newEdge(session);
          const first = await createRoute(session, id, { match_type: 'exact_path', match });
          const second = await createRoute(session, id, { match_type: 'path_prefix', match });
          await expectRoutes(session, id, [first, second], 'A route is missing');
        }),
      ],
    ),
    extended(
      'routes.match.as-text',
      'D18',
      `${AT.schemas}/Match`,
      'Matches are compared as text: two spellings of one path or host are two matches.',
      [
        forEach('two spellings', SPELLINGS, async (spellings, session) => {
          const { id } = await newEdge(session);
          const routes: RouteResponse[] = [];
          for (const match of spellings)
            routes.push(await createRoute(session, id, { match_type: 'path_prefix', match }));
          await expectRoutes(session, id, routes, 'A route is missing');
        }),
      ],
    ),
    extended(
      'routes.edge-id',
      'source §2.5',
      `${AT.schemas}/HTTPSEdgeRoute/properties/edge_id`,
      '`edge_id` of a route is the id of the edge that it was created on.',
      [
        once('routes of two edges', async (session) => {
          const ids = [(await newEdge(session)).id, (await newEdge(session)).id];
          for (const expected of ids) {
            const route = await createRoute(session, expected);
            for (const { edge_id: got } of [route, await getRoute(session, { edge_id: expected, id: route.id })])
              expectThat(got === expected, '`edge_id` is another edge.', { expected, got });
          }
        }),
      ],
    ),
  ];
}
