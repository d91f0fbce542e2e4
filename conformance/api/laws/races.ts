/** Two changes at once, of which only one can succeed, or both must stay. */
import fc from 'fast-check';
import { expectStatus, refuse } from '../../engine/http/expect-response.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { ROUNDS } from '../../engine/laws/races.ts';
import { forAll, forEach } from '../../engine/laws/law.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { type ApiRequirement, type ApiRule, AT, extended } from '../define.ts';
import {
  type Command,
  createEdge,
  createRoute,
  patchEdge,
  patchRoute,
  readEdge,
} from '../model/commands.ts';
import { runHistory } from '../model/history.ts';
import { type Json, MODULES } from '../modules.ts';
import { routesOf } from '../resources/routes.ts';
import { SWITCH } from './upstream.ts';

/** A law of commands that are sent at once on a new edge. */
interface Race {
  /** The members that the edge has before. */
  before: Command[];
  atOnce: Command[];
}

/** The model explains the responses to commands at once, and what the edge shows after them. */
function race(rule: ApiRule, { before, atOnce }: Race): ApiRequirement {
  // The window may be behind the first request alone: each of them is sent first in turn.
  const rounds = ROUNDS.map((round) => {
    const turned = round % 2 === 0 ? atOnce.toReversed() : atOnce;
    return { before: [createEdge(), ...before], rounds: [turned, [readEdge(0)]] };
  });
  return extended(rule, forEach('both at once', rounds, runHistory));
}

const switchRace = race(
  {
    id: 'edges.race.upstream',
    origin: 'D09',
    clause: AT.conflict,
    sentence:
      'If an edge is changed to pass TLS through while its route is given a module that does ' +
      'not work so, one of the two is refused with 409.',
  },
  { before: [createRoute({})], atOnce: [SWITCH, patchRoute({ compression: {} })] },
);

const switchAndCreate = race(
  {
    id: 'edges.race.upstream-create',
    origin: 'D09',
    clause: AT.conflict,
    sentence:
      'If an edge is changed to pass TLS through while routes with modules that do not work so ' +
      'are created on it, it passes TLS through, or has these routes: the rest gets 409.',
  },
  {
    before: [],
    atOnce: [
      SWITCH,
      createRoute({ match: '/a', compression: {} }),
      createRoute({ match: '/b', circuit_breaker: {} }),
    ],
  },
);

const mutualTlsRace = race(
  {
    id: 'edges.race.mutual-tls',
    origin: 'D09',
    clause: AT.conflict,
    sentence:
      'If an edge is given `mutual_tls` while it is changed to pass TLS through, one of the two ' +
      'is refused with 409.',
  },
  { before: [], atOnce: [SWITCH, patchEdge({ mutual_tls: {} })] },
);

const GONE = 'The edge was deleted.';

/** Deletes an edge while routes are created on it and changed. @param count of the creations */
async function deleteAmongCreations(count: number, session: Session): Promise<void> {
  const steps = new Steps(session, routesOf(session.implementation.contract));
  const place = await steps.place({ items: count + 1 });
  const [first, ...bodies] = place.bodies as [Json, ...Json[]];
  const { path } = place;
  const route = await steps.create(place, first);
  const json = { description: 'changed' };
  const responses = await session.together(() => [
    ...bodies.map((one) => session.call('createRoute', { path, json: one })),
    session.call('updateRoute', { path: route.path, json }),
    session.call('updateEdge', { path, json }),
    session.call('deleteEdge', { path }),
  ]);
  await refuse(session, 'getEdge', { path }, { statuses: [404], why: GONE });
  await steps.expectGone(route, GONE);
  const withoutDeletion = responses.slice(0, -1);
  for (const response of withoutDeletion) {
    expectStatus(response, [200, 201, 404], 'The edge is there, or it is not.');
    await expectRouteGone(session, path, response);
  }
}

/** A route that was created is no longer found. */
async function expectRouteGone(
  session: Session,
  path: Record<string, string>,
  { status, json }: HttpResponse,
): Promise<void> {
  if (status === 201) {
    const { id: route_id } = json as { id: string };
    await refuse(
      session,
      'getRoute',
      { path: { ...path, route_id } },
      { statuses: [404], why: GONE },
    );
  }
}

const deleteRace = extended(
  {
    id: 'edges.race.delete-and-create',
    origin: 'D10',
    clause: AT.deleteEdge,
    sentence:
      'A route that is created or changed while its edge is deleted does not outlive the edge.',
  },
  forAll(
    'a deletion among creations and changes',
    fc.integer({ min: 1, max: 4 }),
    deleteAmongCreations,
  ),
);

const signInRace = race(
  {
    id: 'routes.race.authentication',
    origin: 'D21',
    clause: AT.conflict,
    sentence:
      'If two authentication modules are enabled at once, one of the two is refused with 409.',
  },
  {
    before: [createRoute({})],
    atOnce: [
      patchRoute({ oauth: MODULES.oauth.minimal }),
      patchRoute({ oidc: MODULES.oidc.minimal }),
    ],
  },
);

const lostUpdate = race(
  {
    id: 'routes.race.lost-update',
    origin: 'D10',
    clause: AT.createRoute,
    sentence:
      'After a route is created while its edge is changed, both ' +
      'the route and the change are there.',
  },
  { before: [], atOnce: [createRoute({}), patchEdge({ description: 'raced' })] },
);

export const edgeRaceLaws = [
  switchRace,
  switchAndCreate,
  mutualTlsRace,
  deleteRace,
  signInRace,
  lostUpdate,
];
