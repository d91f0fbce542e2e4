/** The law of small pages: together they have what the whole list has. */
import { isDeepStrictEqual } from 'node:util';
import { expectSame, NotPossible } from '../http/nonconformity.ts';
import { type Law, type LawProperty, once } from './law.ts';
import { fromFirstPage, LostPage } from './lost-pages.ts';
import { required } from './required.ts';
import {
  type Facts,
  factsOf,
  type Item,
  type NumberedPages,
  type PageLinks,
  type Place,
} from './resource.ts';
import type { Steps } from './steps.ts';

/** Pages by numbers or cursors. */
export const smallPageLaws = {
  smallPages: {
    needs: ['create', 'list'],
    applies: (facts) => sizedPagesOf(facts) !== undefined || sizedLinksOf(facts) !== undefined,
    sentence: ({ many }) =>
      `Pages of ${many} have what the whole list has, in its order, each once.`,
    properties(resource) {
      const facts = factsOf(resource);
      const pages = sizedPagesOf(facts);
      const links = sizedLinksOf(facts);
      const properties: LawProperty[] = [];
      if (pages !== undefined) {
        const hasCursor = pages.cursor !== undefined;
        const check = hasCursor ? (steps: Steps) => tryCursors(pages, steps) : tryPages;
        properties.push(once('small pages', check));
      }
      if (links !== undefined) {
        properties.push(once('pages that links lead to', (steps) => tryLinks(links, steps)));
      }
      return properties;
    },
  },
} satisfies Record<string, Law>;

/** The pages of a list whose size can be chosen. */
function sizedPagesOf({ listForm }: Facts): NumberedPages | undefined {
  const isWhole = typeof listForm !== 'string' && listForm.kind === 'whole';
  const pages = isWhole ? listForm.pages : undefined;
  return pages?.size === undefined ? undefined : pages;
}

/** The links between pages whose size can be chosen. */
function sizedLinksOf({ listForm }: Facts): PageLinks | undefined {
  const isWhole = typeof listForm !== 'string' && listForm.kind === 'whole';
  const links = isWhole ? listForm.links : undefined;
  return links?.size === undefined ? undefined : links;
}

/** The list in a few pages has each item once, as the list in large ones. */
async function tryLinks({ least, most }: PageLinks, steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: least + 1 });
  const { ids } = await steps.list(place, items);
  const limit = sizeForPages(ids.length, { least, most });
  steps.expectListed(await steps.list(place, items, { limit }), items);
}

/**
 * The size with which a list of so many items has two or three pages, if it may have it: each page
 * is a request.
 */
export function sizeForPages(count: number, { least, most }: Omit<PageLinks, 'size'>): number {
  return Math.min(most, Math.max(least, Math.ceil(count / PAGES) || 1));
}

const PAGES = 3;

/**
 * Small pages, between two reads of the whole list: only items that were there all the time are
 * compared.
 */
async function tryPages(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 3 });
  const items = await steps.createAll(place);
  const counts: number[] = [];
  let apart = 0;
  for (let round = 0; round < QUIET_TRIES; round++) {
    const whole = () => steps.page(place, { page: 0, size: 6 });
    const before = await whole();
    const parts = [];
    for (const number of [0, 1, 2]) {
      parts.push(await steps.page(place, { page: number, size: 2 }));
    }
    const { ids, total } = await whole();
    counts.push(countOf(before), countOf({ total }));
    const shown = { ids: parts.flatMap((part) => part.ids), totals: parts.map(countOf) };
    const passing = shown.ids.filter((id) => !ids.includes(id));
    if (before.ids.join(' ') !== ids.join(' ') || (await isAnyGone(steps, items, passing))) {
      continue;
    }
    // Others add and remove items all the time: each count that has been seen may be right again.
    const least = Math.min(...counts);
    const most = Math.max(...counts);
    const due = {
      ids,
      totals: shown.totals.map((count) => Math.max(least, Math.min(count, most))),
    };
    // Other clients may have made and removed an item in between, but not each time.
    if (!isDeepStrictEqual(shown, due) && ++apart < 5) {
      continue;
    }
    expectSame('Pages of two items show something else than one of six', shown, due);
    await tryExactPages(steps, place);
    return;
  }
  throw new NotPossible(
    `others change the list all the time: pages with ${items.length} new items cannot be compared`,
  );
}

/** Rounds in which nothing else may have changed the list, and in how many it must be wrong. */
const ROUNDS = 6;
const WRONG_ROUNDS = 3;

const LAST_PAGE = 'A last page that is full has other items';

