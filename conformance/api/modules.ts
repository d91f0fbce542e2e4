/**
 * The table of the modules of a route: laws, the model, generated values and the independent
 * service follow from it. Written by hand: a module of the contract without a row does not compile,
 * and a row that disagrees fails in a run.
 */
import type { components } from '../../generated/openapi.ts';
import { SMALLEST } from './values/xml.ts';

export type Json = Record<string, unknown>;

type RouteCreate = Required<components['schemas']['HTTPSEdgeRouteCreate']>;

/** The properties of a route that hold an object. */
export type ModuleName = {
  [Name in keyof RouteCreate]: NonNullable<RouteCreate[Name]> extends object ? Name : never;
}[keyof RouteCreate];

/**
 * A value of a request: the values that it may have, and the one that is shown if it is omitted.
 */
export interface ValueKind {
  is: 'boolean' | 'number' | 'integer' | 'text' | 'list' | 'map' | 'object';
  required?: boolean;
  nullable?: boolean;
  /** The value that an omitted one reads back as; undefined if the service chooses it. */
  default?: unknown;
  /**
   * The range of a number, the characters of a text, the items of a list or map; both inclusive.
   */
  least?: number;
  most?: number;
  choices?: readonly string[];
  /** A form of texts, or of the names of a map, that limits of length do not state. */
  form?:
    | 'id'
    | 'header name'
    | 'header value'
    | 'webhook provider'
    | 'team'
    | 'uri'
    | 're2'
    | 'idp metadata';
  /** Items of a list or names of a map that differ in case alone are refused. */
  distinct?: boolean;
  /** The items of a list or the values of a map. */
  of?: ValueKind;
  fields?: Record<string, ValueKind>;
  /** The name of the Ref, or of the list of Refs, that responses have in place of ids. */
  shownAs?: string;
}

interface Module {
  fields: Record<string, ValueKind>;
  /** Works on an edge that passes TLS through (D09). */
  worksUpstream?: boolean;
  /** At most one of these is enabled on a route (D21). */
  signsIn?: boolean;
  /** Every field set, `enabled` to false; no value is a default or occurs in `minimal`. */
  full: Json;
  /** Everything that can be omitted is omitted. */
  minimal: Json;
  /**
   * Values that are right and that services get wrong: zero, duplicates, another case or order,
   * white space.
   */
  hard: readonly Json[];
}

/** A module as it is written below: each has `enabled`, and most can be empty. */
type Row = Omit<Module, 'minimal'> & Partial<Module>;

const UINT32 = 0xffff_ffff;
const flag = (byDefault: boolean): ValueKind => ({ is: 'boolean', default: byDefault });
const uint32 = (byDefault: number): ValueKind => ({
  is: 'integer',
  least: 0,
  most: UINT32,
  default: byDefault,
});
const text = (most: number, more: Partial<ValueKind> = {}): ValueKind => ({
  is: 'text',
  least: 1,
  most,
  ...more,
});
const list = (of: ValueKind, more: Partial<ValueKind> = {}): ValueKind => ({
  is: 'list',
  most: 100,
  default: [],
  of,
  ...more,
});
const id: ValueKind = text(64, { form: 'id' });
const secret: ValueKind = text(4096, { nullable: true, default: null });
const SESSION = {
  options_passthrough: flag(false),
  cookie_prefix: { is: 'text', most: 128 } as ValueKind,
  inactivity_timeout: uint32(0),
  maximum_duration: uint32(0),
};
const FULL_SESSION = {
  options_passthrough: true,
  cookie_prefix: 'app_',
  inactivity_timeout: 1,
  maximum_duration: 2,
};

const headerName: ValueKind = text(256, { form: 'header name' });
const HEADERS = {
  add: {
    is: 'map',
    most: 100,
    default: {},
    distinct: true,
    form: 'header name',
    of: { is: 'text', most: 8192, form: 'header value' },
  } as ValueKind,
  remove: list(headerName, { distinct: true }),
};
const HARD_HEADERS: Json[] = [
  { add: { 'X-Both': 'a' }, remove: ['X-Both', 'X-A'] },
  {
    add: {
      Host: 'a.example',
      Connection: 'close',
      Authorization: 'Basic YTpi',
      ['__proto__']: 'a',
    },
  },
  {
    add: { 'Set-Cookie': 'a=b, c; d' },
    remove: ['Host', 'Content-Length', 'Transfer-Encoding', 'Set-Cookie'],
  },
  { add: { 'X-Empty': '', 'X-Space': ' a\t', 'X-Beyond': 'é漢😀' } },
  { remove: ['b', 'a', 'C'] },
];

