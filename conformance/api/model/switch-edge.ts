import { patchEdge } from '../route-steps.ts';
import { refuse } from '../steps.ts';
import type { RouteGround } from './route-command.ts';

/** Whether TLS is passed through decides what routes may have (D09). */
export async function switchEdge(
  { session, edge_id, model }: RouteGround,
  { upstream }: { upstream: boolean },
): Promise<void> {
  const json = { tls_termination: { terminate_at: upstream ? 'upstream' : 'edge' } };
  if (model.switch(upstream) === 200) await patchEdge(session, edge_id, json);
  else
    await refuse(
      session,
      'updateEdge',
      { path: { id: edge_id }, json },
      [409],
      'A route has a module that the edge would not allow.',
    );
}
