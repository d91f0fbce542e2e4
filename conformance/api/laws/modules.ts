/** Modules: shown unchanged, with defaults, with fields of their own; scopes, secrets; SAML and its metadata (D26). */
import { X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { shapeAt, shapeOf } from '../../engine/contract/shape.ts';
import { expectStatus } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectSame, expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { createAsSent, expectKept } from '../../engine/laws/echo.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type ApiRule, AT, on, refuseChange, refuseCreation, rule } from '../define.ts';
import { expectOwnUris, moduleSentAgain, shownRoute } from '../model/shown.ts';
import {
  allModules,
  type Json,
  MODULE_NAMES,
  type ModuleName,
  MODULES,
  PROVIDERS,
  SIGN_IN,
  WITH_UPSTREAM,
} from '../modules.ts';
import { edges } from '../resources/edges.ts';
import { routes, routesIn } from '../resources/routes.ts';
import { BARE, moduleValues, oddForms, ROUTE_CREATE } from '../values/bodies.ts';
import {
  DOCUMENT_TYPES,
  entityDescriptors,
  MALFORMED,
  OTHER_ROOT,
  PLAIN_BUT_FOR_ONE,
} from '../values/xml.ts';

const law = on(routes, 'extended');

function ofModule(name: ModuleName): Requirement {
  const { full, minimal, hard } = MODULES[name];
  const expectIt = (value: Json, steps: Steps) => expectKept({ [name]: value }, steps);
  const stated = law(
    rule(
      `routes.module.${name}`,
      'D17',
      `${ROUTE_CREATE}/properties/${name}`,
      `| \`${name}\` |`,
      '`enabled: false`',
    ),
    `\`${name}\` reads back as it was sent, in the form of responses and with its defaults.`,
    ({ contract }) => {
      const values = [full, minimal, ...hard, ...oddForms(contract, name)];
      return forEach('in full, bare, and what services get wrong', values, expectIt);
    },
    ({ contract }) =>
      forEach('odd texts, by a change', oddForms(contract, name), (value, steps) =>
        steps.tryChange(BARE, { [name]: value }),
      ),
    (implementation) => forAll('any value', moduleValues(implementation, name), expectIt),
  );
  return { ...stated, weight: 0.5 };
}

const EACH_BARE = MODULE_NAMES.map((name): Json => ({ [name]: MODULES[name].minimal }));

const allModuleLaws = [
  law(
    rule('routes.all-modules', 'D17', AT.createRoute),
    'One request sets all modules.',
    forEach(
      'each in full, and each minimal',
      [allModules('full'), allModules('minimal')],
      expectKept,
    ),
  ),
  law(
    rule('routes.refs', 'source §2.3', `${AT.schemas}/Ref`),
    'Each Ref of a route has a `uri` of its own.',
    once('all modules in full', async (steps) => {
      const route = await steps.createOne(allModules('full'));
      for (const shown of [route.shown, await steps.read(route)]) {
        expectOwnUris(shown);
      }
    }),
  ),
  law(
    rule('routes.modules.own-fields', 'D35', `${AT.schemas}/HTTPSEdgeRouteCreate`),
    'A property of one module, or of one OAuth provider, is refused on each of the others.',
    ({ contract }) =>
      forEach('all that are foreign to one', withForeignFields(contract), (modules, steps) =>
        refuseCreation(steps, modules, 'A property belongs to another module.'),
      ),
  ),
  law(
    rule('routes.sent-again', 'D04', AT.updateRoute, 'Only Refs'),
    'A module can be sent as it was read, with the ids of its Refs in place of the Refs.',
    forEach(
      'all modules in full, and each bare',
      [allModules(), ...EACH_BARE],
      async (modules, steps) => {
        const route = await steps.createOne(modules);
        const read = await steps.read(route);
        const set = MODULE_NAMES.filter((name) => read[name] !== null);
        const again = set.map((name) => [
          name,
          moduleSentAgain(MODULES[name].fields, read[name] as Json),
        ]);
        const { shown } = await steps.update(
          route,
          Object.fromEntries(again) as Json,
          'It was read so.',
        );
        for (const name of set) {
          expectSame(`\`${name}\` was sent as it was read`, shown[name], read[name]);
        }
      },
    ),
  ),
  law(
    rule('routes.size', 'D39', `${AT.responses}/RouteConflict`, 'A service may refuse with 409'),
    'An edge with its routes of nearly 2 MiB is accepted, and listed.',
    once('28 routes of 64 KiB', async (steps) => {
      const onEdges = steps.on(edges);
      const edge = await onEdges.createOne();
      const place = routesIn(onEdges.idOf(edge), 28);
      const bodies = place.bodies.map((body) => ({
        ...body,
        traffic_policy: { value: 'a'.repeat(65_536) },
      }));
      await steps.expectItems(
        place,
        await steps.createAll(place, bodies),
        'The edge has lost routes',
      );
      await onEdges.list(edge.place, [edge]);
      await onEdges.remove(edge);
    }),
  ),
];

/** For each module and each OAuth provider, its values with one property more, which only others have. */
function withForeignFields(contract: Implementation['contract']): Json[][] {
  const own = (path: string[]) => [
    ...(shapeAt(shapeOf(contract, ROUTE_CREATE), path)?.properties.keys() ?? []),
  ];
  const valueOf = (name: string) =>
    MODULE_NAMES.map((module) => MODULES[module].full[name]).find((value) => value !== undefined);
  const names = [...new Set(MODULE_NAMES.flatMap((module) => own([module])))];
  const modules = MODULE_NAMES.map((module) => {
    const foreign = names.filter((name) => !own([module]).includes(name));
    return foreign.map((name) => ({
      [module]: { ...MODULES[module].minimal, [name]: valueOf(name) },
    }));
  });
  const others = own(['oauth', 'provider']).filter((name) => name !== 'github');
  const providers = others.map((provider) =>
    ['teams', 'organizations'].map((name) => ({
      oauth: { provider: { [provider]: { [name]: ['a/b'] } } },
    })),
  );
  return [...modules, ...providers];
}

const OPEN_ID = { issuer: 'https://login.example.com', client_id: 'a' };
const NO_APP = {
  client_id: null,
  client_secret: null,
  scopes: [],
  teams: [],
  organizations: [],
  email_addresses: [],
};

/** Bodies with null or [] where a response shows them, and the same without them. */
const NULLS: [sent: Json, bare: Json][] = [
  [{ description: null }, {}],
  [{ metadata: null }, {}],
  [
    { oauth: { provider: { github: NO_APP, facebook: null, amazon: null } } },
    { oauth: { provider: { github: {} } } },
  ],
  [
    { oauth: { provider: { twitch: { client_id: null }, google: null } } },
    { oauth: { provider: { twitch: {} } } },
  ],
  [
    { webhook_verification: { provider: 'sns', secret: null } },
    { webhook_verification: { provider: 'sns' } },
  ],
  [{ oidc: { ...OPEN_ID, client_secret: null, scopes: [] } }, { oidc: OPEN_ID }],
];

const INTEGERS = { '5.0': 5, '1e1': 10, '0.5e1': 5, '128.000': 128 };

const valueLaws = [
  law(
    rule('routes.null-values', 'D04', ROUTE_CREATE, 'In a create request'),
    'A property that a response may show as null or [] can be sent so, and means the same as an omitted one.',
    forEach('each of them', NULLS, async ([sent, bare], steps) => {
      const shown = await steps.read(await steps.createOne(sent));
      steps.expectShown('Null is not as an omitted property', shown, shownRoute(bare));
    }),
  ),
  law(
    rule(
      'routes.integers',
      'D31',
      `${AT.schemas}/TrippedDuration/type`,
      '`5.0` and `1e1` are integers',
    ),
    '`5.0` and `1e1` are integers.',
    forEach(
      'as they stand in JSON',
      Object.entries(INTEGERS),
      async ([text, num_buckets], steps) => {
        const { path } = await steps.place();
        const body = `{"match_type":"path_prefix","match":"/","circuit_breaker":{"num_buckets":${text}}}`;
        const { json } = await steps.succeed('create', { path, body }, `${text} is an integer.`);
        steps.expectShown('The number is another one', json as Json, {
          circuit_breaker: { num_buckets },
        });
      },
    ),
  ),
  // The source says "between 0 and 1.0 (not 0-100.0)". Whether the ends are between was decided (D24).
  law(
    rule('routes.circuit-breaker.between', 'source §8', `${AT.schemas}/ErrorThresholdPercentage`),
    'An `error_threshold_percentage` between 0 and 1 is accepted and read back, and one below or above is refused.',
    forAll(
      'accepts a fraction',
      fc.integer({ min: 1, max: 999 }).map((thousandths) => thousandths / 1000),
      (share, steps) =>
        expectModule(steps, 'circuit_breaker', withThreshold(share), withThreshold(share)),
    ),
    forEach('refuses', [-0.01, -1, 1.01, 50, 100], (share, steps) =>
      refuseCreation(
        steps,
        { circuit_breaker: withThreshold(share) },
        `${share} is not between 0 and 1.`,
      ),
    ),
  ),
];

function withThreshold(error_threshold_percentage: number): Json {
  return { ...MODULES.circuit_breaker.full, error_threshold_percentage };
}

/** Sent so, a module shows this, at once and when the route is read. */
async function expectModule(steps: Steps, name: ModuleName, sent: Json, due: Json): Promise<void> {
  const route = await steps.createOne({ [name]: sent });
  for (const shown of [route.shown, await steps.read(route)]) {
    expectSame(`\`${name}\` shows something else`, shown[name], due);
  }
}

/** These properties of each of the modules, where they are left out. */
function defaults(
  stated: ApiRule,
  sentence: string,
  modules: readonly ModuleName[],
  properties: Json,
): Requirement {
  return law(stated, sentence, ({ origin }) => {
    // By the source alone, nothing else may be left out, and ids have no form in requests.
    const tried =
      origin === 'source' ? modules.filter((module) => !WITH_UPSTREAM.includes(module)) : modules;
    return forEach('left out', tried, (module, steps) => {
      const { full, minimal } = MODULES[module];
      const others = Object.entries(full).filter(
        ([property]) => !Object.hasOwn(properties, property),
      );
      return expectModule(
        steps,
        module,
        origin === 'source' ? Object.fromEntries(others) : minimal,
        properties,
      );
    });
  });
}

function defaultsOf(name: ModuleName, ...fields: string[]): Json {
  return Object.fromEntries(fields.map((field) => [field, MODULES[name].fields[field]!.default]));
}

const SAML_MUTATE = `${AT.schemas}/EndpointSAMLMutate/properties`;

const defaultLaws = [
  defaults(
    rule('routes.defaults.enabled', 'source §2', `${AT.schemas}/Enabled/default`),
    'A module of a route is enabled unless it says otherwise.',
    MODULE_NAMES,
    { enabled: true },
  ),
  defaults(
    rule('routes.defaults.circuit-breaker', 'D24', `${AT.schemas}/EndpointCircuitBreakerMutate`),
    'A circuit breaker has the defaults 10 s, 10 s, 10 buckets, 20 requests and 0.5.',
    ['circuit_breaker'],
    defaultsOf(
      'circuit_breaker',
      ...Object.keys(MODULES.circuit_breaker.fields).filter((one) => one !== 'enabled'),
    ),
  ),
  defaults(
    rule('routes.defaults.session', 'D25', `${AT.schemas}/InactivityTimeout`),
    'Session settings that are omitted are false, 0 and 0.',
    SIGN_IN,
    defaultsOf('oidc', 'options_passthrough', 'inactivity_timeout', 'maximum_duration'),
  ),
  defaults(
    rule('routes.defaults.nameid-format', 'source §2.9', `${SAML_MUTATE}/nameid_format/default`),
    '`nameid_format` is that of persistent identifiers unless it says otherwise.',
    ['saml'],
    defaultsOf('saml', 'nameid_format'),
  ),
  law(
    rule('routes.defaults.cookie-prefix', 'source §2.7', `${AT.schemas}/CookiePrefix`),
    'A `cookie_prefix` that is omitted reads back as a prefix that ends in a period.',
    forEach('omitted', SIGN_IN, async (module, steps) => {
      const { cookie_prefix: _, ...sent } = MODULES[module].full;
      const route = await steps.createOne({ [module]: sent });
      for (const shown of [route.shown, await steps.read(route)]) {
        const got = (shown[module] as Json | null)?.['cookie_prefix'];
        const isDue = typeof got === 'string' && got.endsWith('.');
        expectThat(isDue, `\`${module}.cookie_prefix\` was omitted.`, {
          expected: 'a period at its end',
          got,
        });
      }
    }),
  ),
];

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

const secretLaws = [
  law(
    rule('routes.oauth.scopes', 'source §2.8', scopesOf('EndpointOAuthGitHubMutate')),
    '`scopes` may be set only with `client_id` and `client_secret`.',
    scopesWithoutApp(PROVIDERS.slice(0, 4)),
  ),
  law(
    rule('routes.oauth.scopes.others', 'D20', scopesOf('EndpointOAuthBasicMutate')),
    '`scopes` may be set only with `client_id` and `client_secret`, also with the other four providers.',
    scopesWithoutApp(PROVIDERS.slice(4)),
  ),
  law(
    rule('routes.secrets', 'D27', `${AT.schemas}/Secret`),
    'Secrets read back as sent, and no refusal shows them.',
    forEach('of each module that has one', SECRETS, async ([name, value], steps) => {
      const item = await createAsSent({ [name]: value }, steps);
      await steps.expectRead(item, 'The secret reads otherwise');
      const patch = { [name]: { ...value, enabled: 'yes' } };
      const { text: got } = await refuseChange(steps, item, patch, '`enabled` is a text.');
      expectThat(!got.includes(SECRET), 'An error shows a secret.', {
        expected: 'an error without it',
        got,
      });
    }),
  ),
];

const SAML = `${AT.schemas}/EndpointSAML`;
const METADATA = `${AT.schemas}/IdpMetadata`;
const { full: FULL, minimal: BARE_SAML } = MODULES.saml;

/** The values that the service supplies itself. */
const URLS = ['entity_id', 'assertion_consumer_service_url', 'single_logout_url', 'metadata_url'];
const SUPPLIED = [...URLS, 'request_signing_certificate_pem'];

function supplied({ saml }: Json): Json {
  return Object.fromEntries(SUPPLIED.map((name) => [name, (saml as Json | null)?.[name]]));
}

async function newSaml(steps: Steps, saml: Json): Promise<Json> {
  return (await steps.createOne({ saml })).shown['saml'] as Json;
}

/** The metadata of a service provider, as an identity provider fetches it: without a token. @throws NotPossible */
async function fetchMetadata(session: Session, { metadata_url }: Json): Promise<HttpResponse> {
  const target = String(metadata_url);
  if (new URL(target).host !== session.implementation.client.base.host) {
    throw new NotPossible('needs a `metadata_url` on the host of the base URL');
  }
  const accept = 'application/samlmetadata+xml, application/xml, */*;q=0.1';
  const response = await session.send({
    method: 'GET',
    target,
    headers: { authorization: '', accept },
  });
  expectStatus(response, [200], 'An identity provider fetches the metadata.');
  return response;
}

const keeps = (idp_metadata: string, steps: Steps) => expectKept({ saml: { idp_metadata } }, steps);

function refused(name: string, sentence: string, documents: readonly string[]) {
  return law(
    rule(`routes.saml.metadata.${name}`, 'D26', METADATA, 'Six errors have no keyword'),
    sentence,
    forEach('such documents, also in a change', documents, async (idp_metadata, steps) => {
      await refuseCreation(steps, { saml: { idp_metadata } }, sentence);
      await refuseChange(
        steps,
        await steps.createOne({ saml: BARE_SAML }),
        { saml: { idp_metadata } },
        sentence,
      );
    }),
  );
}

const samlLaws = [
  law(
    rule('routes.saml.supplied', 'D26', SAML),
    'The values that the service supplies for SAML are real: absolute URLs, and an X.509 certificate in PEM that can be parsed.',
    forEach('in full and bare', [FULL, BARE_SAML], async (saml, steps) => {
      const shown = await newSaml(steps, saml);
      for (const name of URLS) {
        const got = String(shown[name]);
        const isAbsolute = URL.canParse(got) && /^https?:/.test(got);
        expectThat(isAbsolute, `\`${name}\` is an absolute URL.`, {
          expected: 'a URL of HTTP',
          got,
        });
      }
      const got = String(shown['request_signing_certificate_pem']);
      const expected = '-----BEGIN CERTIFICATE----- …';
      expectThat(isCertificate(got), 'The certificate is X.509 in PEM.', { expected, got });
    }),
  ),
  law(
    rule('routes.saml.entity-id', 'source §2.9', `${SAML}/properties/entity_id`),
    '`entity_id` equals `metadata_url`.',
    ({ origin }) =>
      forEach(
        'in full and bare',
        origin === 'source' ? [FULL] : [FULL, BARE_SAML],
        async (saml, steps) => {
          const { entity_id, metadata_url } = await newSaml(steps, saml);
          expectSame('`entity_id` is not `metadata_url`', entity_id, metadata_url);
        },
      ),
  ),
  law(
    rule('routes.saml.metadata-url', 'D26', `${SAML}/properties/metadata_url`),
    '`metadata_url` returns, to a GET without a token, an EntityDescriptor in XML that has the `entity_id`.',
    forEach('in full and bare', [FULL, BARE_SAML], async (saml, steps) => {
      const shown = await newSaml(steps, saml);
      const { text } = await fetchMetadata(steps.session, shown);
      const expected = `EntityDescriptor with entityID="${String(shown['entity_id'])}"`;
      const got = await rootOf(text);
      expectThat(got === expected, 'The metadata is not that of the service provider.', {
        expected,
        got: got ?? text,
      });
    }),
  ),
  law(
    rule('routes.saml.metadata-url.type', 'D26', `${SAML}/properties/metadata_url`),
    '`metadata_url` responds with the media type `application/samlmetadata+xml`.',
    once('fetched without a token', async (steps) => {
      const { mediaType } = await fetchMetadata(steps.session, await newSaml(steps, BARE_SAML));
      expectSame('The metadata has another media type', mediaType, 'application/samlmetadata+xml');
    }),
  ),
  law(
    rule('routes.saml.supplied.stable', 'D26', SAML),
    'The values that the service supplies for SAML stay as they are, over reads and over changes of something else.',
    forEach(
      'changes',
      [{ description: 'a' }, { compression: {} }, { match: '/a' }],
      async (change, steps) => {
        const route = await steps.createOne({ saml: BARE_SAML });
        const due = supplied(route.shown);
        const seen = [
          await steps.read(route),
          (await steps.update(route, change)).shown,
          await steps.read(route),
        ];
        for (const shown of seen) {
          expectSame('They are other ones', supplied(shown), due);
        }
      },
    ),
  ),
  law(
    rule('routes.saml.metadata.xml', 'D26', METADATA),
    '`idp_metadata` that is well-formed XML with the root EntityDescriptor is taken, and kept to the character.',
    forEach('documents with one of all shapes', PLAIN_BUT_FOR_ONE, keeps),
    forAll('documents with several of them', entityDescriptors, keeps),
  ),
  refused('malformed', '`idp_metadata` that is not well-formed XML is refused.', MALFORMED),
  refused('root', '`idp_metadata` with another root than EntityDescriptor is refused.', OTHER_ROOT),
  law(
    rule('routes.saml.metadata.entities', 'D26', METADATA),
    'No DTD is read and no entity expanded: such a document is refused, or kept as it was sent.',
    forEach('document types', DOCUMENT_TYPES, async (idp_metadata, steps) => {
      const { path } = await steps.place();
      const response = await steps.session.call('createRoute', {
        path,
        json: { ...BARE, saml: { idp_metadata } },
      });
      steps.expectOutcome('create', response, 400, 'The document has a DTD.');
      if (response.status < 300) {
        expectSame('The document is not what was sent', (response.json as Json)['saml'], {
          idp_metadata,
        });
      }
    }),
  ),
];

/** Undefined where it throws. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is not XML. */
async function rootOf(xml: string): Promise<string | undefined> {
  // Loaded where it is needed: `--list` needs none.
  const { SaxesParser } = await import('saxes');
  let root: string | undefined;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    root ??= `${name.replace(/^.*:/, '')} with entityID="${attributes['entityID'] ?? ''}"`;
  });
  return attempt(() => parser.write(xml).close() && root);
}

const isCertificate = (pem: string): boolean =>
  /-----BEGIN CERTIFICATE-----/.test(pem) && attempt(() => new X509Certificate(pem)) !== undefined;

export const moduleLaws = [
  ...MODULE_NAMES.map(ofModule),
  ...allModuleLaws,
  ...valueLaws,
  ...defaultLaws,
  ...secretLaws,
  ...samlLaws,
];
