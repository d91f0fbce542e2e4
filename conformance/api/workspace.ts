/** Where cases on event sources work: subscriptions with event types that they do not have yet. */
import type { Session } from '../engine/http/session.ts';
import { NotPossible } from '../engine/http/undecided.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { listOf } from '../engine/laws/listing.ts';
import type { Listed } from '../engine/laws/resource.ts';
import { trackerOf } from './tracker.ts';

export interface Workspace {
  subscription_id: string;
  /** In ascending order; none is a source of the subscription. */
  types: string[];
  /** What was there before, in ascending order: on a shared subscription, sources of somebody else. */
  before: string[];
}

export interface Needs {
  /** How many types will do, where there are no more; by default no fewer than asked for. */
  atLeast?: number;
  /** Whether nothing may be there before. */
  empty?: boolean;
}

/** What it takes to list the sources of a subscription. */
export const sourceList: Listed = {
  one: 'an event source',
  many: 'event sources',
  calls: {
    create: 'createEventSource',
    read: 'getEventSource',
    list: 'listEventSources',
    update: 'updateEventSource',
    delete: 'deleteEventSource',
  },
  id: { parameter: 'type', member: 'type', givenBy: 'body' },
  list: { kind: 'paged', items: 'sources', next: 'uri', shared: false },
};

/** Common prefixes and numbers that sort differently as numbers and as text, so that wrong orders show. */
const NAMES = [
  ...['a.v0', 'a.v1', 'a.v10', 'a.v2', 'a1.v0', 'a_.v0', 'a_b.v0', 'aa.v0', 'ab.v0', 'abc.v0', 'b.v0', 'b0.v0'],
  ...['http_request_complete.v0', 'ip_policy_created.v0', 'ip_policy_updated.v0', 'tcp_connection_closed.v0'],
  ...['z.v0', 'z.v9', 'zz.v0', 'zzz.v99'],
];

export function namesFor({ testData: { eventTypes } }: Implementation): string[] {
  return eventTypes.length > 0 ? [...new Set(eventTypes)] : NAMES;
}

/** One subscription with `count` types. @throws NotPossible */
export async function workspace(session: Session, count: number, needs: Needs = {}): Promise<Workspace> {
  const [only] = await workspaces(session, 1, count, needs);
  return only as Workspace;
}

/** Several subscriptions with the same `count` types. @throws NotPossible */
export async function workspaces(
  session: Session,
  subscriptions: number,
  count: number,
  { atLeast = count, empty = false }: Needs = {},
  names = namesFor(session.implementation),
): Promise<Workspace[]> {
  const { implementation } = session;
  const suits = (id: string) => {
    const foreign = implementation.foreign.of(id);
    return (!empty || foreign.size === 0) && names.filter((type) => !foreign.has(type)).length >= atLeast;
  };
  const what = `${empty ? ' without sources' : ''}${atLeast > 0 ? ` with room for ${atLeast} more event types` : ''}`;
  const ids = await trackerOf(session).subscriptions({ count: subscriptions, suits }, what);
  const befores: string[][] = [];
  for (const id of ids) befores.push(await sourcesBefore(session, id));
  const types = names
    .filter((type) => !befores.flat().includes(type))
    .slice(0, count)
    .toSorted();
  // Somebody else may have come in between.
  if (types.length < atLeast || (empty && befores.flat().length > 0))
    throw new NotPossible(`needs a subscription${what}; give more with --event-type or --subscription-id`);
  return ids.map((subscription_id, index) => ({ subscription_id, types, before: befores[index]! }));
}

async function sourcesBefore(session: Session, id: string): Promise<string[]> {
  const { subscriptions, foreign } = session.implementation;
  if (!subscriptions.shared) return [];
  const place = { path: { subscription_id: id }, bodies: [], foreign: [] };
  const types = (await listOf(session, sourceList, place, [])).items.map(({ type }) => String(type));
  foreign.add(id, types);
  return types;
}
