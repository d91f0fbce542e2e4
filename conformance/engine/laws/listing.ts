/**
 * Reads lists of any form: whole, in pages that links lead to, or in pages with numbers or cursors.
 */
import { memberOf } from '../contract/by-name.ts';
import { scalarText } from '../contract/json-numbers.ts';
import { type CallInput, queryOf, requestTargetOf } from '../http/call.ts';
import { succeed } from '../http/expect-response.ts';
import { LINK, linkTo } from '../http/link-header.ts';
import { expectThat, Nonconformity, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { expectArray, expectOnce, type Listing } from './expect-items.ts';
import { idOf, viewOf } from './items.ts';
import { expectFollowed, fromFirstPage } from './lost-pages.ts';
import {
  type Item,
  type Json,
  type NumberedPages,
  operationIdOf,
  type PagedList,
  type PageLinks,
  type Place,
  type Resource,
  upper,
  type WholeList,
} from './resource.ts';
import { follow, reachable } from './uris.ts';

/** A list with more pages than this does not end, or others write to it at the same time. */
const MAX_PAGES = 500;

/** The number of times that a list in pages is read, until it shows all known items. */
const WALKS = 4;

/** After so many pages that show the first item again, a list does not end. */
const REPEATED_PAGES = 3;

/** Timestamps may be cut to seconds, and the clocks of several machines differ. */
const MARGIN_MS = 5_000;

/** The member of a page that counts the items of all pages. */
const TOTAL = /^total(_?(count|items|results|elements))?$/i;

const AFTER_QUESTION_MARK = /\?(.*)$/s;

/** Options for reading a list. */
export interface Reading {
  /** The `limit` of each page; default: none is sent. */
  limit?: number;
  /** More of the query of the first page. */
  query?: CallInput['query'];
  /** Runs after each page except the last. @param page from 1 on */
  between?: (page: number, items: Json[], whole: Json) => Promise<void>;
  /** The URI of the first page that is read; default: that of the list. */
  from?: unknown;
  /** Sent with the request for each page. */
  headers?: Record<string, string>;
}

/** The resource whose list is read, and the case that reads it. */
export interface ListOwner {
  session: Session;
  resource: Resource;
}

/** A list to read. */
interface ListTask extends ListOwner {
  place: Place;
  /** Items that the list must have, in the order of creation. */
  known: readonly Item[];
  reading: Reading;
}

/**
 * Reads the whole list; a shared list with links and the newest items first as far as the oldest of
 * `known`, and one item more.
 */
export async function readList(
  { session, resource }: ListOwner,
  place: Place,
  known: readonly Item[],
  reading: Reading,
): Promise<Listing> {
  const task: ListTask = { session, resource, place, known, reading };
  const { list } = resource;
  if (list.kind === 'paged') {
    const walk = () => walkLinkedPages(task, list);
    return list.isSteady ? walk() : readUntilWhole(task, walk);
  }
  const { pages, links } = list.kind === 'whole' ? list : {};
  if (links !== undefined) {
    return readUntilWhole(task, () => walkPageLinks(task, links, pages));
  }
  if (pages !== undefined) {
    return readUntilWhole(task, () => walkNumberedPages(task, pages));
  }
  const listing = await readInOneResponse(task);
  const room = list.kind === 'whole' ? list.room : undefined;
  if (room !== undefined && listing.items.length >= room) {
    const { many } = resource;
    throw new NotPossible(`the list has room for ${room} ${many}, and others may fill it`);
  }
  return listing;
}

async function readInOneResponse(task: ListTask) {
  const { session, resource, place, reading } = task;
  const { list } = resource;
  const operationId = list.kind === 'embedded' ? list.read : operationIdOf(resource, 'list');
  const input: CallInput = { path: place.path };
  const query = queryFor(resource, reading.query);
  if (query.length > 0) {
    input.query = query;
  }
  const { json } = await succeed(session, operationId, input, 'The list exists.');
  return viewedListing(task, itemsIn(resource, json));
}

/** The query with what the list needs to show all items, unless it chooses among them itself. */
function queryFor({ list }: Resource, query: CallInput['query'] = {}): [string, string][] {
  const chosen = queryOf({ query });
  const needed = list.kind === 'whole' ? (list.query ?? []) : [];
  const isChosen = (name: string): boolean => chosen.some(([other]) => other === name);
  return [...needed.filter(([name]) => !isChosen(name)), ...chosen];
}

/** The items in the response of a list, as it shows them. @throws Nonconformity */
export function itemsIn({ list }: Resource, json: unknown): Json[] {
  const { items: name } = list;
  if (name === undefined) {
    expectArray(json, 'The response must be an array.');
    return json;
  }
  const within = list.kind === 'whole' ? list.within : undefined;
  const holder = within === undefined ? json : memberOf(json as Json, within);
  if (within !== undefined && holder === undefined) {
    return [];
  }
  const items = memberOf(Object(holder) as Json, name);
  expectArray(items, `\`${name}\` must be an array.`);
  return items;
}

function viewedListing(owner: ListOwner, items: readonly Json[]): Listing {
  return listingOf(owner.resource, viewed(owner, items));
}

function viewed({ session, resource }: ListOwner, items: readonly Json[]): Json[] {
  return items.map((shown) => viewOf(resource, session.implementation, shown));
}

function listingOf(resource: Resource, items: Json[], pages = [items.length]): Listing {
  return { items, ids: items.map((shown) => idOf(resource, shown)), pages };
}

/**
 * Others move items from page to page: the list is read again if it does not show each known item
 * once.
 */
async function readUntilWhole(task: ListTask, walk: () => Promise<Listing>): Promise<Listing> {
  for (let count = 1; ; count++) {
    const listing = await fromFirstPage(walk);
    const isWhole = task.known.every((item) => isListedOnce(task.resource, listing, item));
    // A list that fits on one page, perhaps before an empty page, does not move.
    const isShort = listing.pages.filter((size) => size > 0).length <= 1;
    if (isWhole || isShort || count === WALKS) {
      return listing;
    }
  }
}

function isListedOnce(resource: Resource, { ids }: Listing, { shown }: Item): boolean {
  return ids.filter((id) => id === idOf(resource, shown)).length === 1;
}

// Pages with links.

async function walkLinkedPages(task: ListTask, list: PagedList): Promise<Listing> {
  const { resource, known, reading } = task;
  const { one, many } = resource;
  const sizes: number[] = [];
  const followed = new Set<string>();
  let found = listingOf(resource, []);
  let response = await firstPage(task, list);
  for (let page = 1; page <= MAX_PAGES; page++) {
    const whole = response.json as Json;
    const { [list.items]: items, [list.next]: next } = whole;
    expectArray(items, `A list has \`${list.items}\`.`, response.text);
    sizes.push(items.length);
    found = listingOf(resource, [...found.items, ...viewed(task, items)], sizes);
    expectWithinLimit(items, reading.limit, `A page has more ${many} than \`limit\`.`);
    if (list.isSteady) {
      // This comes before the next page: a list that goes in a circle never ends.
      expectOnce(found.ids, `${upper(one)} is listed twice.`);
    }
    const isLast = next === null || next === undefined;
    const isSeen = list.shared && resource.order === 'newest first';
    if (isLast || (isSeen && isPassed(resource, found, known))) {
      return { ...found, next };
    }
    const uri = String(next);
    const isCircle = items.length === 0 || !list.isSteady;
    if (isCircle && followed.has(uri)) {
      throw endless(list, `page ${page} has ${uri}`);
    }
    followed.add(uri);
    await reading.between?.(page, items, whole);
    response = await nextPage(task, list, uri);
  }
  if (list.shared) {
    const what = `more ${many} of others than fit on ${MAX_PAGES} pages came in between`;
    throw new NotPossible(what);
  }
  throw endless(list, `${MAX_PAGES} pages with ${found.items.length} ${many}`);
}

function endless(list: PagedList, got: string): Nonconformity {
  const details = { expected: 'null on the last page', got };
  return new Nonconformity(`Following \`${list.next}\` does not end.`, details);
}

async function firstPage(task: ListTask, list: PagedList): Promise<HttpResponse> {
  const { session, resource, place, reading } = task;
  const { limit = list.most, query = {}, from, headers = {} } = reading;
  if (from !== undefined) {
    return followPage(task, from, 'The URI of a page leads to it.');
  }
  const parameters: [string, string][] = [...queryOf({ query })];
  if (limit !== undefined && list.size !== undefined) {
    parameters.unshift([list.size, String(limit)]);
  }
  const input = { path: place.path, headers, query: parameters };
  return succeed(session, operationIdOf(resource, 'list'), input);
}

/** @throws LostPage where others may have removed the item that a cursor names */
async function nextPage(task: ListTask, list: PagedList, uri: string): Promise<HttpResponse> {
  const { session, resource, reading } = task;
  const why = `\`${list.next}\` leads to the next page.`;
  if (list.isSteady) {
    return followPage(task, uri, why);
  }
  const { headers = {} } = reading;
  const { implementation } = session;
  const operation = session.operation(operationIdOf(resource, 'list'));
  const target = reachable(session, uri);
  const response = await session.send({ method: 'GET', target, headers });
  expectFollowed({ implementation, operation, response, why });
  return response;
}

function followPage(
  { session, resource, reading }: ListTask,
  uri: unknown,
  why: string,
): Promise<HttpResponse> {
  const operationId = operationIdOf(resource, 'list');
  return follow(session, uri, { operationId, why, headers: reading.headers ?? {} });
}

function expectWithinLimit(items: readonly Json[], limit: number | undefined, what: string): void {
  const isWithin = limit === undefined || items.length <= limit;
  expectThat(isWithin, what, { expected: `at most ${limit}`, got: items.length });
}

/**
 * Whether the oldest known item was listed, and one item more; or it is missing, and older items
 * are listed.
 */
function isPassed(resource: Resource, { items, ids }: Listing, [oldest]: readonly Item[]): boolean {
  // A page may be empty and lead on.
  if (oldest === undefined) {
    return ids.length > 0;
  }
  const index = ids.indexOf(idOf(resource, oldest.shown));
  if (index >= 0 && index < ids.length - 1) {
    return true;
  }
  const before = createdAt(resource, oldest.shown) - MARGIN_MS;
  return items.some((shown) => createdAt(resource, shown) < before);
}

/** In milliseconds; NaN if the item does not show it. */
function createdAt(resource: Resource, shown: Json): number {
  return Date.parse(String(shown[resource.createdAt ?? '']));
}

// Pages with numbers or cursors.

async function walkNumberedPages(task: ListTask, pages: NumberedPages): Promise<Listing> {
  const { resource, place, reading } = task;
  const all: Json[] = [];
  const sizes: number[] = [];
  let first: string | undefined;
  let repeated = 0;
  let next: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked: AskedPage = { page, size: pages.most, from: next ?? all.length };
    if (reading.query) {
      asked.query = reading.query;
    }
    const { items, ids, cursor } = await readPage(task, place, asked);
    // Items that others add move items to later pages, but not the first item page after page.
    const isRepeated = page > 0 && first !== undefined && ids.includes(first);
    repeated = isRepeated ? repeated + 1 : 0;
    const details = { expected: 'other items, or none', got: ids };
    const isMoving = repeated < REPEATED_PAGES;
    expectThat(isMoving, 'Page after page shows the items of the first page.', details);
    first ??= ids[0];
    all.push(...items);
    sizes.push(items.length);
    next = cursor;
    const isLast = pages.cursor === undefined ? items.length === 0 : cursor === undefined;
    if (isLast) {
      return listingOf(resource, all, sizes);
    }
  }
  throw new NotPossible(`the list does not fit on ${MAX_PAGES} pages`);
}

