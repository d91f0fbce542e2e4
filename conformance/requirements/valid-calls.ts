/** For each operation, a call that must succeed: what it needs is made first. */
import fc from 'fast-check';
import type { CallInput, Session } from '../check/session.ts';
import type { Target } from '../target/target.ts';
import { acceptable } from './edge-values.ts';
import { addSource, createEdge } from './steps.ts';
import { workspace } from './workspace.ts';

export type ValidCall = (session: Session) => Promise<CallInput>;

/** An operation of the contract that is missing here fails a test. */
export const VALID_CALLS: Record<string, ValidCall> = {
  createEdge: async ({ target }) => ({ json: acceptable(target, {}) }),
  getEdge: async (session) => ({ path: { id: (await createEdge(session, acceptable(session.target, {}))).id } }),
  createEventSource: async (session) => {
    const { subscription_id, types } = await workspace(session, 1);
    return { path: { subscription_id }, json: { type: types[0] } };
  },
  listEventSources: async (session) => ({ path: { subscription_id: (await workspace(session, 0)).subscription_id } }),
  getEventSource: existingSource,
  updateEventSource: async (session) => ({ ...(await existingSource(session)), json: {} }),
  deleteEventSource: existingSource,
};

async function existingSource(session: Session): Promise<CallInput & { path: Record<string, string> }> {
  const { subscription_id, types } = await workspace(session, 1);
  await addSource(session, subscription_id, types[0]!);
  return { path: { subscription_id, type: types[0]! } };
}

/** Nothing varies. */
export const NOTHING = fc.constant(undefined);

export function offers(target: Target, operationId: string): boolean {
  const operation = target.operations.get(operationId);
  return operation !== undefined && (operation.level === 'core' || target.level === 'extended');
}
