/** Bodies for new edges that the target must accept. */
import type fc from 'fast-check';
import { type Hints, validValues } from '../arbitraries/valid.ts';
import { hostportFor, type Target } from '../target/target.ts';

export type EdgeBody = Record<string, unknown>;

export const EDGE_CREATE = '/components/schemas/HTTPSEdgeCreate';

export function edgeBodies(target: Target, hints: Hints = target.hints): fc.Arbitrary<EdgeBody> {
  return validValues(target.contract, EDGE_CREATE, hints).map((body) => acceptable(target, body as EdgeBody));
}

/**
 * Judged by the source document alone, nothing may be left out (which fields are required is not shown, §4.1) and nothing
 * sent whose form it does not show: TLS versions, `terminate_at` in requests, ids of certificate authorities.
 */
export function acceptable(target: Target, body: EdgeBody): EdgeBody {
  if (target.origin === 'all') return body;
  return {
    description: body['description'] ?? 'conformance',
    metadata: body['metadata'] ?? '{}',
    hostports:
      Array.isArray(body['hostports']) && body['hostports'].length > 0
        ? body['hostports']
        : [hostportFor(target.knowledge)],
    mutual_tls: {
      enabled: enabledOf(body['mutual_tls']),
      certificate_authority_ids: target.knowledge.certificateAuthorityIds.slice(0, 1),
    },
    tls_termination: { enabled: enabledOf(body['tls_termination']) },
  };
}

function enabledOf(module: unknown): unknown {
  return (module as { enabled?: unknown } | null | undefined)?.enabled ?? true;
}
