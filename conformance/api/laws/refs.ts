/** A Ref has an id and a URI, whether a service shows one of them or a list. */
import { expectSuccess } from '../../engine/http/expect-response.ts';
import { expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { getEdge } from '../steps.ts';
import { NOTHING } from '../valid-calls.ts';
import { acceptable } from '../values/edge-values.ts';

export function refs(): Requirement {
  return {
    id: 'edges.refs',
    level: 'core',
    origin: 'source §2.3',
    clause: '/components/schemas/Ref',
    sentence: 'Each Ref has the `id` that was sent and a `uri`.',
    properties: (implementation) => [
      {
        label: 'a certificate authority',
        values: NOTHING,
        once: true,
        async check(_, session) {
          const id = implementation.testData.certificateAuthorityIds[0] ?? 'ca_conformance';
          const mutual_tls = { enabled: true, certificate_authority_ids: [id] };
          const json = { ...acceptable(implementation, {}), mutual_tls };
          const operation = session.operation('createEdge');
          const response = await session.call('createEdge', { json });
          // By the source document alone, a certificate authority may have to exist.
          if (implementation.origin === 'source' && response.status >= 400 && response.status < 500)
            throw new NotPossible('needs a certificate authority that exists: give --certificate-authority-id');
          expectSuccess(implementation, operation, response);
          const edge = response.json as { id: string };
          for (const shown of [edge, await getEdge(session, edge.id)]) {
            const { certificate_authorities: found } = (shown as { mutual_tls?: { certificate_authorities?: unknown } })
              .mutual_tls ?? { certificate_authorities: undefined };
            const [ref] = (Array.isArray(found) ? found : [found]) as (
              | { id?: unknown; uri?: unknown }
              | null
              | undefined
            )[];
            expectThat(ref?.id === id && typeof ref.uri === 'string', 'A Ref lacks its `id` or its `uri`.', {
              expected: `{"id": "${id}", "uri": …}`,
              got: found,
            });
          }
        },
      },
    ],
  };
}
