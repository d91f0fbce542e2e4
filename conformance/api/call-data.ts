/** What calls are made of beyond the links of the contract: subscriptions, which no operation makes, and small bodies. */
import type { CallData } from '../engine/requirements/api.ts';
import type { Session } from '../engine/http/session.ts';
import { acceptable } from './values/edge-values.ts';
import { BARE } from './values/route-values.ts';
import { type Workspace, workspace } from './workspace.ts';

export const CALL_DATA: CallData = {
  parameters: {
    // A list needs no room for more; a case takes all that it needs in one step.
    subscription_id: async (session, operation) =>
      (await workspaceOf(session, operation.method === 'GET' ? 0 : 1)).subscription_id,
  },
  bodies: {
    createEdge: ({ implementation }) => acceptable(implementation, {}),
    updateEdge: () => ({}),
    createRoute: () => BARE,
    updateRoute: () => ({}),
    createEventSource: async (session) => ({ type: (await workspaceOf(session, 1)).types[0] }),
    updateEventSource: () => ({}),
  },
};

const workspaces = new WeakMap<Session, Promise<Workspace>>();

function workspaceOf(session: Session, count: number): Promise<Workspace> {
  let taken = workspaces.get(session);
  if (!taken) workspaces.set(session, (taken = workspace(session, count)));
  return taken;
}
