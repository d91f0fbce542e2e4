/** Sequences that chance takes too seldom. */
import type { Command } from '../model/commands.ts';
import type { Json } from '../model/route.ts';
import { MODULES } from '../modules.ts';

const create = (path: string, more: Json = {}): Command => ({
  do: 'create route',
  edge: 0,
  body: { match_type: 'path_prefix', match: path, ...more },
});
const patch = (route: number, change: Json): Command => ({ do: 'patch route', route, patch: change });
const remove = (route: number): Command => ({ do: 'delete route', route });
const SWITCH: Command = { do: 'patch edge', edge: 0, patch: { tls_termination: { terminate_at: 'upstream' } } };
const BACK: Command = { do: 'patch edge', edge: 0, patch: { tls_termination: { terminate_at: 'edge' } } };
const LOOK: Command = { do: 'read edge', edge: 0 };

/** What one step does to the next but one: chance takes these ways too seldom. */
export const ROUTE_STORIES: Command[][] = [
  // A match is left, taken by another route, and free again.
  [
    create('/'),
    patch(0, { match: '/a' }),
    create('/'),
    patch(0, { match: '/' }),
    remove(1),
    patch(0, { match: '/' }),
    create('/a'),
  ],
  // A refused change leaves nothing behind for the next one.
  [
    create('/', { oauth: MODULES.oauth.minimal }),
    patch(0, { oidc: MODULES.oidc.minimal, description: 'refused' }),
    patch(0, { metadata: 'next' }),
    LOOK,
    patch(0, { oauth: null }),
    LOOK,
  ],
  // Places move, ids do not.
  [
    create('/'),
    create('/a'),
    create('a.example'),
    remove(0),
    remove(1),
    LOOK,
    create('/b'),
    remove(2),
    LOOK,
    remove(0),
    remove(3),
  ],
  // There and back.
  [
    create('/', { backend: MODULES.backend.full, ip_restriction: MODULES.ip_restriction.full }),
    SWITCH,
    LOOK,
    create('/a'),
    create('/b', { compression: {} }),
    patch(1, { backend: MODULES.backend.minimal }),
    patch(0, { compression: {} }),
    BACK,
    LOOK,
    patch(0, { compression: {} }),
    SWITCH,
    patch(0, { compression: null }),
    SWITCH,
    LOOK,
  ],
  // One after the other, and one beside another that is disabled.
  [
    create('/', { oidc: MODULES.oidc.full }),
    patch(0, { oauth: MODULES.oauth.minimal }),
    LOOK,
    patch(0, { oidc: MODULES.oidc.minimal }),
    patch(0, { oauth: null }),
    patch(0, { oidc: MODULES.oidc.minimal }),
    LOOK,
  ],
  // Every pair of match and match type.
  [
    ...['/', '/a', 'a.example'].flatMap((path) => [create(path), create(path, { match_type: 'exact_path' })]),
    LOOK,
    create('/a'),
    patch(5, { match: '/' }),
    remove(4),
    patch(5, { match_type: 'path_prefix' }),
    LOOK,
  ],
  // Several changes, each of its own.
  [
    create('/', { compression: {} }),
    patch(0, { backend: MODULES.backend.minimal }),
    patch(0, { circuit_breaker: {} }),
    patch(0, { compression: null }),
    patch(0, { description: null, metadata: 'changed' }),
    LOOK,
  ],
];

const add = (type: number): Command => ({ do: 'add source', subscription: 0, type });
const take = (type: number): Command => ({ do: 'remove source', subscription: 0, type });
const move = (type: number, to: number): Command => ({ do: 'move source', subscription: 0, type, to });

/** Each of add, move and remove follows each, and a list follows all. */
export const SOURCE_STORY: Command[] = [
  add(0),
  add(1),
  take(0),
  add(0),
  move(1, 2),
  move(2, 3),
  add(1),
  add(2),
  take(1),
  take(2),
  move(3, 1),
  take(1),
  add(3),
].flatMap((change) => [change, { do: 'list sources', subscription: 0, limit: 3 }]);
