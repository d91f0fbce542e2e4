/** Event sources: a subscription is a set of event types. */
import type { Implementation } from '../../engine/http/implementation.ts';
import type { Session } from '../../engine/http/session.ts';
import { NotPossible } from '../../engine/http/nonconformity.ts';
import { UNCHANGED } from '../../engine/laws/refused.ts';
import type { Rules } from '../../engine/laws/index.ts';
import type { Place, Resource, Wanted } from '../../engine/laws/resource.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { AT, ATOMIC, because, INFO } from '../define.ts';
import { trackerOf } from '../tracker.ts';

const SOURCES = '/paths/~1event_subscriptions~1{subscription_id}~1sources';
const SOURCE = `${SOURCES}~1{type}`;
const URI = '/components/schemas/EventSource/properties/uri';
const NOT_FOUND = `${AT.responses}/NotFound`;
const LIMIT = '/components/parameters/Limit/schema';

export const sources: Resource = {
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
  fixed: [],
  order: 'by id',
  unique: {
    members: ['type'],
    another: (_, sample, { bodies }) => bodies.findLast(({ type }) => type !== sample['type'])!['type'],
    code: 'already_exists',
  },
  places,
  shown: (body) => body,
  changed: (shown, patch) => ({ ...shown, ...patch }),
  values: {
    full: () => ({}),
    bare: () => ({}),
    members: ['type'],
    other: (_, __, { bodies }) => bodies.at(-1)!['type'],
    invalid: {
      create: [{ extra: 1 }, { type: ['a.v0'] }, { type: 5 }, { Type: 'a.v0' }, { type: null }],
      update: [{ extra: 1 }, { type: ['a.v0'] }, { type: 5 }, { Type: 'a.v0' }],
    },
  },
};

/** Common prefixes and numbers that sort differently as numbers and as text, so that wrong orders show. */
const NAMES = [
  ...['a.v0', 'a.v1', 'a.v10', 'a.v2', 'a1.v0', 'a_.v0', 'a_b.v0', 'aa.v0', 'ab.v0', 'abc.v0', 'b.v0', 'b0.v0'],
  ...['http_request_complete.v0', 'ip_policy_created.v0', 'ip_policy_updated.v0', 'tcp_connection_closed.v0'],
  ...['z.v0', 'z.v9', 'zz.v0', 'zzz.v99'],
];

/** Where any name will do and nobody else is there, as many as are wanted. */
function namesOf({ testData: { eventTypes }, subscriptions }: Implementation, count: number): string[] {
  if (eventTypes.length > 0) return [...new Set(eventTypes)];
  if (count <= NAMES.length || subscriptions.shared) return NAMES;
  return Array.from({ length: count }, (_, index) => `conformance_${index}.v0`);
}

/** Subscriptions with event types that none of them has yet, in no order. @throws NotPossible */
async function places(session: Session, wanted: Wanted): Promise<Place[]> {
  const { items, atLeast = items, empty = false, places: count = 1 } = wanted;
  const { implementation } = session;
  const names = namesOf(implementation, items);
  const suits = (id: string) => {
    const foreign = implementation.foreign.of(id);
    return (!empty || foreign.size === 0) && names.filter((type) => !foreign.has(type)).length >= atLeast;
  };
  const what = `${empty ? ' without sources' : ''}${atLeast > 0 ? ` with room for ${atLeast} more event types` : ''}`;
  const ids = await trackerOf(session).subscriptions({ count, suits }, what);
  const befores: string[][] = [];
  for (const id of ids) befores.push(await sourcesBefore(session, id));
  const taken = new Set(befores.flat());
  const types = names.filter((type) => !taken.has(type)).slice(0, items);
  // Somebody else may have come in between.
  if (types.length < atLeast || (empty && taken.size > 0))
    throw new NotPossible(`needs a subscription${what}; give more with --event-type or --subscription-id`);
  // Sorted by their ends, names are in no order.
  const reversed = (type: string) => [...type].toReversed().join('');
  const mixed = types.toSorted((one, other) => (reversed(one) < reversed(other) ? -1 : 1));
  const bodies = mixed.map((type) => ({ type }));
  return ids.map((subscription_id, index) => ({ path: { subscription_id }, bodies, foreign: befores[index]! }));
}