/** The last page, if it has as many items as it may have: none is on another page. */
async function tryExactPages(steps: Steps, place: Place): Promise<void> {
  const { isPage } = pagesOf(steps);
  let wrong = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await wholeList(steps, place);
    const count = before?.length ?? 0;
    if (before === undefined || count < 2) {
      return;
    }
    if (isPage && count % 2 > 0) {
      await steps.create(place, steps.namingIn(place, steps.full()));
      continue;
    }
    const end = { page: count / 2 - 1, size: 2, from: count - 2 };
    const { ids } = await steps.page(place, end);
    const after = await wholeList(steps, place);
    const isQuiet = isDeepStrictEqual(before, after);
    if (isQuiet && isDeepStrictEqual(ids, before.slice(-2))) {
      return;
    }
    // Other clients may have made and removed an item in between, but not each time.
    if (isQuiet) {
      wrong++;
    }
    if (wrong === WRONG_ROUNDS) {
      expectSame(LAST_PAGE, ids, before.slice(-2));
    }
  }
}

/** A service may have pages that are smaller than they may be asked for, but not than this. */
const WALKED_SIZE = 20;
const WALKED_PAGES = 20;

/** The ids of all items; undefined if there are too many. */
async function wholeList(steps: Steps, place: Place): Promise<string[] | undefined> {
  const size = Math.min(pagesOf(steps).most, WALKED_SIZE);
  const ids: string[] = [];
  for (let page = 0; page < WALKED_PAGES; page++) {
    const part = await steps.page(place, { page, size, from: ids.length });
    if (part.ids.length === 0) {
      return ids;
    }
    ids.push(...part.ids);
  }
  return undefined;
}

function pagesOf({ resource }: Steps): NumberedPages {
  return required(sizedPagesOf(factsOf(resource)), 'the list has pages of one size alone');
}

const QUIET_TRIES = 25;

const FEW_PAGES = 300;

const ENOUGH = 8;

async function tryCursors(pages: NumberedPages, steps: Steps): Promise<void> {
  const { place } = await steps.createSome({ items: pages.least + 1 });
  await fromFirstPage(() => followOnce(pages, steps, place));
  for (let tries = 0; tries < LOST_TRIES; tries++) {
    try {
      await comparePages(pages, steps, place);
      return;
    } catch (error) {
      // Others may have removed the item that a cursor names.
      if (!(error instanceof LostPage)) {
        throw error;
      }
    }
  }
  throw new NotPossible('others change the list all the time: its cursors lead nowhere');
}

const LOST_TRIES = 6;

/** The cursor of the first page leads on at once. */
async function followOnce({ least }: NumberedPages, steps: Steps, place: Place): Promise<void> {
  const { cursor } = await steps.page(place, { page: 0, size: least });
  if (cursor !== undefined) {
    await steps.page(place, { page: 1, size: least, from: cursor });
  }
}

/**
 * The last page, between two reads of it, once more in pages of one item fewer: only items that
 * were there all the time are compared.
 */
async function comparePages(
  { least, most }: NumberedPages,
  steps: Steps,
  place: Place,
): Promise<void> {
  const page = (size: number, from?: string) => {
    const isFirst = from === undefined;
    return steps.page(place, isFirst ? { page: 0, size } : { page: 1, size, from });
  };
  let size = most;
  let start: string | undefined;
  let apart = 0;
  for (let read = 0, tries = 0; read < FEW_PAGES && tries < QUIET_TRIES; read++) {
    const { ids, cursor } = await page(size, start);
    if (cursor !== undefined || ids.length <= least) {
      // Pages of another size end with more items.
      if (cursor === undefined) {
        size--;
      }
      start = cursor;
      continue;
    }
    const shown: string[] = [];
    let next = start;
    for (let count = 0; count === 0 || (next !== undefined && count < ids.length); count++) {
      const part = await page(ids.length - 1, next);
      shown.push(...part.ids);
      next = part.cursor;
    }
    tries++;
    const full = await page(ids.length, start);
    const again = await page(size, start);
    const isSame = (other: string[]) => isDeepStrictEqual(other.slice(0, ids.length), ids);
    // Other clients may have made and removed an item in between, but not each time.
    const areAllSame = isSame(shown) && isSame(full.ids);
    if (!isSame(again.ids) || (!areAllSame && ++apart < 3)) {
      continue;
    }
    expectSame(LAST_PAGE, full.ids.slice(0, ids.length), ids);
    expectSame(
      'Following the cursor does not show each item once',
      shown.slice(0, ids.length),
      ids,
    );
    // Items that others add at the end may hide that the last one is missing.
    if (again.ids.length === ids.length || tries > ENOUGH) {
      return;
    }
  }
  throw new NotPossible('the end of the list was not reached, or others change it all the time');
}

const countOf = ({ total }: Pick<Awaited<ReturnType<Steps['page']>>, 'total'>) =>
  Number(total?.[1] ?? 0);

/** Whether any of these existed for a moment only: then it belongs to somebody else. */
async function isAnyGone(
  { session, resource }: Steps,
  [own]: Item[],
  ids: readonly string[],
): Promise<boolean> {
  const pathOf = (id: string) => ({ ...own!.path, [resource.id.parameter]: id });
  const reads = await Promise.all(
    ids.map((id) => session.call(resource.calls.read, { path: pathOf(id) })),
  );
  return reads.some(({ status }) => status >= 400);
}
