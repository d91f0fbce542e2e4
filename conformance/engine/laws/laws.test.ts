/**
 * Each law is kept by resources of a correct library, and broken by those of a library with a
 * fault.
 */
import { describe, expect, it } from 'vitest';
import { COMMON_LAWS } from './index.ts';
import type { Resource } from './resource.ts';
import type { Fault } from './testing/faults.ts';
import {
  books,
  embeddedBooks,
  labels,
  replacedShelves,
  shelves,
  shelvesOfEmbeddedBooks,
  unlistedBooks,
} from './testing/library-resources.ts';
import { tryLaw } from './testing/try-law.ts';

interface LawTest {
  keptBy: readonly Resource[];
  brokenBy: readonly Broken[];
}

interface Broken {
  resource: Resource;
  fault: Fault;
  /** The beginning of the message of a case that fails. */
  failure: string;
}

function broken(resource: Resource, fault: Fault, failure: string): Broken {
  return { resource, fault, failure };
}

const NOT_SENT = 'The response is not what was sent';
const NOT_CREATED = 'Reading a book shows something else than its creation';
const UNPROMPTED = 'The item changed by itself';
const UNEXPECTED = 'Unexpected list items';
const BOOKS_OR_ORDER = 'The list has other books, or in another order.';
const SHOWN_DIFFERENTLY = 'The list shows the item differently';
const NOT_CHANGED = 'The response does not show the change';
const READ_DIFFERS = 'A read of the item and the response to its change differ';
const CHANGE_NOT_LISTED = 'The list does not show the change';
const CHANGED_ANOTHER = 'A change of one item changed another';
const REFUSED_AND_CHANGED = 'A refused request changed something';
const CHANGED_LATER = 'A refused request changed something a moment later';
const TAKEN = 'Another item has these values already.';
const FREE = 'No item has these values any more.';
const ONE_SUCCEEDS = 'Not exactly one of the requests succeeded.';
const VALID = 'The request is valid.';
const REMOVED = 'The item was removed.';
const OTHER_LINK = 'With header fields, a page has another link';
const TWICE = 'A book is listed twice.';

type CommonLaw = keyof typeof COMMON_LAWS;

