/** Reads a list: by its pages, or in the parent that shows it. */
import { expectSuccess, succeed } from '../http/expect-response.ts';
import { apart, expectSame, expectThat, Nonconformity, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { read } from './items.ts';
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
  type WholeList,
} from './resource.ts';

/** A list with more pages than this does not end; or others write to it all the while. */
const MAX_PAGES = 500;

/** Timestamps may be cut to seconds, and clocks of several machines differ. */
const MARGIN_MS = 5_000;

export interface Listing {
  /** As listed; where the list is shared, those of others are among them. */
  items: Json[];
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
  const { list } = resource;
  if (list.kind === 'paged') return pagesOf(session, resource, place, known, reading);
  if (list.kind === 'whole') return wholeOf(session, resource, place, list);
  const [inPlace, inRead] = list.parameter;
  const { json } = await succeed(session, list.read, { path: { [inRead]: place.path[inPlace]! } }, 'It exists.');
  const items = (json as Json)[list.member];
  expectThat(Array.isArray(items), `\`${list.member}\` is a list.`, { expected: 'a list', got: items });
  return { items: items as Json[], pages: [items.length] };
}

async function wholeOf(session: Session, resource: Listed, { path }: Place, { items: member }: WholeList) {
  const { json } = await succeed(session, resource.calls.list!, { path });
  const items = member === undefined ? json : (json as Json)[member];
  expectThat(Array.isArray(items), 'A list is a list.', { expected: 'a list', got: items });
  return { items: (items as Json[]).map((shown) => resource.view?.(shown) ?? shown), pages: [items.length] };
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
  const found: Listing = { items: [], pages: [] };
  const followed = new Set<string>();
  const query = limit === undefined ? {} : { query: { limit: String(limit) } };
  let response = await succeed(session, operationId, { path: place.path, headers, ...query });
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { [member]: items, [nextMember]: next } = response.json as Json as { [name: string]: Json[] };
    expectThat(Array.isArray(items), `A list has \`${member}\`.`, { expected: 'a list', got: response.text });
    found.items.push(...items);
    found.pages.push(items.length);
    expectThat(limit === undefined || items.length <= limit, `A page has more ${resource.many} than \`limit\`.`, {
      expected: `at most ${limit}`,
      got: items.length,
    });
    // Also where the list goes in a circle and would never end.
    const ids = found.items.map((shown) => idOf(resource, { shown }));
    expectThat(new Set(ids).size === ids.length, `${upper(resource.one)} is listed twice.`, {
      expected: 'each once',
      got: ids,
    });
    if (next === null || next === undefined || (shared && isPassed(resource, found.items, known))) return found;
    const uri = String(next);
    if (items.length === 0 && followed.has(uri))
      throw new Nonconformity(`Following \`${nextMember}\` does not end.`, {
        expected: 'null on the last page',
        got: `page ${page} has ${uri}`,
      });
    followed.add(uri);
    await between?.(page, items);
    response = await session.send({ method: 'GET', target: reachable(session, uri), headers });
    expectSuccess(
      session.implementation,
      session.operation(operationId),
      response,
      `\`${nextMember}\` is the next page.`,
    );
  }
  if (shared) throw new NotPossible(`more ${resource.many} of others than fit on ${MAX_PAGES} pages came in between`);
  throw new Nonconformity(`Following \`${nextMember}\` does not end.`, {
    expected: 'null on the last page',
    got: `${MAX_PAGES} pages with ${found.items.length} ${resource.many}`,
  });
}

/** The oldest was listed, and one more; or it is missing, and older ones are there. @param known in the order of creation */
function isPassed(resource: Listed, listed: readonly Json[], [oldest]: readonly Item[]): boolean {
  if (oldest === undefined) return true;
  const at = listed.findIndex((shown) => idOf(resource, { shown }) === idOf(resource, oldest));
  if (at >= 0 && at < listed.length - 1) return true;
  const timeOf = (shown: Json) => Date.parse(String(shown[resource.createdAt!]));
  return listed.some((shown) => timeOf(shown) < timeOf(oldest.shown) - MARGIN_MS);
}

/** Each of `expected` is listed exactly once, in this order, whatever stands between them. */
export function expectListed(resource: Resource, { items }: Listing, expected: readonly Item[]): void {
  const ids = expected.map((item) => idOf(resource, item));
  const got = items.map((shown) => idOf(resource, { shown })).filter((id) => ids.includes(id));
  const [one, other] = resource.order === 'any' ? [got.toSorted(), ids.toSorted()] : [got, ids];
  expectThat(
    one.join(' ') === other.join(' '),
    `The list has other ${resource.many}, or in another order.`,
    apart(got, ids),
  );
}

export function expectNotListed(resource: Resource, { items }: Listing, gone: Item): void {
  const ids = items.map((shown) => idOf(resource, { shown }));
  expectThat(!ids.includes(idOf(resource, gone)), `The list has ${resource.one} that was removed.`, {
    expected: `no ${idOf(resource, gone)}`,
    got: ids,
  });
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
    for (const item of items) expectSame(what, await read(session, resource, item), item.shown);
    return;
  }
  const { items: listed } = await listOf(session, resource, place, []);
  if (resource.order !== 'by id') {
    expectSame(
      what,
      listed,
      inOrder(resource, items).map(({ shown }) => shown),
    );
    return;
  }
  const ids = items.map((item) => idOf(resource, item));
  // The order is a law of its own.
  expectSame(what, listed.map((shown) => idOf(resource, { shown })).toSorted(), [...ids, ...place.foreign].toSorted());
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
export function reachable(session: Session, uri: unknown): string {
  // By the source document alone, a relative reference is a URI, too.
  if (session.implementation.origin === 'source' && typeof uri === 'string' && !URL.canParse(uri))
    return new URL(uri, `${session.implementation.client.base.href.replace(/\/$/, '')}/`).href;
  if (typeof uri !== 'string' || !URL.canParse(uri) || !/^https?:/i.test(uri)) {
    throw new Nonconformity('A `uri` is absolute.', {
      expected: 'an absolute URI of http or https',
      got: String(uri),
    });
  }
  const url = new URL(uri);
  const { base } = session.implementation.client;
  if (url.host === base.host) return uri;
  const roots = new Set([...session.implementation.operations.values()].map(({ path }) => path.split('/{')[0]!));
  const starts = [...roots].map((root) => url.pathname.indexOf(root)).filter((start) => start >= 0);
  return url.pathname.slice(Math.min(...starts, url.pathname.length - 1)) + url.search;
}
