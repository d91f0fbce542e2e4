/** The pair of `match_type` and `match` is unique in an edge (D18). */
import { expectSame } from '../../engine/http/nonconformity.ts';
import { AT, type Cases, extended, type Law, once, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import {
  conflict,
  createRoute,
  deleteRoute,
  expectRoutes,
  newEdge,
  newRoute,
  patchRoute,
  type RouteResponse,
} from '../route-steps.ts';

const MATCH_FORMS = ['/', '/api', 'shop.example.com', 'shop.example.com/api', '*.example.com'];
const TYPES = ['exact_path', 'path_prefix'];
const PAIRS = MATCH_FORMS.flatMap((match) => TYPES.map((match_type) => ({ match_type, match })));

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

function law(name: string, rule: Partial<Law> & { sentence: string }, properties: Cases): Requirement {
  return extended(`routes.match.${name}`, { origin: 'D18', clause: AT.createRoute, ...rule }, properties);
}

export function matchLaws(): Requirement[] {
  return [
    law(
      'unique',
      {
        clause: AT.conflict,
        sentence: 'A route with the match and the match type of another one of its edge is refused with 409.',
      },
      [
        oneOf('the same pair again', PAIRS, async (pair, session) => {
          const route = await newRoute(session, { ...pair, compression: {} });
          const path = { edge_id: route.edge_id };
          await conflict(
            session,
            'createRoute',
            { path, json: { ...pair, description: 'second' } },
            'already_exists',
            'Another route of the edge has this match.',
          );
          await expectRoutes(session, route.edge_id, [route], 'A refused route changed something');
        }),
      ],
    ),
    law(
      'unique-on-update',
      {
        clause: AT.conflict,
        sentence: 'A change to the match of another route of the edge is refused with 409, and changes nothing.',
      },
      [
        oneOf('to the pair of another one', PAIRS, async (pair, session) => {
          const { match_type, match } = pair;
          const first = await newRoute(session, pair);
          const otherType = await createRoute(session, first.edge_id, {
            match,
            match_type: TYPES.find((type) => type !== match_type),
          });
          const otherMatch = await createRoute(session, first.edge_id, { match: '/other', match_type });
          const why = 'Another route of the edge has this match.';
          // One half of the pair is enough where the other half is the same already.
          for (const [route, json] of [
            [otherType, { match_type }],
            [otherMatch, { match }],
            [otherMatch, pair],
            [otherType, { ...pair, description: 'changed' }],
          ] as const) {
            await conflict(
              session,
              'updateRoute',
              { path: { edge_id: route.edge_id, id: route.id }, json },
              'already_exists',
              why,
            );
          }
          await expectRoutes(
            session,
            first.edge_id,
            [first, otherType, otherMatch],
            'A refused change changed something',
          );
        }),
      ],
    ),
    law('other-edge', { sentence: 'Routes of two edges may have the same match.' }, [
      oneOf('the same pair on another edge', PAIRS, async (pair, session) => {
        const first = await newRoute(session, pair);
        const second = await newRoute(session, pair);
        await expectRoutes(session, first.edge_id, [first], 'The first edge lost its route');
        await expectRoutes(session, second.edge_id, [second], 'The second edge has no route');
      }),
    ]),
    law('other-type', { sentence: 'Two routes of one edge may have the same match with different match types.' }, [
      oneOf('both types', MATCH_FORMS, async (match, session) => {
        const { id } = await newEdge(session);
        const first = await createRoute(session, id, { match_type: 'exact_path', match });
        const second = await createRoute(session, id, { match_type: 'path_prefix', match });
        await expectRoutes(session, id, [first, second], 'A route is missing');
      }),
    ]),
    law(
      'as-text',
      {
        clause: '/components/schemas/Match',
        sentence: 'Matches are compared as text: two spellings of one path or host are two matches.',
      },
      [
        oneOf('two spellings', SPELLINGS, async (spellings, session) => {
          const { id } = await newEdge(session);
          const routes: RouteResponse[] = [];
          for (const match of spellings)
            routes.push(await createRoute(session, id, { match_type: 'path_prefix', match }));
          await expectRoutes(session, id, routes, 'A route is missing');
        }),
      ],
    ),
    law('own', { clause: AT.updateRoute, sentence: 'A change may name the match that the route has already.' }, [
      oneOf(
        'its own pair, whole or in part',
        [['match_type', 'match'], ['match_type'], ['match']] as const,
        async (names, session) => {
          const pair = { match_type: 'exact_path', match: 'shop.example.com/api' } as const;
          const route = await newRoute(session, pair);
          const json = { ...Object.fromEntries(names.map((name) => [name, pair[name]])), description: 'changed' };
          const changed = await patchRoute(session, route, json, 'The route keeps its own match.');
          expectSame('The route is another one', changed, { ...route, description: 'changed' });
        },
      ),
    ]),
    law('freed', { sentence: 'A match that a route has no more can be given to another one.' }, [
      once('by a deletion', async (session) => {
        const route = await newRoute(session, PAIRS[0]);
        await deleteRoute(session, route);
        await expectRoutes(
          session,
          route.edge_id,
          [await createRoute(session, route.edge_id, PAIRS[0])],
          'The new route is not alone',
        );
      }),
      once('by a change', async (session) => {
        const route = await newRoute(session, PAIRS[0]);
        const moved = await patchRoute(session, route, { match: '/moved' });
        const second = await createRoute(session, route.edge_id, PAIRS[0]);
        await conflict(
          session,
          'updateRoute',
          { path: { edge_id: route.edge_id, id: route.id }, json: { match: '/' } },
          'already_exists',
          'Another route has taken the match.',
        );
        await expectRoutes(session, route.edge_id, [moved, second], 'The routes are others');
      }),
    ]),
  ];
}
