/** Requests at once that have to do with each other beyond one edge or route. */
import fc from 'fast-check';
import { expectStatus, refuse } from '../../engine/http/expect-response.ts';
import { forAll, forEach, Steps } from '../../engine/laws/steps.ts';
import { ROUNDS } from '../../engine/laws/races.ts';
import { type ApiRule, AT, extended } from '../define.ts';
import { type Command, createEdge, createRoute, look, patchEdge, patchRoute } from '../model/commands.ts';
import { runHistory, started } from '../model/run.ts';
import { type Json, MODULES } from '../modules.ts';
import { routes } from '../resources/routes.ts';

/** A law of commands at once on an edge with this before: the model explains the responses, and what is there then. */
function race(rule: ApiRule, sentence: string, before: Command[], commands: Command[]) {
  const history = { before: [createEdge(), ...before], rounds: [commands, [look(0)]] };
  const rounds = ROUNDS.map(() => history);
  return extended(
    rule,
    sentence,
    forEach('both at once', rounds, async (one, session) => runHistory(await started(session), one)),
  );
}

const ROUTE = [createRoute({})];

export const raceLaws = [
  race(
    ['edges.race.upstream', 'D09', AT.conflict],
    'Where an edge is switched to upstream while its route is given a module, one of the two is refused with 409.',
    ROUTE,
    [patchEdge({ tls_termination: { terminate_at: 'upstream' } }), patchRoute({ compression: {} })],
  ),
  extended(
    ['edges.race.delete-and-create', 'D10', AT.deleteEdge],
    'A route that is created or changed while its edge is deleted does not outlive the edge.',
    forAll('a deletion among creations and changes', fc.integer({ min: 1, max: 4 }), async (count, session) => {
      const steps = new Steps(session, routes);
      const place = await steps.place({ items: count + 1 });
      const [first, ...bodies] = place.bodies as [Json, ...Json[]];
      const { path } = place;
      const route = await steps.create(place, first);
      const json = { description: 'changed' };
      const responses = await session.together(() => [
        ...bodies.map((body) => session.call('createRoute', { path, json: body })),
        session.call('updateRoute', { path: route.path, json }),
        session.call('updateEdge', { path, json }),
        session.call('deleteEdge', { path }),
      ]);
      const gone = 'The edge was deleted.';
      await refuse(session, 'getEdge', { path }, [404], gone);
      await steps.expectGone(route, gone);
      for (const response of responses.slice(0, -1)) {
        expectStatus(response, [200, 201, 404], 'The edge is there, or it is not.');
        const { id: route_id } = response.json as { id: string };
        if (response.status === 201) await refuse(session, 'getRoute', { path: { ...path, route_id } }, [404], gone);
      }
    }),
  ),
  race(
    ['routes.race.authentication', 'D21', AT.conflict],
    'Where two authentication modules are enabled at once, one of the two is refused with 409.',
    ROUTE,
    [patchRoute({ oauth: MODULES.oauth.minimal }), patchRoute({ oidc: MODULES.oidc.minimal })],
  ),
  race(
    ['routes.race.lost-update', 'D10', AT.createRoute],
    'A route that is created while the edge is changed is there afterwards, and so is the change.',
    [],
    [createRoute({}), patchEdge({ description: 'raced' })],
  ),
];
