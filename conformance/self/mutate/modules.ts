/** The modules of routes. Written by hand: what a mutant acts on must not depend on what the suite believes. */
import { isObject, type Json } from './request.ts';
import { without } from './values.ts';

export const MODULES = [
  'backend',
  'ip_restriction',
  'circuit_breaker',
  'compression',
  'request_headers',
  'response_headers',
  'webhook_verification',
  'oauth',
  'saml',
  'oidc',
  'websocket_tcp_converter',
  'user_agent_filter',
  'traffic_policy',
];

/** Those that sign users in. */
export const SIGN_IN = ['oauth', 'saml', 'oidc'];

export const SUPPLIED = [
  'entity_id',
  'assertion_consumer_service_url',
  'single_logout_url',
  'request_signing_certificate_pem',
  'metadata_url',
];

/** What a client would send to get a module that is shown. */
export function asSent(name: string, shown: unknown): Json | null {
  if (!isObject(shown)) return null;
  switch (name) {
    case 'backend':
      return { enabled: shown['enabled'], backend_id: (shown['backend'] as Json)['id'] };
    case 'ip_restriction':
      return { enabled: shown['enabled'], ip_policy_ids: (shown['ip_policies'] as Json[]).map(({ id }) => id) };
    case 'saml':
      return without(shown, ...SUPPLIED);
    case 'oauth':
      return { ...shown, provider: providerAsSent(shown['provider'] as Json) };
    case 'oidc':
      return withoutNull(shown);
    default:
      return shown;
  }
}

function providerAsSent(shown: Json): Json {
  const apps = Object.entries(shown).filter((entry): entry is [string, Json] => isObject(entry[1]));
  return Object.fromEntries(
    apps.map(([name, app]) => [
      name,
      app['client_id'] === null ? without(app, 'client_id', 'client_secret', 'scopes') : app,
    ]),
  );
}

function withoutNull(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

/** Whether a body enables a module: left out, `enabled` is true. */
export function enables(body: Json, name: string): boolean {
  const module = body[name];
  return isObject(module) && module['enabled'] !== false;
}

export function disabled(module: unknown): unknown {
  return isObject(module) ? { ...module, enabled: false } : module;
}
