/** Modules that sign users in: at most one is enabled on a route (D21), scopes need an app, and secrets stay secret. */
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import { forEach } from '../../engine/laws/law.ts';
import type { Property } from '../../engine/requirements/requirement.ts';
import { AT, extended } from '../define.ts';
import { shownRoute } from '../model/shown.ts';
import { type Json, type ModuleName, MODULES, SIGN_IN } from '../modules.ts';
import { expectShown, expectTaken, getRoute, newRoute, pathOf, refuseChange, refuseRoute } from '../steps.ts';
import { ROUTE_CREATE } from '../values/routes.ts';
import { expectModules } from './modules.ts';

const AT_MOST_ONE = 'At most one of `oauth`';

/** Left out, `enabled` is true: saying it and not saying it are the same. */
function enabled(name: ModuleName, said = false): Json {
  return { [name]: { ...MODULES[name].minimal, ...(said ? { enabled: true } : {}) } };
}

function disabled(name: ModuleName): Json {
  return { [name]: { ...MODULES[name].minimal, enabled: false } };
}

const ORDERED = SIGN_IN.flatMap((there) => SIGN_IN.filter((name) => name !== there).map((added) => ({ there, added })));
const TWO_ENABLED = ORDERED.filter(({ there, added }) => there < added).flatMap(({ there, added }) =>
  [false, true].flatMap((first) =>
    [false, true].map((second) => ({ ...enabled(there, first), ...enabled(added, second) })),
  ),
);

/** A route with some modules shows what it must once it is changed. */
async function expectChanged(session: Session, modules: Json, patch: Json): Promise<void> {
  await expectTaken(session, await newRoute(session, modules), modules, patch);
}

const TWO = 'Two authentication modules are enabled.';
const ANOTHER = 'Another one is enabled.';

const oneEnabledLaws = [
  extended(
    ['routes.authentication.one-request', 'D21', `${ROUTE_CREATE}/if`, AT_MOST_ONE],
    'Two of `oauth`, `saml` and `oidc` that are enabled in one request are refused with 400.',
    forEach('two enabled', TWO_ENABLED, (modules, session) => refuseRoute(session, modules, TWO)),
    forEach('two enabled by a change', TWO_ENABLED, async (modules, session) =>
      refuseChange(session, await newRoute(session), { ...modules, description: 'changed' }, TWO),
    ),
  ),
  extended(
    ['routes.authentication.stored', 'D21', AT.conflict, AT_MOST_ONE, '| 409 | `conflict`'],
    'Enabling one of `oauth`, `saml` and `oidc` beside another that is enabled is refused with 409, and changes nothing.',
    forEach('beside an enabled one', ORDERED, async ({ there, added }, session) => {
      const route = await newRoute(session, enabled(there));
      for (const patch of [enabled(added), enabled(added, true)])
        await refuseChange(session, route, { ...patch, description: 'changed' }, ANOTHER, 409);
    }),
    forEach('enabling one that is there', ORDERED, async ({ there, added }, session) => {
      const route = await newRoute(session, { ...enabled(there, true), ...disabled(added) });
      await refuseChange(session, route, enabled(added, true), ANOTHER, 409);
    }),
  ),
  extended(
    ['routes.authentication.disabled', 'D21', AT.updateRoute, AT_MOST_ONE],
    'One of them may be enabled beside others that are disabled.',
    forEach('in one request', SIGN_IN, (name, session) =>
      expectModules(session, Object.assign({}, ...SIGN_IN.map(disabled), enabled(name, true)) as Json),
    ),
    forEach('one after the other', ORDERED, ({ there, added }, session) =>
      expectChanged(session, disabled(there), enabled(added)),
    ),
    forEach('a disabled one beside an enabled one', ORDERED, ({ there, added }, session) =>
      expectChanged(session, enabled(there), disabled(added)),
    ),
  ),
];

const SECRET = 'correct-horse-battery-staple-9';

const SECRETS: [ModuleName, Json][] = [
  ['webhook_verification', { provider: 'github', secret: SECRET }],
  ['oauth', { provider: { gitlab: { client_id: 'a', client_secret: SECRET } } }],
  ['oidc', { issuer: 'https://login.example.com', client_id: 'a', client_secret: SECRET }],
];

function scopesWithoutApp(...providers: string[]): Property[] {
  return forEach('scopes without an app of one’s own', providers, (name, session) => {
    const oauth = { provider: { [name]: { scopes: ['openid'] } } };
    return refuseRoute(session, { oauth }, 'There are `scopes`, and no `client_id`.');
  });
}

const scopesOf = (schema: string) => `${AT.schemas}/${schema}/else/else/properties/scopes/maxItems`;

export const signInLaws = [
  extended(
    ['routes.oauth.scopes', 'source §2.8', scopesOf('EndpointOAuthGitHubMutate')],
    '`scopes` may be set only with `client_id` and `client_secret`.',
    scopesWithoutApp('github', 'facebook', 'microsoft', 'google'),
  ),
  extended(
    ['routes.oauth.scopes.others', 'D20', scopesOf('EndpointOAuthBasicMutate')],
    '`scopes` may be set only with `client_id` and `client_secret`, also with the other four providers.',
    scopesWithoutApp('linkedin', 'gitlab', 'twitch', 'amazon'),
  ),
  extended(
    ['routes.secrets', 'D27', `${AT.schemas}/Secret`],
    'Secrets read back as sent, and no refusal shows them.',
    forEach('of each module that has one', SECRETS, async ([name, value], session) => {
      const route = await newRoute(session, { [name]: value });
      expectShown('A secret is not what was sent', await getRoute(session, route), shownRoute({ [name]: value }));
      const input = { path: pathOf(route), json: { [name]: { ...value, enabled: 'yes' } } };
      const { text: got } = await refuse(session, 'updateRoute', input, [400], '`enabled` is a text.');
      expectThat(!got.includes(SECRET), 'An error shows a secret.', { expected: 'an error without it', got });
    }),
  ),
  ...oneEnabledLaws,
];
