/** The resources of library.yaml as laws see them. */
import fc from 'fast-check';
import type { Session } from '../../http/session.ts';
import {
  type Json,
  type PagedList,
  pick,
  type Place,
  type Resource,
  type Wanted,
} from '../resource.ts';

const FULL: Json = {
  note: 'before',
  tags: ['b', 'a'],
  cover: { material: 'leather', colours: { back: 'red', front: 'blue' } },
};

const OTHER: Json = { note: 'after', tags: ['c'], cover: { material: 'paper' } };

const COVER_DEFAULTS: Json = { material: 'cloth', colours: {} };

function completeCover(cover: unknown): Json | null {
  if (!cover) {
    return null;
  }
  return { ...COVER_DEFAULTS, ...(cover as Json) };
}

/** The item that a body creates. */
function shownFrom(body: Json): Json {
  return {
    ...body,
    note: body['note'] ?? '',
    tags: body['tags'] ?? [],
    cover: completeCover(body['cover']),
  };
}

/** The item after a change. A member that is null has its default again. */
function changedBy(shown: Json, patch: Json): Json {
  const changed = { ...shown };
  for (const [name, value] of Object.entries(shownFrom(patch))) {
    if (name in patch) {
      changed[name] = value;
    }
  }
  return changed;
}

const TEXTS = fc.string({ maxLength: 5 });
const COVERS = fc.record(
  { material: TEXTS, colours: fc.dictionary(fc.constantFrom('back', 'front'), TEXTS) },
  { requiredKeys: [] },
);
const BODIES: fc.Arbitrary<Json> = fc.record(
  {
    note: fc.option(TEXTS),
    tags: fc.option(fc.array(TEXTS, { maxLength: 3 })),
    cover: fc.option(COVERS),
  },
  { requiredKeys: [] },
);

const VALUES: Resource['values'] = {
  bodies: () => BODIES,
  patches: () => BODIES,
  full: () => FULL,
  bare: () => ({}),
  lasting: () => [{ ...FULL, note: 'long '.repeat(300) }],
  defaults: () => [{}, { note: null, tags: null, cover: null }, { cover: {} }],
  members: ['note', 'tags', 'cover'],
  other: (member) => OTHER[member],
  changes: () => [{ note: 'é😀', tags: ['a', 'a'] }],
  nullable: ['note', 'tags', 'cover'],
  lesser: () => [
    { body: FULL, patch: { cover: { material: 'paper' } } },
    { body: FULL, patch: { cover: {} } },
    { body: FULL, patch: { tags: [] } },
  ],
  replacements: () => BODIES.map((patch) => ({ body: FULL, patch })),
  good: () => ({ note: 'changed', tags: ['d'] }),
  invalid: {
    create: [{ shape: 'round' }, { note: 5 }],
    update: [{ shape: 'round' }, { tags: 'one' }],
  },
  disjoint: [{ note: 'after' }, { tags: ['c'] }, { cover: { material: 'paper' } }],
};

const PAGES: Omit<PagedList, 'items'> = {
  kind: 'paged',
  next: 'next',
  size: 'limit',
  most: undefined,
  shared: false,
  isSteady: true,
  ignoresFields: true,
};

/** Places of shelves tell their items by their notes. */
let places = 0;

export const shelves: Resource = {
  one: 'a shelf',
  many: 'shelves',
  calls: {
    create: 'createShelf',
    read: 'readShelf',
    list: 'listShelves',
    update: 'updateShelf',
    delete: 'removeShelf',
  },
  id: { parameter: 'shelf', member: 'id', givenBy: 'service' },
  mark: 'note',
  fixed: ['id', 'uri', 'created_at'],
  createdAt: 'created_at',
  list: { ...PAGES, items: 'shelves', shared: true },
  order: 'newest first',
  async places(_, { items, places: count = 1 }) {
    const place = ++places;
    const bodies = Array.from({ length: items }, (__, index) => ({ note: `${index} of ${place}` }));
    return Array.from({ length: count }, () => ({ path: {}, bodies, foreign: [] }));
  },
  shown: shownFrom,
  changed: changedBy,
  maps: ['/cover/colours'],
  values: VALUES,
};

