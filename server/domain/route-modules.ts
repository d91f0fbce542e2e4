/**
 * The 13 modules of a route (source §2.6–2.10): what is kept of each, with every default filled in (D04, D24, D25, D26),
 * and how it is shown. A module is kept as it was sent (D17): ids in place of Refs.
 */
import type { Links } from './links.ts';
import { keepOAuthProvider } from './oauth-provider.ts';
import type { Route, RouteCreate } from './types.ts';

type Sent<K extends keyof RouteCreate> = NonNullable<RouteCreate[K]>;

/** How each module is kept, whole; in the order of the contract. */
const KEEP = {
  backend: (sent: Sent<'backend'>) => ({ enabled: sent.enabled ?? true, backend_id: sent.backend_id }),
  ip_restriction: (sent: Sent<'ip_restriction'>) => ({
    enabled: sent.enabled ?? true,
    ip_policy_ids: sent.ip_policy_ids ?? [],
  }),
  circuit_breaker: (sent: Sent<'circuit_breaker'>) => ({
    enabled: sent.enabled ?? true,
    tripped_duration: sent.tripped_duration ?? 10,
    rolling_window: sent.rolling_window ?? 10,
    num_buckets: sent.num_buckets ?? 10,
    volume_threshold: sent.volume_threshold ?? 20,
    error_threshold_percentage: sent.error_threshold_percentage ?? 0.5,
  }),
  compression: (sent: Sent<'compression'>) => ({ enabled: sent.enabled ?? true }),
  request_headers: keepHeaders,
  response_headers: keepHeaders,
  webhook_verification: (sent: Sent<'webhook_verification'>) => ({
    enabled: sent.enabled ?? true,
    provider: sent.provider,
    secret: sent.secret ?? null,
  }),
  oauth: (sent: Sent<'oauth'>) => ({
    ...keepSession(sent),
    auth_check_interval: sent.auth_check_interval ?? 0,
    provider: keepOAuthProvider(sent.provider),
  }),
  saml: (sent: Sent<'saml'>) => ({
    ...keepSession(sent),
    idp_metadata: sent.idp_metadata,
    force_authn: sent.force_authn ?? false,
    allow_idp_initiated: sent.allow_idp_initiated ?? false,
    authorized_groups: sent.authorized_groups ?? [],
    nameid_format: sent.nameid_format ?? ('urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' as const),
  }),
  oidc: (sent: Sent<'oidc'>) => ({
    ...keepSession(sent),
    issuer: sent.issuer,
    client_id: sent.client_id,
    client_secret: sent.client_secret ?? null,
    scopes: sent.scopes ?? [],
  }),
  websocket_tcp_converter: (sent: Sent<'websocket_tcp_converter'>) => ({ enabled: sent.enabled ?? true }),
  user_agent_filter: (sent: Sent<'user_agent_filter'>) => ({
    enabled: sent.enabled ?? true,
    allow: sent.allow ?? [],
    deny: sent.deny ?? [],
  }),
  traffic_policy: (sent: Sent<'traffic_policy'>) => ({ enabled: sent.enabled ?? true, value: sent.value }),
};

export type ModuleName = keyof typeof KEEP;

export const MODULES = Object.keys(KEEP) as ModuleName[];

export type ModuleRecords = { [K in ModuleName]: ReturnType<(typeof KEEP)[K]> | null };

/** What the service supplies for SAML. */
export interface SigningCertificate {
  certificate_pem: string;
}

/** The modules that are sent, as they are kept: absent ones are left out, null ones are null (D11). */
export function keepModules(sent: Partial<Pick<RouteCreate, ModuleName>>): Partial<ModuleRecords> {
  const kept = MODULES.filter((name) => sent[name] !== undefined).map((name) => {
    const keep = KEEP[name] as (module: unknown) => unknown;
    return [name, sent[name] === null ? null : keep(sent[name])];
  });
  return Object.fromEntries(kept) as Partial<ModuleRecords>;
}

export const NO_MODULES = Object.fromEntries(MODULES.map((name) => [name, null])) as ModuleRecords;

/** The modules as answers show them: Refs in place of ids (D03), and what the service supplies for SAML. */
export function showModules(
  modules: ModuleRecords,
  links: Links,
  route: { edge_id: string; id: string; signing: SigningCertificate | null },
): Pick<Route, ModuleName> {
  const { backend, ip_restriction, saml } = modules;
  return {
    ...modules,
    backend: backend && {
      enabled: backend.enabled,
      backend: { id: backend.backend_id, uri: links.backend(backend.backend_id) },
    },
    ip_restriction: ip_restriction && {
      enabled: ip_restriction.enabled,
      ip_policies: ip_restriction.ip_policy_ids.map((id) => ({ id, uri: links.ipPolicy(id) })),
    },
    saml: saml && {
      ...saml,
      ...links.saml(route.edge_id, route.id),
      request_signing_certificate_pem: route.signing?.certificate_pem ?? '',
    },
  };
}

/** The session settings of oauth, saml and oidc (source §2.7, D25). */
function keepSession(sent: {
  enabled?: boolean;
  options_passthrough?: boolean;
  cookie_prefix?: string;
  inactivity_timeout?: number;
  maximum_duration?: number;
}) {
  return {
    enabled: sent.enabled ?? true,
    options_passthrough: sent.options_passthrough ?? false,
    cookie_prefix: sent.cookie_prefix ?? 'edge.',
    inactivity_timeout: sent.inactivity_timeout ?? 0,
    maximum_duration: sent.maximum_duration ?? 0,
  };
}

function keepHeaders(sent: Sent<'request_headers'>) {
  return { enabled: sent.enabled ?? true, add: sent.add ?? {}, remove: sent.remove ?? [] };
}