/** A page to read. */
export interface AskedPage {
  /** Its number, from 0 on. */
  page: number;
  /** The number of items that a page may have. */
  size: number;
  /** The number of items before it, or its cursor; default: `page * size`. */
  from?: number | string;
  /** More of the query. */
  query?: CallInput['query'];
}

export interface NumberedPage extends Listing {
  /** The member that counts the items of all pages, with its name; undefined if there is none. */
  total: [name: string, value: unknown] | undefined;
  /** The cursor of the next page; undefined on the last one, or if pages have numbers. */
  cursor: string | undefined;
}

/** Reads one page of a list that has pages with numbers or cursors. @throws Nonconformity */
export async function readPage(
  owner: ListOwner,
  place: Place,
  asked: AskedPage,
): Promise<NumberedPage> {
  const { session, resource } = owner;
  const { list, many } = resource;
  if (list.kind !== 'whole' || !list.pages) {
    throw new Error(`the list of ${many} has no pages with numbers`);
  }
  const { pages } = list;
  const query = pageQuery(pages, { ...asked, query: queryFor(resource, asked.query) });
  const operationId = operationIdOf(resource, 'list');
  const input: CallInput = { path: place.path, query };
  let response: HttpResponse;
  if (typeof asked.from === 'string') {
    response = await session.callAround(operationId, input);
    const operation = session.operation(operationId);
    const why = 'The page before gives this cursor.';
    expectFollowed({ implementation: session.implementation, operation, response, why });
  } else {
    response = await succeed(session, operationId, input);
  }
  const items = itemsIn(resource, response.json);
  const limit = pages.size === undefined ? undefined : asked.size;
  expectWithinLimit(items, limit, `A page has more ${many} than \`${pages.size}\`.`);
  return {
    ...viewedListing(owner, items),
    total: totalIn(list, response.json),
    cursor: cursorIn(pages, response),
  };
}

