/** A TLS version that a service accepts is kept, whichever versions it knows. */
import { expectSuccess } from '../../engine/http/expect-response.ts';
import { expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import { each, type Requirement } from '../../engine/requirements/requirement.ts';
import { getEdge } from '../steps.ts';
import { acceptable } from '../values/edge-values.ts';

export function minVersion(): Requirement {
  return {
    id: 'edges.min-version.kept',
    level: 'core',
    origin: 'source §2.4',
    clause: '/components/schemas/EndpointTLSTermination/properties/min_version',
    sentence: 'A `min_version` that is accepted is in the response and is read back.',
    properties: (implementation) =>
      each({ 'TLS 1.2': '1.2', 'TLS 1.3': '1.3' }, async (version, session) => {
        const json = { ...acceptable(implementation, {}), tls_termination: { enabled: true, min_version: version } };
        const operation = session.operation('createEdge');
        const response = await session.call('createEdge', { json });
        // The source does not show which versions there are: by it alone, a service may know others.
        if (implementation.origin === 'source' && response.status >= 400 && response.status < 500)
          throw new NotPossible(`the service does not know the TLS version ${version}`);
        expectSuccess(implementation, operation, response);
        const edge = response.json as { id: string };
        for (const shown of [edge, await getEdge(session, edge.id)]) {
          const got = (shown as { tls_termination?: { min_version?: unknown } | null }).tls_termination?.min_version;
          expectThat(got === version, '`min_version` is another one than was sent.', { expected: version, got });
        }
      }),
  };
}
