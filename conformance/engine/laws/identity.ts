/** Ids, times of creation and addresses of items. */
import fc from 'fast-check';
import { expectRefusal } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat, toText } from '../http/nonconformity.ts';
import { expectOnce } from './expect-items.ts';
import { forAll, forEach, type Law, type LawProperty, once } from './law.ts';
import { elementAt, required } from './required.ts';
import {
  bodyOf,
  isShared,
  type Item,
  type Json,
  type Resource,
  type ResourceCall,
} from './resource.ts';
import type { Steps } from './steps.ts';
import { reachable } from './uris.ts';

/**
 * The most time between a time of creation and the `Date` of the same response; without a `Date`,
 * the request and the response by the clock of the suite.
 */
const MAX_APART_MS = 60_000;

/** More than the two seconds that two times in whole seconds can be apart from what they show. */
const YOUNGER_MS = 2_100;

const MINUTE_MS = 60_000;

/** The number of times that an item is created and removed. */
const ROUNDS = 4;

const COUNTS = fc.integer({ min: 2, max: 8 });

export const identityLaws = {
  createdAt: {
    needs: ['create'],
    sentence: ({ one, createdAt }) =>
      `\`${createdAt}\` of ${one} is within a minute of the \`Date\` of the response ` +
      'that created it; without `Date`, of the time of the call.',
    properties: [
      once('a new one', tryCreatedAt),
      once('one that is more than two seconds younger', tryCreatedLater),
    ],
  },
  createdTogether: {
    needs: ['create'],
    sentence: ({ many, id }) =>
      `Several ${many} that are created at once are all there, each with a different ${id.member}.`,
    properties: (_, __, offered) =>
      forAll('creations at once', COUNTS, (count, steps) =>
        tryTogether(count, steps, offered('list')),
      ),
  },
  idsNotReused: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) => `The id of ${one} that was removed is not given to a new one.`,
    properties: once('remove and create, the same again', tryIdsAgain),
  },
  uri: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `The \`uri\` of ${one} is absolute and leads to it, also from a list and after a change.`,
    properties: (resource, implementation, offered) => [
      fullAndBare(resource, implementation, async (body, steps) => {
        const { shown } = await steps.createOne(body);
        await expectUriLeadsTo(steps, shown);
      }),
      once('of a list and a change', (steps) => tryOtherUris(steps, offered)),
    ],
  },
  uriOfOne: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) =>
      `The \`uri\` of ${one} leads to this one among others alike, and nowhere once it is removed.`,
    properties: once('two alike', tryUriOfOne),
  },
  location: {
    needs: ['create'],
    sentence: ({ one }) => `A \`Location\` beside a 201 equals the \`uri\` of ${one}.`,
    properties: (resource, implementation) => fullAndBare(resource, implementation, tryLocation),
  },
} satisfies Record<string, Law>;

/** Properties of a body with all members, and of one with few members. */
function fullAndBare(
  { values }: Resource,
  implementation: Implementation,
  check: LawProperty<Json>['check'],
): LawProperty[] {
  const bodies = [values.full(implementation), values.bare(implementation)];
  return forEach('with everything, and with nothing', bodies, check);
}

async function tryCreatedAt(steps: Steps): Promise<void> {
  const member = required(steps.resource.createdAt, 'items have no time of creation');
  const { path, bodies } = await steps.place();
  const sentAt = new Date().toUTCString();
  const { headers, json } = await steps.succeed('create', { path, json: bodies[0] });
  const shown: unknown = (json as Json)[member];
  const got = typeof shown === 'string' ? shown : toText(shown);
  const { date } = headers;
  const first = date ?? sentAt;
  const last = date ?? new Date().toUTCString();
  const time = Date.parse(got);
  const isNow = time >= Date.parse(first) - MAX_APART_MS && time <= Date.parse(last) + MAX_APART_MS;
  const details = { expected: `within a minute of ${last}`, got };
  expectThat(isNow, `\`${member}\` is not the time of creation.`, details);
}

