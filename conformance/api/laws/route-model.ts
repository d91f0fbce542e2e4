/** Sequences of commands on the routes of one edge, against a model: few matches and few modules, so that they collide. */
import fc from 'fast-check';
import type { Session } from '../../engine/http/session.ts';
import type { Json } from '../model/route.ts';
import type { RouteCommand } from '../model/route-command.ts';
import { RoutesModel } from '../model/routes.ts';
import { runRouteCommand } from '../model/run-routes.ts';
import { AT, each, extended, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { newEdge } from '../route-steps.ts';
import { FORMS } from '../values/route-values.ts';

const match = fc.constantFrom('/', '/a', 'a.example');
const match_type = fc.constantFrom('path_prefix', 'exact_path');
/** One authentication module at most, so that a body alone breaks no rule (D21): two meet in the route. */
const modules: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  {},
  { backend: FORMS.backend.bare },
  { backend: FORMS.backend.full, ip_restriction: FORMS.ip_restriction.full },
  { compression: {} },
  { circuit_breaker: FORMS.circuit_breaker.full },
  { oauth: FORMS.oauth.bare },
  { oidc: FORMS.oidc.bare },
  { oidc: FORMS.oidc.full, description: 'disabled' },
);
const changes: fc.Arbitrary<Json> = fc.oneof(
  modules,
  fc.record({ match, match_type }, { requiredKeys: [] }),
  fc.constantFrom<Json>(
    { compression: null },
    { circuit_breaker: {} },
    { oauth: null },
    { oauth: null, oidc: FORMS.oidc.bare },
    { oidc: null, oauth: FORMS.oauth.bare },
    { description: null, metadata: 'changed' },
    { backend: null, ip_restriction: null },
  ),
);
const route = fc.nat({ max: 3 });

const COMMANDS: fc.Arbitrary<RouteCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(match, match_type, modules)
      .map(([path, type, rest]) => ({ do: 'create' as const, body: { match_type: type, match: path, ...rest } })),
  },
  { weight: 1, arbitrary: route.map((index) => ({ do: 'read' as const, route: index })) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('patch' as const), route, patch: changes }) },
  { weight: 1, arbitrary: route.map((index) => ({ do: 'delete' as const, route: index })) },
  { weight: 2, arbitrary: fc.boolean().map((upstream) => ({ do: 'switch' as const, upstream })) },
  { weight: 1, arbitrary: fc.constant({ do: 'read edge' as const }) },
);

const create = (path: string, more: Json = {}): RouteCommand => ({
  do: 'create',
  body: { match_type: 'path_prefix', match: path, ...more },
});
const patch = (index: number, change: Json): RouteCommand => ({ do: 'patch', route: index, patch: change });
const remove = (index: number): RouteCommand => ({ do: 'delete', route: index });
const SWITCH: RouteCommand = { do: 'switch', upstream: true };
const BACK: RouteCommand = { do: 'switch', upstream: false };
const LOOK: RouteCommand = { do: 'read edge' };

/** What one step does to the next but one: chance takes these ways too seldom. */
const STORIES: RouteCommand[][] = [
  // A match is left, taken by another route, and free again.
  [
    create('/'),
    patch(0, { match: '/a' }),
    create('/'),
    patch(0, { match: '/' }),
    remove(1),
    patch(0, { match: '/' }),
    create('/a'),
  ],
  // A refused change leaves nothing behind for the next one.
  [
    create('/', { oauth: FORMS.oauth.bare }),
    patch(0, { oidc: FORMS.oidc.bare, description: 'refused' }),
    patch(0, { metadata: 'next' }),
    LOOK,
    patch(0, { oauth: null }),
    LOOK,
  ],
  // Places move, ids do not.
  [
    create('/'),
    create('/a'),
    create('a.example'),
    remove(0),
    remove(1),
    LOOK,
    create('/b'),
    remove(2),
    LOOK,
    remove(0),
    remove(3),
  ],
  // There and back.
  [
    create('/', { backend: FORMS.backend.full, ip_restriction: FORMS.ip_restriction.full }),
    SWITCH,
    LOOK,
    create('/a'),
    create('/b', { compression: {} }),
    patch(1, { backend: FORMS.backend.bare }),
    patch(0, { compression: {} }),
    BACK,
    LOOK,
    patch(0, { compression: {} }),
    SWITCH,
    patch(0, { compression: null }),
    SWITCH,
    LOOK,
  ],
  // One after the other, and one beside another that is disabled.
  [
    create('/', { oidc: FORMS.oidc.full }),
    patch(0, { oauth: FORMS.oauth.bare }),
    LOOK,
    patch(0, { oidc: FORMS.oidc.bare }),
    patch(0, { oauth: null }),
    patch(0, { oidc: FORMS.oidc.bare }),
    LOOK,
  ],
  // Every pair of match and match type.
  [
    ...['/', '/a', 'a.example'].flatMap((path) => [create(path), create(path, { match_type: 'exact_path' })]),
    LOOK,
    create('/a'),
    patch(5, { match: '/' }),
    remove(4),
    patch(5, { match_type: 'path_prefix' }),
    LOOK,
  ],
  // Several changes, each of its own.
  [
    create('/', { compression: {} }),
    patch(0, { backend: FORMS.backend.bare }),
    patch(0, { circuit_breaker: {} }),
    patch(0, { compression: null }),
    patch(0, { description: null, metadata: 'changed' }),
    LOOK,
  ],
];

export function routeModelLaws(): Requirement[] {
  return [
    extended(
      'routes.model',
      {
        origin: 'D10',
        clause: AT.createRoute,
        sentence:
          'Whatever is created, changed, deleted and read in whatever order: the routes of the edge are those that result.',
      },
      [
        each('sequences of commands', fc.array(COMMANDS, { minLength: 1, maxLength: 30, size: 'max' }), run),
        oneOf('sequences that tend to go wrong', STORIES, run),
      ],
    ),
  ];
}

async function run(commands: RouteCommand[], session: Session): Promise<void> {
  const { id } = await newEdge(session);
  const ground = { session, edge_id: id, model: new RoutesModel(), ids: [] };
  for (const command of commands) await runRouteCommand(ground, command);
  await runRouteCommand(ground, LOOK);
}
