/** Laws of routes as resources: what is read is what was written, on its edge, until it is deleted. */
import fc from 'fast-check';
import { expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { type Json, shownRoute } from '../model/route.ts';
import { TEXTS } from './edge-echoes.ts';
import { AT, each, extended, type Law, once, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import {
  createRoute,
  deleteRoute,
  expectNoRoute,
  expectRoutes,
  expectShown,
  getRoute,
  newEdge,
  newRoute,
  patchRoute,
  type RouteResponse,
} from '../route-steps.ts';
import { allModules, BARE, FORMS, ROUTE_CREATE, routeBodies } from '../values/route-values.ts';
import { reachable, refuse, succeed } from '../steps.ts';
import { unknownId } from '../unknown-ids.ts';

const ROUTES = '/components/schemas/HTTPSEdge/properties/routes';

function law(name: string, rule: Law, properties: Parameters<typeof extended>[2]): Requirement {
  return extended(`routes.${name}`, rule, properties);
}

/** What tends to be changed on its way to the store, and is compared as text (D18). */
const ODD_MATCHES = [
  '/A',
  '/a/',
  '/a//b',
  '/a/./b/../c',
  '/%C3%A9',
  '/%2F',
  '/é漢😀',
  '/+',
  '/;a=1',
  '//a',
  'A.Example',
  'a.example',
  'a.example/',
  'a.example/A/',
  '*.a.example',
  '*.a.example/b',
];

const FULL: Json = {
  match_type: 'exact_path',
  match: 'shop.example.com/api',
  description: 'described',
  metadata: '{"a":1}',
  ...allModules(),
};

/** A law of every route that can be created, on an edge of its own. */
function ofEveryRoute(
  name: string,
  rule: Law,
  check: (route: RouteResponse, body: Json, session: Session) => Promise<void> | void,
  odd: readonly Json[] = [],
): Requirement {
  return law(name, rule, (implementation) => [
    each('any route', routeBodies(implementation), async (body, session) =>
      check(await createRoute(session, (await newEdge(session)).id, body), body, session),
    ),
    oneOf(
      'with everything, with nothing, and with what tends to be changed',
      [FULL, BARE, ...odd],
      async (body, session) => check(await createRoute(session, (await newEdge(session)).id, body), body, session),
    ),
  ]);
}

/** Routes of one edge that differ in their matches, in the order of creation. */
export async function manyRoutes(session: Session, edge_id: string, count: number): Promise<RouteResponse[]> {
  const routes: RouteResponse[] = [];
  for (let index = 0; index < count; index++)
    routes.push(await createRoute(session, edge_id, { ...BARE, match: `/${count - index}` }));
  return routes;
}

export function routeLaws(): Requirement[] {
  return [
    ofEveryRoute(
      'echo',
      {
        origin: 'D17',
        clause: ROUTE_CREATE,
        sentence:
          'Creating a route responds with what was sent in the form of responses, and with defaults for what was left out.',
      },
      (route, body) => expectShown('The route is not what was sent', route, shownRoute(body)),
      [
        ...Object.values(TEXTS).map((text) => ({ ...BARE, description: text, metadata: text })),
        ...ODD_MATCHES.map((match) => ({ ...BARE, match })),
      ],
    ),
    ofEveryRoute(
      'read-your-write',
      { origin: 'D10', clause: AT.getRoute, sentence: 'Reading a route gives what creating it returned.' },
      async (route, body, session) => {
        const read = await getRoute(session, route);
        expectSame('The route reads otherwise than it was created', read, route);
        expectShown('The route reads otherwise than it was sent', read, shownRoute(body));
      },
    ),
    ofEveryRoute(
      'on-edge',
      {
        origin: 'D02',
        clause: ROUTES,
        sentence: 'An edge shows a route as soon as it is created, and just as reading the route does.',
      },
      async (route, _, session) => {
        await expectRoutes(session, route.edge_id, [route], 'The edge does not show its route');
      },
    ),
    law(
      'order',
      {
        origin: 'D02',
        clause: ROUTES,
        sentence: 'An edge shows its routes in the order in which they were created, also after changes and deletions.',
      },
      [
        each(
          'several routes, one changed and one deleted',
          fc.record({
            count: fc.integer({ min: 2, max: 5 }),
            changed: fc.nat({ max: 4 }),
            deleted: fc.nat({ max: 4 }),
          }),
          async ({ count, changed, deleted }, session) => {
            const { id } = await newEdge(session);
            const routes = await manyRoutes(session, id, count);
            await expectRoutes(session, id, routes, 'The routes are not in the order of creation');
            const at = changed % count;
            routes[at] = await patchRoute(session, routes[at]!, { match: '/changed', compression: {} });
            await expectRoutes(session, id, routes, 'A change moved a route');
            const [gone] = routes.splice(deleted % count, 1);
            await deleteRoute(session, gone!);
            routes.push(await createRoute(session, id, { ...BARE, match: '/last' }));
            await expectRoutes(session, id, routes, 'The routes are not in the order of creation');
          },
        ),
      ],
    ),
    law(
      'edge-id',
      {
        origin: 'source §2.5',
        clause: '/components/schemas/HTTPSEdgeRoute/properties/edge_id',
        sentence: '`edge_id` of a route is the id of the edge that it was created on.',
      },
      [
        once('routes of two edges', async (session) => {
          const ids = [(await newEdge(session)).id, (await newEdge(session)).id];
          for (const id of ids) {
            const { edge_id, id: own } = await createRoute(session, id);
            expectThat(edge_id === id, '`edge_id` is another edge.', { expected: id, got: edge_id });
            const read = await getRoute(session, { edge_id: id, id: own });
            expectThat(read.edge_id === id, '`edge_id` reads as another edge.', { expected: id, got: read.edge_id });
          }
        }),
      ],
    ),
    law(
      'of-another-edge',
      {
        origin: 'D10',
        clause: AT.notFound,
        sentence:
          'A route is only found on its edge: with the id of another one, reading, changing and deleting it get 404.',
      },
      [
        oneOf('another edge', ['without routes', 'with a route'], async (kind, session) => {
          const route = await newRoute(session, { compression: {} });
          const other = await newEdge(session);
          const theirs = kind === 'with a route' ? [await createRoute(session, other.id)] : [];
          // Ids of routes need to differ within an edge only.
          if (theirs.some(({ id }) => id === route.id)) return;
          const path = { edge_id: other.id, id: route.id };
          const why = 'The route belongs to another edge.';
          await refuse(session, 'getRoute', { path }, [404], why);
          await refuse(session, 'updateRoute', { path, json: { description: 'changed' } }, [404], why);
          await refuse(session, 'deleteRoute', { path }, [404], why);
          await expectRoutes(session, route.edge_id, [route], 'A refused request changed the route');
          await expectRoutes(session, other.id, theirs, 'A refused request changed another edge');
        }),
      ],
    ),
    law(
      'unknown',
      {
        origin: 'D15',
        clause: AT.notFound,
        sentence: 'Routes that do not exist, and those of an edge that does not, get 404.',
      },
      [
        oneOf('unknown ids', [unknownId()], async (unknown, session) => {
          const { id } = await newEdge(session);
          const route = await createRoute(session, id);
          const beside = { ...BARE, match: '/other' };
          for (const path of [
            { edge_id: id, id: unknown },
            { edge_id: unknown, id: route.id },
            { edge_id: id, id },
          ]) {
            await refuse(session, 'getRoute', { path }, [404], 'There is no such route.');
            await refuse(session, 'updateRoute', { path, json: {} }, [404], 'There is no such route.');
            await refuse(session, 'deleteRoute', { path }, [404], 'There is no such route.');
          }
          await refuse(
            session,
            'createRoute',
            { path: { edge_id: unknown }, json: beside },
            [404],
            'There is no such edge.',
          );
          await refuse(
            session,
            'createRoute',
            { path: { edge_id: route.id }, json: beside },
            [404],
            'There is no edge with the id of a route.',
          );
          await expectRoutes(session, id, [route], 'A refused request changed something');
        }),
      ],
    ),
    ofEveryRoute(
      'uri',
      {
        origin: 'D34',
        clause: '/components/schemas/Uri',
        sentence: 'The `uri` of a route is absolute and leads to it.',
      },
      async (route, _, session) => {
        const response = await session.send({ method: 'GET', target: reachable(session, String(route.uri)) });
        expectSuccess(session.implementation, session.operation('getRoute'), response, '`uri` leads to the route.');
        expectSame('`uri` leads to something else', response.json, route);
      },
    ),
    law(
      'location',
      {
        origin: 'D37',
        clause: '/components/headers/RouteLocation',
        sentence: 'A `Location` beside a 201 equals the `uri` of the route.',
      },
      [
        once('of a new route', async (session) => {
          const response = await succeed(session, 'createRoute', {
            path: { edge_id: (await newEdge(session)).id },
            json: BARE,
          });
          const { location } = response.headers;
          const { uri } = response.json as RouteResponse;
          expectThat(location === undefined || location === uri, '`Location` is not `uri`.', {
            expected: uri,
            got: location,
          });
        }),
      ],
    ),
    law(
      'ids-unique',
      {
        origin: 'D02',
        clause: '/components/schemas/HTTPSEdgeRoute/properties/id',
        sentence: 'Each route has an id of its own, also when several are created at once; none of them is lost.',
      },
      [
        each('routes created at once', fc.integer({ min: 2, max: 6 }), async (count, session) => {
          const { id: edge_id } = await newEdge(session);
          const create = (_: unknown, index: number) =>
            session.call('createRoute', { path: { edge_id }, json: { ...BARE, match: `/${index}` } });
          const responses = await session.together(() => Array.from({ length: count }, create));
          for (const response of responses)
            expectSuccess(session.implementation, session.operation('createRoute'), response);
          const ids = responses.map((response) => (response.json as RouteResponse).id);
          expectThat(new Set(ids).size === count, 'Two routes have the same id.', {
            expected: `${count} ids`,
            got: ids,
          });
          const { json } = await succeed(session, 'getEdge', { path: { id: edge_id } });
          const shown = (json as { routes: RouteResponse[] }).routes.map(({ id }) => id);
          expectSame('The edge lacks a route, or has more', shown.toSorted(), ids.toSorted());
        }),
      ],
    ),
    law(
      'stable',
      {
        origin: 'D10',
        clause: '/components/schemas/HTTPSEdgeRoute/properties/created_at',
        sentence: 'A route that nobody changes does not change, whatever happens beside it.',
      },
      [
        once('reading again while others change', async (session) => {
          const route = await newRoute(session, { oauth: FORMS.oauth.full, saml: FORMS.saml.full });
          const other = await createRoute(session, route.edge_id, { ...BARE, match: '/other' });
          await patchRoute(session, other, { saml: FORMS.saml.bare, description: 'changed' });
          expectSame('The route changed by itself', await getRoute(session, route), route);
          await new Promise((resolve) => setTimeout(resolve, 1_100));
          await deleteRoute(session, other);
          expectSame('The route changed by itself', await getRoute(session, route), route);
        }),
      ],
    ),
    law(
      'refused-changes-nothing',
      {
        origin: 'D29',
        clause: '/info/description',
        words: 'A refused request changes nothing',
        sentence: 'A route that is refused is not there.',
      },
      [
        oneOf(
          'one fault among good modules',
          [
            { colour: 1 },
            { compression: { enabled: 1 } },
            { circuit_breaker: { num_buckets: 129 } },
            { match_type: 'regex' },
          ],
          async (bad, session) => {
            const { id } = await newEdge(session);
            await refuse(
              session,
              'createRoute',
              { path: { edge_id: id }, json: { ...BARE, backend: FORMS.backend.bare, ...bad } },
              [400],
              'The body breaks the contract.',
            );
            await expectRoutes(session, id, [], 'A refused route is there');
            // Neither is its match taken.
            await createRoute(session, id);
          },
        ),
      ],
    ),
    law(
      'deleted',
      {
        origin: 'D10',
        clause: AT.deleteRoute,
        sentence: 'A route that was deleted is gone, from its edge as well, and no other is.',
      },
      [
        each(
          'one of several',
          fc.record({ count: fc.integer({ min: 1, max: 4 }), at: fc.nat({ max: 3 }) }),
          async ({ count, at }, session) => {
            const { id } = await newEdge(session);
            const routes = await manyRoutes(session, id, count);
            const [gone] = routes.splice(at % count, 1) as [RouteResponse];
            const path = { edge_id: id, id: gone.id };
            await deleteRoute(session, gone);
            await expectNoRoute(session, gone, 'The route was deleted.');
            await refuse(session, 'updateRoute', { path, json: {} }, [404], 'The route was deleted.');
            await refuse(session, 'deleteRoute', { path }, [404], 'The route was deleted.');
            await expectRoutes(session, id, routes, 'The wrong routes are left');
            for (const route of routes) expectSame('Another route changed', await getRoute(session, route), route);
          },
        ),
      ],
    ),
    law(
      'ids-not-reused',
      {
        origin: 'D10',
        clause: '/components/schemas/HTTPSEdgeRoute/properties/id',
        sentence: 'The id of a deleted route is not given to a new one.',
      },
      [
        once('delete and create, the same again', async (session) => {
          const { id } = await newEdge(session);
          const ids: string[] = [];
          for (let round = 0; round < 4; round++) {
            const route = await createRoute(session, id);
            expectThat(!ids.includes(route.id), 'The id of a deleted route came again.', {
              expected: 'a new id',
              got: route.id,
            });
            ids.push(route.id);
            await deleteRoute(session, route);
          }
          for (const gone of ids) await expectNoRoute(session, { edge_id: id, id: gone }, 'The route was deleted.');
        }),
      ],
    ),
  ];
}
