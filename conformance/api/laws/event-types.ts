/** Types and subscriptions whose names are nearly alike, or as long as names can be. */
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectGone, expectList, law, once } from './event-sources.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { addSource, expectType, refuse, succeed } from '../steps.ts';
import { NOTHING } from '../valid-calls.ts';
import { workspace } from '../workspace.ts';

/** Enough of the pool of names to have a name that begins another, and an underscore where another has a letter. */
const ALIKE = 8;

const LONGEST_TYPE = `${'a'.repeat(125)}.v0`;
const LONGEST_SUBSCRIPTION = 64;

export function eventTypeLaws(): Requirement[] {
  return [
    law(
      'alike',
      {
        origin: 'D15',
        clause: '/components/parameters/SourceType',
        sentence:
          'Types whose names are nearly alike are different sources: what is not there is not found, and a removal takes one alone.',
      },
      [
        {
          label: 'all but one of many',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const known = session.implementation.testData.eventTypes.length;
            const ground = await workspace(session, known > 0 ? Math.min(known, ALIKE) : ALIKE);
            const { subscription_id, types } = ground;
            for (const type of types) await addSource(session, subscription_id, type);
            for (const type of types) {
              const path = { subscription_id, type };
              const rest = types.filter((one) => one !== type);
              await succeed(session, 'deleteEventSource', { path }, `${type} was added.`);
              await expectGone(session, ground, type, `${type} was removed.`);
              await refuse(session, 'deleteEventSource', { path }, [404], `${type} was removed.`);
              await refuse(session, 'updateEventSource', { path, json: {} }, [404], `${type} was removed.`);
              await expectList(session, ground, rest, 'The removal took another source');
              await addSource(session, subscription_id, type);
            }
          },
        },
      ],
    ),
    {
      ...law(
        'longest-type',
        {
          origin: 'D13',
          clause: '/components/schemas/EventType/maxLength',
          sentence: 'An event type of 128 characters can be added, read, changed and removed.',
        },
        [
          once('a name as long as it can be', 1, async (ground, session) => {
            const { subscription_id, types } = ground;
            const path = { subscription_id, type: LONGEST_TYPE };
            await addSource(session, subscription_id, LONGEST_TYPE);
            expectType(await succeed(session, 'getEventSource', { path }, 'It was added.'), LONGEST_TYPE);
            await expectList(session, ground, [LONGEST_TYPE], 'The list is not what was added');
            expectType(
              await succeed(session, 'updateEventSource', { path, json: { type: types[0] } }, 'It was added.'),
              types[0]!,
            );
            await succeed(session, 'updateEventSource', {
              path: { subscription_id, type: types[0]! },
              json: { type: LONGEST_TYPE },
            });
            await succeed(session, 'deleteEventSource', { path }, 'It is there.');
            await expectGone(session, ground, LONGEST_TYPE, 'It was removed.');
          }),
        ],
      ),
      skip: ({ testData: knowledge }: Implementation) =>
        knowledge.eventTypes.length > 0 ? 'the service knows only the types of --event-type' : undefined,
    },
    {
      ...law(
        'longest-subscription',
        {
          origin: 'D01',
          clause: '/components/schemas/ResourceId/maxLength',
          sentence: 'A subscription id of 64 characters works in every operation.',
        },
        [
          once('an id as long as it can be', 1, async ({ subscription_id: id, types }, session) => {
            const subscription_id = id.padEnd(LONGEST_SUBSCRIPTION, '-_Zz9').slice(0, LONGEST_SUBSCRIPTION);
            const ground = { subscription_id, types, before: [] };
            const path = { subscription_id, type: types[0]! };
            await addSource(session, subscription_id, path.type);
            expectType(await succeed(session, 'getEventSource', { path }, 'It was added.'), path.type);
            await succeed(session, 'updateEventSource', { path, json: {} }, 'It was added.');
            await expectList(session, ground, [path.type], 'The list is not what was added');
            await succeed(session, 'deleteEventSource', { path }, 'It was added.');
          }),
        ],
      ),
      skip: ({ subscriptions }: Implementation) =>
        subscriptions.shared ? 'only the subscriptions of --subscription-id are used' : undefined,
    },
  ];
}
