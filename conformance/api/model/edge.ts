/** What of a new edge must be shown as it was sent; see `edge-update.ts` for the whole. */

type Json = Record<string, unknown>;

/**
 * The fields that were sent, in the form of responses. Checked by the source document alone, the form of
 * `certificate_authorities` counts for nothing: it shows one Ref where several ids are sent.
 */
export function sentOf(body: Json, origin: 'source' | 'all'): Json {
  const { mutual_tls, tls_termination, ...texts } = body as { mutual_tls?: Json | null; tls_termination?: Json | null };
  const shown: Json = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null));
  if (mutual_tls != null) {
    const { certificate_authority_ids: ids, ...rest } = mutual_tls as { certificate_authority_ids?: string[] };
    shown['mutual_tls'] = {
      ...rest,
      ...(ids && origin === 'all' ? { certificate_authorities: ids.map((id) => ({ id })) } : {}),
    };
  }
  if (tls_termination != null) {
    // Null asks for the default (D07), which is another law.
    const { min_version, ...rest } = tls_termination;
    shown['tls_termination'] = min_version == null ? rest : { ...rest, min_version };
  }
  return shown;
}
