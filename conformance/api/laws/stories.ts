/**
 * Sequences of commands that are too rare among random ones, such as an effect that only the step
 * after the next one shows.
 */
import {
  type Command,
  createEdge,
  createRoute,
  patchEdge,
  patchRoute,
  readEdge,
  removeRoute,
} from '../model/commands.ts';
import type { History } from '../model/history.ts';
import { type Json, MODULES } from '../modules.ts';
import { AT_EDGE, SWITCH } from './upstream.ts';

const { backend, circuit_breaker, ip_restriction, oauth, oidc } = MODULES;

/** Two edges that every story of routes begins with. */
export const TWO_EDGES: readonly Command[] = [createEdge(), createEdge({ description: 'another' })];

const READ = readEdge(0);
const COMPRESS = patchRoute({ compression: {} });

/** A new route on the first edge. */
function create(match: string, members: Json = {}): Command {
  return createRoute({ match, ...members });
}

const FREED_MATCH: Command[] = [
  create('/'),
  patchRoute({ match: '/a' }),
  create('/'),
  patchRoute({ match: '/' }),
  removeRoute(1),
  patchRoute({ match: '/' }),
  create('/a'),
];

const REFUSED_CHANGE: Command[] = [
  create('/', { oauth: oauth.minimal }),
  patchRoute({ oidc: oidc.minimal, description: 'refused' }),
  patchRoute({ metadata: 'next' }),
  READ,
  patchRoute({ oauth: null }),
  READ,
];

/** Places of routes in their list move, ids do not. */
const REMOVED_ROUTES: Command[] = [
  create('/'),
  create('/a'),
  create('a.example'),
  removeRoute(0),
  removeRoute(1),
  READ,
  create('/b'),
  removeRoute(2),
  READ,
  removeRoute(0),
  removeRoute(3),
];

const SWITCHED_THERE_AND_BACK: Command[] = [
  create('/', { backend: backend.full, ip_restriction: ip_restriction.full }),
  SWITCH,
  READ,
  create('/a'),
  create('/b', { compression: {} }),
  patchRoute({ backend: backend.minimal }, 1),
  COMPRESS,
  patchEdge(AT_EDGE),
  READ,
  COMPRESS,
  SWITCH,
  patchRoute({ compression: null }),
  SWITCH,
  READ,
];

const SEVERAL_CHANGES: Command[] = [
  create('/', { compression: {} }),
  patchRoute({ backend: backend.minimal }),
  patchRoute({ circuit_breaker: {} }),
  patchRoute({ compression: null }),
  patchRoute({ description: null, metadata: 'changed' }),
  READ,
];

/** A new route, or a module that is added again, has nothing of the one that was there before. */
const MADE_AGAIN: Command[] = [
  create('/', { description: 'old', metadata: 'old', oauth: oauth.full, backend: backend.full }),
  removeRoute(0),
  create('/'),
  READ,
  patchRoute({ oauth: oauth.full, circuit_breaker: circuit_breaker.full, metadata: 'old' }, 1),
  patchRoute({ oauth: null, circuit_breaker: null, metadata: null }, 1),
  patchRoute({ oauth: oauth.minimal, circuit_breaker: circuit_breaker.minimal }, 1),
  READ,
];

export const ROUTE_STORIES: readonly Command[][] = [
  FREED_MATCH,
  REFUSED_CHANGE,
  REMOVED_ROUTES,
  SWITCHED_THERE_AND_BACK,
  SEVERAL_CHANGES,
  MADE_AGAIN,
];

/** @param limit the size of the pages */
export function listSources(subscription: number, limit: number): Command {
  return { do: 'listEventSources', subscription, limit };
}

function add(type: number): Command {
  return { do: 'createEventSource', type };
}

function remove(type: number): Command {
  return { do: 'deleteEventSource', type };
}

function move(type: number, to: number): Command {
  return { do: 'updateEventSource', type, to };
}

/** Each of add, move and remove follows each of them. */
const SOURCE_CHANGES: Command[] = [
  add(0),
  add(1),
  remove(0),
  add(0),
  move(1, 2),
  move(2, 3),
  add(1),
  add(2),
  remove(1),
  remove(2),
  move(3, 1),
  remove(1),
  add(3),
];

/** A list follows each change. */
export const SOURCE_STORY: Command[] = SOURCE_CHANGES.flatMap((change) => [
  change,
  listSources(0, 3),
]);

const LIST_ALL = listSources(0, 100);

/** A source moves while it is read. */
export const MOVE_AMONG_READERS: History = {
  before: [add(0)],
  rounds: [[move(0, 1), LIST_ALL, LIST_ALL, { do: 'getEventSource' }]],
};

/**
 * An edge and its route are changed at once, in different members and in the same, while they are
 * read.
 */
export const CHANGES_AT_ONCE: History = {
  before: [...TWO_EDGES, create('/')],
  rounds: [
    [
      patchEdge({ description: 'a', metadata: 'a' }),
      patchEdge({ description: 'b', metadata: 'b' }),
      READ,
      READ,
    ],
    [COMPRESS, patchRoute({ backend: backend.minimal }), patchEdge({ mutual_tls: {} }), READ],
    [patchRoute({ match: '/a' }), create('/a'), READ],
    [{ do: 'getRoute' }, READ],
  ],
};
