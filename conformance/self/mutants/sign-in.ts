/** The modules that sign users in are not what was sent. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { problem } from '../mutate/response.ts';
import { after, type Mutate } from '../mutate/mutate.ts';
import { isObject, jsonIn, type Json } from '../mutate/request.ts';
import { keepingField, keepingPart, refusingPart, ROUTE_WRITES, showingField, showingPart } from '../mutate/route.ts';
import { unique, without } from '../mutate/values.ts';

const mutant = mutantsOf('sign-in');

const OAUTH = 'routes.module.oauth';
const SAML = 'routes.module.saml';
const OIDC = 'routes.module.oidc';
const SCOPES = 'routes.oauth.scopes';
const OTHERS = 'routes.oauth.scopes.others';

const ALL = ['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'];

/** Changes what is sent for some providers. */
const apps = (change: (app: Json) => unknown, ...names: string[]) =>
  keepingField('oauth', 'provider', (provider) =>
    isObject(provider)
      ? Object.fromEntries(
          Object.entries(provider).map(([name, app]) => [
            name,
            isObject(app) && (names.length === 0 || names.includes(name)) ? change(app) : app,
          ]),
        )
      : provider,
  );

const appTexts = (property: string, change: (items: any[]) => unknown, ...names: string[]) =>
  apps((app) => (Array.isArray(app[property]) ? { ...app, [property]: change(app[property]) } : app), ...names);

const lower = (items: any[]) => items.map((item) => (typeof item === 'string' ? item.toLowerCase() : item));

const shownApps = (change: (app: Json) => unknown) =>
  showingField('oauth', 'provider', (provider: Json) =>
    Object.fromEntries(Object.entries(provider).map(([name, app]) => [name, isObject(app) ? change(app) : app])),
  );

/** Scopes without an app of one's own. */
const hasLooseScopes = (app: unknown): app is Json =>
  isObject(app) && app['scopes'] !== undefined && app['client_id'] === undefined && app['client_secret'] === undefined;

const dropsScopes = (...names: string[]) =>
  apps((app) => (hasLooseScopes(app) ? without(app, 'scopes') : app), ...names);

const looseScopesAre = (status: number, code: string, names: string[]): Mutate =>
  after(ROUTE_WRITES, (response, request) => {
    const body = jsonIn(request);
    const provider = isObject(body) && isObject(body['oauth']) ? body['oauth']['provider'] : undefined;
    return response.status === 400 && isObject(provider) && names.some((name) => hasLooseScopes(provider[name]))
      ? problem(status, code)
      : response;
  });

const issuer = (change: (url: string) => string) =>
  keepingField('oidc', 'issuer', (url) => (typeof url === 'string' ? change(url) : url));

