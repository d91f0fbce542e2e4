/** Laws of the thirteen modules of a route: what is sent is shown, and what is left out has its default. */
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import { shapeAt, shapeOf } from '../../engine/contract/shape.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { walk } from './edge-pages.ts';
import { modulesSentAgain } from '../values/sent-again.ts';
import { type Json, MODULES, type ModuleName, shownRoute, WITH_UPSTREAM } from '../model/route.ts';
import { AT, each, extended, type Law, once, oneOf } from './law.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { HARD_FORMS } from '../values/hard-forms.ts';
import {
  createRoute,
  deleteEdge,
  expectRoutes,
  expectShown,
  getRoute,
  newEdge,
  newRoute,
  patchRoute,
  routesOf,
} from '../route-steps.ts';
import { allModules, BARE, FORMS, moduleValues, ROUTE_CREATE } from '../values/route-values.ts';
import type { Session } from '../../engine/http/session.ts';
import { expectNow, getEdge, refuse, succeed } from '../steps.ts';

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
      sentence: `\`${name}\` reads back as it was sent, in the form of responses and with its defaults.`,
    },
    (implementation) => [
      oneOf('in full and bare', [FORMS[name].full, FORMS[name].bare], async (value, session) =>
        expectModules(session, { [name]: value }),
      ),
      oneOf('what services get wrong', HARD_FORMS[name], async (value, session) =>
        expectModules(session, { [name]: value }),
      ),
      each('any value', moduleValues(implementation, name), async (value, session) =>
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
        clause: `${SCHEMAS}/InactivityTimeout`,
        sentence: 'Session settings that are omitted are false, 0 and 0.',
      },
      SESSION,
      {
        options_passthrough: false,
        inactivity_timeout: 0,
        maximum_duration: 0,
      },
    ),
    law(
      'defaults.cookie-prefix',
      {
        origin: 'source §2.7',
        clause: `${SCHEMAS}/CookiePrefix`,
        sentence: 'A `cookie_prefix` that is omitted reads back as a prefix that ends in a period.',
      },
      [
        oneOf('omitted', SESSION, async (module, session) => {
          const { cookie_prefix: _, ...sent } = FORMS[module].full;
          const route = await newRoute(session, { [module]: sent });
          for (const one of [route, await getRoute(session, route)]) {
            const got = (one[module] as Json | null)?.['cookie_prefix'];
            expectThat(typeof got === 'string' && got.endsWith('.'), `\`${module}.cookie_prefix\` was omitted.`, {
              expected: 'a prefix that ends in a period',
              got,
            });
          }
        }),
      ],
    ),
    defaults(
      'defaults.nameid-format',
      {
        origin: 'source §2.9',
        clause: `${SCHEMAS}/EndpointSAMLMutate/properties/nameid_format/default`,
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
      'headers.add-and-remove',
      {
        origin: 'D23',
        clause: `${SCHEMAS}/EndpointRequestHeadersMutate/properties/remove`,
        sentence: 'The same name can stand in `add` and in `remove`.',
      },
      [
        oneOf('equal, and in another case', ['X-Team', 'x-team'], async (name, session) => {
          const headers = { add: { 'X-Team': 'web' }, remove: [name] };
          await expectModules(session, { request_headers: headers, response_headers: headers });
        }),
      ],
    ),
    law(
      'null-values',
      {
        origin: 'D04',
        clause: ROUTE_CREATE,
        sentence: 'What a response may show as null or [] can be sent so, and means the same as an omitted property.',
      },
      [
        oneOf('each of them', NULLS, async ([name, value, bare], session) => {
          const route = await newRoute(session, { [name]: value });
          const shown = shownRoute({ ...BARE, ...(bare === undefined ? {} : { [name]: bare }) });
          expectShown('Null is not as an omitted property', await getRoute(session, route), shown);
        }),
      ],
    ),
    law(
      'sent-again',
      {
        origin: 'D04',
        clause: AT.updateRoute,
        sentence: 'A module can be sent as it was read, with the ids of its Refs in place of the Refs.',
      },
      ({ contract }) => {
        const again = async (session: Session, modules: Json) => {
          const read = await getRoute(session, await newRoute(session, modules));
          const names = (path: string[]) => namesAt(contract, path);
          const sent = await patchRoute(session, read, modulesSentAgain(read, MODULES, names), 'It was read so.');
          for (const name of MODULES) expectSame(`\`${name}\` was sent as it was read`, sent[name], read[name]);
        };
        return [
          once('all modules in full', (session) => again(session, allModules())),
          oneOf('each bare', MODULES, (name, session) => again(session, { [name]: FORMS[name].bare })),
        ];
      },
    ),
    law(
      'integers',
      {
        origin: 'D31',
        clause: `${SCHEMAS}/Seconds/type`,
        sentence: '`5.0` and `1e1` are integers.',
      },
      [
        oneOf('as they stand in JSON', INTEGERS, async ([text, value], session) => {
          const { id } = await newEdge(session);
          const body = `{"match_type":"path_prefix","match":"/","circuit_breaker":{"num_buckets":${text}}}`;
          const response = await succeed(
            session,
            'createRoute',
            { path: { edge_id: id }, body },
            `${text} is an integer.`,
          );
          expectShown('The number is another one', response.json as Json, { circuit_breaker: { num_buckets: value } });
        }),
      ],
    ),
    law(
      'created-at',
      {
        origin: 'D40',
        clause: `${SCHEMAS}/CreatedAt`,
        sentence: '`created_at` of a route is within a minute of the `Date` of the response that created it.',
      },
      [
        once('a new route', async (session) => {
          const { id } = await newEdge(session);
          expectNow(await succeed(session, 'createRoute', { path: { edge_id: id }, json: BARE }));
        }),
      ],
    ),
    law(
      'size',
      {
        origin: 'D39',
        clause: '/components/responses/RouteConflict',
        sentence: 'An edge with its routes of nearly 2 MiB is accepted, and listed.',
      },
      [
        once('seven routes of 256 KiB', async (session) => {
          const { id } = await newEdge(session);
          const value = 'a'.repeat(65_536);
          for (let index = 0; index < 28; index++)
            await createRoute(session, id, { ...BARE, match: `/${index}`, traffic_policy: { value } });
          expectThat((await routesOf(session, id)).length === 28, 'The edge has lost routes.', {
            expected: 28,
            got: 'fewer',
          });
          await walk(session, await getEdge(session, id));
          await deleteEdge(session, id);
        }),
      ],
    ),
    law(
      'oauth.scopes',
      {
        origin: 'source §2.8',
        clause: `${SCHEMAS}/EndpointOAuthGitHubMutate/else/properties/scopes/maxItems`,
        sentence: '`scopes` may be set only with `client_id` and `client_secret`.',
      },
      scopesWithoutApp(['github', 'facebook', 'microsoft', 'google']),
    ),
    law(
      'oauth.scopes.others',
      {
        origin: 'D20',
        clause: `${SCHEMAS}/EndpointOAuthOtherMutate/else/properties/scopes/maxItems`,
        sentence: '`scopes` may be set only with `client_id` and `client_secret`, also with the other four providers.',
      },
      scopesWithoutApp(['linkedin', 'gitlab', 'twitch', 'amazon']),
    ),
    law(
      'secrets',
      { origin: 'D27', clause: `${SCHEMAS}/Secret`, sentence: 'Secrets read back as sent, and no refusal shows them.' },
      [
        oneOf('of each module that has one', SECRETS, async ([name, value], session) => {
          const route = await newRoute(session, { [name]: value });
          expectShown('A secret is not what was sent', await getRoute(session, route), shownRoute({ [name]: value }));
          const bad = { [name]: { ...value, enabled: 'yes' } };
          const response = await refuse(
            session,
            'updateRoute',
            { path: { edge_id: route.edge_id, id: route.id }, json: bad },
            [400],
            '`enabled` is a text.',
          );
          expectThat(!response.text.includes(SECRET), 'An error shows a secret.', {
            expected: 'an error without it',
            got: response.text,
          });
        }),
      ],
    ),
  ];
}

