/** Scopes of OAuth providers, and secrets. */
import { expectThat } from '../../engine/http/nonconformity.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import { forEach } from '../../engine/laws/law.ts';
import type { Cases } from '../../engine/laws/law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type Json, shownRoute } from '../model/route.ts';
import { expectShown, getRoute, newEdge, newRoute } from '../route-steps.ts';
import { BARE } from '../values/route-values.ts';
import { AT, extended } from './law.ts';
import type { ModuleName } from '../modules.ts';

const SECRET = 'correct-horse-battery-staple-9';

const SECRETS: [ModuleName, Json][] = [
  ['webhook_verification', { provider: 'github', secret: SECRET }],
  ['oauth', { provider: { gitlab: { client_id: 'a', client_secret: SECRET } } }],
  ['oidc', { issuer: 'https://login.example.com', client_id: 'a', client_secret: SECRET }],
];

function scopesWithoutApp(providers: readonly string[]): Cases {
  return [
    forEach('scopes without an app of one’s own', providers, async (name, session) => {
      const { id } = await newEdge(session);
      const json = { ...BARE, oauth: { provider: { [name]: { scopes: ['openid'] } } } };
      const why = 'There are `scopes`, and no `client_id`.';
      await refuse(session, 'createRoute', { path: { edge_id: id }, json }, [400], why);
    }),
  ];
}

export function signInLaws(): Requirement[] {
  return [
    extended(
      'routes.oauth.scopes',
      'source §2.8',
      `${AT.schemas}/EndpointOAuthGitHubMutate/else/properties/scopes/maxItems`,
      '`scopes` may be set only with `client_id` and `client_secret`.',
      scopesWithoutApp(['github', 'facebook', 'microsoft', 'google']),
    ),
    extended(
      'routes.oauth.scopes.others',
      'D20',
      `${AT.schemas}/EndpointOAuthOtherMutate/else/properties/scopes/maxItems`,
      '`scopes` may be set only with `client_id` and `client_secret`, also with the other four providers.',
      scopesWithoutApp(['linkedin', 'gitlab', 'twitch', 'amazon']),
    ),
    extended('routes.secrets', 'D27', `${AT.schemas}/Secret`, 'Secrets read back as sent, and no refusal shows them.', [
      forEach('of each module that has one', SECRETS, async ([name, value], session) => {
        const route = await newRoute(session, { [name]: value });
        expectShown('A secret is not what was sent', await getRoute(session, route), shownRoute({ [name]: value }));
        const path = { edge_id: route.edge_id, id: route.id };
        const json = { [name]: { ...value, enabled: 'yes' } };
        const response = await refuse(session, 'updateRoute', { path, json }, [400], '`enabled` is a text.');
        expectThat(!response.text.includes(SECRET), 'An error shows a secret.', {
          expected: 'an error without it',
          got: response.text,
        });
      }),
    ]),
  ];
}