/** On a shared subscription, sources of somebody else. */
async function sourcesBefore(session: Session, subscription_id: string): Promise<string[]> {
  const { subscriptions, foreign } = session.implementation;
  if (!subscriptions.shared) return [];
  const { items } = await new Steps(session, sources).list({ path: { subscription_id }, bodies: [], foreign: [] });
  const types = items.map(({ type }) => String(type));
  foreign.add(subscription_id, types);
  return types;
}

export const sourceRules: Rules = {
  siblings: ['sources.read-your-write', 'source §4.4', `${SOURCE}/get`],
  listed: ['sources.listed', 'source §4.5', `${SOURCES}/get`, 'A subscription can have several'],
  empty: ['sources.empty', 'D14', `${SOURCES}/get`],
  uniqueCreate: ['sources.add-twice', 'D15', `${SOURCES}/post/responses/409`, '| 409 | `already_exists`'],
  uniqueUpdate: ['sources.update-conflict', 'D12', `${SOURCE}/patch/responses/409`],
  uniqueKept: 'updateNothing sends its own type',
  unknown: ['sources.unknown', 'D15', NOT_FOUND],
  unknownChanges: 'unknown tries all calls',
  gone: ['sources.removed', 'source §4.7', `${SOURCE}/delete`],
  again: ['sources.added-again', 'source §6', `${SOURCES}/post`],
  updateEcho: ['sources.update-moves', 'D12', `${SOURCE}/patch`],
  updateWays: 'its type is its id, and updateEcho moves it among others',
  updateBack: ['sources.update-back', 'D12', `${SOURCE}/patch`],
  replaced: 'a change leaves as it is what it does not have',
  updateNothing: ['sources.update-nothing', 'D12', `${SOURCE}/patch/requestBody`],
  updateNull: 'its type cannot be null',
  updateReplaced: 'a type has no parts',
  updateIdempotent: 'the change gives it another id, under which the same change changes nothing: updateNothing',
  updateIdentity: 'a change gives it another id',
  refused: ['sources.refused-changes-nothing', 'D29', INFO, UNCHANGED],
  isolation: ['sources.isolation', 'source §2.12', '/components/parameters/SubscriptionId'],
  uri: ['sources.uri', 'source §2.12', URI, 'The `uri` of an edge'],
  uriOfOne: ['sources.uri.own', 'source §2.12', URI],
  location: ['sources.location', 'D37', '/components/headers/EventSourceLocation'],
  stable: ['sources.stable', 'source §4.4', `${SOURCE}/get`],
  defaults: 'nothing can be left out',
  createdAt: 'it has no time of creation',
  idsNotReused: 'its id is its type, which can be added again',
  createdTogether: ['sources.race.lost-update', 'source §4.3', `${SOURCES}/post`],
  order: ['sources.order', 'D16', '/components/schemas/EventSourceList/properties/sources'],
  listDeleted: 'gone looks at the list',
  full: 'nothing bounds how many there are',
  many: 'pagesDefault has 101 of them',
  pages: ['sources.pages', 'D16', `${SOURCES}/get`, 'It keeps `limit`'],
  pagesLimit: ['sources.pages.limit', 'D16', LIMIT],
  pagesDefault: ['sources.pages.default', 'D16', `${LIMIT}/default`, 'Lists come in pages'],
  pagesLast: ['sources.pages.last', 'source §4.5', '/components/schemas/NextPageUri', 'Follow it until it is null'],
  pagesUri: 'the `uri` of its page is that of the next one',
  pagesWrites: ['sources.pages.writes', 'D16', `${SOURCES}/get`],
  raceCreate: ['sources.race.add', 'D15', `${SOURCES}/post/responses/409`],
  raceUpdate: ['sources.race.update', 'D12', `${SOURCE}/patch`],
  raceDelete: ['sources.race.remove', 'D15', NOT_FOUND],
  raceItems: ['sources.race.items', 'D12', INFO, ATOMIC],
  raceRemoved: ['sources.race.removed', 'D12', `${SOURCE}/delete`],
  raceMoves: ['sources.race.moves', 'D12', `${SOURCE}/patch`],
  raceReaders: ['sources.race.readers', 'D12', `${SOURCE}/patch`],
  raceListed: 'its body is its id: it has no half',
  ...because('its body is its id, which siblings compare', 'echo', 'readYourWrite'),
  ...because('nothing is inside of it', 'cascade', 'othersStay', 'childrenStay'),
  ...because('it has one member', 'updateAbsent', 'raceMembers'),
  ...because('refused tries creations and changes', 'refusedCreate', 'refusedUpdate'),
};
