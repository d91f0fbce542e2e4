/** At most one of `oauth`, `saml` and `oidc` is enabled on a route (D21). */
import { forEach } from '../../engine/laws/law.ts';
import type { Session } from '../../engine/http/session.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type Json, patched, shownRoute } from '../model/route.ts';
import {
  conflict,
  expectRoutes,
  expectShown,
  newEdge,
  newRoute,
  patchRoute,
  type RouteResponse,
} from '../route-steps.ts';
import { BARE, ROUTE_CREATE } from '../values/route-values.ts';
import { AT, extended } from './law.ts';
import { MODULES, SIGN_IN } from '../modules.ts';

type Name = (typeof SIGN_IN)[number];

/** Left out, `enabled` is true: saying it and not saying it are the same. */
function enabled(name: Name, said = false): Json {
  return { [name]: { ...MODULES[name].minimal, ...(said ? { enabled: true } : {}) } };
}

function disabled(name: Name): Json {
  return { [name]: { ...MODULES[name].minimal, enabled: false } };
}

const ORDERED = SIGN_IN.flatMap((there) => SIGN_IN.filter((name) => name !== there).map((added) => ({ there, added })));
const TWO_ENABLED = ORDERED.filter(({ there, added }) => there < added).flatMap(({ there, added }) =>
  [false, true].flatMap((first) =>
    [false, true].map((second) => ({ ...enabled(there, first), ...enabled(added, second) })),
  ),
);

const TWO = 'Two authentication modules are enabled.';
const DONE = 'A refused change changed something';

async function expectConflicts(session: Session, route: RouteResponse, patches: Json[]): Promise<void> {
  const path = { edge_id: route.edge_id, id: route.id };
  for (const patch of patches) await conflict(session, 'updateRoute', path, patch, 'Another one is enabled.');
  await expectRoutes(session, route.edge_id, [route], DONE);
}

/** A route with some modules, and what it shows once it is changed. */
async function expectTaken(session: Session, modules: Json, patch: Json): Promise<void> {
  const route = await newRoute(session, modules);
  const due = patched(shownRoute({ ...BARE, ...modules }), patch);
  expectShown('The change is not there', await patchRoute(session, route, patch), due);
}

export function authenticationLaws(): Requirement[] {
  return [
    extended(
      'routes.authentication.one-request',
      'D21',
      `${ROUTE_CREATE}/allOf`,
      'Two of `oauth`, `saml` and `oidc` that are enabled in one request are refused with 400.',
      [
        forEach('two enabled', TWO_ENABLED, async (modules, session) => {
          const { id } = await newEdge(session);
          await refuse(session, 'createRoute', { path: { edge_id: id }, json: { ...BARE, ...modules } }, [400], TWO);
          await expectRoutes(session, id, [], 'A refused route is there');
        }),
        forEach('two enabled by a change', TWO_ENABLED, async (modules, session) => {
          const route = await newRoute(session);
          const path = { edge_id: route.edge_id, id: route.id };
          await refuse(session, 'updateRoute', { path, json: { ...modules, description: 'changed' } }, [400], TWO);
          await expectRoutes(session, route.edge_id, [route], DONE);
        }),
      ],
    ),
    extended(
      'routes.authentication.stored',
      'D21',
      AT.conflict,
      'Enabling one of `oauth`, `saml` and `oidc` beside another that is enabled is refused with 409, and changes nothing.',
      [
        forEach('beside an enabled one', ORDERED, async ({ there, added }, session) => {
          const patches = [enabled(added), enabled(added, true)].map((one) => ({ ...one, description: 'changed' }));
          await expectConflicts(session, await newRoute(session, enabled(there)), patches);
        }),
        forEach('enabling one that is there', ORDERED, async ({ there, added }, session) => {
          const route = await newRoute(session, { ...enabled(there, true), ...disabled(added) });
          await expectConflicts(session, route, [enabled(added, true)]);
        }),
      ],
    ),
    extended(
      'routes.authentication.disabled',
      'D21',
      AT.updateRoute,
      'One of them may be enabled beside others that are disabled.',
      [
        forEach('in one request', SIGN_IN, async (name, session) => {
          const modules = Object.assign({}, ...SIGN_IN.map(disabled), enabled(name, true)) as Json;
          const due = shownRoute({ ...BARE, ...modules });
          expectShown('The modules are not what was sent', await newRoute(session, modules), due);
        }),
        forEach('one after the other', ORDERED, ({ there, added }, session) =>
          expectTaken(session, disabled(there), enabled(added)),
        ),
        forEach('a disabled one beside an enabled one', ORDERED, ({ there, added }, session) =>
          expectTaken(session, enabled(there), disabled(added)),
        ),
      ],
    ),
  ];
}
