/** Each law is kept by resources of a correct library, and broken by those of a library with a fault. */
import { describe, expect, it } from 'vitest';
import { LAWS, type LawName } from './index.ts';
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
const CREATED_OTHERWISE = 'Reading a book gives something else than creating it returned';
const BY_ITSELF = 'It changed by itself';
const OTHERS_LISTED = 'The list has others than were created';
const BOOKS_OR_ORDER = 'The list has other books, or in another order.';
const SHOWN_OTHERWISE = 'The list shows it otherwise';
const NOT_CHANGED = 'The response is not what was changed';
const READ_OTHERWISE = 'It reads otherwise than the response';
const CHANGE_NOT_LISTED = 'The list does not show the change';
const CHANGED_ANOTHER = 'A change of one changed another';
const REFUSED_AND_DONE = 'A refused request changed something';
const TAKEN = 'Another one has this already.';
const WON = 'Exactly one of them wins.';
const VALID = 'The request is valid.';
const REMOVED = 'It was removed.';
const TWICE = 'A book is listed twice.';

const TESTS: Record<LawName, LawTest> = {
  echo: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'forgets the tags of new items', NOT_SENT),
      broken(books, 'gives notes another default', NOT_SENT),
      broken(labels, 'creates items under another name', 'The response is another one'),
    ],
  },
  readYourWrite: {
    keptBy: [books, shelves, labels],
    brokenBy: [broken(books, 'shows other tags when an item is read', CREATED_OTHERWISE)],
  },
  siblings: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'changes the note of the item before', CREATED_OTHERWISE),
      broken(books, 'forgets the tags of new items', 'It is not what was sent'),
    ],
  },
  defaults: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'gives notes another default', 'What was left out has another default'),
      broken(books, 'shows other tags when an item is read', CREATED_OTHERWISE),
    ],
  },
  listed: {
    keptBy: [books, shelves, labels, embeddedBooks],
    brokenBy: [
      broken(books, 'lists new items late', 'The list is not what was created'),
      broken(shelves, 'lists new items late', 'The list shows it otherwise than reading it'),
      broken(shelves, 'shows other tags in lists', 'The list shows it otherwise than reading it'),
      broken(shelves, 'creates items twice', 'One shelf was created.'),
      broken(embeddedBooks, 'shows other tags in lists', 'The list does not show it'),
      broken(labels, 'lists labels in the order of creation', 'The list is not what was created'),
    ],
  },
  empty: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'lists an item in an empty place', 'Nothing was created'),
      broken(books, 'keeps removed items in lists', 'The only one was removed'),
    ],
  },
  stable: {
    keptBy: [books, shelves, labels, unlistedBooks],
    brokenBy: [
      broken(books, 'changes an item that is read twice', BY_ITSELF),
      broken(shelves, 'changes all shelves', BY_ITSELF),
      broken(shelves, 'removes another item as well', 'It exists.'),
      broken(books, 'forgets notes after a second', BY_ITSELF),
      broken(books, 'ignores changes', 'The change is not there'),
      broken(unlistedBooks, 'remembers the notes of twenty items', 'It changed while others'),
    ],
  },
  createdAt: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'gives times of another zone', '`created_at` is not the time of creation.'),
    ],
  },
  createdTogether: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'gives notes another default', NOT_SENT),
      broken(books, 'counts items before it waits', 'Two books have the same id.'),
      broken(books, 'writes back the list that it read', OTHERS_LISTED),
      broken(books, 'changes the note of the item before', SHOWN_OTHERWISE),
    ],
  },
  idsNotReused: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'gives ids again', 'The id of a removed one came again.'),
      broken(books, 'keeps removed items readable', REMOVED),
    ],
  },
  uri: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'has relative URIs', 'A `uri` is absolute.'),
      broken(books, 'has URIs that lead nowhere', '`uri` leads to it.'),
      broken(shelves, 'has the URI of the first item', '`uri` leads to something else'),
      broken(shelves, 'has the URI of the first item in lists', '`uri` leads to something else'),
      broken(shelves, 'has the URI of the first item after changes', '`uri` leads to something'),
    ],
  },
  uriOfOne: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(shelves, 'has the URI of the first item', '`uri` leads to it.'),
      broken(books, 'keeps removed items readable', '`uri` leads to one that was removed.'),
    ],
  },
  location: {
    keptBy: [books, shelves],
    brokenBy: [broken(books, 'has another Location', '`Location` is not `uri`.')],
  },
  again: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'keeps the names of removed items', VALID),
      broken(books, 'brings removed items back', 'It was created again'),
      broken(books, 'shows other tags when an item is read', 'It was created again'),
      broken(shelves, 'changes an item that is read twice', 'It was created again'),
      broken(books, 'keeps the names of changed items', 'Nothing has this any more.'),
      broken(books, 'lets changes take a name', 'Another one has taken it.'),
      broken(books, 'changes what it refuses', 'The items are others'),
      broken(labels, 'remembers that an item is unknown', 'It exists.'),
    ],
  },
  uniqueCreate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'lets creations take a name', TAKEN),
      broken(books, 'lets creations take a name in other tags', TAKEN),
      broken(books, 'gives conflicts another code', `${TAKEN} The code says so.`),
      broken(books, 'creates what it refuses', REFUSED_AND_DONE),
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
      broken(books, 'takes unknown ids for the last item', 'There is no such one'),
      broken(books, 'takes unknown ids for the last item in changes', 'There is no such one'),
      broken(books, 'takes unknown ids for the last item in removals', 'There is no such one'),
      broken(labels, 'takes unknown ids for the last item', 'There is no such one'),
      broken(books, 'ignores the case of ids', 'There is no such one'),
      broken(books, 'takes unknown parents for the first one', 'There is no such parent.'),
      broken(books, 'creates items in removed parents', 'The parent was removed.'),
      broken(books, 'takes the id of the parent for an item', 'It is the id of the parent.'),
      broken(books, 'takes unknown parents for the first one', 'No parent has this id.'),
      broken(books, 'changes the last item for unknown ids', REFUSED_AND_DONE),
    ],
  },
  unknownChanges: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'takes unknown ids for the last item in changes', 'There is no such one'),
      broken(books, 'takes unknown ids for the last item in removals', 'There is no such one'),
      broken(books, 'changes items that were removed', REMOVED),
    ],
  },
  gone: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'lists new items late', 'The list is not what was created'),
      broken(books, 'keeps removed items readable', REMOVED),
      broken(books, 'changes items that were removed', REMOVED),
      broken(books, 'removes another item as well', 'The wrong ones are left'),
      broken(books, 'brings removed items back', 'A new one does not bring it back.'),
    ],
  },
  isolation: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'finds items of other places', 'It belongs to another place.'),
      broken(books, 'creates items in all places', 'It leaked into another place'),
      broken(books, 'changes items of this title in all places', 'A change reached another'),
      broken(books, 'shows changes in the response alone', 'A removal reached another place'),
      broken(books, 'keeps removed items in lists', 'A removal took another one'),
      broken(books, 'changes the last item for unknown ids', 'A refused request changed another'),
      broken(books, 'changes items of other places', 'A refused request changed it'),
    ],
  },
  cascade: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(shelves, 'keeps the books of removed shelves', 'It was removed with what it is in'),
      broken(shelves, 'creates items in removed parents', 'It was removed with what it is in'),
      broken(shelves, 'keeps removed items readable', REMOVED),
    ],
  },
  othersStay: {
    keptBy: [shelves, shelvesOfEmbeddedBooks],
    brokenBy: [
      broken(shelves, 'removes the books of all shelves', 'Another one changed'),
      broken(shelves, 'removes another item as well', 'It exists.'),
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
  updateEcho: {
    keptBy: [books, shelves, labels, replacedShelves, embeddedBooks],
    brokenBy: [
      broken(books, 'ignores changes', NOT_CHANGED),
      broken(books, 'shows changes in the response alone', READ_OTHERWISE),
      broken(books, 'lists items as they were created', CHANGE_NOT_LISTED),
      broken(books, 'changes the next item as well', CHANGED_ANOTHER),
      broken(books, 'keeps the names of changed items', 'Nothing has what it had any more.'),
      broken(books, 'ignores the second change', 'It is not as it was'),
      broken(labels, 'stays under its old name as well', 'It was changed into'),
      broken(labels, 'takes unknown ids for the last item', 'Nothing has this id yet.'),
    ],
  },
  updateAbsent: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'resets what a change leaves out', NOT_CHANGED),
      broken(books, 'shows changes in the response alone', READ_OTHERWISE),
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
      broken(replacedShelves, 'replaces nothing', 'It is not what was sent'),
      broken(replacedShelves, 'keeps what a replacement leaves out', '`tags` stayed'),
      broken(replacedShelves, 'replaces tags by another default', '`tags` has another'),
    ],
  },
  updateNothing: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'resets tags in an empty change', 'A change of nothing changed something'),
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
      broken(books, 'ignores the second change', 'It is not as it was'),
      broken(books, 'shows other tags in lists', 'It is not as it was'),
    ],
  },
  updateWays: {
    keptBy: [books, shelves],
    brokenBy: [
      broken(books, 'does not change what was null', 'It is not what was changed'),
      broken(books, 'gives new items the changed note', 'A new one is not what was sent'),
      broken(books, 'lists items as they were created', 'One is not what was sent'),
      broken(books, 'ignores the second change', 'It is not what was changed'),
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
      broken(books, 'creates what it refuses', REFUSED_AND_DONE),
      broken(books, 'changes what it refuses', REFUSED_AND_DONE),
      broken(books, 'keeps the names of refused creations', VALID),
    ],
  },
  refusedCreate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'accepts unknown members in creations', 'The body breaks the contract.'),
      broken(books, 'accepts lists of bodies', 'The body breaks the contract.'),
      broken(books, 'creates what it refuses', REFUSED_AND_DONE),
      broken(books, 'keeps the names of refused creations', VALID),
    ],
  },
  refusedUpdate: {
    keptBy: [books, labels, shelves],
    brokenBy: [
      broken(books, 'accepts unknown members in changes', 'The body breaks the contract.'),
      broken(books, 'accepts lists of bodies', 'The body breaks the contract.'),
      broken(books, 'changes what it refuses', REFUSED_AND_DONE),
      broken(shelves, 'changes what it refuses', REFUSED_AND_DONE),
    ],
  },
  full: {
    keptBy: [books],
    brokenBy: [
      broken(books, 'has room for one more', 'There are as many as there can be.'),
      broken(books, 'is full for ever', 'One was removed.'),
      broken(books, 'creates what it refuses', OTHERS_LISTED),
      broken(books, 'removes another item as well', OTHERS_LISTED),
    ],
  },
  order: {
    keptBy: [books, shelves, labels, embeddedBooks],
    brokenBy: [
      broken(books, 'lists changed items last', BOOKS_OR_ORDER),
      broken(books, 'changes the note of the item before', SHOWN_OTHERWISE),
      broken(books, 'keeps removed items in lists', OTHERS_LISTED),
      broken(labels, 'lists labels in the order of creation', 'The list has other labels, or in'),
    ],
  },
  listDeleted: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'keeps removed items in lists', 'The list has one that was removed.'),
      broken(books, 'removes another item as well', BOOKS_OR_ORDER),
      broken(books, 'changes the note of the item before', SHOWN_OTHERWISE),
    ],
  },
  many: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'remembers twenty items', 'It exists.'),
      broken(books, 'remembers the notes of twenty items', 'It reads otherwise'),
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
      broken(books, 'has relative links', 'A `uri` is absolute.'),
      broken(books, 'ends the list behind a proxy', BOOKS_OR_ORDER),
      broken(books, 'lists an item in an empty place', OTHERS_LISTED),
    ],
  },
  pagesLimit: {
    keptBy: [books, shelves, labels],
    brokenBy: [broken(books, 'ends after the first page', 'There is a next page.')],
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
      broken(books, 'has no link on the last page', 'No page follows.'),
      broken(books, 'leads on from the last page', 'Following `next` does not end.'),
    ],
  },
  pagesUri: {
    keptBy: [shelves],
    brokenBy: [
      broken(shelves, 'has the URI of the list in each page', 'The page under `uri` is an ear'),
      broken(shelves, 'skips an item between pages', 'The page has another `uri`'),
      broken(shelves, 'shows other tags in lists', SHOWN_OTHERWISE),
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
      broken(books, 'looks for names before it waits', WON),
      broken(books, 'creates what it refuses', 'It is not there once'),
    ],
  },
  raceUpdate: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'looks for names before it waits', WON),
      broken(books, 'lets changes take a name', WON),
      broken(books, 'changes what it refuses', 'Not the winner alone was changed'),
    ],
  },
  raceDelete: {
    keptBy: [books, shelves, labels],
    brokenBy: [broken(books, 'looks for items before it removes them', WON)],
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
      broken(labels, 'moves items in two steps', 'It is changed into itself.'),
      broken(labels, 'stays under its old name as well', 'A reader sees half of a change.'),
      broken(labels, 'does not find an item while it moves', 'It is no more under its old'),
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
      broken(books, 'writes back the list that it read', 'It exists.'),
      broken(books, 'keeps removed items in lists', OTHERS_LISTED),
      broken(books, 'keeps removed items readable', REMOVED),
      broken(books, 'ignores changes', 'The change is another one'),
      broken(books, 'shows changes in the response alone', 'A change at the same time was lost'),
    ],
  },
  raceRemoved: {
    keptBy: [books, shelves, labels],
    brokenBy: [
      broken(books, 'writes back the item that it read', REMOVED),
      broken(books, 'keeps removed items in lists', REMOVED.replace('.', '')),
      broken(labels, 'looks for items before it removes them', WON),
      broken(books, 'creates what it refuses', 'The list is not what the responses say'),
      broken(books, 'lets creations take a name', TAKEN),
      broken(books, 'keeps the names of removed items', 'Nothing has this any more.'),
    ],
  },
  raceMoves: {
    keptBy: [books, labels],
    brokenBy: [
      broken(books, 'ignores changes', 'It has values that no change gave it.'),
      broken(books, 'keeps the names of changed items', VALID),
      broken(books, 'lets creations take a name', TAKEN),
      broken(books, 'lists items as they were created', 'The items are others'),
      broken(labels, 'stays under its old name as well', WON),
    ],
  },
};

describe.each(Object.keys(LAWS) as LawName[])('%s', (name) => {
  const law = LAWS[name];
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
