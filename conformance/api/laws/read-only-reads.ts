/** With a token that may only read, reading is as with any other (D28): nothing is refused, and nothing hidden. */
import { expectStatus } from '../../engine/http/expect-response.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import { type CallInput, type Session, requestTargetOf } from '../../engine/http/session.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import { expectListed, walk } from './edge-pages.ts';
import { fullEdge } from './edge-updates.ts';
import { once } from './law.ts';
import { asReader, withoutReadOnlyToken } from '../read-only-token.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { createRoute, newEdge, type RouteResponse } from '../route-steps.ts';
import { allModules, BARE } from '../values/route-values.ts';
import { addSource, type EdgeResponse, succeed } from '../steps.ts';
import { offers, validCall } from '../valid-calls.ts';
import { workspace } from '../workspace.ts';

const WHY = 'A token that may only read may read everything.';

export function readOnlyReads(operations: Operation[]): Requirement[] {
  return operations
    .filter(({ method }) => method === 'GET')
    .map((operation) => ({
      id: `${operation.operationId}.read-only-token`,
      level: operation.level,
      origin: 'D28',
      clause: operation.pointer,
      sentence: `${operation.operationId} responds to a read-only token as to any other.`,
      skip: withoutReadOnlyToken,
      properties: () => [
        once('GET', async (session) => {
          const look = await LOOKS[operation.operationId]!(session);
          const whole = await look({});
          expectSame('A token that may only read is shown something else', await look(asReader(session)), whole);
        }),
        once('HEAD', async (session) => {
          const target = requestTargetOf(operation, await validCall(session, operation.operationId));
          const { status } = await session.send({ method: 'HEAD', target });
          expectStatus(await session.send({ method: 'HEAD', target, headers: asReader(session) }), [status], WHY);
        }),
      ],
    }));
}

/** Reads one thing, with these headers, as often as it is asked to. */
type Look = (headers: Record<string, string>) => Promise<unknown>;

/** For each operation that reads, something worth hiding. One of the contract that is missing here fails a test. */
export const LOOKS: Record<string, (session: Session) => Promise<Look>> = {
  getEdge: async (session) => lookAt(session, 'getEdge', { path: { id: (await richEdge(session)).id } }),
  listEdges: async (session) => {
    const older = await richEdge(session);
    const edges = [await newEdge(session), older];
    return async (headers) => {
      const found = await walk(session, older, { headers });
      expectListed(found, edges);
      // Those of others come and go all the while.
      return edges.map(({ id }) => found.edges.find((one) => one.id === id));
    };
  },
  getRoute: async (session) => {
    const { edge_id, id } = await richRoute(session, (await newEdge(session)).id);
    return lookAt(session, 'getRoute', { path: { edge_id, id } });
  },
  listEventSources: async (session) => {
    const { subscription_id, types } = await workspace(session, 2, { atLeast: 1 });
    for (const type of types) await addSource(session, subscription_id, type);
    const look = lookAt(session, 'listEventSources', { path: { subscription_id } });
    // The next page, where others have sources there, may have another address each time.
    return async (headers) => ((await look(headers)) as { sources: unknown }).sources;
  },
  getEventSource: async (session) => lookAt(session, 'getEventSource', await validCall(session, 'getEventSource')),
};

function lookAt(session: Session, operationId: string, call: CallInput): Look {
  return async (headers) =>
    (await succeed(session, operationId, { ...call, headers }, 'authorization' in headers ? WHY : undefined)).json;
}

async function richEdge(session: Session): Promise<EdgeResponse> {
  const edge = await newEdge(session, fullEdge(session.implementation));
  if (offers(session.implementation, 'createRoute')) await richRoute(session, edge.id);
  return edge;
}

/** Some of its modules have secrets, which are read back as sent (D27). */
function richRoute(session: Session, edge_id: string): Promise<RouteResponse> {
  return createRoute(session, edge_id, { ...BARE, ...allModules() });
}
