/** Event sources: a subscription is a set of event types. */
import { randomUUID } from 'node:crypto';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectSame, NotPossible } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import type { Rules } from '../../engine/laws/index.ts';
import type { Overlay } from '../../engine/laws/inference/overlay.ts';
import { once } from '../../engine/laws/law.ts';
import { elementAt } from '../../engine/laws/required.ts';
import { bodyOf, type Item, type Place, type Wanted } from '../../engine/laws/resource.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { UNCHANGED } from '../../engine/laws/unchanged.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type ApiRule, AT, ATOMIC, because, INFO, JSON_TEXT, on, rule } from '../define.ts';
import { conflictOnlyIfValid } from '../laws/refusals.ts';
import { edgeImplementation, trackerOf } from '../tracker.ts';
import { laidOver } from './laid-over.ts';
import { REPLACED_FOR_EACH, REPLACED_FOR_UNIQUE } from './replaced-laws.ts';

const SOURCES = '/paths/~1event_subscriptions~1{subscription_id}~1sources';
const SOURCE = `${SOURCES}~1{type}`;
const URI = '/components/schemas/EventSource/properties/uri';
const NOT_FOUND = `${AT.responses}/NotFound`;
const LIMIT = '/components/parameters/Limit/schema';

export const sourceOverlay: Overlay = {
  one: 'an event source',
  many: 'event sources',
  list: {
    kind: 'paged',
    items: 'sources',
    next: 'uri',
    size: 'limit',
    most: undefined,
    shared: false,
    isSteady: true,
    ignoresFields: true,
  },
  order: 'by id',
  unique: {
    members: ['type'],
    another: (_, sample, { bodies }) =>
      bodies.findLast(({ type }) => type !== sample['type'])!['type'],
    code: 'already_exists',
  },
  places,
  shown: (body) => body,
  changed: (shown, patch) => ({ ...shown, ...patch }),
  values: {
    full: () => ({}),
    bare: () => ({}),
    lasting: () => [{}],
    members: ['type'],
    other: (_, __, { bodies }) => bodies.at(-1)!['type'],
    invalid: {
      create: [{ extra: 1 }, { type: ['a.v0'] }, { type: 5 }, { Type: 'a.v0' }, { type: null }],
      update: [{ extra: 1 }, { type: ['a.v0'] }, { type: 5 }, { Type: 'a.v0' }],
    },
  },
  replaces: {
    one: 'the words of this API',
    many: 'the words of this API',
    'list.kind': '`uri` of a page has the URI of the next one, which its name does not say',
    order: 'D16 sorts by type',
    places: 'no operation makes subscriptions: they are test data, and may have sources of others',
    shown: 'the body is all that is shown, and may be a mere change',
    changed: 'a change moves the id, which the inference takes for fixed',
    values: 'its only member is the id: the types of a place are the values',
    view: 'all members that the contract knows are compared',
    missing: '404 alone says that an item does not exist, before other errors (D15)',
  },
};

export const sourcesOf = laidOver('createEventSource', { createEventSource: sourceOverlay });

/**
 * Common prefixes and numbers that sort differently as numbers and as text, so that wrong orders
 * show.
 */
const NAMES = [
  'a.v0',
  'a.v1',
  'a.v10',
  'a.v2',
  'a1.v0',
  'a_.v0',
  'a_b.v0',
  'aa.v0',
  'ab.v0',
  'abc.v0',
  'b.v0',
  'b0.v0',
  'http_request_complete.v0',
  'ip_policy_created.v0',
  'ip_policy_updated.v0',
  'tcp_connection_closed.v0',
  'z.v0',
  'z.v9',
  'zz.v0',
  'zzz.v99',
];

/** As many as are wanted, if any name will do and nobody else uses the service. */
function namesOf(implementation: Implementation, count: number): string[] {
  const { testData, subscriptions } = edgeImplementation(implementation);
  const { eventTypes } = testData;
  if (eventTypes.length > 0) {
    return [...new Set(eventTypes)];
  }
  if (count <= NAMES.length || subscriptions.shared) {
    return NAMES;
  }
  return Array.from({ length: count }, (_, index) => `conformance_${index}.v0`);
}