function pageQuery(pages: NumberedPages, asked: AskedPage): [string, string][] {
  const { page, size, from = page * size, query = {} } = asked;
  const parameters: [string, string][] = [...queryOf({ query })];
  // A cursor leads to the second page.
  const isFirstWithCursor = pages.cursor !== undefined && page === 0;
  if (!isFirstWithCursor) {
    parameters.push([pages.at, startOf(pages, page, from)]);
  }
  if (pages.size !== undefined) {
    parameters.push([pages.size, String(size)]);
  }
  return parameters;
}

function startOf({ isPage, first }: NumberedPages, page: number, from: number | string): string {
  if (typeof from === 'string') {
    return from;
  }
  return String(isPage ? first + page : first + from);
}

function totalIn({ items }: WholeList, json: unknown): NumberedPage['total'] {
  if (items === undefined) {
    return undefined;
  }
  return Object.entries(json as Json).find(([name]) => TOTAL.test(name));
}

function cursorIn({ at, cursor }: NumberedPages, response: HttpResponse): string | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  const isInLink = 'inLink' in cursor;
  if (!isInLink && cursor.isNoneAtEnd) {
    expectNotEmpty(response.json, cursor.member);
  }
  const shown = isInLink ? nextLinkIn(response) : memberText(response.json, cursor.member);
  // The cursor may be in the address of the next page.
  const [, query] = AFTER_QUESTION_MARK.exec(shown ?? '') ?? [];
  const found = new URLSearchParams(query).get(at) ?? (isInLink ? undefined : shown);
  return found === '' ? undefined : found;
}

