/** Requests at once that have to do with each other beyond one edge or route. */
import fc from 'fast-check';
import { expectSuccess, refuse } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { forAll, forEach } from '../../engine/laws/law.ts';
import { expectOneWinner, ROUNDS } from '../../engine/laws/races.ts';
import { AT, extended } from '../define.ts';
import { type Json, MODULES } from '../modules.ts';
import { getEdge, getRoute, newEdge, newRoute, pathOf } from '../steps.ts';
import { BARE } from '../values/routes.ts';

type Race = [operationId: string, input: CallInput][];

function atOnce(session: Session, calls: Race) {
  return session.together(() => calls.map(([operationId, input]) => session.call(operationId, input)));
}

export const raceLaws = [
  extended(
    ['edges.race.upstream', 'D09', AT.conflict],
    'Where an edge is switched to upstream while its route is given a module, one of the two is refused with 409.',
    forEach('an edge and its route', ROUNDS, async (_, session) => {
      const route = await newRoute(session);
      const responses = await atOnce(session, [
        ['updateEdge', { path: { edge_id: route.edge_id }, json: { tls_termination: { terminate_at: 'upstream' } } }],
        ['updateRoute', { path: pathOf(route), json: { compression: {} } }],
      ]);
      const statuses = responses.map(({ status }) => status);
      expectSame('Exactly one of them wins', statuses.toSorted(), [200, 409]);
      const edge = await getEdge(session, route.edge_id);
      const [{ compression }] = edge['routes'] as [Json];
      const { terminate_at } = (edge['tls_termination'] ?? {}) as Json;
      const got = [terminate_at === 'upstream', compression === null];
      const switched = statuses[0] === 200;
      expectSame('The edge and its route are not what the responses say', got, [switched, switched]);
    }),
  ),
  extended(
    ['edges.race.delete-and-create', 'D10', AT.deleteEdge],
    'A route that is created while its edge is deleted does not outlive the edge.',
    forAll('a deletion among creations', fc.integer({ min: 1, max: 4 }), async (count, session) => {
      const { id: edge_id } = await newEdge(session);
      const creations = Array.from({ length: count }, (_, index): Race[number] => [
        'createRoute',
        { path: { edge_id }, json: { ...BARE, match: `/${index}` } },
      ]);
      const responses = await atOnce(session, [...creations, ['deleteEdge', { path: { edge_id } }]]);
      const gone = 'The edge was deleted.';
      await refuse(session, 'getEdge', { path: { edge_id } }, [404], gone);
      for (const { status: got, json } of responses.slice(0, -1)) {
        expectThat([201, 404].includes(got), 'The edge is there, or it is not.', { expected: '201 or 404', got });
        const { id } = json as { id: string };
        if (got === 201) await refuse(session, 'getRoute', { path: { edge_id, route_id: id } }, [404], gone);
      }
    }),
  ),
  extended(
    ['routes.race.authentication', 'D21', AT.conflict],
    'Where two authentication modules are enabled at once, one of the two is refused with 409.',
    forEach('two modules', ROUNDS, async (_, session) => {
      const route = await newRoute(session);
      const responses = await atOnce(session, [
        ['updateRoute', { path: pathOf(route), json: { oauth: MODULES.oauth.minimal } }],
        ['updateRoute', { path: pathOf(route), json: { oidc: MODULES.oidc.minimal } }],
      ]);
      expectOneWinner(session, 'updateRoute', responses, 200, 409);
      const { oauth, oidc } = await getRoute(session, route);
      const got = { oauth, oidc };
      expectThat((oauth === null) !== (oidc === null), 'One of them is there.', { expected: 'one', got });
    }),
  ),
  extended(
    ['routes.race.lost-update', 'D10', AT.createRoute],
    'A route that is created while the edge is changed is there afterwards, and so is the change.',
    forEach('a creation and a change', ROUNDS, async (_, session) => {
      const { id } = await newEdge(session);
      const calls: Race = [
        ['createRoute', { path: { edge_id: id }, json: BARE }],
        ['updateEdge', { path: { edge_id: id }, json: { description: 'raced' } }],
      ];
      const responses = await atOnce(session, calls);
      for (const [index, [operationId]] of calls.entries())
        expectSuccess(session.implementation, session.operation(operationId), responses[index]!);
      const due = { description: 'raced', routes: [responses[0]!.json] };
      expectSame('One of them was lost', await getEdge(session, id), due);
    }),
  ),
];
