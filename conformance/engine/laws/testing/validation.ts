/** Validates bodies, and finds those that are in conflict with items of the library. */
import type { Json } from '../resource.ts';
import {
  type Collection,
  complete,
  type LibraryKind,
  type Library,
  NAMES,
  type StoredItem,
} from './library-state.ts';
import { LibraryRefusal } from './refusal.ts';

/** The number of items that one collection takes. */
const ROOM = 110;

const MEMBERS: Record<LibraryKind, readonly string[]> = {
  shelves: ['note', 'tags', 'cover'],
  books: ['title', 'note', 'tags', 'cover'],
  labels: ['name'],
};

/** @throws LibraryRefusal unless the contract allows the body */
export function validate(
  library: Library,
  kind: LibraryKind,
  json: unknown,
  call: 'create' | 'update',
): asserts json is Json {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  if (!isObject) {
    if (Array.isArray(json) && library.has('accepts lists of bodies')) {
      return;
    }
    throw new LibraryRefusal(400, 'invalid');
  }
  const name = NAMES[kind];
  if (name !== undefined && call === 'create' && !(name in json)) {
    throw new LibraryRefusal(400, 'invalid');
  }
  const mayHaveMore =
    call === 'create'
      ? library.has('accepts unknown members in creations')
      : library.has('accepts unknown members in changes');
  for (const [member, value] of Object.entries(json)) {
    const isKnown = MEMBERS[kind].includes(member);
    const isRight = isKnown ? isValid(member, value) : mayHaveMore;
    if (!isRight) {
      throw new LibraryRefusal(400, 'invalid');
    }
  }
}

function isValid(member: string, value: unknown): boolean {
  switch (member) {
    case 'title':
    case 'name':
      return typeof value === 'string' && value !== '';
    case 'note':
      return value === null || typeof value === 'string';
    case 'tags':
      return value === null || Array.isArray(value);
    default:
      return typeof value === 'object' && !Array.isArray(value);
  }
}

/** @throws LibraryRefusal if another item has the name */
export function expectFreeName(library: Library, collection: Collection, body: Json): void {
  const { kind, items, takenNames } = collection;
  const name = NAMES[kind];
  if (name === undefined) {
    return;
  }
  const completed = JSON.stringify(complete(body, kind));
  const isTaken = items.some((one) => one.body[name] === body[name]);
  const isSame = items.some((one) => JSON.stringify(one.body) === completed);
  const isIgnored =
    library.has('lets creations take a name') ||
    (library.has('lets creations take a name in other tags') && !isSame);
  if ((isTaken && !isIgnored) || takenNames.includes(body[name])) {
    throw conflict(library);
  }
}

/** @throws LibraryRefusal if the change gives the item the name of another one */
export function expectFreeChange(
  library: Library,
  collection: Collection,
  item: StoredItem,
  patch: Json,
): void {
  const { kind, items, takenNames } = collection;
  const name = NAMES[kind];
  if (name === undefined || !(name in patch)) {
    return;
  }
  const isOwn = item.body[name] === patch[name];
  if (isOwn && library.has('refuses the own name in a change')) {
    throw conflict(library);
  }
  const isTaken = items.some((one) => one !== item && one.body[name] === patch[name]);
  const hasMore = Object.keys(patch).length > 1;
  const isIgnored =
    library.has('lets changes take a name') ||
    (library.has('lets changes take a name among other members') && hasMore);
  const staysTaken = takenNames.includes(patch[name]) && !isOwn;
  if ((isTaken && !isIgnored) || staysTaken) {
    throw conflict(library);
  }
}

function conflict(library: Library): LibraryRefusal {
  const code = library.has('gives conflicts another code') ? 'conflict' : 'already_exists';
  return new LibraryRefusal(409, code);
}

/**
 * There may be any number of shelves.
 * @throws LibraryRefusal if the collection has as many items as it can have
 */
export function expectRoom(library: Library, { kind, items, removed, refused }: Collection): void {
  if (kind === 'shelves') {
    return;
  }
  const room = library.has('has room for one more') ? ROOM + 1 : ROOM;
  const gone = library.has('is full for ever') ? removed.length : 0;
  const uncreated = library.has('counts refused creations') ? refused : 0;
  const used = items.length + gone + uncreated;
  if (used >= room) {
    throw new LibraryRefusal(409, 'full');
  }
}
