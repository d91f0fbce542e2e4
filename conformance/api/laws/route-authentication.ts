/** At most one of `oauth`, `saml` and `oidc` is enabled on a route (D21). */
import { AUTHENTICATION, type Json, patched, shownRoute } from '../model/route.ts';
import { AT, type Cases, extended, type Law, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { conflict, expectRoutes, expectShown, newEdge, newRoute, patchRoute } from '../route-steps.ts';
import { BARE, FORMS, ROUTE_CREATE } from '../values/route-values.ts';
import { refuse } from '../steps.ts';

type Name = (typeof AUTHENTICATION)[number];

const PAIRS: (readonly [Name, Name])[] = [
  ['oauth', 'saml'],
  ['oauth', 'oidc'],
  ['saml', 'oidc'],
];

/** Left out, `enabled` is true: saying it and not saying it are the same. */
function enabled(name: Name, said: boolean): Json {
  return { ...FORMS[name].bare, ...(said ? { enabled: true } : {}) };
}

function disabled(name: Name): Json {
  return { ...FORMS[name].bare, enabled: false };
}

function law(name: string, rule: Pick<Law, 'clause' | 'sentence'>, properties: Cases): Requirement {
  return extended(`routes.authentication.${name}`, { origin: 'D21', ...rule }, properties);
}

const BOTH = PAIRS.flatMap((pair) =>
  [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ].map((said) => ({ pair, said })),
);
const ORDERED = AUTHENTICATION.flatMap((there) =>
  AUTHENTICATION.filter((name) => name !== there).map((added) => ({ there, added })),
);

export function routeAuthenticationLaws(): Requirement[] {
  return [
    law(
      'one-request',
      {
        clause: `${ROUTE_CREATE}/allOf`,
        sentence: 'Two of `oauth`, `saml` and `oidc` that are enabled in one request are refused with 400.',
      },
      [
        oneOf('two enabled', BOTH, async ({ pair: [one, other], said: [first, second] }, session) => {
          const { id } = await newEdge(session);
          const json = { ...BARE, [one]: enabled(one, first!), [other]: enabled(other, second!) };
          await refuse(
            session,
            'createRoute',
            { path: { edge_id: id }, json },
            [400],
            'Two authentication modules are enabled.',
          );
          await expectRoutes(session, id, [], 'A refused route is there');
        }),
        oneOf('two enabled by a change', BOTH, async ({ pair: [one, other], said: [first, second] }, session) => {
          const route = await newRoute(session);
          const json = { [one]: enabled(one, first!), [other]: enabled(other, second!), description: 'changed' };
          await refuse(
            session,
            'updateRoute',
            { path: { edge_id: route.edge_id, id: route.id }, json },
            [400],
            'Two authentication modules are enabled.',
          );
          await expectRoutes(session, route.edge_id, [route], 'A refused change changed something');
        }),
      ],
    ),
    law(
      'stored',
      {
        clause: AT.conflict,
        sentence:
          'Enabling one of `oauth`, `saml` and `oidc` beside another that is enabled is refused with 409, and changes nothing.',
      },
      [
        oneOf('beside an enabled one', ORDERED, async ({ there, added }, session) => {
          const route = await newRoute(session, { [there]: enabled(there, false) });
          const path = { edge_id: route.edge_id, id: route.id };
          for (const said of [false, true]) {
            await conflict(
              session,
              'updateRoute',
              { path, json: { [added]: enabled(added, said), description: 'changed' } },
              'conflict',
              `\`${there}\` is enabled.`,
            );
          }
          await expectRoutes(session, route.edge_id, [route], 'A refused change changed something');
        }),
        oneOf('enabling one that is there', ORDERED, async ({ there, added }, session) => {
          const route = await newRoute(session, { [there]: enabled(there, true), [added]: disabled(added) });
          const path = { edge_id: route.edge_id, id: route.id };
          await conflict(
            session,
            'updateRoute',
            { path, json: { [added]: enabled(added, true) } },
            'conflict',
            `\`${there}\` is enabled.`,
          );
          await expectRoutes(session, route.edge_id, [route], 'A refused change changed something');
        }),
      ],
    ),
    law(
      'disabled',
      { clause: AT.updateRoute, sentence: 'One of them may be enabled beside others that are disabled.' },
      [
        oneOf('in one request', AUTHENTICATION, async (name, session) => {
          const modules = {
            ...Object.fromEntries(AUTHENTICATION.map((one) => [one, disabled(one)])),
            [name]: enabled(name, true),
          };
          expectShown(
            'The modules are not what was sent',
            await newRoute(session, modules),
            shownRoute({ ...BARE, ...modules }),
          );
        }),
        oneOf('one after the other', ORDERED, async ({ there, added }, session) => {
          const body = { ...BARE, [there]: disabled(there) };
          const route = await newRoute(session, body);
          const patch = { [added]: enabled(added, false) };
          expectShown(
            'The change is not there',
            await patchRoute(session, route, patch),
            patched(shownRoute(body), patch),
          );
        }),
        oneOf('a disabled one beside an enabled one', ORDERED, async ({ there, added }, session) => {
          const body = { ...BARE, [there]: enabled(there, false) };
          const route = await newRoute(session, body);
          const patch = { [added]: disabled(added) };
          expectShown(
            'The change is not there',
            await patchRoute(session, route, patch),
            patched(shownRoute(body), patch),
          );
        }),
      ],
    ),
  ];
}
