/** Two writers at once: one wins, and everything else is as if they had come one after the other. */
import fc from 'fast-check';
import { expectRefusal, expectSuccess } from '../check/judge.ts';
import { expectSame, expectThat } from '../check/nonconformity.ts';
import type { Answer } from '../check/answer.ts';
import type { Session } from '../check/session.ts';
import { law } from './event-sources.ts';
import type { Requirement } from './requirement.ts';
import { addSource, listAll } from './steps.ts';
import { workspace } from './workspace.ts';

const racers = fc.integer({ min: 2, max: 8 });

export function raceLaws(): Requirement[] {
  return [
    law(
      'race.add',
      {
        origin: 'D15',
        clause: '/components/responses/Conflict',
        sentence: 'Of several adds of one type at once, one succeeds and the others are refused with 409.',
      },
      [
        {
          label: 'adds at once',
          values: racers,
          async check(count: number, session) {
            const { subscription_id, types, before } = await workspace(session, 1);
            const add = () =>
              session.call('createEventSource', { path: { subscription_id }, json: { type: types[0] } });
            const answers = await session.together(() => Array.from({ length: count }, add));
            expectOneWinner(session, 'createEventSource', answers, 201, 409);
            expectSame(
              'The type is there once',
              (await listAll(session, subscription_id)).types.toSorted(),
              [...before, ...types].toSorted(),
            );
          },
        },
      ],
    ),
    law(
      'race.remove',
      {
        origin: 'D15',
        clause: '/components/responses/NotFound',
        sentence: 'Of several removals of one source at once, one succeeds and the others are answered with 404.',
      },
      [
        {
          label: 'removals at once',
          values: racers,
          async check(count: number, session) {
            const { subscription_id, types } = await workspace(session, 1);
            await addSource(session, subscription_id, types[0]!);
            const remove = () => session.call('deleteEventSource', { path: { subscription_id, type: types[0]! } });
            expectOneWinner(
              session,
              'deleteEventSource',
              await session.together(() => Array.from({ length: count }, remove)),
              204,
              404,
            );
          },
        },
      ],
    ),
    law(
      'race.update',
      {
        origin: 'D12',
        clause: '/paths/~1event_subscriptions~1{subscription_id}~1sources~1{type}/patch',
        sentence: 'Of several updates to one type at once, one succeeds and the others are refused with 409.',
      },
      [
        {
          label: 'updates to one type at once',
          values: fc.integer({ min: 2, max: 5 }),
          async check(count: number, session) {
            const { subscription_id, types, before } = await workspace(session, count + 1, { atLeast: 3 });
            const [to, ...from] = types as [string, ...string[]];
            for (const type of from) await addSource(session, subscription_id, type);
            const answers = await session.together(() =>
              from.map((type) =>
                session.call('updateEventSource', { path: { subscription_id, type }, json: { type: to } }),
              ),
            );
            expectOneWinner(session, 'updateEventSource', answers, 200, 409);
            const losers = from.filter((_, index) => answers[index]!.status !== 200);
            expectSame(
              'Only the winner moved',
              (await listAll(session, subscription_id)).types.toSorted(),
              [...before, to, ...losers].toSorted(),
            );
          },
        },
      ],
    ),
    law(
      'race.lost-update',
      {
        origin: 'source §4.3',
        clause: '/paths/~1event_subscriptions~1{subscription_id}~1sources/post',
        sentence: 'Different types that are added at once are all there afterwards.',
      },
      [
        {
          label: 'adds of different types at once',
          values: racers,
          async check(count: number, session) {
            const { subscription_id, types, before } = await workspace(session, count, { atLeast: 2 });
            const answers = await session.together(() =>
              types.map((type) => session.call('createEventSource', { path: { subscription_id }, json: { type } })),
            );
            for (const answer of answers) expectSuccess(session.target, session.operation('createEventSource'), answer);
            expectSame(
              'An add was lost',
              (await listAll(session, subscription_id)).types.toSorted(),
              [...before, ...types].toSorted(),
            );
          },
        },
      ],
    ),
  ];
}

export function expectOneWinner(
  session: Session,
  operationId: string,
  answers: Answer[],
  won: number,
  lost: number,
): void {
  const operation = session.operation(operationId);
  const winners = answers.filter(({ status }) => status === won);
  expectThat(winners.length === 1, 'Exactly one of them wins.', {
    expected: `one ${won}, else ${lost}`,
    got: answers.map(({ status }) => status),
  });
  for (const answer of answers) {
    if (answer.status === won) expectSuccess(session.target, operation, answer);
    else expectRefusal(session.target, operation, answer, [lost], 'Another request won.');
  }
}
