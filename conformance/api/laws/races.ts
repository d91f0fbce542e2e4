/** Requests at once that have to do with each other beyond one edge or route. */
import fc from 'fast-check';
import { expectSuccess, refuse } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { forAll, forEach } from '../../engine/laws/law.ts';
import { expectOneWinner, ROUNDS } from '../../engine/laws/races.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import type { Json } from '../model/route.ts';
import { getRoute, newEdge, newRoute, routesOf } from '../route-steps.ts';
import { getEdge } from '../steps.ts';
import { BARE } from '../values/route-values.ts';
import { AT, extended } from './law.ts';
import { MODULES } from '../modules.ts';

const GONE = 'The edge was deleted.';

type Race = [operationId: string, input: CallInput][];

function atOnce(session: Session, calls: Race) {
  return session.together(() => calls.map(([operationId, input]) => session.call(operationId, input)));
}

export function raceLaws(): Requirement[] {
  return [
    extended(
      'edges.race.upstream',
      'D09',
      AT.conflict,
      'Of switching an edge to pass TLS through and giving its route a module at once, one is refused with 409.',
      [
        forEach('an edge and its route', ROUNDS, async (_, session) => {
          const { edge_id, id } = await newRoute(session);
          const responses = await atOnce(session, [
            ['updateEdge', { path: { id: edge_id }, json: { tls_termination: { terminate_at: 'upstream' } } }],
            ['updateRoute', { path: { edge_id, id }, json: { compression: {} } }],
          ]);
          const statuses = responses.map(({ status }) => status);
          expectThat(statuses.toSorted().join() === '200,409', 'Exactly one of them wins.', {
            expected: '200 and 409',
            got: statuses,
          });
          const switched = statuses[0] === 200;
          const edge = await getEdge(session, edge_id);
          const { terminate_at } = (edge['tls_termination'] as Json | null) ?? {};
          const { compression } = (await routesOf(session, edge_id))[0]!;
          expectSame(
            'The edge and its route are not what the responses say',
            [terminate_at === 'upstream', compression === null],
            [switched, switched],
          );
        }),
      ],
    ),
    extended(
      'edges.race.delete-and-create',
      'D10',
      AT.deleteEdge,
      'A route that is created while its edge is deleted does not outlive the edge.',
      [
        forAll('a deletion among creations', fc.integer({ min: 1, max: 4 }), async (count, session) => {
          const { id: edge_id } = await newEdge(session);
          const creations = Array.from({ length: count }, (_, index): Race[number] => [
            'createRoute',
            { path: { edge_id }, json: { ...BARE, match: `/${index}` } },
          ]);
          const responses = await atOnce(session, [...creations, ['deleteEdge', { path: { id: edge_id } }]]);
          await refuse(session, 'getEdge', { path: { id: edge_id } }, [404], GONE);
          for (const { status, json } of responses.slice(0, -1)) {
            expectThat([201, 404].includes(status), 'The edge is there, or it is not.', {
              expected: '201 or 404',
              got: status,
            });
            const { id } = json as { id: string };
            if (status === 201) await refuse(session, 'getRoute', { path: { edge_id, id } }, [404], GONE);
          }
        }),
      ],
    ),
    extended(
      'routes.race.authentication',
      'D21',
      AT.conflict,
      'Of enabling two authentication modules at once, one is refused with 409.',
      [
        forEach('two modules', ROUNDS, async (_, session) => {
          const route = await newRoute(session);
          const path = { edge_id: route.edge_id, id: route.id };
          const responses = await atOnce(session, [
            ['updateRoute', { path, json: { oauth: MODULES.oauth.minimal } }],
            ['updateRoute', { path, json: { oidc: MODULES.oidc.minimal } }],
          ]);
          expectOneWinner(session, 'updateRoute', responses, 200, 409);
          const { oauth, oidc } = await getRoute(session, route);
          const got = { oauth, oidc };
          expectThat((oauth === null) !== (oidc === null), 'One of them is there.', { expected: 'one', got });
        }),
      ],
    ),
    extended(
      'routes.race.lost-update',
      'D10',
      AT.createRoute,
      'A route that is created while the edge is changed is there afterwards, and so is the change.',
      [
        forEach('a creation and a change', ROUNDS, async (_, session) => {
          const { id } = await newEdge(session);
          const calls: Race = [
            ['createRoute', { path: { edge_id: id }, json: BARE }],
            ['updateEdge', { path: { id }, json: { description: 'raced' } }],
          ];
          const responses = await atOnce(session, calls);
          for (const [index, [operationId]] of calls.entries())
            expectSuccess(session.implementation, session.operation(operationId), responses[index]!);
          const due = { description: 'raced', routes: [responses[0]!.json] };
          expectSame('One of them was lost', await getEdge(session, id), due);
        }),
      ],
    ),
  ];
}
