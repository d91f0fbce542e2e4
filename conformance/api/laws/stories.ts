/** Sequences of commands that chance takes too seldom: what one step does to the next but one. */
import type { Command } from '../model/commands.ts';
import { type Json, MODULES } from '../modules.ts';

const { backend, ip_restriction, oauth, oidc } = MODULES;

const create = (path: string, more: Json = {}): Command => ({
  do: 'create route',
  edge: 0,
  body: { match_type: 'path_prefix', match: path, ...more },
});
const patch = (route: number, change: Json): Command => ({ do: 'patch route', route, patch: change });
const remove = (route: number): Command => ({ do: 'delete route', route });
const patchEdge = (change: Json): Command => ({ do: 'patch edge', edge: 0, patch: change });
const SWITCH = patchEdge({ tls_termination: { terminate_at: 'upstream' } });
const BACK = patchEdge({ tls_termination: { terminate_at: 'edge' } });
const LOOK: Command = { do: 'read edge', edge: 0 };

const there = create('/', { backend: backend.full, ip_restriction: ip_restriction.full });
const compress = patch(0, { compression: {} });

export const ROUTE_STORIES: Command[][] = [
  // A match is left, taken by another route, and free again.
  [
    ...[create('/'), patch(0, { match: '/a' }), create('/')],
    ...[patch(0, { match: '/' }), remove(1), patch(0, { match: '/' }), create('/a')],
  ],
  // A refused change leaves nothing behind for the next one.
  [
    create('/', { oauth: oauth.minimal }),
    patch(0, { oidc: oidc.minimal, description: 'refused' }),
    ...[patch(0, { metadata: 'next' }), LOOK, patch(0, { oauth: null }), LOOK],
  ],
  // Places move, ids do not.
  [
    ...[create('/'), create('/a'), create('a.example'), remove(0), remove(1), LOOK],
    ...[create('/b'), remove(2), LOOK, remove(0), remove(3)],
  ],
  // There and back.
  [
    ...[there, SWITCH, LOOK, create('/a'), create('/b', { compression: {} })],
    ...[patch(1, { backend: backend.minimal }), compress, BACK, LOOK, compress],
    ...[SWITCH, patch(0, { compression: null }), SWITCH, LOOK],
  ],
  // One after the other, and one beside another that is disabled.
  [
    ...[create('/', { oidc: oidc.full }), patch(0, { oauth: oauth.minimal }), LOOK],
    ...[patch(0, { oidc: oidc.minimal }), patch(0, { oauth: null }), patch(0, { oidc: oidc.minimal }), LOOK],
  ],
  // Every pair of match and match type.
  [
    ...['/', '/a', 'a.example'].flatMap((path) => [create(path), create(path, { match_type: 'exact_path' })]),
    ...[LOOK, create('/a'), patch(5, { match: '/' }), remove(4), patch(5, { match_type: 'path_prefix' }), LOOK],
  ],
  // Several changes, each of its own.
  [
    ...[create('/', { compression: {} }), patch(0, { backend: backend.minimal }), patch(0, { circuit_breaker: {} })],
    ...[patch(0, { compression: null }), patch(0, { description: null, metadata: 'changed' }), LOOK],
  ],
];

const add = (type: number): Command => ({ do: 'add source', subscription: 0, type });
const take = (type: number): Command => ({ do: 'remove source', subscription: 0, type });
const move = (type: number, to: number): Command => ({ do: 'move source', subscription: 0, type, to });

/** Each of add, move and remove follows each, and a list follows all. */
export const SOURCE_STORY: Command[] = [
  ...[add(0), add(1), take(0), add(0), move(1, 2), move(2, 3), add(1)],
  ...[add(2), take(1), take(2), move(3, 1), take(1), add(3)],
].flatMap((change) => [change, { do: 'list sources', subscription: 0, limit: 3 }]);

const LIST: Command = { do: 'list sources', subscription: 0, limit: 100 };

/** At once, after a source was added: its move, and readers. */
export const MOVE_AND_READERS: Command[] = [move(0, 1), LIST, LIST, { do: 'read source', subscription: 0, type: 0 }];

/** Rounds of writers of one edge and its route, of different members and of the same, and readers. */
export const COLLISIONS: Command[][] = [
  [patchEdge({ description: 'a', metadata: 'a' }), patchEdge({ description: 'b', metadata: 'b' }), LOOK, LOOK],
  [compress, patch(0, { backend: backend.minimal }), patchEdge({ mutual_tls: {} }), LOOK],
  [patch(0, { match: '/a' }), create('/a'), LOOK],
  [{ do: 'read route', route: 0 }, LOOK],
];
