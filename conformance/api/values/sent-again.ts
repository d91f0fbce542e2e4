/** An edge that was read, as it can be sent (D04): Refs go as their ids. */
import type { Json } from '../model/route.ts';

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

function known(value: unknown, names: readonly string[]): Json | null {
  if (value === null || value === undefined) return null;
  return Object.fromEntries(Object.entries(value as Json).filter(([name]) => names.includes(name)));
}

function idsOf(refs: unknown): unknown[] {
  return (refs as Json[]).map(({ id }) => id);
}
