/** Laws of the thirteen modules of a route: what is sent is shown, and what is left out has its default. */
import { expectThat } from '../check/nonconformity.ts';
import { type Json, MODULES, type ModuleName, shownRoute, WITH_UPSTREAM } from '../model/route.ts';
import { each, extended, type Law, once, oneOf } from './law.ts';
import type { Requirement } from './requirement.ts';
import { HARD_FORMS } from './hard-forms.ts';
import { createRoute, expectRoutes, expectShown, getRoute, newEdge, newRoute } from './route-steps.ts';
import { allModules, BARE, FORMS, moduleValues, ROUTE_CREATE } from './route-values.ts';
import type { Session } from '../check/session.ts';
import { refuse } from './steps.ts';

const SCHEMAS = '/components/schemas';

function law(name: string, rule: Law, properties: Parameters<typeof extended>[2]): Requirement {
  return extended(`routes.${name}`, rule, properties);
}

/** Created with these modules, a route shows what the model says, at once and when it is read. */
async function expectModules(session: Session, modules: Json): Promise<void> {
  const route = await newRoute(session, modules);
  const shown = shownRoute({ ...BARE, ...modules });
  expectShown('The modules are not what was sent', route, shown);
  expectShown('The modules read otherwise than they were sent', await getRoute(session, route), shown);
}

function ofModule(name: ModuleName): Requirement {
  return law(
    `module.${name}`,
    {
      origin: 'D17',
      clause: `${ROUTE_CREATE}/properties/${name}`,
      sentence: `\`${name}\` reads back as it was sent, in the form of answers and with its defaults.`,
    },
    (target) => [
      oneOf('in full and bare', [FORMS[name].full, FORMS[name].bare], async (value, session) =>
        expectModules(session, { [name]: value }),
      ),
      oneOf('what services get wrong', HARD_FORMS[name], async (value, session) =>
        expectModules(session, { [name]: value }),
      ),
      each('any value', moduleValues(target, name), async (value, session) =>
        expectModules(session, { [name]: value }),
      ),
    ],
  );
}

/** A default for each module that has the properties. */
function defaults(name: string, rule: Law, modules: readonly ModuleName[], properties: Json): Requirement {
  return law(name, rule, ({ origin }) => [
    // By the source alone, nothing else may be left out, and ids have no form in requests.
    oneOf(
      'left out',
      origin === 'source' ? modules.filter((module) => !WITH_UPSTREAM.includes(module)) : modules,
      async (module, session) => {
        const others = Object.entries(FORMS[module].full).filter(([property]) => !Object.hasOwn(properties, property));
        const sent = origin === 'source' ? Object.fromEntries(others) : FORMS[module].bare;
        const route = await newRoute(session, { [module]: sent });
        for (const one of [route, await getRoute(session, route)])
          expectShown(`\`${module}\` has other defaults`, one[module] as Json, properties);
      },
    ),
  ]);
}

const SESSION = ['oauth', 'saml', 'oidc'] as const;

