/** Laws of event sources that no schema states: a subscription is a set of types. */
import fc from 'fast-check';
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import type { Property, Requirement } from '../../engine/requirements/requirement.ts';
import { addSource, expectType, listAll, reachable, refuse, succeed } from '../steps.ts';
import { NOTHING } from '../valid-calls.ts';
import { type Ground, type Workspace, workspace, workspaces } from '../workspace.ts';

const AT = {
  create: '/paths/~1event_subscriptions~1{subscription_id}~1sources/post',
  list: '/paths/~1event_subscriptions~1{subscription_id}~1sources/get',
  get: '/paths/~1event_subscriptions~1{subscription_id}~1sources~1{type}/get',
  update: '/paths/~1event_subscriptions~1{subscription_id}~1sources~1{type}/patch',
  delete: '/paths/~1event_subscriptions~1{subscription_id}~1sources~1{type}/delete',
};

type Law = Pick<Requirement, 'origin' | 'clause' | 'sentence' | 'words'>;

export function law(name: string, rule: Law, properties: Property[]): Requirement {
  return { id: `sources.${name}`, level: 'core', ...rule, properties: () => properties };
}

/** A case of its own on `count` fresh types. */
export function once(
  label: string,
  count: number,
  check: (ground: Workspace, session: Session) => Promise<void>,
  ground: Ground = {},
): Property {
  return {
    label,
    values: NOTHING,
    once: true,
    check: async (_, session) => check(await workspace(session, count, ground), session),
  };
}

/** Cases that vary by a choice of types: indices from 0 to `count` - 1, as far as there are so many. */
function varied(
  label: string,
  count: number,
  check: (ground: Workspace, picks: number[], session: Session) => Promise<void>,
): Property {
  return {
    label,
    values: fc.uniqueArray(fc.nat({ max: count - 1 }), { minLength: 1, maxLength: count }),
    check: async (picks: number[], session) => {
      const ground = await workspace(session, count, { atLeast: 1 });
      const there = picks.filter((index) => index < ground.types.length);
      await check(ground, there.length > 0 ? there : [0], session);
    },
  };
}

async function addAll(session: Session, { subscription_id, types }: Workspace, picks: number[]): Promise<string[]> {
  const added = picks.map((index) => types[index]!);
  for (const type of added) await addSource(session, subscription_id, type);
  return added;
}

export async function expectList(session: Session, ground: Workspace, expected: string[], what: string): Promise<void> {
  const { types } = await listAll(session, ground.subscription_id);
  expectSame(what, types.toSorted(), [...ground.before, ...expected].toSorted());
}

export async function expectGone(
  session: Session,
  { subscription_id }: Workspace,
  type: string,
  why: string,
): Promise<void> {
  await refuse(session, 'getEventSource', { path: { subscription_id, type } }, [404], why);
}