/** Whether any subscription has room for one more source, as far as it is known. */
export function hasRoom(implementation: Implementation): boolean {
  const { subscriptions } = edgeImplementation(implementation);
  const names = namesOf(implementation, 1);
  const isFree = (id: string) => names.some((type) => !subscriptions.foreignIn(id).has(type));
  return !subscriptions.shared || subscriptions.existing.some(isFree);
}

/** Subscriptions with event types that none of them has yet, in no order. @throws NotPossible */
async function places(session: Session, wanted: Wanted): Promise<Place[]> {
  const { items, atLeast = items, empty = false, places: count = 1 } = wanted;
  const { implementation } = session;
  const names = namesOf(implementation, items);
  const { subscriptions } = edgeImplementation(implementation);
  const suits = (id: string) => {
    const foreign = subscriptions.foreignIn(id);
    return (
      (!empty || foreign.size === 0) && names.filter((type) => !foreign.has(type)).length >= atLeast
    );
  };
  const withoutSources = empty ? ' without sources' : '';
  const withRoom = atLeast > 0 ? ` with room for ${atLeast} more event types` : '';
  const what = `${withoutSources}${withRoom}`;
  const ids = await trackerOf(session).subscriptions({ count, suits }, what);
  const befores: string[][] = [];
  for (const id of ids) {
    befores.push(await sourcesBefore(session, id));
  }
  const taken = new Set(befores.flat());
  const types = names.filter((type) => !taken.has(type)).slice(0, items);
  // Somebody else may have come in between.
  if (types.length < atLeast || (empty && taken.size > 0)) {
    throw new NotPossible(
      `needs a subscription${what}; give more with --event-type or --subscription-id`,
    );
  }
  // Sorted by their ends, names are in no order.
  const reversed = (type: string) => [...type].toReversed().join('');
  const bodies = types
    .toSorted((one, other) => (reversed(one) < reversed(other) ? -1 : 1))
    .map((type) => ({ type }));
  return ids.map((subscription_id, index) => ({
    path: { subscription_id },
    bodies,
    foreign: befores[index]!,
  }));
}

/** On a shared subscription, sources of somebody else. */
async function sourcesBefore(session: Session, subscription_id: string): Promise<string[]> {
  const { subscriptions } = edgeImplementation(session.implementation);
  if (!subscriptions.shared) {
    return [];
  }
  const { items } = await new Steps(session, sourcesOf(session.implementation.contract)).list({
    path: { subscription_id },
    bodies: [],
    foreign: [],
  });
  const types = items.map(({ type }) => String(type));
  subscriptions.addForeign(subscription_id, types);
  return types;
}