/** A clock goes on: a service that reads it once has the time of its start for each item. */
async function tryCreatedLater(steps: Steps): Promise<void> {
  const member = required(steps.resource.createdAt, 'items have no time of creation');
  const place = await steps.place({ items: 2 });
  const first = await steps.create(place, bodyOf(place));
  await steps.pause(YOUNGER_MS);
  const second = await steps.create(place, bodyOf(place, 1));
  const [early, late] = [first, second].map(({ shown }) => String(shown[member]));
  // Times may be rounded: within a minute, each is right.
  const isRounded = Date.parse(String(late)) % MINUTE_MS === 0;
  const details = { expected: `later than ${early}`, got: late };
  const what = `\`${member}\` of an item is that of one which is two seconds older.`;
  expectThat(early !== late || isRounded, what, details);
}

async function tryTogether(count: number, steps: Steps, isListed: boolean): Promise<void> {
  const { resource } = steps;
  const place = await steps.place({ items: count, atLeast: 2 });
  const responses = await steps.createTogether(place);
  const items: Item[] = [];
  for (const [index, response] of responses.entries()) {
    if (response === undefined) {
      continue;
    }
    const item = steps.itemIn(place, response);
    items.push(item);
    if (!resource.silent?.includes('create')) {
      steps.expectSent(item, bodyOf(place, index));
    }
  }
  const ids = items.map((item) => steps.idOf(item));
  expectOnce(ids, `Two ${resource.many} have the same ${resource.id.member}.`);
  // An item whose creation got no response may be in the list.
  const isWhole = items.length === responses.length;
  if (!isListed || !isWhole) {
    return;
  }
  const listed = await steps.list(place, items);
  // In a shared list, the first of these items is the only one that is listed for certain.
  if (isShared(resource)) {
    return;
  }
  steps.expectAllListed(listed, place, items);
  steps.expectShownIn(listed, items);
}

async function tryIdsAgain(steps: Steps): Promise<void> {
  const place = await steps.place();
  const gone: Item[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const item = await steps.create(place, bodyOf(place));
    gone.push(item);
    const ids = gone.map((one) => steps.idOf(one));
    expectOnce(ids, 'The id of a removed item was given again.');
    await steps.remove(item);
  }
  for (const { path } of gone) {
    await steps.refuse('read', { path }, { statuses: [404], why: 'The item was removed.' });
  }
}

async function expectUriLeadsTo(steps: Steps, shown: Json): Promise<void> {
  const { json } = await steps.follow('read', shown['uri'], '`uri` leads to the item.');
  expectSame('`uri` leads to something else', json, shown);
}

async function tryOtherUris(steps: Steps, offered: (call: ResourceCall) => boolean): Promise<void> {
  const place = await steps.place({ items: 3 });
  const items = await steps.createAll(place, place.bodies.slice(0, 2));
  if (offered('list')) {
    const listing = await steps.list(place, items);
    for (const shown of steps.ownIn(listing, items)) {
      await expectUriLeadsTo(steps, shown);
    }
  }
  if (offered('update')) {
    const { shown } = await steps.update(elementAt(items, 0), steps.otherOf(place));
    await expectUriLeadsTo(steps, shown);
  }
}

async function tryUriOfOne(steps: Steps): Promise<void> {
  const { session, resource, implementation } = steps;
  const [gone, kept] = await steps.createApart();
  await steps.remove(gone);
  await expectUriLeadsTo(steps, kept.shown);
  const target = reachable(session, gone.shown['uri']);
  const response = await session.send({ method: 'GET', target });
  const operation = session.operation(resource.calls.read);
  const why = '`uri` leads to an item that was removed.';
  expectRefusal(implementation, operation, response, { statuses: [404], why });
}

async function tryLocation(body: Json, steps: Steps): Promise<void> {
  const { path, bodies } = await steps.place();
  const input = { path, json: { ...bodies[0], ...body } };
  const { headers, json } = await steps.succeed('create', input);
  const { uri } = json as Json;
  const { location } = headers;
  expectSame('`Location` is not `uri`', location ?? uri, uri);
}
