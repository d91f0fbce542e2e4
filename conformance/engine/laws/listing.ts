/** Reads a list: by its pages, or in the parent that shows it. */
import { expectSuccess, succeed } from '../http/expect-response.ts';
import { apart, expectSame, expectThat, Nonconformity, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { expectRead } from './items.ts';
import {
  idOf,
  isShared,
  type Item,
  type Json,
  type Listed,
  type PagedList,
  type Place,
  type Resource,
  upper,
} from './resource.ts';

/** A list with more pages than this does not end; or others write to it at the same time. */
const MAX_PAGES = 500;

/** Timestamps may be cut to seconds, and clocks of several machines differ. */
const MARGIN_MS = 5_000;

export interface Listing {
  /** As listed; where the list is shared, those of others are among them. */
  items: Json[];
  /** The ids of all items. */
  ids: string[];
  /** How many items each page had. */
  pages: number[];
}

export interface Reading {
  limit?: number;
  /** Runs after each page but the last. */
  between?: (page: number, items: readonly Json[]) => Promise<void>;
  /** Sent with the request for each page. */
  headers?: Record<string, string>;
}

/**
 * The whole list of a place. One that is shared, and has the newest first, is read until it has passed the oldest of
 * `known`, and one item more, which would show it again. @param known in the order of creation
 */
export async function listOf(
  session: Session,
  resource: Listed,
  place: Place,
  known: readonly Item[],
  reading: Reading = {},
): Promise<Listing> {
  const { list, calls } = resource;
  if (list.kind === 'paged') return pagesOf(session, resource, place, known, reading);
  if (list.kind === 'whole') {
    const { json } = await succeed(session, calls.list!, { path: place.path });
    const items = list.items === undefined ? json : (json as Json)[list.items];
    expectThat(Array.isArray(items), 'A list is a list.', { expected: 'a list', got: items });
    return listing(
      resource,
      (items as Json[]).map((shown) => resource.view?.(shown) ?? shown),
    );
  }
  const [inPlace, inRead] = list.parameter;
  const { json } = await succeed(session, list.read, { path: { [inRead]: place.path[inPlace]! } }, 'It exists.');
  const items = (json as Json)[list.member];
  expectThat(Array.isArray(items), `\`${list.member}\` is a list.`, { expected: 'a list', got: items });
  return listing(resource, items as Json[]);
}

function listing(resource: Listed, items: Json[], pages = [items.length]): Listing {
  return { items, ids: items.map((shown) => idOf(resource, { shown })), pages };
}

async function pagesOf(
  session: Session,
  resource: Listed,
  place: Place,
  known: readonly Item[],
  { limit, between, headers = {} }: Reading,
): Promise<Listing> {
  const { items: member, next: nextMember, shared } = resource.list as PagedList;
  const operationId = resource.calls.list!;
  const pages: number[] = [];
  const followed = new Set<string>();
  const endless = (got: string) => {
    const details = { expected: 'null on the last page', got };
    return new Nonconformity(`Following \`${nextMember}\` does not end.`, details);
  };
  const query = limit === undefined ? {} : { query: { limit: String(limit) } };
  let found = listing(resource, []);
  let response = await succeed(session, operationId, { path: place.path, headers, ...query });
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { [member]: items, [nextMember]: next } = response.json as Json as { [name: string]: Json[] };
    expectThat(Array.isArray(items), `A list has \`${member}\`.`, { expected: 'a list', got: response.text });
    pages.push(items.length);
    found = listing(resource, [...found.items, ...items], pages);
    const bound = { expected: `at most ${limit}`, got: items.length };
    expectThat(limit === undefined || items.length <= limit, `A page has more ${resource.many} than \`limit\`.`, bound);
    // Also where the list goes in a circle and would never end.
    const { ids } = found;
    const isOnce = new Set(ids).size === ids.length;
    expectThat(isOnce, `${upper(resource.one)} is listed twice.`, { expected: 'each once', got: ids });
    if (next === null || next === undefined || (shared && isPassed(resource, found, known))) return found;
    const uri = String(next);
    if (items.length === 0 && followed.has(uri)) throw endless(`page ${page} has ${uri}`);
    followed.add(uri);
    await between?.(page, items);
    response = await session.send({ method: 'GET', target: reachable(session, uri), headers });
    const why = `\`${nextMember}\` is the next page.`;
    expectSuccess(session.implementation, session.operation(operationId), response, why);
  }
  if (shared) throw new NotPossible(`more ${resource.many} of others than fit on ${MAX_PAGES} pages came in between`);
  throw endless(`${MAX_PAGES} pages with ${found.items.length} ${resource.many}`);
}

