/** Types and subscriptions whose names are nearly alike, or as long as names can be. */
import { create, createAll, expectGone, expectItems, placeFor, read, remove, update } from '../../engine/laws/items.ts';
import { once } from '../../engine/laws/law.ts';
import { idOf, type Item, type Place } from '../../engine/laws/resource.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { sources } from '../resources/sources.ts';
import { AT, core } from './law.ts';

/** Enough of the pool of names to have a name that begins another, and an underscore where another has a letter. */
const ALIKE = 8;

const LONGEST_TYPE = `${'a'.repeat(125)}.v0`;
const LONGEST_SUBSCRIPTION = 64;

const ADDED = 'The list is not what was added';

/** Created, read, changed and removed, a source does what sources do. */
async function expectLife(session: Session, place: Place, type: string, other: string): Promise<void> {
  const item = await create(session, sources, place, { type });
  expectSame('It is another one', await read(session, sources, item), { type });
  await expectItems(session, sources, place, [item], ADDED);
  const moved = await update(session, sources, item, { type: other });
  expectSame('The change is not there', idOf(sources, moved), other);
  const back = await update(session, sources, moved, { type });
  await expectItems(session, sources, place, [back], 'The change back is not there');
  await remove(session, sources, back);
  await expectGone(session, sources, back, 'It was removed.');
}

export function eventTypeLaws(): Requirement[] {
  return [
    core(
      'sources.alike',
      'D15',
      '/components/parameters/SourceType',
      'Types whose names are nearly alike are different sources: what is not there is not found, and a removal takes one alone.',
      [
        once('all but one of many', async (session) => {
          const place = await placeFor(session, sources, { items: ALIKE, atLeast: 1 });
          const items = await createAll(session, sources, place);
          for (const item of items as Item[]) {
            await remove(session, sources, item);
            await expectGone(session, sources, item, 'It was removed.', ['read', 'delete', 'update']);
            const rest = items.filter((one) => one !== item);
            await expectItems(session, sources, place, rest, 'The removal took another source');
            await create(session, sources, place, { type: idOf(sources, item) });
          }
        }),
      ],
    ),
    {
      ...core(
        'sources.longest-type',
        'D13',
        `${AT.schemas}/EventType/maxLength`,
        'An event type of 128 characters can be added, read, changed and removed.',
        [
          once('a name as long as it can be', async (session) => {
            const place = await placeFor(session, sources);
            await expectLife(session, place, LONGEST_TYPE, String(place.bodies[0]!['type']));
          }),
        ],
      ),
      skip: ({ testData }) =>
        testData.eventTypes.length > 0 ? 'the service knows only the types of --event-type' : undefined,
    },
    ofOwnSubscription(
      'sources.longest-subscription',
      'D01',
      `${AT.schemas}/ResourceId/maxLength`,
      'A subscription id of 64 characters works in every operation, and one that differs in its end is another one.',
      async (session, place) => {
        const id = place.path['subscription_id']!.padEnd(LONGEST_SUBSCRIPTION, '-_Zz9').slice(0, LONGEST_SUBSCRIPTION);
        const [type, other] = place.bodies.map((body) => String(body['type'])) as [string, string];
        const long = { ...place, path: { subscription_id: id } };
        await expectLife(session, long, type, other);
        const alike = { ...place, path: { subscription_id: `${id.slice(0, -1)}${id.endsWith('-') ? '_' : '-'}` } };
        const item = await create(session, sources, long, { type });
        await expectItems(session, sources, alike, [], 'A source leaked into it');
        await expectItems(session, sources, long, [item], ADDED);
      },
    ),
    ofOwnSubscription(
      'sources.case',
      'source §2.12',
      `${AT.schemas}/ResourceId`,
      'Subscription ids that differ in case are two subscriptions.',
      async (session, place) => {
        await create(session, sources, place, place.bodies[0]!);
        const id = place.path['subscription_id']!.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
        await expectItems(session, sources, { ...place, path: { subscription_id: id } }, [], 'A source leaked into it');
      },
    ),
  ];
}

/** A law of subscriptions with other ids than those that a user names. */
function ofOwnSubscription(
  id: string,
  origin: string,
  clause: string,
  sentence: string,
  check: (session: Session, place: Place) => Promise<void>,
): Requirement {
  return {
    ...core(id, origin, clause, sentence, [
      once('an id of its own', async (session) => check(session, await placeFor(session, sources, { items: 2 }))),
    ]),
    skip: ({ subscriptions }) =>
      subscriptions.shared ? 'only the subscriptions of --subscription-id are used' : undefined,
  };
}