const TESTS: Record<CommonLaw, LawTest> = {
  createSpelled: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'keeps escapes of creations', NOT_SENT),
      broken(books, 'drops members with escaped names', VALID),
    ],
  },
  updateSpelled: {
    keptBy: [books, shelves, labels, replacedShelves],
    brokenBy: [
      broken(books, 'keeps escapes of changes', NOT_CHANGED),
      broken(books, 'drops members with escaped names', NOT_CHANGED),
    ],
  },
  refusedSpelled: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'drops members with escaped names', 'It breaks the contract, however'),
      broken(books, 'accepts unknown members in creations', 'It breaks the contract, however'),
      broken(books, 'changes what it refuses', REFUSED_AND_CHANGED),
      broken(books, 'creates what it refuses', REFUSED_AND_CHANGED),
    ],
  },
  echo: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'forgets the tags of new items', NOT_SENT),
      broken(books, 'gives notes another default', NOT_SENT),
      broken(labels, 'creates items under another name', 'The response has another id'),
    ],
  },
  readYourWrite: {
    keptBy: [books, shelves, labels],
    brokenBy: [broken(books, 'shows other tags when an item is read', NOT_CREATED)],
  },
  siblings: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'changes the note of the item before', NOT_CREATED),
      broken(books, 'forgets the tags of new items', 'The item is not what was sent'),
    ],
  },
  defaults: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'gives notes another default', 'An omitted member has another default'),
      broken(books, 'shows other tags when an item is read', NOT_CREATED),
    ],
  },
  listed: {
    keptBy: [books, shelves, labels, embeddedBooks],
    brokenBy: [
      broken(books, 'lists new items late', 'The list is not what was created'),
      broken(shelves, 'lists new items late', 'The list and a read of the item differ'),
      broken(shelves, 'shows other tags in lists', 'The list and a read of the item differ'),
      broken(
        shelves,
        'shows a hundred books in lists of shelves',
        'The list and a read of the item differ',
      ),
      broken(shelves, 'creates items twice', 'A creation made more or less than one shelf.'),
      broken(embeddedBooks, 'shows other tags in lists', 'The list does not show the item'),
      broken(labels, 'lists labels in the order of creation', 'The list is not what was created'),
    ],
  },
  empty: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'lists an item in an empty place', 'The list is not empty, though nothing'),
      broken(books, 'keeps removed items in lists', 'The list is not empty, though its'),
    ],
  },
  stable: {
    keptBy: [books, shelves, labels, unlistedBooks],
    brokenBy: [
      broken(books, 'changes an item that is read twice', UNPROMPTED),
      broken(shelves, 'changes all shelves', UNPROMPTED),
      broken(shelves, 'removes another item as well', 'The item exists.'),
      broken(books, 'forgets notes after a second', UNPROMPTED),
      broken(shelves, 'forgets long notes after three seconds', UNPROMPTED),
      broken(books, 'ignores changes', 'The item does not show the change'),
      broken(unlistedBooks, 'remembers the notes of twenty items', 'The item changed while others'),
    ],
  },
  createdAt: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'gives times of another zone', '`created_at` is not the time of creation.'),
      broken(books, 'reads the clock once', '`created_at` of an item is that of one which is'),
    ],
  },
  createdTogether: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'gives notes another default', NOT_SENT),
      broken(books, 'counts items before it waits', 'Two books have the same id.'),
      broken(books, 'writes back the list that it read', UNEXPECTED),
      broken(books, 'changes the note of the item before', SHOWN_DIFFERENTLY),
    ],
  },
  idsNotReused: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'gives ids again', 'The id of a removed item was given again.'),
      broken(books, 'keeps removed items readable', REMOVED),
    ],
  },
  uri: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'has relative URIs', 'A `uri` is not absolute.'),
      broken(books, 'has URIs that lead nowhere', '`uri` leads to the item.'),
      broken(shelves, 'has the URI of the first item', '`uri` leads to something else'),
      broken(shelves, 'has the URI of the first item in lists', '`uri` leads to something else'),
      broken(shelves, 'has the URI of the first item after changes', '`uri` leads to something'),
    ],
  },
  uriOfOne: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(shelves, 'has the URI of the first item', '`uri` leads to the item.'),
      broken(books, 'keeps removed items readable', '`uri` leads to an item that was removed.'),
    ],
  },
  location: {
    keptBy: [books, shelves],
    brokenBy: [broken(books, 'has another Location', '`Location` is not `uri`')],
  },
  again: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'keeps the names of removed items', VALID),
      broken(books, 'brings removed items back', 'The item is not what was created again'),
      broken(
        books,
        'shows other tags when an item is read',
        'The item is not what was created again',
      ),
      broken(
        shelves,
        'changes an item that is read twice',
        'The item is not what was created again',
      ),
      broken(books, 'keeps the names of changed items', FREE),
      broken(books, 'lets changes take a name', 'Another item has taken this value.'),
      broken(books, 'changes what it refuses', 'Unexpected items'),
      broken(labels, 'remembers that an item is unknown', 'The item exists.'),
    ],
  },
  uniqueCreate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'lets creations take a name', TAKEN),
      broken(books, 'lets creations take a name in other tags', TAKEN),
      broken(books, 'gives conflicts another code', `${TAKEN} The code is another one.`),
      broken(books, 'creates what it refuses', REFUSED_AND_CHANGED),
    ],
  },
  uniqueUpdate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'lets changes take a name', TAKEN),
      broken(books, 'lets changes take a name among other members', TAKEN),
      broken(books, 'changes what it refuses', 'A refused change changed something'),
    ],
  },
  uniqueKept: {
    keptBy: [books],
    brokenBy: [broken(books, 'refuses the own name in a change', VALID)],
  },
  unknown: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'takes unknown ids for the last item', 'This item does not exist'),
      broken(books, 'takes unknown ids for the last item in changes', 'This item does not exist'),
      broken(books, 'takes unknown ids for the last item in removals', 'This item does not exist'),
      broken(
        books,
        'takes unknown ids for the last item in changes without a body',
        'This item does not exist',
      ),
      broken(labels, 'takes unknown ids for the last item', 'This item does not exist'),
      broken(books, 'ignores the case of ids', 'This item does not exist'),
      broken(books, 'takes unknown parents for the first one', 'This parent does not exist.'),
      broken(books, 'creates items in removed parents', 'The parent was removed.'),
      broken(books, 'takes the id of the parent for an item', 'This is the id of the parent.'),
      broken(books, 'takes unknown parents for the first one', 'No parent has this id.'),
      broken(books, 'changes the last item for unknown ids', REFUSED_AND_CHANGED),
    ],
  },
  unknownChanges: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'takes unknown ids for the last item in changes', 'This item does not exist'),
      broken(books, 'takes unknown ids for the last item in removals', 'This item does not exist'),
      broken(books, 'changes items that were removed', REMOVED),
    ],
  },
  gone: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'lists new items late', 'The list is not what was created'),
      broken(books, 'keeps removed items readable', REMOVED),
      broken(books, 'changes items that were removed', REMOVED),
      broken(books, 'removes another item as well', 'Other items are left'),
      broken(books, 'brings removed items back', 'A new item does not bring it back.'),
    ],
  },
  isolation: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'finds items of other places', 'The item belongs to another place.'),
      broken(books, 'finds items of other places once they were read', 'The item belongs to'),
      broken(books, 'creates items in all places', 'A creation reached another place'),
      broken(books, 'changes items of this title in all places', 'A change reached another'),
      broken(books, 'shows changes in the response alone', 'A removal reached another place'),
      broken(books, 'keeps removed items in lists', 'A removal removed another item'),
      broken(books, 'changes the last item for unknown ids', 'A refused request changed another'),
      broken(books, 'changes items of other places', 'A refused request changed the item'),
    ],
  },
  cascade: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(
        shelves,
        'keeps the books of removed shelves',
        'The item was removed with its parent.',
      ),
      broken(shelves, 'creates items in removed parents', 'The item was removed with its parent.'),
      broken(shelves, 'keeps removed items readable', REMOVED),
    ],
  },
  othersStay: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(shelves, 'removes the books of all shelves', 'Another item changed'),
      broken(shelves, 'removes another item as well', 'The item exists.'),
    ],
  },
  childrenStay: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(shelves, 'removes the books of changed shelves', 'A change of the parent changed'),
      broken(shelves, 'changes all shelves', CHANGED_ANOTHER),
      broken(
        shelvesOfEmbeddedBooks,
        'shows no books after a change',
        'The response to the change does not show what is inside',
      ),
    ],
  },
  refusedInside: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(
        shelves,
        'changes shelves in which it refuses something',
        'What was refused inside changed something',
      ),
    ],
  },
  updateEcho: {
    keptBy: [books, shelves, labels, replacedShelves, embeddedBooks],
    brokenBy: [
      broken(books, 'ignores changes', NOT_CHANGED),
      broken(books, 'shows changes in the response alone', READ_DIFFERS),
      broken(books, 'lists items as they were created', CHANGE_NOT_LISTED),
      broken(books, 'changes the next item as well', CHANGED_ANOTHER),
      broken(books, 'keeps the names of changed items', FREE),
      broken(books, 'ignores the second change', 'The item is not as it was before the changes'),
      broken(labels, 'stays under its old name as well', 'The item was changed into'),
      broken(labels, 'takes unknown ids for the last item', 'No item has this id yet.'),
      broken(books, 'makes entity tags of ids alone', 'readBook has the entity tag of what was'),
      broken(
        embeddedBooks,
        'makes entity tags of ids alone',
        'readBook has the entity tag of what was there',
      ),
    ],
  },
  updateAbsent: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'resets what a change leaves out', NOT_CHANGED),
      broken(books, 'shows changes in the response alone', READ_DIFFERS),
    ],
  },
  updateNull: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'ignores null', NOT_CHANGED),
      broken(books, 'resets what a change leaves out', NOT_CHANGED),
    ],
  },
  updateReplaced: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'merges covers', `${NOT_CHANGED}: the names in /cover/colours`),
      broken(books, 'appends tags', NOT_CHANGED),
    ],
  },
  replaced: {
    keptBy: [replacedShelves],
    brokenBy: [
      broken(replacedShelves, 'replaces nothing', 'The item is not what was sent'),
      broken(replacedShelves, 'keeps what a replacement leaves out', '`tags` stayed'),
      broken(replacedShelves, 'replaces tags by another default', '`tags` has another'),
    ],
  },
  updateNothing: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'resets tags in an empty change', 'An empty change changed something'),
      broken(books, 'refuses the own name in a change', 'Nothing is to be changed.'),
    ],
  },
  updateIdempotent: {
    keptBy: [books, shelves],
    brokenBy: [broken(books, 'appends tags', 'The same change had another effect')],
  },
  updateBack: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'ignores the second change', 'The item is not as it was before the changes'),
      broken(books, 'shows other tags in lists', 'The item is not as it was before the changes'),
    ],
  },
  updateWays: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'does not change what was null', 'The item does not show the change'),
      broken(books, 'gives new items the changed note', 'A new item is not what was sent'),
      broken(books, 'lists items as they were created', 'An item is not what was sent'),
      broken(books, 'ignores the second change', 'The item does not show the change'),
    ],
  },
  updateIdentity: {
    keptBy: [books, shelves],
    brokenBy: [broken(books, 'moves the time of creation', NOT_CHANGED)],
  },
  refused: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'accepts unknown members in creations', 'The body breaks the contract.'),
      broken(books, 'accepts unknown members in changes', 'The body breaks the contract.'),
      broken(books, 'creates what it refuses', REFUSED_AND_CHANGED),
      broken(books, 'changes what it refuses', REFUSED_AND_CHANGED),
      broken(books, 'does what it refuses a moment later', CHANGED_LATER),
      broken(books, 'keeps the names of refused creations', VALID),
    ],
  },
  refusedCreate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'accepts unknown members in creations', 'The body breaks the contract.'),
      broken(books, 'accepts lists of bodies', 'The body breaks the contract.'),
      broken(books, 'creates what it refuses', REFUSED_AND_CHANGED),
      broken(books, 'keeps the names of refused creations', VALID),
    ],
  },
  refusedUpdate: {
    keptBy: [books, labels, shelves],
    brokenBy: [
      broken(books, 'accepts unknown members in changes', 'The body breaks the contract.'),
      broken(books, 'accepts lists of bodies', 'The body breaks the contract.'),
      broken(books, 'changes what it refuses', REFUSED_AND_CHANGED),
      broken(shelves, 'changes what it refuses', REFUSED_AND_CHANGED),
      broken(books, 'does what it refuses a moment later', CHANGED_LATER),
      broken(shelves, 'does what it refuses a moment later', CHANGED_LATER),
    ],
  },
  refusedBeside: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'changes what it refuses', 'A refused change kept a part'),
      broken(books, 'accepts unknown members in changes', 'One member breaks the contract.'),
      broken(books, 'ignores changes', 'A change after a refusal has another effect'),
    ],
  },
  updateMixed: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'ignores null beside values', NOT_CHANGED),
      broken(books, 'ignores a cover beside a note that is null', NOT_CHANGED),
      broken(shelves, 'ignores null', NOT_CHANGED),
    ],
  },
  noticed: {
    keptBy: [books, shelves, labels, embeddedBooks],
    brokenBy: [
      broken(books, 'remembers reads until the next creation or change', 'The list shows what'),
      broken(labels, 'remembers that an item is unknown', 'The item exists.'),
      broken(shelves, 'shows changes in the response alone', 'A read shows what was there'),
      broken(shelves, 'lists items as they were created', 'The list shows what was there'),
    ],
  },
  noticedInside: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(
        shelvesOfEmbeddedBooks,
        'remembers reads until the next creation or change',
        'It was removed, just after it was read.',
      ),
    ],
  },
  full: {
    keptBy: [books],
    brokenBy: [
      broken(books, 'has room for one more', 'The place has as many items as it can'),
      broken(books, 'counts refused creations', 'Refused creations do not count.'),
      broken(books, 'is full for ever', 'One item was removed.'),
      broken(books, 'creates what it refuses', 'Refused creations do not count.'),
      broken(books, 'removes another item as well', UNEXPECTED),
    ],
  },
  order: {
    keptBy: [books, shelves, labels, embeddedBooks],
    brokenBy: [
      broken(books, 'lists changed items last', BOOKS_OR_ORDER),
      broken(books, 'changes the note of the item before', SHOWN_DIFFERENTLY),
      broken(books, 'keeps removed items in lists', UNEXPECTED),
      broken(labels, 'lists labels in the order of creation', 'The list has other labels, or in'),
    ],
  },
  listDeleted: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'keeps removed items in lists', 'The list has an item that was removed.'),
      broken(books, 'removes another item as well', BOOKS_OR_ORDER),
      broken(books, 'changes the note of the item before', SHOWN_DIFFERENTLY),
    ],
  },
  many: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'remembers twenty items', 'The item exists.'),
      broken(shelves, 'remembers two hundred items', 'The item exists.'),
      broken(books, 'remembers the notes of twenty items', 'The item is not what was created'),
      broken(books, 'repeats the last item of a page', TWICE),
      broken(books, 'ends after the first page', BOOKS_OR_ORDER),
      broken(books, 'lists twenty items without a limit', BOOKS_OR_ORDER),
    ],
  },
  pages: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'repeats the last item of a page', TWICE),
      broken(books, 'skips an item between pages', BOOKS_OR_ORDER),
      broken(books, 'forgets the limit of later pages', 'A page has more books than `limit`.'),
      broken(books, 'leads on from the last page', 'Following `next` does not end.'),
      broken(books, 'has relative links', 'A `uri` is not absolute.'),
      broken(books, 'ends the list behind a proxy', BOOKS_OR_ORDER),
      broken(books, 'leads to the host that a proxy names', OTHER_LINK),
      broken(books, 'leads to the scheme that a proxy names', OTHER_LINK),
      broken(books, 'lists an item in an empty place', UNEXPECTED),
    ],
  },
  pagesLimit: {
    keptBy: [books, shelves, labels],
    brokenBy: [broken(books, 'ends after the first page', 'The next page is missing.')],
  },
  pagesDefault: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'has pages without a bound', 'A page has more than 100 items.'),
      broken(books, 'ends after a hundred items', BOOKS_OR_ORDER),
    ],
  },
  pagesLast: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'has no link on the last page', 'Another page follows the last one.'),
      broken(books, 'leads on from the last page', 'Following `next` does not end.'),
    ],
  },
  pagesUri: {
    keptBy: [shelves],
    brokenBy: [
      broken(shelves, 'has the URI of the list in each page', 'The page under `uri` is an ear'),
      broken(shelves, 'skips an item between pages', 'The page has another `uri`'),
      broken(shelves, 'shows other tags in lists', SHOWN_DIFFERENTLY),
    ],
  },
  pagesWrites: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'counts items for the next page', BOOKS_OR_ORDER),
      broken(books, 'loses its place when the last item of a page is removed', BOOKS_OR_ORDER),
    ],
  },
  raceCreate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'looks for names before it waits', ONE_SUCCEEDS),
      broken(books, 'creates what it refuses', 'The item is not there once'),
    ],
  },
  raceUpdate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'looks for names before it waits', ONE_SUCCEEDS),
      broken(books, 'lets changes take a name', ONE_SUCCEEDS),
      broken(books, 'changes what it refuses', 'Other items are there than the'),
    ],
  },
  raceDelete: {
    keptBy: [books, shelves, labels],
    brokenBy: [broken(books, 'looks for items before it removes them', ONE_SUCCEEDS)],
  },
  raceMembers: {
    keptBy: [books, shelves],
    brokenBy: [broken(books, 'writes back the item that it read', 'A change was lost')],
  },
  raceReaders: {
    keptBy: [books, shelves, labels, embeddedBooks],
    brokenBy: [
      broken(books, 'changes one member after the other', 'A reader sees a mixture of two'),
      broken(books, 'ignores changes', 'Both changes were lost.'),
      broken(embeddedBooks, 'lists items as they were created', 'The list shows another state'),
      broken(labels, 'moves items in two steps', 'The item is changed into itself.'),
      broken(labels, 'stays under its old name as well', 'A reader sees half of a change.'),
      broken(labels, 'does not find an item while it moves', 'The item does not have its old id'),
    ],
  },
  raceListed: {
    keptBy: [books],
    brokenBy: [
      broken(books, 'completes items after it lists them', 'A reader sees half of a creation'),
      broken(books, 'lists new items late', BOOKS_OR_ORDER),
    ],
  },
  raceItems: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'writes back the list that it read', 'The item exists.'),
      broken(books, 'keeps removed items in lists', UNEXPECTED),
      broken(books, 'keeps removed items readable', REMOVED),
      broken(books, 'ignores changes', 'The response shows another change'),
      broken(books, 'shows changes in the response alone', 'A change at the same time was lost'),
    ],
  },
  raceRemoved: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'writes back the item that it read', REMOVED),
      broken(books, 'keeps removed items in lists', 'The list is not empty, though its'),
      broken(labels, 'looks for items before it removes them', ONE_SUCCEEDS),
      broken(books, 'creates what it refuses', 'The list is not what the responses say'),
      broken(books, 'lets creations take a name', TAKEN),
      broken(books, 'keeps the names of removed items', FREE),
    ],
  },
  raceInsideRemoved: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(shelves, 'brings back shelves that are removed meanwhile', REMOVED),
      broken(shelves, 'keeps the books of removed shelves', 'It was removed with its parent.'),
      broken(shelves, 'keeps removed items in lists', 'The list has an item that was removed'),
    ],
  },
  raceInsideChanged: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(shelves, 'writes back the books of a shelf that changes', 'A write at the same time'),
      broken(shelves, 'ignores changes', 'The change was lost'),
    ],
  },
  raceMoves: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'ignores changes', 'The item has values that no change'),
      broken(books, 'keeps the names of changed items', VALID),
      broken(books, 'lets creations take a name', TAKEN),
      broken(books, 'lists items as they were created', 'Unexpected items'),
      broken(labels, 'stays under its old name as well', ONE_SUCCEEDS),
    ],
  },
};

describe.each(Object.keys(COMMON_LAWS) as CommonLaw[])('%s', (name) => {
  const law = COMMON_LAWS[name];
  const { keptBy, brokenBy } = TESTS[name];

  it('has a resource that keeps it and one that breaks it', () => {
    expect(keptBy).not.toEqual([]);
    expect(brokenBy).not.toEqual([]);
  });

  it.each(keptBy)('is kept by $many of a correct library', async (resource) => {
    const { cases, failures } = await tryLaw(law, resource);
    expect(failures).toEqual([]);
    expect(cases).toBeGreaterThan(0);
  });

  it.each(brokenBy)(
    'is broken by $resource.many of a library that $fault',
    async ({ resource, fault, failure }) => {
      const { failures } = await tryLaw(law, resource, [fault]);
      const expected = expect.stringMatching(startOf(failure)) as unknown;
      expect(failures).toEqual(expect.arrayContaining([expected]));
    },
  );
});

function startOf(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}
