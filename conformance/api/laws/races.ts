/** Two writers at once: one wins, and everything else is as if they had come one after the other. */
import fc from 'fast-check';
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { law } from './event-sources.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { addSource, listAll } from '../steps.ts';
import { workspace } from '../workspace.ts';

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
            const responses = await session.together(() => Array.from({ length: count }, add));
            expectOneWinner(session, 'createEventSource', responses, 201, 409);
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
        sentence: 'Of several removals of one source at once, one succeeds and the others get 404.',
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
            const responses = await session.together(() =>
              from.map((type) =>
                session.call('updateEventSource', { path: { subscription_id, type }, json: { type: to } }),
              ),
            );
            expectOneWinner(session, 'updateEventSource', responses, 200, 409);
            const losers = from.filter((_, index) => responses[index]!.status !== 200);
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
            const responses = await session.together(() =>
              types.map((type) => session.call('createEventSource', { path: { subscription_id }, json: { type } })),
            );
            for (const response of responses)
              expectSuccess(session.implementation, session.operation('createEventSource'), response);
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
  responses: HttpResponse[],
  won: number,
  lost: number,
): void {
  const operation = session.operation(operationId);
  const winners = responses.filter(({ status }) => status === won);
  expectThat(winners.length === 1, 'Exactly one of them wins.', {
    expected: `one ${won}, else ${lost}`,
    got: responses.map(({ status }) => status),
  });
  for (const response of responses) {
    if (response.status === won) expectSuccess(session.implementation, operation, response);
    else expectRefusal(session.implementation, operation, response, [lost], 'Another request won.');
  }
}
