/** Names of headers that routes add and remove (D23). */
import { refuse } from '../../engine/http/expect-response.ts';
import { forEach } from '../../engine/laws/law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import type { Json } from '../model/route.ts';
import { createRoute, expectRoutes, newEdge } from '../route-steps.ts';
import { BARE } from '../values/route-values.ts';
import { AT, extended } from './law.ts';
import { expectModules } from './modules.ts';
import { MODULES } from '../modules.ts';

const TWICE: Json[] = ['request_headers', 'response_headers'].flatMap((name) => [
  { [name]: { add: { 'X-Team': 'a', 'x-team': 'b' } } },
  { [name]: { add: { 'X-Team': 'a', 'X-TEAM': 'a' } } },
  { [name]: { remove: ['X-Debug', 'x-debug'] } },
  { [name]: { remove: ['X-A', 'X-B', 'x-a'] } },
]);

const WHY = 'A header is there twice, in another case.';

export function headerLaws(): Requirement[] {
  return [
    extended(
      'routes.headers.case',
      'D23',
      `${AT.schemas}/HeaderMap/propertyNames`,
      'The names of headers are told apart without regard to case: the same name twice is refused.',
      [
        forEach('names that differ in case', TWICE, async (json, session) => {
          const { id: edge_id } = await newEdge(session);
          await refuse(session, 'createRoute', { path: { edge_id }, json: { ...BARE, ...json } }, [400], WHY);
          await expectRoutes(session, edge_id, [], 'A refused route is there');
          const headers = MODULES.request_headers.full;
          const body = { ...BARE, ...Object.fromEntries(Object.keys(json).map((name) => [name, headers])) };
          const route = await createRoute(session, edge_id, body);
          await refuse(session, 'updateRoute', { path: { edge_id, id: route.id }, json }, [400], WHY);
          await expectRoutes(session, edge_id, [route], 'A refused change changed something');
        }),
      ],
    ),
    extended('routes.headers.as-sent', 'D23', `${AT.schemas}/HeaderName`, 'The names of headers keep their case.', [
      forEach('upper, lower and mixed', ['X-UPPER', 'x-lower', 'X-MiXeD', 'server'], (name, session) =>
        expectModules(session, { request_headers: { add: { [name]: 'a' } }, response_headers: { remove: [name] } }),
      ),
    ]),
    extended(
      'routes.headers.add-and-remove',
      'D23',
      `${AT.schemas}/EndpointRequestHeadersMutate/properties/remove`,
      'The same name can stand in `add` and in `remove`.',
      [
        forEach('equal, and in another case', ['X-Team', 'x-team'], (name, session) => {
          const headers = { add: { 'X-Team': 'web' }, remove: [name] };
          return expectModules(session, { request_headers: headers, response_headers: headers });
        }),
      ],
    ),
  ];
}