export const sourceRules: Rules = {
  createSpelled: rule('sources.spellings', 'D31', INFO, JSON_TEXT),
  updateSpelled: rule('sources.update.spellings', 'D31', INFO, JSON_TEXT),
  refusedSpelled: rule('sources.refused-spellings', 'D31', INFO, JSON_TEXT),
  siblings: rule('sources.read-your-write', 'source §4.4', `${SOURCE}/get`),
  listed: rule(
    'sources.listed',
    'source §4.5',
    `${SOURCES}/get`,
    'A subscription can have several',
  ),
  empty: rule('sources.empty', 'D14', `${SOURCES}/get`),
  uniqueCreate: rule(
    'sources.add-twice',
    'D15',
    `${SOURCES}/post/responses/409`,
    '| 409 | `already_exists`',
  ),
  uniqueUpdate: rule('sources.update-conflict', 'D12', `${SOURCE}/patch/responses/409`),
  uniqueKept: 'updateNothing sends its own type',
  unknown: rule('sources.unknown', 'D15', NOT_FOUND),
  unknownChanges: 'unknown tries all calls',
  gone: rule('sources.removed', 'source §4.7', `${SOURCE}/delete`),
  again: rule('sources.added-again', 'source §6', `${SOURCES}/post`),
  updateEcho: rule('sources.update-moves', 'D12', `${SOURCE}/patch`),
  updateWays: 'its type is its id, and updateEcho moves it among others',
  updateBack: rule('sources.update-back', 'D12', `${SOURCE}/patch`),
  replaced: 'a change leaves as it is what it does not have',
  updateNothing: rule('sources.update-nothing', 'D12', `${SOURCE}/patch/requestBody`),
  updateNull: 'its type cannot be null',
  updateReplaced: 'a type has no parts',
  updateIdempotent:
    'the change gives it another id, under which the same change changes nothing: updateNothing',
  updateIdentity: 'a change gives it another id',
  refused: rule('sources.refused-changes-nothing', 'D29', INFO, UNCHANGED),
  isolation: rule('sources.isolation', 'source §2.12', '/components/parameters/SubscriptionId'),
  uri: rule('sources.uri', 'source §2.12', URI, 'The `uri` of an edge'),
  uriOfOne: rule('sources.uri.own', 'source §2.12', URI),
  location: rule('sources.location', 'D37', '/components/headers/EventSourceLocation'),
  stable: rule('sources.stable', 'source §4.4', `${SOURCE}/get`),
  defaults: 'nothing can be left out',
  createdAt: 'it has no time of creation',
  idsNotReused: 'its id is its type, which can be added again',
  createdTogether: rule('sources.race.lost-update', 'source §4.3', `${SOURCES}/post`),
  order: rule('sources.order', 'D16', '/components/schemas/EventSourceList/properties/sources'),
  listDeleted: 'gone looks at the list',
  full: 'nothing bounds how many there are',
  many: 'pagesDefault has 101 of them',
  pages: rule('sources.pages', 'D16', `${SOURCES}/get`, 'It keeps `limit`'),
  pagesLimit: rule('sources.pages.limit', 'D16', LIMIT),
  pagesDefault: rule('sources.pages.default', 'D16', `${LIMIT}/default`, 'Lists come in pages'),
  pagesLast: rule(
    'sources.pages.last',
    'source §4.5',
    '/components/schemas/NextPageUri',
    'Follow it until it is null',
  ),
  pagesUri: 'the `uri` of its page is that of the next one',
  pagesWrites: rule('sources.pages.writes', 'D16', `${SOURCES}/get`),
  raceCreate: rule('sources.race.add', 'D15', `${SOURCES}/post/responses/409`),
  raceUpdate: rule('sources.race.update', 'D12', `${SOURCE}/patch`),
  raceDelete: rule('sources.race.remove', 'D15', NOT_FOUND),
  raceItems: rule('sources.race.items', 'D12', INFO, ATOMIC),
  raceRemoved: rule('sources.race.removed', 'D12', `${SOURCE}/delete`),
  raceMoves: rule('sources.race.moves', 'D12', `${SOURCE}/patch`),
  raceReaders: rule('sources.race.readers', 'D12', `${SOURCE}/patch`),
  raceListed: 'its body is its id: it has no half',
  ...because('its body is its id, which siblings compare', 'echo', 'readYourWrite'),
  noticed: rule('sources.noticed', 'D12', `${SOURCES}/get`),
  ...because('nothing is inside of it', 'cascade', 'othersStay', 'childrenStay'),
  refusedInside: 'nothing is inside of it',
  ...because('nothing is inside of it', 'noticedInside', 'raceInsideRemoved', 'raceInsideChanged'),
  ...because('it has one member', 'updateAbsent', 'raceMembers', 'refusedBeside', 'updateMixed'),
  ...because('it has one member', 'membersAtOnce'),
  ...because('it has one member', 'unusualValues', 'updateRemoved'),
  ...REPLACED_FOR_EACH,
  otherCase: 'unknown tries types in another case',
  ...because('nothing is inside of it', 'outlivesParent', 'lostBesideParent'),
  ...REPLACED_FOR_UNIQUE,
  elsewhere: 'isolation tries each call in another subscription',
  smallPages: 'pages has pages of several sizes',
  ...because('refused tries creations and changes', 'refusedCreate', 'refusedUpdate'),
};

