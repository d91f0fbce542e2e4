/**
 * What a route must show, given what was sent (D17): ids become Refs, and what is left out shows its default (D04, D24,
 * D25, D26). What the service supplies itself (SAML) is not part of it.
 */

export type Json = Record<string, unknown>;

const SESSION = {
  enabled: true,
  options_passthrough: false,
  // The prefix of the cookie is the service's own where it is omitted (D25), which is another law.
  inactivity_timeout: 0,
  maximum_duration: 0,
};
const PROVIDERS = ['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'];
const PROVIDER = { client_id: null, client_secret: null, scopes: [], email_addresses: [], email_domains: [] };

/** For each module, its response form from its request form. */
const SHOWN = {
  backend: ({ backend_id: id, ...sent }: Json): Json => ({ enabled: true, ...sent, backend: { id } }),
  ip_restriction: ({ ip_policy_ids: ids = [], ...sent }: Json): Json => ({
    enabled: true,
    ...sent,
    ip_policies: (ids as string[]).map((id) => ({ id })),
  }),
  circuit_breaker: (sent: Json): Json => ({
    enabled: true,
    tripped_duration: 10,
    rolling_window: 10,
    num_buckets: 10,
    volume_threshold: 20,
    error_threshold_percentage: 0.5,
    ...sent,
  }),
  compression: (sent: Json): Json => ({ enabled: true, ...sent }),
  request_headers: (sent: Json): Json => ({ enabled: true, add: {}, remove: [], ...sent }),
  response_headers: (sent: Json): Json => ({ enabled: true, add: {}, remove: [], ...sent }),
  webhook_verification: (sent: Json): Json => ({ enabled: true, secret: null, ...sent }),
  oauth: ({ provider, ...sent }: Json): Json => ({
    ...SESSION,
    auth_check_interval: 0,
    ...sent,
    provider: providersOf(provider as Json),
  }),
  saml: (sent: Json): Json => ({
    ...SESSION,
    force_authn: false,
    allow_idp_initiated: false,
    authorized_groups: [],
    nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    ...sent,
  }),
  oidc: (sent: Json): Json => ({ ...SESSION, client_secret: null, scopes: [], ...sent }),
  websocket_tcp_converter: (sent: Json): Json => ({ enabled: true, ...sent }),
  user_agent_filter: (sent: Json): Json => ({ enabled: true, allow: [], deny: [], ...sent }),
  traffic_policy: (sent: Json): Json => ({ enabled: true, ...sent }),
} satisfies Record<string, (sent: Json) => Json>;

export type ModuleName = keyof typeof SHOWN;

export const MODULES = Object.keys(SHOWN) as ModuleName[];

/** Those of which at most one may be enabled (D21). */
export const AUTHENTICATION = ['oauth', 'saml', 'oidc'] as const;

/** Those that a route takes on an edge that passes TLS through (D09). */
export const WITH_UPSTREAM: readonly ModuleName[] = ['backend', 'ip_restriction'];

function providersOf(sent: Json): Json {
  return Object.fromEntries(
    PROVIDERS.map((name) => {
      if (sent[name] == null) return [name, null];
      const own = name === 'github' ? { ...PROVIDER, teams: [], organizations: [] } : PROVIDER;
      return [name, { ...own, ...(sent[name] as Json) }];
    }),
  );
}

export function shownModule(name: ModuleName, sent: unknown): Json | null {
  return sent == null ? null : SHOWN[name](sent as Json);
}

/** A route as it must be shown once `body` has created it. */
export function shownRoute(body: Json): Json {
  const nothing = Object.fromEntries(MODULES.map((name) => [name, null]));
  return patched({ description: '', metadata: '', ...nothing }, body);
}

/** What must be shown once `patch` has changed what is shown: left out, it stays; null resets; else it is replaced (D11). */
export function patched(shown: Json, patch: Json): Json {
  const changed = Object.entries(patch).map(([name, value]) => {
    if (name === 'description' || name === 'metadata') return [name, value ?? ''];
    return [name, (MODULES as string[]).includes(name) ? shownModule(name as ModuleName, value) : value];
  });
  return { ...shown, ...(Object.fromEntries(changed) as Json) };
}

/** Whether more than one authentication module is enabled in what is shown (D21). */
export function isAmbiguous(shown: Json): boolean {
  return AUTHENTICATION.filter((name) => (shown[name] as Json | null)?.['enabled'] === true).length > 1;
}
