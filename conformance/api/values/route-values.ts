/** Bodies for routes, and one full and one bare form of each module. */
import type fc from 'fast-check';
import { validValues } from '../../engine/generate/valid.ts';
import { SMALLEST } from './xml.ts';
import type { Json, ModuleName } from '../model/route.ts';
import type { Implementation } from '../../engine/http/implementation.ts';

export const ROUTE_CREATE = '/components/schemas/HTTPSEdgeRouteCreate';
export const ROUTE_UPDATE = '/components/schemas/HTTPSEdgeRouteUpdate';

/** What a route cannot do without. */
export const BARE: Json = { match_type: 'path_prefix', match: '/' };

export function routeBodies(implementation: Implementation): fc.Arbitrary<Json> {
  return validValues(implementation.contract, ROUTE_CREATE, implementation.hints).map((body) =>
    distinctNames(body as Json),
  );
}

export function routePatches(implementation: Implementation): fc.Arbitrary<Json> {
  return validValues(implementation.contract, ROUTE_UPDATE, implementation.hints).map((body) =>
    distinctNames(body as Json),
  );
}

/** Values of one module as sent, never null. */
export function moduleValues(implementation: Implementation, name: ModuleName): fc.Arbitrary<Json> {
  const values = validValues(implementation.contract, `${ROUTE_CREATE}/properties/${name}`, implementation.hints);
  return values.filter((value) => value !== null).map((value) => distinctNames({ [name]: value })[name] as Json);
}

/**
 * The body with names of headers that differ by more than case, which no schema can ask for (D23). As many names as
 * before: limits stay limits.
 */
export function distinctNames(body: Json): Json {
  const changed = { ...body };
  for (const name of ['request_headers', 'response_headers']) {
    const module = body[name] as { add?: unknown; remove?: unknown } | null | undefined;
    if (module == null || typeof module !== 'object') continue;
    const { add, remove } = module;
    changed[name] = {
      ...module,
      ...(isMap(add)
        ? { add: Object.fromEntries(apart(Object.keys(add)).map((to, at) => [to, Object.values(add)[at]])) }
        : {}),
      ...(Array.isArray(remove) ? { remove: apart(remove as string[]) } : {}),
    };
  }
  return changed;
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function apart(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name.slice(0, 250)}-${count}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/** Each module with every property set, and with none that can be left out; no value of one is a default or in the other. */
export const FORMS: Record<ModuleName, { full: Json; bare: Json }> = {
  backend: { full: { enabled: false, backend_id: 'bkd_full' }, bare: { backend_id: 'bkd_bare' } },
  ip_restriction: { full: { enabled: false, ip_policy_ids: ['ipp_b', 'ipp_a'] }, bare: {} },
  circuit_breaker: {
    full: {
      enabled: false,
      tripped_duration: 7,
      rolling_window: 4294967295,
      num_buckets: 128,
      volume_threshold: 0,
      error_threshold_percentage: 0.25,
    },
    bare: {},
  },
  compression: { full: { enabled: false }, bare: {} },
  request_headers: { full: { enabled: false, add: { 'X-Team': 'web' }, remove: ['X-Debug', 'x-a'] }, bare: {} },
  response_headers: { full: { enabled: false, add: { 'X-Served-By': 'edge' }, remove: ['Server'] }, bare: {} },
  webhook_verification: {
    full: { enabled: false, provider: 'github', secret: 'conformance-one' },
    bare: { provider: 'sns' },
  },
  oauth: {
    full: {
      ...session(),
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
    bare: { provider: { amazon: {} } },
  },
  saml: {
    full: {
      ...session(),
      idp_metadata:
        '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:é"><!-- full --></md:EntityDescriptor>',
      force_authn: true,
      allow_idp_initiated: true,
      authorized_groups: ['b', 'a'],
      nameid_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    },
    bare: { idp_metadata: SMALLEST },
  },
  oidc: {
    full: {
      ...session(),
      issuer: 'https://login.example.com/a',
      client_id: 'full',
      client_secret: 'conformance-three',
      scopes: ['openid', 'email'],
    },
    bare: { issuer: 'https://login.example.org', client_id: 'bare' },
  },
  websocket_tcp_converter: { full: { enabled: false }, bare: {} },
  user_agent_filter: { full: { enabled: false, allow: ['^curl/', 'a'], deny: ['(?i)bot'] }, bare: {} },
  traffic_policy: { full: { enabled: false, value: '{"on_http_request":[]}' }, bare: { value: '' } },
};

function session(): Json {
  return {
    enabled: false,
    options_passthrough: true,
    cookie_prefix: 'app_',
    inactivity_timeout: 1,
    maximum_duration: 2,
  };
}

/** All thirteen at once, each in its full form but enabled as far as that goes together (D21). */
export function allModules(): Record<ModuleName, Json> {
  const all = Object.entries(FORMS).map(([name, { full }]) => [
    name,
    { ...full, enabled: name !== 'saml' && name !== 'oidc' },
  ]);
  return Object.fromEntries(all) as Record<ModuleName, Json>;
}