/**
 * Enough of the pool of names to have a name with which another begins, and an underscore in the
 * place of another's letter.
 */
const ALIKE = 8;

const LONGEST_TYPE = `${'a'.repeat(125)}.v0`;
const LONGEST_SUBSCRIPTION = 64;

/** Versions of a type that are equal as floating-point numbers, and with leading digits alone. */
const LARGE_VERSIONS = ['9007199254740992', '9007199254740993', '90071992547409930'];

const LEAKED = 'A source leaked into another subscription';

const law = on(sourcesOf, 'core');

/** Nobody else has a subscription whose id is so many random digits. */
const SHORT_DIGITS = 24;

/** Pairs of ids that a service takes for one if it reads them as numbers. */
function equalAsNumbers(digits: string): readonly (readonly [string, string])[] {
  const short = digits.slice(0, SHORT_DIGITS);
  const end = digits.endsWith('1') ? '2' : '1';
  return [
    [short, `0${short}`],
    [`${short}000`, `${short}e3`],
    // They differ beyond the digits that a floating-point number has.
    [digits, `${digits.slice(0, -1)}${end}`],
  ];
}

/** A source is created, read, changed and removed. */
async function expectLife(steps: Steps, place: Place, type: string, other: string): Promise<void> {
  const item = await steps.create(place, { type });
  expectSame('It is another one', await steps.read(item), { type });
  for (const content of [{}, { json: {} }, { json: { type } }]) {
    const input = { path: item.path, ...content };
    const response = await steps.succeed('update', input, 'Nothing is to be changed.');
    expectSame('An empty change changed something', steps.itemIn(place, response).shown, { type });
  }
  await steps.expectItems(place, [item], 'The list is not what was added');
  const moved = await steps.update(item, { type: other });
  expectSame('The change is not there', steps.idOf(moved), other);
  const back = await steps.update(moved, { type });
  await steps.expectItems(place, [back], 'The change back is not there');
  await steps.remove(back);
  await steps.expectGone(back, 'It was removed.');
}

/** A law of subscriptions with other ids than those that a user names. */
function ofOwnSubscription(stated: ApiRule, check: (steps: Steps, place: Place) => Promise<void>) {
  const skip: Requirement['skip'] = (implementation) => {
    if (edgeImplementation(implementation).subscriptions.shared) {
      return 'only the subscriptions of --subscription-id are used';
    }
    return undefined;
  };
  const tried = once('an id of its own', async (steps: Steps) =>
    check(steps, await steps.place({ items: 2 })),
  );
  return { ...law(stated, tried), skip };
}