/** The oldest was listed, and one more; or it is missing, and older ones are there. @param known in the order of creation */
function isPassed(resource: Listed, { items, ids }: Listing, [oldest]: readonly Item[]): boolean {
  if (oldest === undefined) return true;
  const at = ids.indexOf(idOf(resource, oldest));
  if (at >= 0 && at < ids.length - 1) return true;
  const timeOf = (shown: Json) => Date.parse(String(shown[resource.createdAt!]));
  return items.some((shown) => timeOf(shown) < timeOf(oldest.shown) - MARGIN_MS);
}

/** Each of `expected` is listed exactly once, in this order, whatever stands between them. */
export function expectListed(resource: Resource, listed: Pick<Listing, 'ids'>, expected: readonly Item[]): void {
  const ids = expected.map((item) => idOf(resource, item));
  const got = listed.ids.filter((id) => ids.includes(id));
  const [one, other] = resource.order === 'any' ? [got.toSorted(), ids.toSorted()] : [got, ids];
  const what = `The list has other ${resource.many}, or in another order.`;
  expectThat(one.join(' ') === other.join(' '), what, apart(got, ids));
}

export function expectNotListed(resource: Resource, { ids }: Pick<Listing, 'ids'>, gone: Item): void {
  const id = idOf(resource, gone);
  const details = { expected: `no ${id}`, got: ids };
  expectThat(!ids.includes(id), `The list has ${resource.one} that was removed.`, details);
}

/**
 * In this place there are just these items, as they were shown last: by its list where that is the place's own, else by
 * reading each.
 * @param items in the order of creation
 */
export async function expectItems(
  session: Session,
  resource: Resource,
  place: Place,
  items: readonly Item[],
  what: string,
): Promise<void> {
  if (isShared(resource)) {
    for (const item of items) await expectRead(session, resource, item, what);
    return;
  }
  const { items: listed, ids } = await listOf(session, resource, place, []);
  // The order by id is a law of its own.
  const due = [...items.map((item) => idOf(resource, item)), ...place.foreign];
  if (resource.order === 'by id') return expectSame(what, ids.toSorted(), due.toSorted());
  const shown = inOrder(resource, items).map((item) => item.shown);
  expectSame(what, listed, shown);
}

/** As the list has them. @param items in the order of creation */
export function inOrder(resource: Resource, items: readonly Item[]): Item[] {
  if (resource.order === 'oldest first' || resource.order === 'any') return [...items];
  if (resource.order === 'newest first') return items.toReversed();
  return items.toSorted((one, other) => (idOf(resource, one) < idOf(resource, other) ? -1 : 1));
}

/** Reads what a `uri` of a response leads to. */
export async function follow(session: Session, uri: unknown, operationId: string, why: string): Promise<Json> {
  const response = await session.send({ method: 'GET', target: reachable(session, uri) });
  expectSuccess(session.implementation, session.operation(operationId), response, why);
  return response.json as Json;
}

/**
 * Where a `uri` is reached: as it is on the host under test. A service behind a proxy names its public address; then what
 * follows the base address counts.
 */
export function reachable({ implementation }: Session, uri: unknown): string {
  const { base } = implementation.client;
  // By the source document alone, a relative reference is a URI, too.
  if (implementation.origin === 'source' && typeof uri === 'string' && !URL.canParse(uri))
    return new URL(uri, `${base.href.replace(/\/$/, '')}/`).href;
  const isAbsolute = typeof uri === 'string' && URL.canParse(uri) && /^https?:/i.test(uri);
  expectThat(isAbsolute, 'A `uri` is absolute.', { expected: 'an absolute URI of http or https', got: String(uri) });
  const url = new URL(uri as string);
  if (url.host === base.host) return uri as string;
  const roots = new Set([...implementation.operations.values()].map(({ path }) => path.split('/{')[0]!));
  const starts = [...roots].map((root) => url.pathname.indexOf(root)).filter((start) => start >= 0);
  return url.pathname.slice(Math.min(...starts, url.pathname.length - 1)) + url.search;
}
