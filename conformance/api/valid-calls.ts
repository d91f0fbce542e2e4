/** For each operation, a call that must succeed: what it needs is made first. */
import fc from 'fast-check';
import type { CallInput, Session } from '../engine/http/session.ts';
import type { Operation } from '../engine/contract/operations.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { acceptable } from './values/edge-values.ts';
import { newEdge, newRoute } from './route-steps.ts';
import { BARE } from './values/route-values.ts';
import { addSource } from './steps.ts';
import { workspace } from './workspace.ts';

export type ValidCall = (session: Session) => Promise<CallInput>;

/** An operation of the contract that is missing here fails a test. */
export const VALID_CALLS: Record<string, ValidCall> = {
  createEdge: async ({ implementation }) => ({ json: acceptable(implementation, {}) }),
  getEdge: existingEdge,
  listEdges: async () => ({}),
  updateEdge: async (session) => ({ ...(await existingEdge(session)), json: {} }),
  deleteEdge: existingEdge,
  createRoute: async (session) => ({ path: { edge_id: (await newEdge(session)).id }, json: BARE }),
  getRoute: existingRoute,
  updateRoute: async (session) => ({ ...(await existingRoute(session)), json: {} }),
  deleteRoute: existingRoute,
  createEventSource: async (session) => {
    const { subscription_id, types } = await workspace(session, 1);
    return { path: { subscription_id }, json: { type: types[0] } };
  },
  listEventSources: async (session) => ({ path: { subscription_id: (await workspace(session, 0)).subscription_id } }),
  getEventSource: existingSource,
  updateEventSource: async (session) => ({ ...(await existingSource(session)), json: {} }),
  deleteEventSource: existingSource,
};

/**
 * A valid call for requests that must be refused. They change nothing, so they go to one edge or route together. Existing
 * subscriptions are lent to one case at a time: nothing of theirs is shared.
 */
export function groundFor(session: Session, { operationId, path }: Operation): Promise<CallInput> {
  const make = VALID_CALLS[operationId]!;
  return path.startsWith('/edges/') ? session.shared(make) : make(session);
}

async function existingEdge(session: Session): Promise<CallInput> {
  return { path: { id: (await newEdge(session)).id } };
}

async function existingRoute(session: Session): Promise<CallInput> {
  const { edge_id, id } = await newRoute(session);
  return { path: { edge_id, id } };
}

async function existingSource(session: Session): Promise<CallInput & { path: Record<string, string> }> {
  const { subscription_id, types } = await workspace(session, 1);
  await addSource(session, subscription_id, types[0]!);
  return { path: { subscription_id, type: types[0]! } };
}

/** Nothing varies. */
export const NOTHING = fc.constant(undefined);

export function offers(implementation: Implementation, operationId: string): boolean {
  const operation = implementation.operations.get(operationId);
  return operation !== undefined && (operation.level === 'core' || implementation.level === 'extended');
}
