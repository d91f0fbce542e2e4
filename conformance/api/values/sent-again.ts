/** Requests from what was read (D04): Refs go as their ids, and what the service supplies for SAML stays behind. */
import type { Json } from '../model/route.ts';

const SUPPLIED = [
  'entity_id',
  'assertion_consumer_service_url',
  'single_logout_url',
  'request_signing_certificate_pem',
  'metadata_url',
];

/** The body that creates an edge like this one, without its routes. */
export function sentAgain({ description, metadata, hostports, mutual_tls, tls_termination }: Json): Json {
  const mutual = mutual_tls as Json | null;
  return {
    description,
    metadata,
    hostports,
    mutual_tls: mutual && {
      enabled: mutual['enabled'],
      certificate_authority_ids: idsOf(mutual['certificate_authorities']),
    },
    tls_termination: known(tls_termination, ['enabled', 'terminate_at', 'min_version']),
  };
}

/**
 * The modules of a route as they can be sent.
 * @param names of the properties that requests have, for each object; a service may show more
 */
export function modulesSentAgain(route: Json, modules: readonly string[], names: (path: string[]) => string[]): Json {
  const sent = modules.map((name) => [name, moduleSentAgain(name, route[name] as Json | null, names)]);
  return Object.fromEntries(sent) as Json;
}

function moduleSentAgain(name: string, shown: Json | null, names: (path: string[]) => string[]): Json | null {
  if (shown === null) return null;
  const { backend, ip_policies, provider, ...rest } = shown;
  const own = Object.fromEntries(
    Object.entries(rest).filter(([property]) => !SUPPLIED.includes(property) && names([name]).includes(property)),
  );
  if (name === 'backend') return { ...own, backend_id: (backend as Json)['id'] };
  if (name === 'ip_restriction') return { ...own, ip_policy_ids: idsOf(ip_policies) };
  if (name === 'oauth') {
    const providers = Object.entries(provider as Record<string, Json | null>)
      .filter(([one]) => names([name, 'provider']).includes(one))
      .map(([one, app]) => [one, known(app, names([name, 'provider', one]))]);
    return { ...own, provider: Object.fromEntries(providers) };
  }
  return provider === undefined ? own : { ...own, provider };
}

function known(value: unknown, names: readonly string[]): Json | null {
  if (value === null || value === undefined) return null;
  return Object.fromEntries(Object.entries(value as Json).filter(([name]) => names.includes(name)));
}

function idsOf(refs: unknown): unknown[] {
  return (refs as Json[]).map(({ id }) => id);
}
