/** What a list shows of the items that a law has made. */
import { expect, it } from 'vitest';
import { Nonconformity } from '../http/nonconformity.ts';
import { expectShownIn, type Listing } from './expect-items.ts';
import type { Item, Json } from './resource.ts';
import { books } from './testing/library-resources.ts';

const PLACE = { path: {}, bodies: [], foreign: [] };
const itemOf = (shown: Json): Item => ({ place: PLACE, path: {}, shown });

function listingOf(...items: Json[]): Listing {
  return { items, ids: items.map(({ id }) => String(id)), pages: [items.length] };
}

const FIRST = { id: 'b_1', title: 'A' };
const SECOND = { id: 'b_2', title: 'B' };
const ITEMS = [FIRST, SECOND].map(itemOf);

it('a list that shows each item as it was shown last passes, whatever their order', () => {
  expect(() => expectShownIn(books, listingOf(SECOND, FIRST), ITEMS, 'a list')).not.toThrow();
});

it.each([
  ['the first item', listingOf({ ...FIRST, title: 'C' }, SECOND)],
  ['the last item', listingOf(FIRST, { ...SECOND, title: 'C' })],
])('a list that shows %s otherwise fails', (_, listing) => {
  expect(() => expectShownIn(books, listing, ITEMS, 'a list')).toThrow(Nonconformity);
});
