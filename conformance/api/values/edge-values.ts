/** Bodies for new edges that the service must accept. */
import type fc from 'fast-check';
import { type Hints, validValues } from '../../engine/generate/valid.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import type { TestData } from '../implementation.ts';

export type EdgeBody = Record<string, unknown>;

export const EDGE_CREATE = '/components/schemas/HTTPSEdgeCreate';

export function edgeBodies(
  implementation: Implementation,
  hints: Hints = implementation.hints,
): fc.Arbitrary<EdgeBody> {
  return validValues(implementation.contract, EDGE_CREATE, hints).map((body) =>
    acceptable(implementation, body as EdgeBody),
  );
}

/**
 * Checked by the source document alone, nothing may be left out (which fields are required is not shown, §4.1) and nothing
 * sent whose form it does not show: TLS versions, `terminate_at` in requests, ids of certificate authorities.
 */
export function acceptable(implementation: Implementation, body: EdgeBody): EdgeBody {
  if (implementation.origin === 'all') return body;
  return {
    description: body['description'] ?? 'conformance',
    metadata: body['metadata'] ?? '{}',
    hostports:
      Array.isArray(body['hostports']) && body['hostports'].length > 0
        ? body['hostports']
        : [hostportFor(implementation.testData)],
    mutual_tls: {
      enabled: enabledOf(body['mutual_tls']),
      certificate_authority_ids: implementation.testData.certificateAuthorityIds.slice(0, 1),
    },
    tls_termination: { enabled: enabledOf(body['tls_termination']) },
  };
}

function enabledOf(module: unknown): unknown {
  return (module as { enabled?: unknown } | null | undefined)?.enabled ?? true;
}

/** A hostport that the implementation accepts. */
export function hostportFor({ hostportDomain = 'example.com' }: Partial<TestData>): string {
  return `conformance.${hostportDomain}:443`;
}
