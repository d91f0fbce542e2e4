/** Laws of event sources alone: names of types and subscriptions that are nearly alike, or as long as names can be. */
import { expectSame } from '../../engine/http/nonconformity.ts';
import { once, type Steps } from '../../engine/laws/steps.ts';
import type { Item, Place } from '../../engine/laws/resource.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type ApiRule, AT, conflictOnlyIfValid, on } from '../define.ts';
import { sources } from '../resources/sources.ts';

/** Enough of the pool of names to have a name that begins another, and an underscore where another has a letter. */
const ALIKE = 8;

const LONGEST_TYPE = `${'a'.repeat(125)}.v0`;
const LONGEST_SUBSCRIPTION = 64;

const LEAKED = 'A source leaked into another subscription';

const law = on(sources, 'core');

/** A source is created, read, changed and removed. */
async function expectLife(steps: Steps, place: Place, type: string, other: string): Promise<void> {
  const item = await steps.create(place, { type });
  expectSame('It is another one', await steps.read(item), { type });
  await steps.expectItems(place, [item], 'The list is not what was added');
  const moved = await steps.update(item, { type: other });
  expectSame('The change is not there', steps.idOf(moved), other);
  const back = await steps.update(moved, { type });
  await steps.expectItems(place, [back], 'The change back is not there');
  await steps.remove(back);
  await steps.expectGone(back, 'It was removed.');
}

/** A law of subscriptions with other ids than those that a user names. */
function ofOwnSubscription(rule: ApiRule, sentence: string, check: (steps: Steps, place: Place) => Promise<void>) {
  const skip: Requirement['skip'] = ({ subscriptions }) =>
    subscriptions.shared ? 'only the subscriptions of --subscription-id are used' : undefined;
  const tried = once('an id of its own', async (steps: Steps) => check(steps, await steps.place({ items: 2 })));
  return { ...law(rule, sentence, tried), skip };
}

export const sourceLaws: Requirement[] = [
  law(
    ['sources.alike', 'D15', '/components/parameters/SourceType'],
    'Types whose names are nearly alike are different sources: what is not there is not found, and a removal takes one alone.',
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
      ['sources.longest-type', 'D13', `${AT.schemas}/EventType/maxLength`],
      'An event type of 128 characters can be added, read, changed and removed.',
      once('a name as long as it can be', async (steps) => {
        const place = await steps.place();
        await expectLife(steps, place, LONGEST_TYPE, String(place.bodies[0]!['type']));
      }),
    ),
    skip: ({ testData }) =>
      testData.eventTypes.length > 0 ? 'the service knows only the types of --event-type' : undefined,
  },
  ofOwnSubscription(
    ['sources.longest-subscription', 'D01', `${AT.schemas}/ResourceId/maxLength`],
    'A subscription id of 64 characters works in every operation, and one that differs in its end is another one.',
    async (steps, place) => {
      const id = place.path['subscription_id']!.padEnd(LONGEST_SUBSCRIPTION, '-_Zz9').slice(0, LONGEST_SUBSCRIPTION);
      const [type, other] = place.bodies.map((body) => String(body['type'])) as [string, string];
      const long = { ...place, path: { subscription_id: id } };
      await expectLife(steps, long, type, other);
      const alike = { ...place, path: { subscription_id: `${id.slice(0, -1)}${id.endsWith('-') ? '_' : '-'}` } };
      const item = await steps.create(long, { type });
      await steps.expectItems(alike, [], LEAKED);
      await steps.expectItems(long, [item], 'The list is not what was added');
    },
  ),
  ofOwnSubscription(
    ['sources.case', 'source §2.12', `${AT.schemas}/ResourceId`],
    'Subscription ids that differ in case are two subscriptions.',
    async (steps, place) => {
      await steps.create(place, place.bodies[0]!);
      const id = place.path['subscription_id']!.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
      await steps.expectItems({ ...place, path: { subscription_id: id } }, [], LEAKED);
    },
  ),
  conflictOnlyIfValid('sources.conflict-only-if-valid', sources, 'core'),
];