/** Titles do not ascend in the order of creation. */
function booksOn(shelf: string, items: number): Place {
  const titles = Array.from({ length: items }, (_, index) => `book ${(index * 7) % 10}-${index}`);
  return { path: { shelf }, bodies: titles.map((title) => ({ title })), foreign: [] };
}

async function newShelf(session: Session): Promise<string> {
  const { json } = await session.call('createShelf', { json: {} });
  return String((json as Json)['id']);
}

async function placesForBooks(session: Session, { items, places: count = 1 }: Wanted) {
  const all: Place[] = [];
  for (let index = 0; index < count; index++) {
    all.push(booksOn(await newShelf(session), items));
  }
  return all;
}

export const books: Resource = {
  ...shelves,
  one: 'a book',
  many: 'books',
  calls: {
    create: 'createBook',
    read: 'readBook',
    list: 'listBooks',
    update: 'updateBook',
    delete: 'removeBook',
  },
  id: { parameter: 'book', member: 'id', givenBy: 'service' },
  list: { ...PAGES, items: 'books' },
  order: 'oldest first',
  most: 110,
  unique: {
    members: ['title'],
    another: (_, sample) => `${String(sample['title'])}, second edition`,
    code: 'already_exists',
  },
  async removeParent(session, { path }) {
    await session.call('removeShelf', { path });
  },
  places: placesForBooks,
  values: {
    ...VALUES,
    members: ['note', 'tags', 'cover', 'title'],
    other: (member, _, place) => {
      if (member === 'title') {
        return (place.bodies.at(-1) as Json)['title'];
      }
      return OTHER[member];
    },
    invalid: {
      create: [{ shape: 'round' }, { note: 5 }, { title: '' }],
      update: [{ shape: 'round' }, { tags: 'one' }, { title: null }],
    },
  },
};
delete books.mark;

shelves.children = {
  resource: books,
  placeIn: ({ shown }, items) => booksOn(String(shown['id']), items),
};

/** Shelves that are replaced, not changed. */
export const replacedShelves: Resource = {
  ...shelves,
  calls: { ...shelves.calls, update: 'replaceShelf' },
  changeOf: ({ shown }, patch) => ({ ...pick(shown, VALUES.members), ...patch }),
  // As for a resource that only its contract describes: members that were not sent may have any
  // value.
  view: (shown) => pick(shown, ['id', ...VALUES.members]),
  shown: (body) => body,
  values: { ...VALUES, bare: () => ({ note: 'bare' }) },
};

/** Books whose list is a member of their shelf. */
export const embeddedBooks: Resource = {
  ...books,
  list: { kind: 'embedded', read: 'readShelf', items: 'books', shared: false },
};

export const shelvesOfEmbeddedBooks: Resource = {
  ...shelves,
  children: { ...shelves.children, resource: embeddedBooks },
};

const { list: _list, ...callsWithoutList } = books.calls;

/** Books whose list the contract does not have. */
export const unlistedBooks: Resource = { ...books, calls: callsWithoutList };

/** Items whose id is in the body that creates them. */
export const labels: Resource = {
  one: 'a label',
  many: 'labels',
  calls: {
    create: 'createLabel',
    read: 'readLabel',
    list: 'listLabels',
    update: 'updateLabel',
    delete: 'removeLabel',
  },
  id: { parameter: 'label', member: 'name', givenBy: 'body' },
  fixed: [],
  list: { ...PAGES, items: 'labels' },
  order: 'by id',
  most: 110,
  unique: {
    members: ['name'],
    another: (_, sample, { bodies }) =>
      bodies.findLast(({ name }) => name !== sample['name'])?.['name'],
    code: 'already_exists',
  },
  async places(session, { items, places: count = 1 }) {
    const names = Array.from({ length: items }, (_, index) => `${(index * 7) % 10}-${index}`);
    const bodies = names.map((name) => ({ name }));
    const all: Place[] = [];
    for (let index = 0; index < count; index++) {
      all.push({ path: { shelf: await newShelf(session) }, bodies, foreign: [] });
    }
    return all;
  },
  shown: (body) => body,
  changed: (shown, patch) => ({ ...shown, ...patch }),
  values: {
    full: () => ({}),
    bare: () => ({}),
    members: ['name'],
    other: (_, __, { bodies }) => bodies.at(-1)?.['name'],
    invalid: { create: [{ shape: 'round' }, { name: 5 }], update: [{ shape: 'round' }] },
  },
};