export function eventSourceLaws(): Requirement[] {
  return [
    law(
      'read-your-write',
      {
        origin: 'source §4.4',
        clause: AT.get,
        sentence: 'A source that was added can be read, and is what was added.',
      },
      [
        varied('added types', 3, async (ground, picks, session) => {
          for (const type of await addAll(session, ground, picks)) {
            expectType(
              await succeed(
                session,
                'getEventSource',
                { path: { subscription_id: ground.subscription_id, type } },
                `${type} was added.`,
              ),
              type,
            );
          }
        }),
      ],
    ),
    law(
      'listed',
      {
        origin: 'source §4.5',
        clause: AT.list,
        sentence: 'The list has every source that was added, and nothing else.',
      },
      [
        varied('added types', 5, async (ground, picks, session) => {
          await expectList(session, ground, await addAll(session, ground, picks), 'The list is not what was added');
        }),
      ],
    ),
    law('empty', { origin: 'D14', clause: AT.list, sentence: 'A subscription without sources lists as empty.' }, [
      once('a fresh subscription', 1, async (ground, session) => expectList(session, ground, [], 'Nothing was added'), {
        empty: true,
      }),
      once(
        'after the last one is removed',
        1,
        async (ground, session) => {
          const [type] = await addAll(session, ground, [0]);
          await succeed(session, 'deleteEventSource', {
            path: { subscription_id: ground.subscription_id, type: type! },
          });
          await expectList(session, ground, [], 'The only source was removed');
        },
        { empty: true },
      ),
    ]),
    law(
      'add-twice',
      {
        origin: 'D15',
        clause: `${AT.create}/responses/409`,
        sentence: 'Adding a type that is there is refused with 409, and it stays there once.',
      },
      [
        once('the same type again', 2, async (ground, session) => {
          const [type] = await addAll(session, ground, [1, 0]);
          await refuse(
            session,
            'createEventSource',
            { path: { subscription_id: ground.subscription_id }, json: { type } },
            [409],
            `${type} is there already.`,
          );
          await expectList(session, ground, ground.types, 'A type was added twice');
        }),
      ],
    ),
    law(
      'unknown',
      {
        origin: 'D15',
        clause: '/components/responses/NotFound',
        sentence: 'A type that the subscription does not have gets 404 by read, update and delete.',
      },
      [
        once('an unknown type', 2, async (ground, session) => {
          const [absent, present] = ground.types as [string, string];
          const path = { subscription_id: ground.subscription_id, type: absent };
          await addSource(session, ground.subscription_id, present);
          for (const operationId of ['getEventSource', 'deleteEventSource']) {
            await refuse(session, operationId, { path }, [404], `The subscription has no ${absent}.`);
          }
          for (const json of [{}, { type: absent }, { type: present }]) {
            await refuse(session, 'updateEventSource', { path, json }, [404], `The subscription has no ${absent}.`);
          }
          await expectList(session, ground, [present], 'A refused request changed something');
        }),
      ],
    ),
    law(
      'removed',
      { origin: 'source §4.7', clause: AT.delete, sentence: 'A source that was removed is gone, and no other.' },
      [
        varied('removing one of several', 4, async (ground, picks, session) => {
          const [type, ...rest] = (await addAll(session, ground, picks)) as [string, ...string[]];
          const path = { subscription_id: ground.subscription_id, type };
          // A list that has been read before may be kept somewhere on the way.
          await expectList(session, ground, [type, ...rest], 'The list is not what was added');
          await succeed(session, 'deleteEventSource', { path }, `${type} was added.`);
          await expectGone(session, ground, type, `${type} was removed.`);
          await expectList(session, ground, rest, 'The wrong sources are left');
          await refuse(session, 'deleteEventSource', { path }, [404], `${type} was removed.`);
        }),
      ],
    ),
    law(
      'added-again',
      { origin: 'source §6', clause: AT.create, sentence: 'A type that was removed can be added again.' },
      [
        once('removed and added', 1, async (ground, session) => {
          const [type] = (await addAll(session, ground, [0])) as [string];
          await succeed(session, 'deleteEventSource', { path: { subscription_id: ground.subscription_id, type } });
          await addSource(session, ground.subscription_id, type);
          await expectList(session, ground, [type], 'The type was added again');
        }),
      ],
    ),
    law(
      'update-moves',
      {
        origin: 'D12',
        clause: AT.update,
        sentence: 'An update replaces the type in the path by the one in the body: it moves, and does not copy.',
      },
      [
        once('to a new type', 3, async (ground, session) => {
          const [from, to, other] = ground.types as [string, string, string];
          const { subscription_id } = ground;
          await addSource(session, subscription_id, from);
          await addSource(session, subscription_id, other);
          const response = await succeed(session, 'updateEventSource', {
            path: { subscription_id, type: from },
            json: { type: to },
          });
          expectType(response, to);
          await expectGone(session, ground, from, `${from} was changed into ${to}.`);
          expectType(await succeed(session, 'getEventSource', { path: { subscription_id, type: to } }), to);
          await expectList(session, ground, [to, other], 'The update did not move the source');
        }),
        once('and back', 2, async (ground, session) => {
          const [from, to] = ground.types as [string, string];
          const { subscription_id } = ground;
          await addSource(session, subscription_id, from);
          await succeed(session, 'updateEventSource', { path: { subscription_id, type: from }, json: { type: to } });
          await succeed(session, 'updateEventSource', { path: { subscription_id, type: to }, json: { type: from } });
          await expectList(session, ground, [from], 'The update did not move the source back');
        }),
      ],
    ),
    law(
      'update-nothing',
      {
        origin: 'D12',
        clause: `${AT.update}/requestBody`,
        sentence: 'An update without a body, with {} or with the current type is 200 and changes nothing.',
      },
      [
        ...(['no body', 'an empty object', 'the same type'] as const).map((form) =>
          once(form, 1, async (ground, session) => {
            const [type] = (await addAll(session, ground, [0])) as [string];
            const input = { 'no body': {}, 'an empty object': { json: {} }, 'the same type': { json: { type } } }[form];
            const path = { subscription_id: ground.subscription_id, type };
            expectType(
              await succeed(session, 'updateEventSource', { path, ...input }, 'Nothing is to be changed.'),
              type,
            );
            await expectList(session, ground, [type], 'An update without a change changed something');
          }),
        ),
      ],
    ),
    law(
      'update-conflict',
      {
        origin: 'D12',
        clause: AT.update,
        sentence: 'An update to a type that is another source already is refused with 409, and changes nothing.',
      },
      [
        once('to a type that is there', 2, async (ground, session) => {
          const [from, to] = (await addAll(session, ground, [0, 1])) as [string, string];
          const path = { subscription_id: ground.subscription_id, type: from };
          await refuse(session, 'updateEventSource', { path, json: { type: to } }, [409], `${to} is there already.`);
          await expectList(session, ground, [from, to], 'A refused update changed something');
        }),
      ],
    ),
    law(
      'refused-changes-nothing',
      {
        origin: 'D29',
        clause: '/info/description',
        words: 'A refused request changes nothing',
        sentence: 'A refused request changes nothing.',
      },
      [
        once('invalid adds, updates and removals', 2, async (ground, session) => {
          const { subscription_id } = ground;
          const [type, other] = ground.types as [string, string];
          await addSource(session, subscription_id, type);
          const path = { subscription_id, type };
          const bad = [{ type: other, extra: 1 }, { type: [other] }, { Type: other, type: 5 }, [{ type: other }]];
          for (const json of bad) {
            await refuse(
              session,
              'createEventSource',
              { path: { subscription_id }, json },
              [400],
              'The body breaks the contract.',
            );
            await refuse(session, 'updateEventSource', { path, json }, [400], 'The body breaks the contract.');
          }
          const query = { unknown: '1' };
          await refuse(
            session,
            'createEventSource',
            { path: { subscription_id }, query, json: { type: other } },
            [400],
            'There is no such parameter.',
          );
          await refuse(
            session,
            'updateEventSource',
            { path, query, json: { type: other } },
            [400],
            'There is no such parameter.',
          );
          await refuse(session, 'deleteEventSource', { path, query }, [400], 'There is no such parameter.');
          await expectList(session, ground, [type], 'A refused request changed something');
        }),
        once('media types that cannot be read or written', 2, async (ground, session) => {
          const { subscription_id } = ground;
          const [type, other] = ground.types as [string, string];
          await addSource(session, subscription_id, type);
          const path = { subscription_id, type };
          for (const [status, headers] of [
            [415, { 'content-type': 'text/plain' }],
            [406, { accept: 'text/html' }],
          ] as const) {
            await refuse(
              session,
              'createEventSource',
              { path: { subscription_id }, json: { type: other }, headers },
              [status],
              'JSON is ruled out.',
            );
            await refuse(
              session,
              'updateEventSource',
              { path, json: { type: other }, headers },
              [status],
              'JSON is ruled out.',
            );
          }
          await expectList(session, ground, [type], 'A refused request changed something');
        }),
      ],
    ),
    law(
      'isolation',
      {
        origin: 'source §2.12',
        clause: '/components/parameters/SubscriptionId',
        sentence: 'A source belongs to one subscription: others do not see it, and changes do not reach them.',
      },
      [
        {
          label: 'two subscriptions',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const [ground, second] = (await workspaces(session, 2, 2)) as [Workspace, Workspace];
            const [type, other] = ground.types as [string, string];
            await addSource(session, ground.subscription_id, type);
            await expectGone(session, second, type, 'It was added to another subscription.');
            await expectList(session, second, [], 'A source leaked into another subscription');
            await addSource(session, second.subscription_id, type);
            await succeed(session, 'updateEventSource', {
              path: { subscription_id: ground.subscription_id, type },
              json: { type: other },
            });
            await expectList(session, second, [type], 'An update reached another subscription');
            await addSource(session, second.subscription_id, other);
            await succeed(session, 'deleteEventSource', {
              path: { subscription_id: second.subscription_id, type: other },
            });
            await expectList(session, ground, [other], 'A removal reached another subscription');
            await expectList(session, second, [type], 'A removal took another source');
          },
        },
      ],
    ),
    {
      ...law(
        'case',
        {
          origin: 'source §2.12',
          clause: '/components/schemas/ResourceId',
          sentence: 'Subscription ids that differ in case are two subscriptions.',
        },
        [
          once('upper and lower case', 1, async ({ subscription_id, types, before }, session) => {
            const [type] = types as [string];
            await addSource(session, subscription_id, type);
            const other = subscription_id.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
            await expectList(
              session,
              { subscription_id: other, types, before },
              [],
              'A source leaked into a subscription that differs in case',
            );
          }),
        ],
      ),
      skip: ({ subscriptions }) =>
        subscriptions.shared
          ? 'needs subscriptions of any name: --subscription-id says that only some exist'
          : undefined,
    },
    law(
      'uri',
      {
        origin: 'source §2.12',
        clause: '/components/schemas/EventSource/properties/uri',
        sentence: 'The `uri` of a source leads to it, also from a list and after an update.',
      },
      [
        once('of an add, a list and an update', 3, async (ground, session) => {
          const [type, next, other] = ground.types as [string, string, string];
          const { subscription_id } = ground;
          await addSource(session, subscription_id, other);
          await expectLeads(session, await addSource(session, subscription_id, type), type);
          const { json } = await succeed(session, 'listEventSources', { path: { subscription_id } });
          for (const source of (json as { sources: { type: string; uri: string }[] }).sources.filter(
            (one) => one.type === type,
          )) {
            await expectUriLeads(session, source.uri, type);
          }
          await expectLeads(
            session,
            await succeed(session, 'updateEventSource', { path: { subscription_id, type }, json: { type: next } }),
            next,
          );
        }),
      ],
    ),
    law(
      'uri.own',
      {
        origin: 'source §2.12',
        clause: '/components/schemas/EventSource/properties/uri',
        sentence: 'The `uri` of a source leads to its own subscription, and nowhere once it is removed.',
      },
      [
        {
          label: 'of the same type in two subscriptions',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const [ground, second] = (await workspaces(session, 2, 1)) as [Workspace, Workspace];
            const [type] = ground.types as [string];
            const one = await addSource(session, ground.subscription_id, type);
            const another = await addSource(session, second.subscription_id, type);
            await succeed(session, 'deleteEventSource', { path: { subscription_id: ground.subscription_id, type } });
            await expectLeads(session, another, type);
            const gone = await session.send({ method: 'GET', target: reachable(session, uriOf(one)) });
            expectRefusal(
              session.implementation,
              session.operation('getEventSource'),
              gone,
              [404],
              '`uri` leads to a source that was removed.',
            );
          },
        },
      ],
    ),
    law(
      'location',
      {
        origin: 'D37',
        clause: '/components/headers/EventSourceLocation',
        sentence: 'A `Location` beside a 201 equals the `uri` of the source.',
      },
      [
        once('of an add', 1, async ({ subscription_id, types }, session) => {
          const response = await addSource(session, subscription_id, types[0]!);
          const { location } = response.headers;
          const { uri } = response.json as { uri: string };
          expectThat(location === undefined || location === uri, '`Location` is not `uri`.', {
            expected: uri,
            got: location,
          });
        }),
      ],
    ),
  ];
}

async function expectLeads(session: Session, response: HttpResponse, type: string): Promise<void> {
  await expectUriLeads(session, uriOf(response), type);
}

function uriOf(response: HttpResponse): string {
  return (response.json as { uri: string }).uri;
}

async function expectUriLeads(session: Session, uri: string, type: string): Promise<void> {
  const response = await session.send({ method: 'GET', target: reachable(session, uri) });
  expectSuccess(session.implementation, session.operation('getEventSource'), response, '`uri` leads to the source.');
  expectType(response, type);
}
