/** With a token that may only read, every change is refused with 403 (D28), and nothing of it is done. */
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { CallInput } from '../../engine/http/session.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import { expectChallenge } from '../protocol/authentication.ts';
import { walk } from './edge-pages.ts';
import { expectList, once as onSources } from './event-sources.ts';
import { once } from './law.ts';
import { asReader, FORBIDDEN, withoutReadOnlyToken } from '../read-only-token.ts';
import { each, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import { createRoute, newEdge, type RouteResponse } from '../route-steps.ts';
import { BARE } from '../values/route-values.ts';
import { addSource, getEdge, refuse, succeed } from '../steps.ts';
import { validCall, type ValidCall } from '../valid-calls.ts';
import { workspace } from '../workspace.ts';

export function readOnlyChanges(operations: Operation[]): Requirement[] {
  const changing = operations.filter(({ method, responses }) => method !== 'GET' && responses['403'] !== undefined);
  return [
    ...changing.map(forbidden),
    stays(
      'sources-stay',
      'core',
      'A change of event sources that the token does not permit has changed nothing.',
      SOURCES_STAY,
    ),
    stays(
      'edges-stay',
      'extended',
      'A change of edges or routes that the token does not permit has changed nothing.',
      EDGES_STAY,
    ),
  ];
}

/** Valid calls that would change something: a PATCH of nothing is no change, and may be let pass. */
const CHANGES: Partial<Record<string, ValidCall>> = {
  updateEdge: async (session) => ({ ...(await validCall(session, 'updateEdge')), json: { description: 'changed' } }),
  updateRoute: async (session) => ({
    ...(await validCall(session, 'updateRoute')),
    json: { description: 'changed' },
  }),
  updateEventSource: async (session) => {
    const { subscription_id, types } = await workspace(session, 2);
    await addSource(session, subscription_id, types[0]!);
    return { path: { subscription_id, type: types[0]! }, json: { type: types[1] } };
  },
};

function forbidden({ operationId, level }: Operation): Requirement {
  return {
    id: `${operationId}.403`,
    level,
    origin: 'D28',
    clause: FORBIDDEN,
    sentence: `${operationId} returns 403 with \`WWW-Authenticate\` to a token that may only read.`,
    skip: withoutReadOnlyToken,
    properties: () => [
      once('a valid change', async (session) => {
        const call = await (CHANGES[operationId]?.(session) ?? validCall(session, operationId));
        expectChallenge(
          await refuse(
            session,
            operationId,
            { ...call, headers: asReader(session) },
            [403],
            'The token is valid, and may only read.',
          ),
        );
      }),
    ],
  };
}

function stays(name: string, level: Requirement['level'], sentence: string, properties: Property[]): Requirement {
  return {
    id: `authentication.read-only-token.${name}`,
    level,
    origin: 'D28',
    clause: FORBIDDEN,
    sentence,
    skip: withoutReadOnlyToken,
    properties: () => properties,
  };
}

const DONE = 'A token that may only read has changed something';

const SOURCES_STAY: Property[] = [
  onSources('an add', 1, async (ground, session) => {
    const { subscription_id, types } = ground;
    await session.call('createEventSource', {
      path: { subscription_id },
      json: { type: types[0] },
      headers: asReader(session),
    });
    await expectList(session, ground, [], DONE);
  }),
  sourceStays('an update', 2, 'updateEventSource', ([, other]) => ({ json: { type: other } })),
  sourceStays('a removal', 1, 'deleteEventSource', () => ({})),
];

/** The first of `count` types is there, and stays. */
function sourceStays(
  label: string,
  count: number,
  operationId: string,
  input: (types: string[]) => CallInput,
): Property {
  return onSources(label, count, async (ground, session) => {
    const { subscription_id, types } = ground;
    const path = { subscription_id, type: types[0]! };
    const read = async () => (await succeed(session, 'getEventSource', { path }, 'The source exists.')).json;
    await addSource(session, subscription_id, path.type);
    const before = await read();
    await session.call(operationId, { path, ...input(types), headers: asReader(session) });
    await expectList(session, ground, [path.type], DONE);
    expectSame(DONE, await read(), before);
  });
}

/** An operation, and what it is to do to a route and its edge. */
type Change = [operationId: string, input: (route: RouteResponse) => CallInput];

const EDGES_STAY: Property[] = [
  once('a new edge', async (session) => {
    const older = await newEdge(session);
    const description = `beside ${older.id}`;
    await session.call('createEdge', { json: { description }, headers: asReader(session) });
    const { edges } = await walk(session, older);
    const got = edges.find((edge) => edge['description'] === description);
    expectThat(got === undefined, `${DONE}.`, { expected: 'no new edge', got });
  }),
  ...each<Change>(
    {
      'a change of an edge': [
        'updateEdge',
        ({ edge_id }) => ({ path: { id: edge_id }, json: { description: 'changed' } }),
      ],
      'a deletion of an edge': ['deleteEdge', ({ edge_id }) => ({ path: { id: edge_id } })],
      'a new route': ['createRoute', ({ edge_id }) => ({ path: { edge_id }, json: { ...BARE, match: '/new' } })],
      'a change of a route': [
        'updateRoute',
        ({ edge_id, id }) => ({ path: { edge_id, id }, json: { description: 'changed' } }),
      ],
      'a deletion of a route': ['deleteRoute', ({ edge_id, id }) => ({ path: { edge_id, id } })],
    },
    async ([operationId, input]: Change, session) => {
      const { id } = await newEdge(session);
      const route = await createRoute(session, id);
      const before = await getEdge(session, id);
      await session.call(operationId, { ...input(route), headers: asReader(session) });
      expectSame(DONE, await getEdge(session, id), before);
    },
  ),
];