function normalised(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

export const signIn: Mutant[] = [
  mutant(
    'oauth-request-form',
    OAUTH,
    'Only the provider that was sent is shown, and not the seven others as null.',
    showingField('oauth', 'provider', (provider: Json) =>
      Object.fromEntries(Object.entries(provider).filter(([, app]) => app !== null)),
    ),
  ),
  mutant(
    'oauth-provider-name',
    OAUTH,
    'The provider is shown as a name.',
    showingField('oauth', 'provider', (provider: Json) =>
      Object.keys(provider).find((name) => provider[name] !== null),
    ),
  ),
  mutant(
    'oauth-providers-empty',
    OAUTH,
    'Providers that are not set are shown as empty objects.',
    showingField('oauth', 'provider', (provider: Json) =>
      Object.fromEntries(Object.entries(provider).map(([name, app]) => [name, app ?? {}])),
    ),
  ),
  mutant(
    'oauth-managed-app',
    OAUTH,
    'Without an app of one’s own, the id of the service’s is shown.',
    shownApps((app) => ({ ...app, client_id: app['client_id'] ?? 'managed' })),
  ),
  mutant(
    'oauth-null-left-out',
    OAUTH,
    'A `client_id` that is null is left out.',
    shownApps((app) => (app['client_id'] === null ? without(app, 'client_id', 'client_secret') : app)),
  ),
  ...ALL.map((name) =>
    mutant(
      `oauth-${name}-lists-lost`,
      OAUTH,
      `With \`${name}\`, lists of email addresses and domains are not kept.`,
      apps((app) => without(app, 'email_addresses', 'email_domains'), name),
    ),
  ),
  ...ALL.map((name) =>
    mutant(
      `oauth-${name}-app-lost`,
      OAUTH,
      `With \`${name}\`, the managed app is used in place of one’s own.`,
      apps((app) => without(app, 'client_id', 'client_secret', 'scopes'), name),
    ),
  ),
  mutant(
    'oauth-lists-swapped',
    OAUTH,
    'Email addresses and domains are swapped.',
    shownApps((app) => ({ ...app, email_addresses: app['email_domains'], email_domains: app['email_addresses'] })),
  ),
  mutant(
    'oauth-teams-lost',
    OAUTH,
    'Teams are not kept.',
    appTexts('teams', () => []),
  ),
  mutant(
    'oauth-organizations-lost',
    OAUTH,
    'Organizations are not kept.',
    appTexts('organizations', () => []),
  ),
  mutant(
    'oauth-teams-sorted',
    OAUTH,
    'Teams are sorted.',
    appTexts('teams', (items) => items.toSorted()),
  ),
  mutant(
    'oauth-team-slugs',
    OAUTH,
    'Teams lose their organization.',
    shownApps((app) =>
      Array.isArray(app['teams']) ? { ...app, teams: app['teams'].map((team) => String(team).split('/')[1]) } : app,
    ),
  ),
  mutant(
    'oauth-organizations-lower-case',
    OAUTH,
    'Organizations are turned into lower case.',
    appTexts('organizations', lower),
  ),
  mutant(
    'oauth-addresses-lower-case',
    OAUTH,
    'Email addresses are turned into lower case.',
    appTexts('email_addresses', lower),
  ),
  mutant(
    'oauth-domains-lower-case',
    OAUTH,
    'Email domains are turned into lower case.',
    appTexts('email_domains', lower),
  ),
  mutant(
    'oauth-addresses-with-dot',
    OAUTH,
    'Email addresses whose domain has no dot are dropped.',
    appTexts('email_addresses', (items) =>
      items.filter((item) => typeof item !== 'string' || item.length === 0 || item.length > 300 || /@.*\./.test(item)),
    ),
  ),
  mutant(
    'oauth-scopes-sorted',
    OAUTH,
    'Scopes are sorted.',
    appTexts('scopes', (items) => items.toSorted()),
  ),
  mutant('oauth-scopes-deduped', OAUTH, 'A scope that is sent twice is kept once.', appTexts('scopes', unique)),
  mutant(
    'oauth-scopes-joined',
    OAUTH,
    'Scopes are shown as one text.',
    shownApps((app) => ({ ...app, scopes: (app['scopes'] as string[]).join(' ') })),
  ),
  mutant(
    'oauth-default-scopes',
    OAUTH,
    'Scopes that are left out are shown as those that are used.',
    shownApps((app) => ({ ...app, scopes: (app['scopes'] as unknown[]).length === 0 ? ['openid'] : app['scopes'] })),
  ),
  mutant(
    'oauth-interval-lost',
    OAUTH,
    'The interval between checks is not kept.',
    keepingPart('oauth', (sent) => without(sent, 'auth_check_interval')),
  ),
  mutant(
    'oauth-durations-swapped',
    OAUTH,
    'The two durations of a session are swapped.',
    showingPart('oauth', (shown) => ({
      ...shown,
      inactivity_timeout: shown['maximum_duration'],
      maximum_duration: shown['inactivity_timeout'],
    })),
  ),

  mutant(
    'saml-groups-sorted',
    SAML,
    'Groups are sorted.',
    keepingField('saml', 'authorized_groups', (groups) => (Array.isArray(groups) ? groups.toSorted() : groups)),
  ),
  mutant(
    'saml-groups-any-case',
    SAML,
    'Groups that differ in case are kept once.',
    keepingField('saml', 'authorized_groups', (groups) =>
      Array.isArray(groups)
        ? groups.filter(
            (group, index) =>
              groups.findIndex((one) => String(one).toLowerCase() === String(group).toLowerCase()) === index,
          )
        : groups,
    ),
  ),
  mutant(
    'saml-groups-null',
    SAML,
    'Groups that are left out are shown as null.',
    showingField('saml', 'authorized_groups', (groups) => (groups.length === 0 ? null : groups)),
  ),
  mutant(
    'saml-flags-swapped',
    SAML,
    '`force_authn` and `allow_idp_initiated` are swapped.',
    showingPart('saml', (shown) => ({
      ...shown,
      force_authn: shown['allow_idp_initiated'],
      allow_idp_initiated: shown['force_authn'],
    })),
  ),
  mutant(
    'saml-force-lost',
    SAML,
    '`force_authn` is not kept.',
    keepingPart('saml', (sent) => without(sent, 'force_authn')),
  ),
  mutant(
    'saml-short-format',
    SAML,
    '`nameid_format` is shown without its namespace.',
    showingField('saml', 'nameid_format', (format: string) => format.split(':').at(-1)),
  ),
  mutant(
    'saml-format-lost',
    SAML,
    '`nameid_format` is not kept.',
    keepingPart('saml', (sent) => without(sent, 'nameid_format')),
  ),
  mutant(
    'saml-metadata-object',
    SAML,
    'The description of the provider is shown as an object.',
    showingField('saml', 'idp_metadata', (text) => ({ xml: text })),
  ),
  mutant(
    'saml-metadata-hidden',
    SAML,
    'The description of the provider is not shown.',
    showingPart('saml', (shown) => without(shown, 'idp_metadata')),
  ),
  mutant(
    'saml-empty-prefix',
    SAML,
    'An empty prefix of cookies is taken for left out.',
    keepingPart('saml', (sent) => (sent['cookie_prefix'] === '' ? without(sent, 'cookie_prefix') : sent)),
  ),

  mutant('oidc-issuer-normalised', OIDC, 'The issuer is written as URL parsers write it.', issuer(normalised)),
  mutant(
    'oidc-issuer-without-slash',
    OIDC,
    'The slash at the end of an issuer is dropped.',
    issuer((url) => url.replace(/\/$/, '')),
  ),
  mutant(
    'oidc-issuer-lower-case',
    OIDC,
    'The issuer is turned into lower case.',
    issuer((url) => url.toLowerCase()),
  ),
  mutant(
    'oidc-issuer-without-query',
    OIDC,
    'The query of an issuer is dropped.',
    issuer((url) => url.replace(/\?.*$/, '')),
  ),
  mutant(
    'oidc-discovery',
    OIDC,
    'An issuer that does not answer is refused.',
    refusingPart('oidc', () => true),
  ),
  mutant(
    'oidc-openid-added',
    OIDC,
    'The scope `openid` is shown, sent or not.',
    showingField('oidc', 'scopes', (scopes: string[]) => unique(['openid', ...scopes])),
  ),
  mutant(
    'oidc-scopes-deduped',
    OIDC,
    'A scope that is sent twice is kept once.',
    keepingField('oidc', 'scopes', (scopes) => (Array.isArray(scopes) ? unique(scopes) : scopes)),
  ),
  mutant(
    'oidc-scopes-sorted',
    OIDC,
    'Scopes are sorted.',
    keepingField('oidc', 'scopes', (scopes) => (Array.isArray(scopes) ? scopes.toSorted() : scopes)),
  ),
  mutant(
    'oidc-secret-empty',
    OIDC,
    'A secret that was left out is shown as an empty text.',
    showingField('oidc', 'client_secret', (secret) => secret ?? ''),
  ),
  mutant(
    'oidc-id-lower-case',
    OIDC,
    'The client id is turned into lower case.',
    keepingField('oidc', 'client_id', (id) => (typeof id === 'string' ? id.toLowerCase() : id)),
  ),
  mutant(
    'oidc-empty-prefix',
    OIDC,
    'An empty prefix of cookies is taken for left out.',
    keepingPart('oidc', (sent) => (sent['cookie_prefix'] === '' ? without(sent, 'cookie_prefix') : sent)),
  ),

  mutant(
    'scopes-dropped',
    SCOPES,
    'Scopes without an app of one’s own are dropped in place of being refused.',
    dropsScopes(),
  ),
  ...ALL.slice(0, 4).map((name) =>
    mutant(
      `scopes-${name}`,
      SCOPES,
      `With \`${name}\` alone, scopes without an app of one’s own are taken.`,
      dropsScopes(name),
    ),
  ),
  mutant(
    'scopes-409',
    SCOPES,
    'Scopes without an app of one’s own are refused with 409.',
    looseScopesAre(409, 'conflict', ALL.slice(0, 4)),
  ),
  mutant(
    'scopes-others-dropped',
    OTHERS,
    'Only the four providers that the source names need an app of one’s own for scopes.',
    dropsScopes(...ALL.slice(4)),
  ),
  ...ALL.slice(4).map((name) =>
    mutant(
      `scopes-${name}`,
      OTHERS,
      `With \`${name}\` alone, scopes without an app of one’s own are taken.`,
      dropsScopes(name),
    ),
  ),
  mutant(
    'scopes-others-500',
    OTHERS,
    'Scopes without an app of one’s own are answered with 500.',
    looseScopesAre(500, 'internal_error', ALL.slice(4)),
  ),
];