/** D20: the eight providers of OAuth. */
export const PROVIDERS = [
  'github',
  'facebook',
  'microsoft',
  'google',
  'linkedin',
  'gitlab',
  'twitch',
  'amazon',
];

function provider(name: string): ValueKind {
  const app = {
    client_id: text(1024, { nullable: true, default: null }),
    client_secret: secret,
    scopes: list(text(1024)),
    email_addresses: list(text(320)),
    email_domains: list(text(255)),
  };
  const own = {
    teams: list({ is: 'text', most: 256, form: 'team' }),
    organizations: list(text(128)),
  };
  return {
    is: 'object',
    nullable: true,
    default: null,
    fields: name === 'github' ? { ...app, ...own } : app,
  };
}

const hardApp = (name: string): Json => ({
  client_id: 'Id',
  client_secret: `conformance-${name}`,
  scopes: ['b', 'a', 'b'],
  email_addresses: ['Ada@Example.com', 'a@b'],
  email_domains: ['Example.COM', 'a'],
});

const NAMEID_FORMATS = [
  ...['unspecified', 'emailAddress', 'X509SubjectName', 'WindowsDomainQualifiedName'].map(
    (one) => `1.1:nameid-format:${one}`,
  ),
  ...['kerberos', 'entity', 'persistent', 'transient'].map((one) => `2.0:nameid-format:${one}`),
].map((one) => `urn:oasis:names:tc:SAML:${one}`);

const ROWS: Record<ModuleName, Row> = {
  backend: {
    fields: { backend_id: { ...id, required: true, shownAs: 'backend' } },
    worksUpstream: true,
    full: { backend_id: 'bkd_full' },
    minimal: { backend_id: 'bkd_bare' },
    hard: [{ backend_id: 'bkd_Upper-1' }],
  },
  ip_restriction: {
    fields: { ip_policy_ids: list(id, { shownAs: 'ip_policies' }) },
    worksUpstream: true,
    full: { ip_policy_ids: ['ipp_b', 'ipp_a'] },
    hard: [{ ip_policy_ids: ['ipp_a', 'ipp_a'] }, { ip_policy_ids: ['ipp_Upper'] }],
  },
  circuit_breaker: {
    fields: {
      tripped_duration: uint32(10),
      rolling_window: uint32(10),
      num_buckets: { is: 'integer', least: 1, most: 128, default: 10 },
      volume_threshold: uint32(20),
      error_threshold_percentage: { is: 'number', least: 0, most: 1, default: 0.5 },
    },
    full: {
      tripped_duration: 7,
      rolling_window: UINT32,
      num_buckets: 128,
      volume_threshold: 0,
      error_threshold_percentage: 0.25,
    },
    hard: [
      {
        tripped_duration: 0,
        rolling_window: 0,
        num_buckets: 1,
        volume_threshold: 0,
        error_threshold_percentage: 0,
      },
      { rolling_window: 1, num_buckets: 128, error_threshold_percentage: 1 },
      // 0.1 is another number in single precision.
      { tripped_duration: UINT32, volume_threshold: UINT32, error_threshold_percentage: 0.1 },
    ],
  },
  compression: { fields: {}, full: {}, hard: [{ enabled: true }] },
  request_headers: {
    fields: HEADERS,
    full: { add: { 'X-Team': 'web' }, remove: ['X-Debug', 'x-a'] },
    hard: HARD_HEADERS,
  },
  response_headers: {
    fields: HEADERS,
    full: { add: { 'X-Served-By': 'edge' }, remove: ['Server'] },
    hard: HARD_HEADERS,
  },
  webhook_verification: {
    fields: { provider: text(64, { required: true, form: 'webhook provider' }), secret },
    full: { provider: 'github', secret: 'conformance-one' },
    minimal: { provider: 'sns' },
    hard: [
      ...['conformance', null].map((value) => ({ provider: 'sns', secret: value })),
      { provider: 'github', secret: ' A b ' },
    ],
  },
  oauth: {
    fields: {
      ...SESSION,
      auth_check_interval: uint32(0),
      provider: {
        is: 'object',
        required: true,
        fields: Object.fromEntries(PROVIDERS.map((name) => [name, provider(name)])),
      },
    },
    signsIn: true,
    full: {
      ...FULL_SESSION,
      auth_check_interval: 3,
      provider: {
        github: {
          client_id: 'id',
          client_secret: 'conformance-two',
          scopes: ['read:user'],
          email_addresses: ['ada@example.com'],
          email_domains: ['example.com'],
          teams: ['acme/web'],
          organizations: ['acme'],
        },
      },
    },
    minimal: { provider: { amazon: {} } },
    hard: [
      ...PROVIDERS.map((name) => ({ provider: { [name]: hardApp(name) } })),
      { provider: { github: { teams: ['b/a', 'a/B'], organizations: ['b', 'A'] } } },
      { provider: { google: { client_id: 'a', client_secret: 'conformance', scopes: [] } } },
    ],
  },
  saml: {
    fields: {
      ...SESSION,
      idp_metadata: text(262_144, { required: true, form: 'idp metadata' }),
      force_authn: flag(false),
      allow_idp_initiated: flag(false),
      authorized_groups: list(text(256)),
      nameid_format: { is: 'text', choices: NAMEID_FORMATS, default: NAMEID_FORMATS[6] },
    },
    signsIn: true,
    full: {
      ...FULL_SESSION,
      idp_metadata:
        '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ' +
        'entityID="urn:é"><!-- full --></md:EntityDescriptor>',
      force_authn: true,
      allow_idp_initiated: true,
      authorized_groups: ['b', 'a'],
      nameid_format: NAMEID_FORMATS[1],
    },
    minimal: { idp_metadata: SMALLEST },
    hard: [
      ...[{ force_authn: true }, { allow_idp_initiated: true }].map((one) => ({
        idp_metadata: SMALLEST,
        ...one,
      })),
      { idp_metadata: SMALLEST, authorized_groups: ['A', 'a', 'A'], cookie_prefix: '' },
    ],
  },
  oidc: {
    fields: {
      ...SESSION,
      issuer: text(2048, { required: true, form: 'uri' }),
      client_id: text(1024, { required: true }),
      client_secret: secret,
      scopes: list(text(1024)),
    },
    signsIn: true,
    full: {
      ...FULL_SESSION,
      issuer: 'https://login.example.com/a',
      client_id: 'full',
      client_secret: 'conformance-three',
      scopes: ['openid', 'email'],
    },
    minimal: { issuer: 'https://login.example.org', client_id: 'bare' },
    hard: [
      {
        issuer: 'https://Login.Example.com:443/',
        client_id: 'A',
        client_secret: 'conformance',
        scopes: ['b', 'a', 'b'],
      },
      { issuer: 'https://login.example.com/a/?b=c', client_id: 'a', cookie_prefix: '' },
    ],
  },
  websocket_tcp_converter: { fields: {}, full: {}, hard: [{ enabled: true }] },
  user_agent_filter: {
    fields: { allow: list(text(1024, { form: 're2' })), deny: list(text(1024, { form: 're2' })) },
    full: { allow: ['^curl/', 'a'], deny: ['(?i)bot'] },
    hard: [{ allow: ['b', 'a', 'b'] }, { deny: [String.raw`\bFoo\b`, '(?P<name>x)|y', ' '] }],
  },
  traffic_policy: {
    fields: { value: { is: 'text', most: 65_536, required: true } },
    full: { value: '{"on_http_request":[]}' },
    minimal: { value: '' },
    hard: ['{ "b": 1.0, "a": [] }\n', 'on_http_request: []\n', ' ', 'é漢😀\r\n'].map((value) => ({
      value,
    })),
  },
};