export function moduleLaws(): Requirement[] {
  return [
    ...MODULES.map(ofModule),
    law('all-modules', { origin: 'D17', clause: ROUTE_CREATE, sentence: 'One request sets all thirteen modules.' }, [
      oneOf('each in full, and each bare', ['full', 'bare'] as const, async (form, session) => {
        const bare = Object.fromEntries(
          MODULES.map((name) => [
            name,
            { ...FORMS[name].bare, ...(name === 'saml' || name === 'oidc' ? { enabled: false } : {}) },
          ]),
        );
        await expectModules(session, form === 'full' ? allModules() : bare);
      }),
    ]),
    law(
      'defaults',
      {
        origin: 'D04',
        clause: `${SCHEMAS}/HTTPSEdgeRoute/required`,
        sentence: 'What is left out of a route, or sent as null, reads back as its default: texts "", modules null.',
      },
      [
        once('nothing but a match', async (session) => expectModules(session, {})),
        oneOf('a module that is null', MODULES, async (name, session) => expectModules(session, { [name]: null })),
      ],
    ),
    defaults(
      'defaults.enabled',
      {
        origin: 'source §2',
        clause: `${SCHEMAS}/Enabled/default`,
        sentence: 'A module of a route is enabled unless it says otherwise.',
      },
      MODULES,
      { enabled: true },
    ),
    defaults(
      'defaults.circuit-breaker',
      {
        origin: 'D24',
        clause: `${SCHEMAS}/EndpointCircuitBreakerMutate`,
        sentence: 'A circuit breaker has the defaults 10 s, 10 s, 10 buckets, 20 requests and 0.5.',
      },
      ['circuit_breaker'],
      {
        tripped_duration: 10,
        rolling_window: 10,
        num_buckets: 10,
        volume_threshold: 20,
        error_threshold_percentage: 0.5,
      },
    ),
    defaults(
      'defaults.session',
      {
        origin: 'D25',
        clause: `${SCHEMAS}/CookiePrefix`,
        sentence: 'Session settings that are left out are false, `edge.`, 0 and 0.',
      },
      SESSION,
      {
        options_passthrough: false,
        cookie_prefix: 'edge.',
        inactivity_timeout: 0,
        maximum_duration: 0,
      },
    ),
    defaults(
      'defaults.nameid-format',
      {
        origin: 'source §2.9',
        clause: `${SCHEMAS}/NameIdFormat/default`,
        sentence: '`nameid_format` is that of persistent identifiers unless it says otherwise.',
      },
      ['saml'],
      {
        nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      },
    ),
    law(
      'headers.case',
      {
        origin: 'D23',
        clause: `${SCHEMAS}/HeaderMap/propertyNames`,
        sentence: 'The names of headers are told apart without regard to case: the same name twice is refused.',
      },
      [
        oneOf('names that differ in case', TWICE, async ([module, value], session) => {
          const { id } = await newEdge(session);
          const why = 'A header is there twice, in another case.';
          await refuse(
            session,
            'createRoute',
            { path: { edge_id: id }, json: { ...BARE, [module]: value } },
            [400],
            why,
          );
          await expectRoutes(session, id, [], 'A refused route is there');
          const route = await createRoute(session, id, { ...BARE, [module]: FORMS.request_headers.full });
          await refuse(
            session,
            'updateRoute',
            { path: { edge_id: id, id: route.id }, json: { [module]: value } },
            [400],
            why,
          );
          await expectRoutes(session, id, [route], 'A refused change changed something');
        }),
      ],
    ),
    law(
      'headers.as-sent',
      { origin: 'D23', clause: `${SCHEMAS}/HeaderName`, sentence: 'The names of headers keep their case.' },
      [
        oneOf('upper, lower and mixed', ['X-UPPER', 'x-lower', 'X-MiXeD', 'server'], async (name, session) => {
          await expectModules(session, {
            request_headers: { add: { [name]: 'a' } },
            response_headers: { remove: [name] },
          });
        }),
      ],
    ),
    law(
      'oauth.scopes',
      {
        origin: 'source §2.8',
        clause: `${SCHEMAS}/EndpointOAuthGitHubMutate/dependentRequired/scopes`,
        sentence: '`scopes` may be set only with `client_id` and `client_secret`.',
      },
      [
        oneOf(
          'scopes without an app of one’s own',
          ['github', 'facebook', 'microsoft', 'google'],
          async (name, session) => {
            const { id } = await newEdge(session);
            const json = { ...BARE, oauth: { provider: { [name]: { scopes: ['openid'] } } } };
            await refuse(
              session,
              'createRoute',
              { path: { edge_id: id }, json },
              [400],
              'There are `scopes`, and no `client_id`.',
            );
          },
        ),
      ],
    ),
    law(
      'oauth.scopes.others',
      {
        origin: 'D20',
        clause: `${SCHEMAS}/EndpointOAuthLinkedInMutate/dependentRequired/scopes`,
        sentence: '`scopes` may be set only with `client_id` and `client_secret`, also with the other four providers.',
      },
      [
        oneOf(
          'scopes without an app of one’s own',
          ['linkedin', 'gitlab', 'twitch', 'amazon'],
          async (name, session) => {
            const { id } = await newEdge(session);
            const json = { ...BARE, oauth: { provider: { [name]: { scopes: [] } } } };
            await refuse(
              session,
              'createRoute',
              { path: { edge_id: id }, json },
              [400],
              'There are `scopes`, and no `client_id`.',
            );
          },
        ),
      ],
    ),
    law(
      'secrets',
      { origin: 'D27', clause: `${SCHEMAS}/Secret`, sentence: 'Secrets read back as sent, and no refusal shows them.' },
      [
        oneOf('of each module that has one', SECRETS, async ([name, value], session) => {
          const route = await newRoute(session, { [name]: value });
          expectShown('A secret is not what was sent', await getRoute(session, route), shownRoute({ [name]: value }));
          const bad = { [name]: { ...value, enabled: 'yes' } };
          const answer = await refuse(
            session,
            'updateRoute',
            { path: { edge_id: route.edge_id, id: route.id }, json: bad },
            [400],
            '`enabled` is a text.',
          );
          expectThat(!answer.text.includes(SECRET), 'An error shows a secret.', {
            expected: 'an error without it',
            got: answer.text,
          });
        }),
      ],
    ),
  ];
}

const SECRET = 'correct-horse-battery-staple-9';

const SECRETS: [ModuleName, Json][] = [
  ['webhook_verification', { provider: 'github', secret: SECRET }],
  ['oauth', { provider: { gitlab: { client_id: 'a', client_secret: SECRET } } }],
  ['oidc', { issuer: 'https://login.example.com', client_id: 'a', client_secret: SECRET }],
];

const TWICE: [ModuleName, Json][] = (['request_headers', 'response_headers'] as const).flatMap(
  (name): [ModuleName, Json][] => [
    [name, { add: { 'X-Team': 'a', 'x-team': 'b' } }],
    [name, { add: { 'X-Team': 'a', 'X-TEAM': 'a' } }],
    [name, { remove: ['X-Debug', 'x-debug'] }],
    [name, { remove: ['X-A', 'X-B', 'x-a'] }],
  ],
);
