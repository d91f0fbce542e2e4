/** Modules that sign users in: at most one is enabled on a route (D21), scopes need an app, and secrets stay secret. */
import { expectThat } from '../../engine/http/nonconformity.ts';
import { createAsSent } from '../../engine/laws/echo.ts';
import { forEach, type Steps } from '../../engine/laws/steps.ts';
import { AT, extended, on } from '../define.ts';
import { type Command, createEdge, createRoute, patchRoute } from '../model/commands.ts';
import { runStory } from '../model/run.ts';
import { type Json, type ModuleName, MODULES, PROVIDERS, SIGN_IN } from '../modules.ts';
import { routes } from '../resources/routes.ts';
import { ROUTE_CREATE } from '../values/routes.ts';
import { refuseChange, refuseCreation } from './refusals.ts';

const AT_MOST_ONE = 'At most one of `oauth`';
const CHANGED = { description: 'changed' };

/** Left out, `enabled` is true: saying it and not saying it are the same. */
function enabled(name: ModuleName, said = false): Json {
  return { [name]: { ...MODULES[name].minimal, ...(said ? { enabled: true } : {}) } };
}

function disabled(name: ModuleName): Json {
  return { [name]: { ...MODULES[name].minimal, enabled: false } };
}

/** A story of a new edge for each two of them, in both orders. */
function ofTwo(label: string, storyOf: (there: ModuleName, added: ModuleName) => Command[]) {
  const pairs = SIGN_IN.flatMap((there) =>
    SIGN_IN.filter((name) => name !== there).map((name) => [there, name] as const),
  );
  return forEach(
    label,
    pairs.map((pair) => [createEdge(), ...storyOf(...pair)]),
    runStory,
  );
}

const oneEnabledLaws = [
  extended(
    ['routes.authentication.one-request', 'D21', `${ROUTE_CREATE}/if`, AT_MOST_ONE],
    'Two of `oauth`, `saml` and `oidc` that are enabled in one request are refused with 400.',
    ...['neither', 'one', 'both'].map((who) =>
      ofTwo(`two enabled, of which ${who} says it`, (there, added) => {
        const two = { ...enabled(there, who !== 'neither'), ...enabled(added, who === 'both') };
        return [createRoute(two), createRoute({}), patchRoute({ ...two, ...CHANGED })];
      }),
    ),
  ),
  extended(
    ['routes.authentication.stored', 'D21', AT.conflict, AT_MOST_ONE, '| 409 | `conflict`'],
    'Enabling one of `oauth`, `saml` and `oidc` beside another that is enabled is refused with 409, and changes nothing.',
    ofTwo('beside an enabled one', (there, added) => [
      createRoute(enabled(there)),
      ...[false, true].map((said) => patchRoute({ ...enabled(added, said), ...CHANGED })),
    ]),
    ofTwo('beside one that a change enabled, until another change takes it away', (there, added) => [
      ...[createRoute({}), patchRoute(enabled(there)), patchRoute({ ...enabled(added), ...CHANGED })],
      ...[patchRoute({ [there]: null }), patchRoute(enabled(added)), patchRoute({ ...enabled(there), ...CHANGED })],
    ]),
    ofTwo('enabling one that is there', (there, added) => [
      createRoute({ ...enabled(there, true), ...disabled(added) }),
      patchRoute(enabled(added, true)),
    ]),
  ),
  extended(
    ['routes.authentication.disabled', 'D21', AT.updateRoute, AT_MOST_ONE],
    'One of them may be enabled beside others that are disabled.',
    forEach(
      'in one request',
      SIGN_IN.map((name) => [
        createEdge(),
        createRoute(Object.assign({}, ...SIGN_IN.map(disabled), enabled(name, true)) as Json),
      ]),
      runStory,
    ),
    ofTwo('one after the other', (there, added) => [createRoute(disabled(there)), patchRoute(enabled(added))]),
    ofTwo('a disabled one beside an enabled one', (there, added) => [
      createRoute(enabled(there)),
      patchRoute(disabled(added)),
    ]),
  ),
];

const law = on(routes, 'extended');

const SECRET = 'correct-horse-battery-staple-9';

const SECRETS: [ModuleName, Json][] = [
  ['webhook_verification', { provider: 'github', secret: SECRET }],
  ['oauth', { provider: { gitlab: { client_id: 'a', client_secret: SECRET } } }],
  ['oidc', { issuer: 'https://login.example.com', client_id: 'a', client_secret: SECRET }],
];

function scopesWithoutApp(providers: readonly string[]) {
  return forEach('scopes without an app of one’s own', providers, (name, steps: Steps) => {
    const oauth = { provider: { [name]: { scopes: ['openid'] } } };
    return refuseCreation(steps, { oauth }, 'There are `scopes`, and no `client_id`.');
  });
}

const scopesOf = (schema: string) => `${AT.schemas}/${schema}/else/else/properties/scopes/maxItems`;

export const signInLaws = [
  law(
    ['routes.oauth.scopes', 'source §2.8', scopesOf('EndpointOAuthGitHubMutate')],
    '`scopes` may be set only with `client_id` and `client_secret`.',
    scopesWithoutApp(PROVIDERS.slice(0, 4)),
  ),
  law(
    ['routes.oauth.scopes.others', 'D20', scopesOf('EndpointOAuthBasicMutate')],
    '`scopes` may be set only with `client_id` and `client_secret`, also with the other four providers.',
    scopesWithoutApp(PROVIDERS.slice(4)),
  ),
  law(
    ['routes.secrets', 'D27', `${AT.schemas}/Secret`],
    'Secrets read back as sent, and no refusal shows them.',
    forEach('of each module that has one', SECRETS, async ([name, value], steps) => {
      const item = await createAsSent({ [name]: value }, steps);
      await steps.expectRead(item, 'The secret reads otherwise');
      const patch = { [name]: { ...value, enabled: 'yes' } };
      const { text: got } = await refuseChange(steps, item, patch, '`enabled` is a text.');
      expectThat(!got.includes(SECRET), 'An error shows a secret.', { expected: 'an error without it', got });
    }),
  ),
  ...oneEnabledLaws,
];