export const MODULE_NAMES = Object.keys(ROWS) as ModuleName[];

export const MODULES = Object.fromEntries(
  Object.entries(ROWS).map(([name, { fields, full, ...row }]): [string, Module] => [
    name,
    {
      minimal: {},
      ...row,
      fields: { enabled: flag(true), ...fields },
      full: { enabled: false, ...full },
    },
  ]),
) as Record<ModuleName, Module>;

export const EDGE_MODULES: Record<string, Record<string, ValueKind>> = {
  mutual_tls: {
    enabled: flag(true),
    certificate_authority_ids: list(id, { shownAs: 'certificate_authorities' }),
  },
  tls_termination: {
    enabled: flag(true),
    terminate_at: { is: 'text', choices: ['edge', 'upstream'], default: 'edge' },
    min_version: { is: 'text', choices: ['1.2', '1.3'], nullable: true, default: null },
  },
};

export const SIGN_IN: readonly ModuleName[] = MODULE_NAMES.filter((name) => MODULES[name].signsIn);
export const WITH_UPSTREAM: readonly ModuleName[] = MODULE_NAMES.filter(
  (name) => MODULES[name].worksUpstream,
);

/**
 * All modules at once, each in one of its forms; only the first one that signs users in is enabled.
 */
export function allModules(form: 'full' | 'minimal' = 'full'): Json {
  const all = MODULE_NAMES.map((name) => {
    const isSecond = SIGN_IN.slice(1).includes(name);
    const enabled = form === 'full' || isSecond ? { enabled: !isSecond } : {};
    return [name, { ...MODULES[name][form], ...enabled }];
  });
  return Object.fromEntries(all) as Json;
}