/** A text that is empty is neither null nor missing, and a client may follow it. */
function expectNotEmpty(json: unknown, member: string): void {
  const got = (json as Json)[member];
  const details = { expected: 'what its description says of the last page', got };
  expectThat(got !== '', `On the last page, \`${member}\` is an empty text.`, details);
}

function memberText(json: unknown, member: string): string | undefined {
  return scalarText((json as Json)[member]);
}

// Pages with links in a header field.

/** The host is of no interest where the link is read for its query alone. */
const ANY_BASE = 'http://service.invalid/';

/** The link to the next page; undefined on the last one. */
function nextLinkIn({ headers }: HttpResponse, base = ANY_BASE): string | undefined {
  return linkTo('next', headers[LINK] ?? '', base);
}

/**
 * Follows the links as they are: a service that puts cursor, filters and order into them need not
 * say how. If the first page has no link, the pages are asked for by their numbers.
 */
async function walkPageLinks(
  task: ListTask,
  links: PageLinks,
  pages: NumberedPages | undefined,
): Promise<Listing> {
  const { session, resource, place, reading } = task;
  const operationId = operationIdOf(resource, 'list');
  const operation = session.operation(operationId);
  const query = queryFor(resource, reading.query);
  const { limit = links.most } = reading;
  if (links.size !== undefined) {
    query.push([links.size, String(limit)]);
  }
  const input: CallInput = { path: place.path, query };
  let uri = session.implementation.client.urlOf(requestTargetOf(operation, input));
  let response = await succeed(session, operationId, input);
  const all: Json[] = [];
  const sizes: number[] = [];
  const followed = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const items = itemsIn(resource, response.json);
    if (page === 1 && links.size !== undefined) {
      expectWithinLimit(items, limit, `A page has more ${resource.many} than \`${links.size}\`.`);
    }
    all.push(...viewed(task, items));
    sizes.push(items.length);
    const next = nextLinkIn(response, uri);
    if (next === undefined) {
      const isNumbered = page === 1 && pages !== undefined && pages.cursor === undefined;
      return isNumbered ? walkNumberedPages(task, pages) : listingOf(resource, all, sizes);
    }
    const details = { expected: 'no link to `next` on the last page', got: next };
    expectThat(!followed.has(next), 'Following the `Link` to `next` does not end.', details);
    followed.add(next);
    uri = next;
    response = await session.send({ method: 'GET', target: reachable(session, next) });
    const why = 'The `Link` of the page before leads to it.';
    expectFollowed({ implementation: session.implementation, operation, response, why });
  }
  throw new NotPossible(`the list does not fit on ${MAX_PAGES} pages`);
}