/** Each module with null or [] where a response shows them, and without. */
const NULLS: [string, unknown, unknown][] = [
  ['description', null, undefined],
  ['metadata', null, undefined],
  [
    'oauth',
    {
      provider: {
        github: { client_id: null, client_secret: null, scopes: [], teams: [], organizations: [], email_addresses: [] },
        facebook: null,
        amazon: null,
      },
    },
    { provider: { github: {} } },
  ],
  ['oauth', { provider: { twitch: { client_id: null }, google: null } }, { provider: { twitch: {} } }],
  ['webhook_verification', { provider: 'sns', secret: null }, { provider: 'sns' }],
  [
    'oidc',
    { issuer: 'https://login.example.com', client_id: 'a', client_secret: null, scopes: [] },
    { issuer: 'https://login.example.com', client_id: 'a' },
  ],
];

const INTEGERS: [string, number][] = [
  ['5.0', 5],
  ['1e1', 10],
  ['0.5e1', 5],
  ['128.000', 128],
];

/** The names that a request may have at a place of a route. */
function namesAt(contract: Implementation['contract'], path: readonly string[]): string[] {
  return [...(shapeAt(shapeOf(contract, ROUTE_CREATE), path)?.properties.keys() ?? [])];
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

function scopesWithoutApp(providers: readonly string[]): Property[][] {
  return [
    oneOf('scopes without an app of one’s own', providers, async (name, session) => {
      const { id } = await newEdge(session);
      const json = { ...BARE, oauth: { provider: { [name]: { scopes: ['openid'] } } } };
      const why = 'There are `scopes`, and no `client_id`.';
      await refuse(session, 'createRoute', { path: { edge_id: id }, json }, [400], why);
    }),
  ];
}
