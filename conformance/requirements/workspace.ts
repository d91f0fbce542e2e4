/** Ground to work on: a subscription with event types that it does not have yet. */
import type { Session } from '../check/session.ts';
import { NotPossible } from './requirement.ts';
import { listAll } from './steps.ts';

export interface Workspace {
  subscription_id: string;
  /** As many as asked for, in ascending order; none is a source of the subscription. */
  types: string[];
  /** What was there before, in ascending order: on a shared subscription, sources of somebody else. */
  before: string[];
}

/** Common prefixes and numbers that sort differently as numbers and as text, so that wrong orders show. */
const NAMES = [
  'a.v0', 'a.v1', 'a.v10', 'a.v2', 'a1.v0', 'a_.v0', 'a_b.v0', 'aa.v0', 'ab.v0', 'abc.v0', 'b.v0', 'b0.v0', 'http_request_complete.v0',
  'ip_policy_created.v0', 'ip_policy_updated.v0', 'tcp_connection_closed.v0', 'z.v0', 'z.v9', 'zz.v0', 'zzz.v99',
];

export async function workspace(session: Session, count: number): Promise<Workspace> {
  const { knowledge, subscriptions } = session.target;
  const subscription_id = await session.subscription();
  const before = subscriptions.shared ? (await listAll(session, subscription_id)).types : [];
  const pool = knowledge.eventTypes.length > 0 ? knowledge.eventTypes : NAMES;
  const types = pool.filter((type) => !before.includes(type)).slice(0, count).toSorted();
  if (types.length < count) {
    throw new NotPossible(`needs ${count} event types that the subscription does not have; give more with --event-type`);
  }
  return { subscription_id, types, before };
}
