/** Laws of event sources alone: names of types and subscriptions that are nearly alike, or as long as names can be. */
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import {
  create,
  createAll,
  createOne,
  expectGone,
  expectItems,
  placeFor,
  read,
  remove,
  update,
} from '../../engine/laws/items.ts';
import { once } from '../../engine/laws/law.ts';
import { idOf, type Item, type Place } from '../../engine/laws/resource.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type ApiRule, AT, core, INFO } from '../define.ts';
import { sources } from '../resources/sources.ts';

/** Enough of the pool of names to have a name that begins another, and an underscore where another has a letter. */
const ALIKE = 8;

const LONGEST_TYPE = `${'a'.repeat(125)}.v0`;
const LONGEST_SUBSCRIPTION = 64;

const LEAKED = 'A source leaked into another subscription';

/** A source is created, read, changed and removed. */
async function expectLife(session: Session, place: Place, type: string, other: string): Promise<void> {
  const item = await create(session, sources, place, { type });
  expectSame('It is another one', await read(session, sources, item), { type });
  await expectItems(session, sources, place, [item], 'The list is not what was added');
  const moved = await update(session, sources, item, { type: other });
  expectSame('The change is not there', idOf(sources, moved), other);
  const back = await update(session, sources, moved, { type });
  await expectItems(session, sources, place, [back], 'The change back is not there');
  await remove(session, sources, back);
  await expectGone(session, sources, back, 'It was removed.');
}

/** A law of subscriptions with other ids than those that a user names. */
function ofOwnSubscription(rule: ApiRule, sentence: string, check: (session: Session, place: Place) => Promise<void>) {
  const cases = once('an id of its own', async (session) =>
    check(session, await placeFor(session, sources, { items: 2 })),
  );
  const skip: Requirement['skip'] = ({ subscriptions }) =>
    subscriptions.shared ? 'only the subscriptions of --subscription-id are used' : undefined;
  return { ...core(rule, sentence, cases), skip };
}

export const sourceLaws: Requirement[] = [
  core(
    ['sources.alike', 'D15', '/components/parameters/SourceType'],
    'Types whose names are nearly alike are different sources: what is not there is not found, and a removal takes one alone.',
    once('all but one of many', async (session) => {
      const place = await placeFor(session, sources, { items: ALIKE, atLeast: 1 });
      const items: Item[] = await createAll(session, sources, place);
      for (const item of items) {
        await remove(session, sources, item);
        await expectGone(session, sources, item, 'It was removed.', ['read', 'delete', 'update']);
        const rest = items.filter((one) => one !== item);
        await expectItems(session, sources, place, rest, 'The removal took another source');
        await create(session, sources, place, { type: idOf(sources, item) });
      }
    }),
  ),
  {
    ...core(
      ['sources.longest-type', 'D13', `${AT.schemas}/EventType/maxLength`],
      'An event type of 128 characters can be added, read, changed and removed.',
      once('a name as long as it can be', async (session) => {
        const place = await placeFor(session, sources);
        await expectLife(session, place, LONGEST_TYPE, String(place.bodies[0]!['type']));
      }),
    ),
    skip: ({ testData }) =>
      testData.eventTypes.length > 0 ? 'the service knows only the types of --event-type' : undefined,
  },
  ofOwnSubscription(
    ['sources.longest-subscription', 'D01', `${AT.schemas}/ResourceId/maxLength`],
    'A subscription id of 64 characters works in every operation, and one that differs in its end is another one.',
    async (session, place) => {
      const id = place.path['subscription_id']!.padEnd(LONGEST_SUBSCRIPTION, '-_Zz9').slice(0, LONGEST_SUBSCRIPTION);
      const [type, other] = place.bodies.map((body) => String(body['type'])) as [string, string];
      const long = { ...place, path: { subscription_id: id } };
      await expectLife(session, long, type, other);
      const alike = { ...place, path: { subscription_id: `${id.slice(0, -1)}${id.endsWith('-') ? '_' : '-'}` } };
      const item = await create(session, sources, long, { type });
      await expectItems(session, sources, alike, [], LEAKED);
      await expectItems(session, sources, long, [item], 'The list is not what was added');
    },
  ),
  ofOwnSubscription(
    ['sources.case', 'source §2.12', `${AT.schemas}/ResourceId`],
    'Subscription ids that differ in case are two subscriptions.',
    async (session, place) => {
      await create(session, sources, place, place.bodies[0]!);
      const id = place.path['subscription_id']!.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
      await expectItems(session, sources, { ...place, path: { subscription_id: id } }, [], LEAKED);
    },
  ),
  core(
    ['sources.conflict-only-if-valid', 'D29', INFO, '409 comes only to a request that is otherwise valid'],
    'Adding a type that exists already, in a body that breaks the contract, gets 400 and not 409.',
    once('an unknown property beside what exists already', async (session) => {
      const { place, shown } = await createOne(session, sources);
      const input = { path: place.path, json: { type: shown['type'], x: 1 } };
      await refuse(session, 'createEventSource', input, [400], 'The body has an unknown property.');
    }),
  ),
];
