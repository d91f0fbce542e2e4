/** What an edge must show after changes (D11); see `edge.ts` for what creating it must show. */
import type { Json } from './route.ts';

const RESET: Json = { description: '', metadata: '', hostports: [], mutual_tls: null, tls_termination: null };

/** What creating an edge must show, whole. */
export function shownEdge(body: Json): Json {
  return patchedEdge(RESET, body);
}

/** Left out, a property stays; null resets it or removes the module; else it is replaced whole. */
export function patchedEdge(shown: Json, patch: Json): Json {
  const changed = Object.entries(patch).map(([name, value]) => [
    name,
    value == null ? RESET[name] : formOf(name, value),
  ]);
  return { ...shown, ...(Object.fromEntries(changed) as Json) };
}

function formOf(name: string, value: unknown): unknown {
  if (name === 'mutual_tls') {
    const { certificate_authority_ids: ids = [], enabled = true } = value as {
      certificate_authority_ids?: string[];
      enabled?: boolean;
    };
    return { enabled, certificate_authorities: ids.map((id) => ({ id })) };
  }
  if (name === 'tls_termination') {
    const { enabled = true, terminate_at = 'edge', min_version = null } = value as Json;
    if (terminate_at === 'upstream') return { enabled, terminate_at, min_version: null };
    // The version that the service picks is its own (D07), which is another law.
    return { enabled, terminate_at, ...(min_version === null ? {} : { min_version }) };
  }
  return value;
}
