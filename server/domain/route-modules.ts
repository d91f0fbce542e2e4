/**
 * The 13 modules of a route (source §2.6–2.10): what is kept of each, and how it is shown. A module is kept as it was sent
 * (D17), with the defaults of the contract filled in: ids in place of Refs.
 */
import type { Links } from './links.ts';
import { keepOAuthProvider } from './oauth-provider.ts';
import type { OAuthProviderMutate, Route } from './types.ts';

type Shown<K extends ModuleName> = NonNullable<Route[K]>;

/** What the service supplies for SAML, and no client sends. */
type Supplied = keyof ReturnType<Links['saml']> | 'request_signing_certificate_pem';

/** A module of each kind as it is kept. */
interface Modules {
  backend: { enabled: boolean; backend_id: string };
  ip_restriction: { enabled: boolean; ip_policy_ids: string[] };
  circuit_breaker: Shown<'circuit_breaker'>;
  compression: Shown<'compression'>;
  request_headers: Shown<'request_headers'>;
  response_headers: Shown<'response_headers'>;
  webhook_verification: Shown<'webhook_verification'>;
  oauth: Shown<'oauth'>;
  saml: Omit<Shown<'saml'>, Supplied>;
  oidc: Shown<'oidc'>;
  websocket_tcp_converter: Shown<'websocket_tcp_converter'>;
  user_agent_filter: Shown<'user_agent_filter'>;
  traffic_policy: Shown<'traffic_policy'>;
}

/** A module of each kind as it was sent, with the defaults of the contract: what has none may be omitted. */
interface Sent extends Omit<Modules, 'webhook_verification' | 'oauth' | 'saml' | 'oidc'> {
  webhook_verification: Omit<Modules['webhook_verification'], 'secret'> & { secret?: string | null };
  oauth: Omit<Modules['oauth'], 'provider' | 'cookie_prefix'> & CookiePrefix & { provider: OAuthProviderMutate };
  saml: Omit<Modules['saml'], 'cookie_prefix'> & CookiePrefix;
  oidc: Omit<Modules['oidc'], 'client_secret' | 'cookie_prefix'> & CookiePrefix & { client_secret?: string | null };
}

interface CookiePrefix {
  cookie_prefix?: string;
}

/** The contract leaves it to the service where none is sent (D25). */
const DEFAULT_COOKIE_PREFIX = { cookie_prefix: 'edge.' };

export type ModuleName = keyof Modules;

/** In the order of the contract. */
export const MODULES = [
  ...(['backend', 'ip_restriction', 'circuit_breaker', 'compression', 'request_headers', 'response_headers'] as const),
  ...(['webhook_verification', 'oauth', 'saml', 'oidc'] as const),
  ...(['websocket_tcp_converter', 'user_agent_filter', 'traffic_policy'] as const),
] satisfies ModuleName[];

export type ModuleRecords = { [K in ModuleName]: Modules[K] | null };

export type FilledModules = { [K in ModuleName]?: Sent[K] | null };

/** What the service supplies for SAML. */
export interface SigningCertificate {
  certificate_pem: string;
}

/** The modules that are sent, as they are kept: absent ones are omitted, null ones are null (D11). */
export function keepModules(sent: FilledModules): Partial<ModuleRecords> {
  const { webhook_verification, oauth, saml, oidc } = sent;
  const kept: Partial<ModuleRecords> = {
    ...(sent as Partial<ModuleRecords>),
    ...(webhook_verification && {
      webhook_verification: { ...webhook_verification, secret: webhook_verification.secret ?? null },
    }),
    ...(oauth && { oauth: { ...DEFAULT_COOKIE_PREFIX, ...oauth, provider: keepOAuthProvider(oauth.provider) } }),
    ...(saml && { saml: { ...DEFAULT_COOKIE_PREFIX, ...saml } }),
    ...(oidc && { oidc: { ...DEFAULT_COOKIE_PREFIX, ...oidc, client_secret: oidc.client_secret ?? null } }),
  };
  return Object.fromEntries(
    MODULES.filter((name) => kept[name] !== undefined).map((name) => [name, kept[name]]),
  ) as Partial<ModuleRecords>;
}

export const NO_MODULES = Object.fromEntries(MODULES.map((name) => [name, null])) as ModuleRecords;

/** The modules as responses show them: Refs in place of ids (D03), and what the service supplies for SAML. */
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
