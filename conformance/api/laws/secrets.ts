/** Secrets of modules (D27), and scopes that need an app with a secret (D20). */
import { expectThat } from '../../engine/http/nonconformity.ts';
import { createAsSent } from '../../engine/laws/echo.ts';
import { forEach } from '../../engine/laws/law.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import { AT, on } from '../define.ts';
import { type Json, type ModuleName, PROVIDERS } from '../modules.ts';
import { routesOf } from '../resources/routes.ts';
import { refuseChange, refuseCreation } from './refusals.ts';

const law = on(routesOf, 'extended');

function scopesWithoutApp(providers: readonly string[]) {
  return forEach('scopes without an app of one’s own', providers, (name, steps: Steps) => {
    const oauth = { provider: { [name]: { scopes: ['openid'] } } };
    return refuseCreation(steps, { oauth }, 'There are `scopes`, and no `client_id`.');
  });
}

/** The clause that lets the list of scopes be empty only. */
function scopesClause(schema: string): string {
  return `${AT.schemas}/${schema}/else/else/properties/scopes/maxItems`;
}

/** Providers whose scopes the source document binds to an app; the others follow them (D20). */
const IN_SOURCE = 4;

const scopes = law(
  {
    id: 'routes.oauth.scopes',
    origin: 'source §2.8',
    clause: scopesClause('EndpointOAuthGitHubMutate'),
    sentence: '`scopes` may be set only with `client_id` and `client_secret`.',
  },
  scopesWithoutApp(PROVIDERS.slice(0, IN_SOURCE)),
);

const otherScopes = law(
  {
    id: 'routes.oauth.scopes.others',
    origin: 'D20',
    clause: scopesClause('EndpointOAuthBasicMutate'),
    sentence:
      '`scopes` may be set only with `client_id` and `client_secret`, also with the other four ' +
      'providers.',
  },
  scopesWithoutApp(PROVIDERS.slice(IN_SOURCE)),
);

const SECRET = 'correct-horse-battery-staple-9';

interface ModuleWithSecret {
  name: ModuleName;
  value: Json;
}

const MODULES_WITH_SECRET: ModuleWithSecret[] = [
  { name: 'webhook_verification', value: { provider: 'github', secret: SECRET } },
  {
    name: 'oauth',
    value: { provider: { gitlab: { client_id: 'a', client_secret: SECRET } } },
  },
  {
    name: 'oidc',
    value: { issuer: 'https://login.example.com', client_id: 'a', client_secret: SECRET },
  },
];

const secrets = law(
  {
    id: 'routes.secrets',
    origin: 'D27',
    clause: `${AT.schemas}/Secret`,
    sentence: 'Secrets read back as sent, and no refusal shows them.',
  },
  forEach('of each module that has one', MODULES_WITH_SECRET, async ({ name, value }, steps) => {
    const route = await createAsSent({ [name]: value }, steps);
    await steps.expectRead(route, 'The secret reads otherwise');
    const patch = { [name]: { ...value, enabled: 'yes' } };
    const { text: got } = await refuseChange(steps, route, patch, '`enabled` is a text.');
    const expected = 'an error without it';
    expectThat(!got.includes(SECRET), 'An error shows a secret.', { expected, got });
  }),
);

export const secretLaws = [scopes, otherScopes, secrets];
