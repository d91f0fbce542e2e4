/** Steps on items and lists of any resource, each checked as it is taken. */
import { valueAt } from '../contract/pointers.ts';
import { expectSuccess, refuse, succeed } from '../http/expect-response.ts';
import { apart, expectSame, expectThat, Nonconformity, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import {
  idOf,
  isShared,
  type Item,
  type Json,
  type Listed,
  type Named,
  type PagedList,
  pick,
  type Place,
  type Resource,
  upper,
  type Wanted,
} from './resource.ts';

/** One place. @throws NotPossible */
export async function placeFor(session: Session, resource: Resource, wanted: Wanted = { items: 1 }): Promise<Place> {
  return (await resource.places(session, wanted))[0]!;
}

export async function create(
  session: Session,
  resource: Resource,
  place: Place,
  json: Json,
  why?: string,
): Promise<Item> {
  const item = itemIn(resource, place, await succeed(session, resource.calls.create, { path: place.path, json }, why));
  if (resource.id.givenBy === 'body') {
    const [got, expected] = [idOf(resource, item), json[resource.id.member]];
    expectThat(got === expected, 'The response is another one than the one asked for.', { expected, got });
  }
  return resource.silent?.includes('create') ? { ...item, shown: await read(session, resource, item) } : item;
}

/** One item for each body of the place, or for each of these. */
export async function createAll(
  session: Session,
  resource: Resource,
  place: Place,
  bodies: readonly Json[] = place.bodies,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const body of bodies) items.push(await create(session, resource, place, body));
  return items;
}

/** A new item in a place of its own; what no two may have is that of the place where `body` does not say it. */
export async function createOne(session: Session, resource: Resource, body?: Json, wanted?: Wanted): Promise<Item> {
  const place = await placeFor(session, resource, wanted);
  return create(
    session,
    resource,
    place,
    bodyIn(resource, place, body ?? resource.values.bare(session.implementation)),
  );
}

/** The body with the unique values of the place, where it does not have its own. */
export function bodyIn(resource: Resource, place: Place, body: Json): Json {
  return { ...(resource.unique ? place.bodies[0]! : {}), ...body };
}

export async function read(session: Session, resource: Resource, item: Item): Promise<Json> {
  const response = await succeed(session, resource.calls.read, { path: item.path }, 'It exists.');
  return itemIn(resource, item.place, response).shown;
}

/** Reading shows just what the item showed. */
export async function expectRead(session: Session, resource: Resource, item: Item, what: string): Promise<void> {
  expectSame(what, await read(session, resource, item), item.shown);
}

/** @returns the item as it is afterwards: a change may give it another id */
export async function update(
  session: Session,
  resource: Resource,
  item: Item,
  json: Json,
  why?: string,
): Promise<Item> {
  const sent = resource.changeOf?.(item, json) ?? json;
  const response = await succeed(session, resource.calls.update, { path: item.path, json: sent }, why);
  if (resource.silent?.includes('update')) return { ...item, shown: await read(session, resource, item) };
  return itemIn(resource, item.place, response);
}

/** A change of these members to other values, which a full item accepts; by default of the first member. */
export function otherOf(
  session: Session,
  { values }: Resource,
  place: Place,
  members: readonly string[] = values.members.slice(0, 1),
): Json {
  return Object.fromEntries(members.map((member) => [member, values.other(member, session.implementation, place)]));
}

export async function remove(session: Session, resource: Resource, item: Item): Promise<void> {
  await succeed(session, resource.calls.delete, { path: item.path }, 'It exists.');
}

export function itemIn(resource: Resource, place: Place, response: HttpResponse): Item {
  const json = response.json as Json;
  const shown = resource.view?.(json) ?? json;
  const { parameter, member } = resource.id;
  // By the source alone, a schema may let a response without an id pass; nothing can be tried without it.
  const details = { expected: 'a text', got: shown };
  expectThat(typeof shown[member] === 'string', `${upper(resource.one)} has \`${member}\`.`, details);
  return { place, path: { ...place.path, [parameter]: String(shown[member]) }, shown };
}

/** An item shows these members; a map in it has no more than these. */
export function expectShown({ maps }: Pick<Resource, 'maps'>, what: string, got: Json, expected: Json): void {
  expectSame(what, got, expected);
  for (const pointer of maps ?? []) {
    const [map, due] = [valueAt(got, pointer), valueAt(expected, pointer)] as [Json | undefined, Json | undefined];
    if (due !== undefined)
      expectSame(`${what}: the names in ${pointer}`, Object.keys(map ?? {}).toSorted(), Object.keys(due).toSorted());
  }
}

/** Every one of the calls gets 404: also a change that would change nothing, and one that would. */
export async function expectGone(
  session: Session,
  resource: Resource,
  { place, path }: Pick<Item, 'place' | 'path'>,
  why: string,
  calls: readonly Named[] = ['read'],
): Promise<void> {
  // An id that is longer than the contract lets ids be may be refused for that.
  const isTooLong = Object.values(path).some((id) => id.length > 64);
  for (const call of calls) {
    const statuses = resource.missing ? resource.missing[call] : isTooLong ? [404, 400] : [404];
    if (!statuses) continue;
    const bodies = call === 'update' ? [{ json: {} }, { json: otherOf(session, resource, place) }] : [{}];
    for (const body of bodies) await refuse(session, resource.calls[call], { path, ...body }, statuses, why);
  }
}

/** The unique values of a body, or of an item. */
export function uniqueOf({ unique }: Resource, json: Json): Json {
  return pick(json, unique!.members);
}

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