export const sourceLaws: Requirement[] = [
  law(
    {
      id: 'sources.alike',
      origin: 'D15',
      clause: '/components/parameters/SourceType',
      sentence:
        'Types whose names are nearly alike are different sources: what is not ' +
        'there is not found, and a removal takes one alone.',
    },
    once('all but one of many', async (steps) => {
      const place = await steps.place({ items: ALIKE, atLeast: 1 });
      const items: Item[] = await steps.createAll(place);
      for (const [at, item] of items.entries()) {
        await steps.remove(item);
        await steps.expectGone(item, 'It was removed.', ['read', 'delete', 'update']);
        const rest = items.filter((one) => one !== item);
        await steps.expectItems(place, rest, 'The removal took another source');
        items[at] = await steps.create(place, { type: steps.idOf(item) });
      }
    }),
  ),
  {
    ...law(
      {
        id: 'sources.longest-type',
        origin: 'D13',
        clause: `${AT.schemas}/EventType/maxLength`,
        sentence:
          'An event type of 128 characters can be added, read, listed at the end of a page, ' +
          'changed and removed; versions of many digits are different ones.',
      },
      once('versions of many digits', async (steps) => {
        const place = await steps.place();
        const bodies = LARGE_VERSIONS.map((version) => ({ type: `a.v${version}` }));
        const items = await steps.createAll(place, bodies);
        for (const item of items) {
          expectSame('It is another one', await steps.read(item), { type: steps.idOf(item) });
        }
        await steps.remove(elementAt(items, 0));
        await steps.expectItems(place, items.slice(1), 'The removal took another source');
      }),
      once('a name as long as it can be', async (steps) => {
        const place = await steps.place();
        await expectLife(steps, place, LONGEST_TYPE, String(place.bodies[0]!['type']));
        const items = [
          await steps.create(place, { type: LONGEST_TYPE }),
          await steps.create(place, { type: 'z.v0' }),
        ];
        steps.expectListed(await steps.list(place, items, { limit: 1 }), items);
      }),
    ),
    skip: (implementation) => {
      if (edgeImplementation(implementation).testData.eventTypes.length > 0) {
        return 'the service knows only the types of --event-type';
      }
      return undefined;
    },
  },
  ofOwnSubscription(
    {
      id: 'sources.longest-subscription',
      origin: 'D01',
      clause: `${AT.schemas}/ResourceId/maxLength`,
      sentence:
        'A subscription id of 64 characters works in every operation, and ' +
        'one that differs in its end is another one.',
    },
    async (steps, place) => {
      const id = place.path['subscription_id']!.padEnd(LONGEST_SUBSCRIPTION, '-_Zz9').slice(
        0,
        LONGEST_SUBSCRIPTION,
      );
      const [type, other] = place.bodies.map((body) => String(body['type'])) as [string, string];
      const long = { ...place, path: { subscription_id: id } };
      await expectLife(steps, long, type, other);
      const alike = {
        ...place,
        path: { subscription_id: `${id.slice(0, -1)}${id.endsWith('-') ? '_' : '-'}` },
      };
      const item = await steps.create(long, { type });
      await steps.expectItems(alike, [], LEAKED);
      await steps.expectItems(long, [item], 'The list is not what was added');
    },
  ),
  ofOwnSubscription(
    {
      id: 'sources.case',
      origin: 'source §2.12',
      clause: `${AT.schemas}/ResourceId`,
      sentence: 'Subscription ids that differ in case are two subscriptions.',
    },
    async (steps, place) => {
      await steps.create(place, place.bodies[0]!);
      const id = place.path['subscription_id']!.replaceAll(/[a-z]/g, (letter) =>
        letter.toUpperCase(),
      );
      await steps.expectItems({ ...place, path: { subscription_id: id } }, [], LEAKED);
    },
  ),
  ofOwnSubscription(
    {
      id: 'sources.ids-begin-alike',
      origin: 'source §2.12',
      clause: `${AT.schemas}/ResourceId`,
      sentence: 'Subscription ids that begin alike are two subscriptions.',
    },
    async (steps, place) => {
      const beside = await steps.create(place, bodyOf(place, 0));
      for (const end of ['_b', '-b', '0']) {
        const id = `${place.path['subscription_id']}${end}`;
        const longer = { ...place, path: { subscription_id: id } };
        const item = await steps.create(longer, bodyOf(place, 1));
        await steps.expectItems(place, [beside], LEAKED);
        await steps.expectItems(longer, [item], LEAKED);
      }
    },
  ),
  ofOwnSubscription(
    {
      id: 'sources.ids-are-text',
      origin: 'source §2.12',
      clause: `${AT.schemas}/ResourceId`,
      sentence: 'Subscription ids that are equal as numbers are two subscriptions.',
    },
    async (steps, place) => {
      const digits = String(BigInt(`0x${randomUUID().replaceAll('-', '')}`));
      for (const [id, equal] of equalAsNumbers(digits)) {
        const one = { ...place, path: { subscription_id: id } };
        const other = { ...place, path: { subscription_id: equal } };
        const item = await steps.create(one, bodyOf(place, 0));
        await steps.expectItems(other, [], LEAKED);
        const beside = await steps.create(other, bodyOf(place, 1));
        await steps.expectItems(one, [item], LEAKED);
        await steps.remove(item);
        await steps.expectItems(other, [beside], LEAKED);
      }
    },
  ),
  conflictOnlyIfValid(
    { id: 'sources.conflict-only-if-valid', name: 'type', level: 'core' },
    sourcesOf,
  ),
];
