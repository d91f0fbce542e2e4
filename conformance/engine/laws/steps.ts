/** Laws of any resource, and the steps that their cases take on items and lists, each checked as it is taken. */
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isObject, valueAt } from '../contract/pointers.ts';
import { type CallInput, queryOf } from '../http/call.ts';
import { expectRefusal, expectSuccess, refuse, succeed } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import {
  apart,
  expectSame,
  expectThat,
  Nonconformity,
  NotPossible,
} from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import type { Property } from '../requirements/requirement.ts';
import {
  type ResourceCall,
  isShared,
  type Item,
  type Json,
  type Named,
  type PagedList,
  type Pages,
  pick,
  type Place,
  type Resource,
  upper,
  type Wanted,
} from './resource.ts';

export { forAll, forEach, once } from '../requirements/requirement.ts';

export interface Law {
  /** Without these calls nothing can be tried: the law has the level of the highest. Default: create, read, update. */
  needs?: readonly ResourceCall[];
  sentence(resource: Resource): string;
  /** `offered`: which calls the level of the law has, beyond those that it needs. */
  properties:
    | Cases
    | ((
        resource: Resource,
        implementation: Implementation,
        offered: (call: ResourceCall) => boolean,
      ) => Cases);
}

/** A property whose cases take steps on a resource. */
// oxlint-disable-next-line typescript/no-explicit-any -- each property has a value type of its own
export type LawProperty<T = any> = Property<T, Steps>;

/** The properties of a law; lists in it are those of `forEach`. */
export type Cases = LawProperty | readonly (LawProperty | LawProperty[])[];

export function casesOn(resource: Resource, cases: Cases): Property[] {
  return [cases].flat(2).map(({ check, ...property }) => ({
    ...property,
    check: (value, session) => check(value, new Steps(session, resource)),
  }));
}

/** How many items there are, and which of them is removed. */
export const ONE_OF_SEVERAL = [1, 2, 4].flatMap((count) =>
  Array.from({ length: count }, (_, at) => ({ count, at })),
);

/** Longer than a timestamp of whole seconds can hide. */
const MORE_THAN_A_SECOND_MS = 1_100;

/** A list with more pages than this does not end; or others write to it at the same time. */
const MAX_PAGES = 500;

/** The member of a page that counts the items of all pages. */
const TOTAL = /^total(_?(count|items|results|elements))?$/i;

/** How often a list in pages is read until it shows what it should. */
const WALKS = 4;

/** Timestamps may be cut to seconds, and clocks of several machines differ. */
const MARGIN_MS = 5_000;

export interface Listing {
  /** As listed; where the list is shared, those of others are among them. */
  items: Json[];
  ids: string[];
  /** How many items each page had. */
  pages: number[];
  /** What the last page that was read says of the next one. */
  next?: unknown;
}

export interface Reading {
  limit?: number;
  /** More of the query of the first page. */
  query?: CallInput['query'];
  /** Runs after each page but the last. */
  between?: (page: number, items: Json[], whole: Json) => Promise<void>;
  /** The URI of the first page that is read; by default that of the list. */
  from?: unknown;
  /** Sent with the request for each page. */
  headers?: Record<string, string>;
}

export type PlannedCall = readonly [call: ResourceCall, input: CallInput];

export class Steps {
  readonly session: Session;
  readonly resource: Resource;
  readonly #sleep: (ms: number) => Promise<unknown>;

  /** @param sleep waits for so many milliseconds; tests have a clock of their own */
  constructor(
    session: Session,
    resource: Resource,
    sleep: (ms: number) => Promise<unknown> = setTimeout,
  ) {
    this.session = session;
    this.resource = resource;
    this.#sleep = sleep;
  }

  /** Steps of the same case on items of another resource. */
  on(resource: Resource): Steps {
    return new Steps(this.session, resource, this.#sleep);
  }

  /** Waits until the clock of the service shows another second. */
  async moreThanASecond(): Promise<void> {
    await this.#sleep(MORE_THAN_A_SECOND_MS);
  }

  get implementation(): Implementation {
    return this.session.implementation;
  }

  full(): Json {
    return this.resource.values.full(this.implementation);
  }

  bare(): Json {
    return this.resource.values.bare(this.implementation);
  }

  idOf({ shown }: Pick<Item, 'shown'>): string {
    return String(shown[this.resource.id.member]);
  }

  succeed(call: ResourceCall, input: CallInput, why?: string): Promise<HttpResponse> {
    return succeed(this.session, this.resource.calls[call]!, input, why);
  }

  /** Makes a call that must be refused. @param code by default, any */
  refuse(
    call: ResourceCall,
    input: CallInput,
    statuses: readonly number[],
    why: string,
    code?: string,
  ): Promise<HttpResponse> {
    return refuse(this.session, this.resource.calls[call]!, input, statuses, why, code);
  }

  /** Makes calls at once. @param refusals the status that a call may be refused with; those that are not here succeed */
  async together(
    calls: readonly PlannedCall[],
    refusals: Partial<Record<ResourceCall, number>> = {},
  ): Promise<HttpResponse[]> {
    const { session, resource } = this;
    const send = () => calls.map(([call, sent]) => session.call(resource.calls[call]!, sent));
    const responses = await session.together(send);
    for (const [index, [call]] of calls.entries()) {
      this.expectOutcome(call, responses[index]!, refusals[call], 'Another request came first.');
    }
    return responses;
  }

  /** A success that is documented; or a refusal with the status, where there is one. */
  expectOutcome(
    call: ResourceCall,
    response: HttpResponse,
    refusal: number | undefined,
    why: string,
  ): void {
    const operation = this.session.operation(this.resource.calls[call]!);
    if (refusal === undefined || response.status < 300) {
      expectSuccess(this.implementation, operation, response);
    } else {
      expectRefusal(this.implementation, operation, response, [refusal], why);
    }
  }

  /** One place. @throws NotPossible */
  async place(wanted: Wanted = { items: 1 }): Promise<Place> {
    return (await this.resource.places(this.session, wanted))[0]!;
  }

  async create(place: Place, json: Json, why?: string): Promise<Item> {
    const { id, silent } = this.resource;
    const item = this.itemIn(place, await this.succeed('create', { path: place.path, json }, why));
    if (id.givenBy === 'body') {
      expectSame(
        'The response is another one than the one asked for.',
        this.idOf(item),
        json[id.member],
      );
    }
    if (silent?.includes('create')) {
      return { ...item, shown: await this.read(item) };
    }
    return item;
  }

  /** One item for each body of the place, or for each of these. */
  async createAll(place: Place, bodies: readonly Json[] = place.bodies): Promise<Item[]> {
    const items: Item[] = [];
    for (const body of bodies) {
      items.push(await this.create(place, body));
    }
    return items;
  }

  /** Items in one place, one for each of its bodies. */
  async createSome(wanted: Wanted): Promise<{ place: Place; items: Item[] }> {
    const place = await this.place(wanted);
    return { place, items: await this.createAll(place) };
  }

  /** A new item in a place of its own; what no two may have is that of the place where `body` does not say it. */
  async createOne(body?: Json, wanted?: Wanted): Promise<Item> {
    const place = await this.place(wanted);
    return this.create(place, this.bodyIn(place, body ?? this.bare()));
  }

  /** Two items alike, each in a place of its own. */
  async createApart(): Promise<[Item, Item]> {
    const [one, other] = (await this.resource.places(this.session, { items: 1, places: 2 })) as [
      Place,
      Place,
    ];
    return [await this.create(one, one.bodies[0]!), await this.create(other, other.bodies[0]!)];
  }

  /** Full and bare bodies in turn, with what no two may have from these. */
  mixed(bodies: readonly Json[]): Json[] {
    return bodies.map((body, index) => ({
      ...(index % 2 === 0 ? this.full() : this.bare()),
      ...body,
    }));
  }

  /** Several items in one place, full and bare in turn. */
  async createMixed(count: number): Promise<Item[]> {
    const place = await this.place({ items: count, atLeast: 1 });
    return this.createAll(place, this.mixed(place.bodies));
  }

  /** The body with the unique values of the place, where it does not have its own. */
  bodyIn(place: Place, body: Json): Json {
    return { ...(this.resource.unique ? place.bodies[0]! : {}), ...body };
  }

  async read(item: Item): Promise<Json> {
    return this.itemIn(item.place, await this.succeed('read', { path: item.path }, 'It exists.'))
      .shown;
  }

  /** Reading shows just what the item showed. */
  async expectRead(item: Item, what: string): Promise<void> {
    expectSame(what, await this.read(item), item.shown);
  }

  /** @returns the item as it is afterwards: a change may give it another id */
  async update(item: Item, patch: Json, why?: string): Promise<Item> {
    const json = this.resource.changeOf?.(item, patch) ?? patch;
    const response = await this.succeed('update', { path: item.path, json }, why);
    if (this.resource.silent?.includes('update')) {
      return { ...item, shown: await this.read(item) };
    }
    return this.itemIn(item.place, response);
  }

  /** A change of these members to other values, which a full item accepts; by default of the first member. */
  otherOf(
    place: Place,
    members: readonly string[] = this.resource.values.members.slice(0, 1),
  ): Json {
    const { values } = this.resource;
    return Object.fromEntries(
      members.map((member) => [member, values.other(member, this.implementation, place)]),
    );
  }

  async remove(item: Item): Promise<void> {
    await this.succeed('delete', { path: item.path }, 'It exists.');
  }

  /** Removes an item. @returns what a read of it showed just before */
  async removeSeen(item: Item): Promise<unknown> {
    const { json } = await this.session.call(this.resource.calls.read, { path: item.path });
    await this.remove(item);
    return json;
  }

  /**
   * Whether the id of a removed item names something else by now: another item that got the id again, or the item in
   * another state, where removed ones are kept. Both are right unless the contract says more than that they are gone.
   * @param before what a read showed before the removal
   */
  async isOther({ path }: Item, before: unknown): Promise<boolean> {
    if (this.resource.missing === undefined) {
      return false;
    }
    const { status, json } = await this.session.call(this.resource.calls.read, { path });
    return status < 300 && !isDeepStrictEqual(json, before);
  }

  /** The same for what a list shows under the id of a removed item. */
  async isOtherIn(listing: Listing, item: Item, before: unknown): Promise<boolean> {
    if (this.resource.missing === undefined || !listing.ids.includes(this.idOf(item))) {
      return false;
    }
    const isChanged = this.ownIn(listing, [item]).some(
      (shown) => !isDeepStrictEqual(shown, item.shown),
    );
    return isChanged || (await this.isOther(item, before));
  }

  /** As `expectGone`, unless the id names something else by now. @param before what a read showed before the removal */
  async expectGoneOrOther(
    item: Item,
    before: unknown,
    why: string,
    calls: readonly Named[] = ['read'],
  ): Promise<void> {
    const { missing, calls: names } = this.resource;
    if (missing?.read === undefined) {
      return this.expectGone(item, why, calls);
    }
    const input = { path: item.path };
    const response = await this.session.call(names.read, input);
    const isOther = response.status < 300 && !isDeepStrictEqual(response.json, before);
    if (isOther) {
      return;
    }
    const operation = this.session.operation(names.read);
    expectRefusal(this.implementation, operation, response, [...missing.read], why, { input });
    if (isGivenAgain(this.idOf(item))) {
      // A change could be one of another item, which has got this id since the read.
      return;
    }
    const others = calls.filter((call) => call !== 'read');
    await this.expectGone(item, why, others);
  }

  /** What a response is about, without the object around it. */
  within(json: unknown): unknown {
    const { id, envelopes = [] } = this.resource;
    if (!isObject(json) || id.member in json) {
      return json;
    }
    return envelopes.map((name) => json[name]).find(isObject) ?? json;
  }

  itemIn(place: Place, response: Pick<HttpResponse, 'json'> & Partial<HttpResponse>): Item {
    const { view, id, one } = this.resource;
    const own = response.headers && id.of?.({ headers: response.headers, json: response.json });
    const inside = this.within(response.json);
    const json = (own === undefined ? inside : { ...Object(inside), [id.member]: own }) as Json;
    const shown = view?.(json) ?? json;
    // By the source alone, a schema may let a response without an id pass; nothing can be tried without it.
    const details = { expected: 'a text', got: shown };
    expectThat(
      typeof shown[id.member] === 'string',
      `${upper(one)} has \`${id.member}\`.`,
      details,
    );
    return { place, path: { ...place.path, [id.parameter]: String(shown[id.member]) }, shown };
  }

  expectShown(what: string, got: Json, expected: Json): void {
    expectShown(this.resource, what, got, expected);
  }

  /** The item shows the body that created it. */
  expectSent({ shown }: Item, body: Json): void {
    const { resource, implementation } = this;
    const due = resource.sent?.(body, implementation) ?? resource.shown(body);
    this.expectShown('The response is not what was sent', shown, due);
  }

  /** Changes an item, and expects it in the response, when it is read, and in its place. @param before what it showed */
  async expectChanged(item: Item, before: Json, patch: Json): Promise<Item> {
    const due = {
      ...this.resource.changed(before, patch),
      ...pick(item.shown, this.resource.fixed),
    };
    const changed = await this.update(item, patch);
    this.expectShown('The response is not what was changed', changed.shown, due);
    // This comes first, as long as the change is new.
    if (this.idOf(changed) !== this.idOf(item)) {
      await this.expectGone(item, `It was changed into ${this.idOf(changed)}.`);
    }
    await this.expectRead(changed, 'It reads otherwise than the response');
    if (!isShared(this.resource)) {
      await this.expectItems(item.place, [changed], 'The list does not show the change');
    }
    return changed;
  }

  /** Creates an item in a place of its own, and changes it as `expectChanged` does. @param patch of the item */
  async tryChange(body: Json, patch: Json | ((item: Item) => Json | Promise<Json>)): Promise<void> {
    const item = await this.createOne(body, { items: 2 });
    const shown = this.resource.shown(this.bodyIn(item.place, body));
    await this.expectChanged(item, shown, typeof patch === 'function' ? await patch(item) : patch);
  }

  /** Every one of the calls gets 404: also a change that would change nothing, and one that would. */
  async expectGone(
    item: Pick<Item, 'place' | 'path'>,
    why: string,
    calls: readonly Named[] = ['read'],
  ): Promise<void> {
    const { place, path } = item;
    const { missing } = this.resource;
    // An id that is longer than the contract lets ids be may be refused for that.
    const isTooLong = Object.values(path).some((id) => id.length > 64);
    for (const call of calls) {
      const statuses = missing ? missing[call] : isTooLong ? [404, 400] : [404];
      if (!statuses) {
        continue;
      }
      const bodies = call === 'update' ? [{ json: {} }, { json: this.otherOf(place) }] : [{}];
      for (const body of bodies) {
        await this.refuse(call, { path, ...body }, statuses, why);
      }
    }
  }

  uniqueOf(json: Json): Json {
    return pick(json, this.resource.unique!.members);
  }

  /** The whole list; a shared one until the oldest of `known`, and one more. @param known in the order of creation */
  async list(place: Place, known: readonly Item[] = [], reading: Reading = {}): Promise<Listing> {
    const { list, calls } = this.resource;
    if (list.kind === 'paged') {
      return this.#pagesOf(list, place, known, reading);
    }
    if (list.kind === 'whole' && list.pages) {
      return this.#walk(list.pages, place, known, reading.query);
    }
    const operationId = list.kind === 'embedded' ? list.read : calls.list!;
    const input = { path: place.path, ...(reading.query && { query: reading.query }) };
    const { json } = await succeed(this.session, operationId, input, 'It exists.');
    const items = this.itemsIn(json);
    if (list.kind === 'whole' && items.length >= (list.room ?? Infinity)) {
      throw new NotPossible(
        `the list has room for ${list.room} ${this.resource.many}, and others may fill it`,
      );
    }
    return this.#viewed(items);
  }

  /** The items in the response of a list, as it shows them. */
  itemsIn(json: unknown): Json[] {
    const { items: name } = this.resource.list;
    const items = name === undefined ? json : (json as Json)[name];
    expectList(items, name === undefined ? 'A list is a list.' : `\`${name}\` is a list.`);
    return items;
  }

  #viewed(items: readonly Json[]): Listing {
    return this.#listing(items.map((shown) => this.resource.view?.(shown) ?? shown));
  }

  /** All pages. Others move items from page to page: it is read again where one of `known` is not there once. */
  async #walk(
    pages: Pages,
    place: Place,
    known: readonly Item[],
    query: Reading['query'],
  ): Promise<Listing> {
    for (let round = 1; ; round++) {
      const all: Json[] = [];
      let start: string | undefined;
      let page = 0;
      let repeated = 0;
      let next: string | undefined;
      for (let isLast = false; !isLast; page++) {
        if (page === MAX_PAGES) {
          throw new NotPossible(`the list does not fit on ${MAX_PAGES} pages`);
        }
        const { items, ids, cursor } = await this.page(
          place,
          page,
          pages.most,
          query,
          next ?? all.length,
        );
        isLast = pages.cursor === undefined ? items.length === 0 : cursor === undefined;
        next = cursor;
        // What others add moves items to later pages, but not the first one page after page.
        repeated = page > 0 && start !== undefined && ids.includes(start) ? repeated + 1 : 0;
        start ??= ids[0];
        const details = { expected: 'other items, or none', got: ids };
        expectThat(repeated < 3, 'Page after page shows the items of the first one.', details);
        all.push(...items);
      }
      const listing = this.#listing(all);
      const isWhole = known.every(
        (item) => listing.ids.filter((id) => id === this.idOf(item)).length === 1,
      );
      // A list on one page and an empty one does not move.
      if (isWhole || page <= 2 || round === WALKS) {
        return listing;
      }
    }
  }

  /** One page of a list. @param size of each page @param from how many items come before it, or its cursor */
  async page(
    place: Place,
    page: number,
    size: number,
    query: Reading['query'] = {},
    from: number | string = page * size,
  ) {
    const { list, many } = this.resource;
    if (list.kind !== 'whole' || !list.pages) {
      throw new Error(`the list of ${many} has no pages with numbers`);
    }
    const { at, isPage, first, size: bounded, cursor: next } = list.pages;
    const start = typeof from === 'string' ? from : String(isPage ? first + page : first + from);
    // A cursor leads to the second page.
    const begin = next !== undefined && page === 0 ? {} : { [at]: start };
    const whole = [
      ...queryOf({ query }),
      ...Object.entries({ ...begin, ...(bounded && { [bounded]: String(size) }) }),
    ];
    const { json } = await this.succeed('list', { path: place.path, query: whole });
    const items = this.itemsIn(json);
    const bound = { expected: `at most ${size}`, got: items.length };
    expectThat(
      bounded === undefined || items.length <= size,
      `A page has more ${many} than \`${bounded}\`.`,
      bound,
    );
    const total = Object.entries(list.items === undefined ? {} : (json as Json)).find(([name]) =>
      TOTAL.test(name),
    );
    const shown = next === undefined ? '' : String((json as Json)[next] ?? '');
    // It may be in the address of the page that follows.
    const cursor = new URLSearchParams(/\?(.*)$/s.exec(shown)?.[1]).get(at) ?? shown;
    return { ...this.#viewed(items), total, cursor: cursor === '' ? undefined : cursor };
  }

  #listing(items: Json[], pages = [items.length]): Listing {
    return { items, ids: items.map((shown) => this.idOf({ shown })), pages };
  }

  async #pagesOf(
    list: PagedList,
    place: Place,
    known: readonly Item[],
    reading: Reading,
  ): Promise<Listing> {
    const { one, many } = this.resource;
    const { limit, query = {}, between, from, headers = {} } = reading;
    const pages: number[] = [];
    const followed = new Set<string>();
    const endless = (got: string) =>
      new Nonconformity(`Following \`${list.next}\` does not end.`, {
        expected: 'null on the last page',
        got,
      });
    const size: [string, string][] = limit === undefined ? [] : [['limit', String(limit)]];
    let found = this.#listing([]);
    let response = await (from === undefined
      ? this.succeed('list', { path: place.path, headers, query: [...size, ...queryOf({ query })] })
      : this.follow('list', from, 'The URI of a page leads to it.', headers));
    for (let page = 1; page <= MAX_PAGES; page++) {
      const whole = response.json as Json;
      const { [list.items]: items, [list.next]: next } = whole;
      expectList(items, `A list has \`${list.items}\`.`, response.text);
      pages.push(items.length);
      found = this.#listing([...found.items, ...items], pages);
      const bound = { expected: `at most ${limit}`, got: items.length };
      expectThat(
        limit === undefined || items.length <= limit,
        `A page has more ${many} than \`limit\`.`,
        bound,
      );
      // Also where the list goes in a circle and would never end.
      expectOnce(found.ids, `${upper(one)} is listed twice.`);
      if (next === null || next === undefined || (list.shared && this.#isPassed(found, known))) {
        return { ...found, next };
      }
      const uri = String(next);
      if (items.length === 0 && followed.has(uri)) {
        throw endless(`page ${page} has ${uri}`);
      }
      followed.add(uri);
      await between?.(page, items, whole);
      response = await this.follow('list', uri, `\`${list.next}\` is the next page.`, headers);
    }
    if (list.shared) {
      throw new NotPossible(
        `more ${many} of others than fit on ${MAX_PAGES} pages came in between`,
      );
    }
    throw endless(`${MAX_PAGES} pages with ${found.items.length} ${many}`);
  }

  /** The oldest was listed, and one more; or it is missing, and older ones are there. @param known in the order of creation */
  #isPassed({ items, ids }: Listing, [oldest]: readonly Item[]): boolean {
    // A page may be empty and lead on.
    if (oldest === undefined) {
      return ids.length > 0;
    }
    const at = ids.indexOf(this.idOf(oldest));
    if (at >= 0 && at < ids.length - 1) {
      return true;
    }
    const timeOf = (shown: Json) => Date.parse(String(shown[this.resource.createdAt!]));
    return items.some((shown) => timeOf(shown) < timeOf(oldest.shown) - MARGIN_MS);
  }

  /** Each of these is listed exactly once, in their order, whatever stands between them. @param items in the order of creation */
  expectListed(listed: Pick<Listing, 'ids'>, items: readonly Item[]): void {
    const { order, many } = this.resource;
    const ids = this.inOrder(items).map((item) => this.idOf(item));
    const got = listed.ids.filter((id) => ids.includes(id));
    const [one, other] = order === 'any' ? [got.toSorted(), ids.toSorted()] : [got, ids];
    expectThat(
      one.join(' ') === other.join(' '),
      `The list has other ${many}, or in another order.`,
      apart(got, ids),
    );
  }

  /** The same, and each as it was shown last. */
  expectListedAs(listed: Listing, items: readonly Item[]): void {
    this.expectListed(listed, items);
    this.expectShownIn(listed, items);
  }

  expectShownIn(
    { items: listed, ids }: Listing,
    items: readonly Item[],
    what = 'The list shows it otherwise',
  ): void {
    for (const item of items) {
      expectSame(what, listed[ids.indexOf(this.idOf(item))], item.shown);
    }
  }

  /** What the list shows of these items, where others are among them. */
  ownIn({ items: listed }: Pick<Listing, 'items'>, items: readonly Item[]): Json[] {
    const ids = items.map((item) => this.idOf(item));
    return listed.filter((shown) => ids.includes(this.idOf({ shown })));
  }

  /** The list has just these, and what others had there before. */
  expectAllListed({ ids }: Pick<Listing, 'ids'>, { foreign }: Place, items: readonly Item[]): void {
    const due = [...items.map((item) => this.idOf(item)), ...foreign];
    expectSame('The list has others than were created', ids.toSorted(), due.toSorted());
  }

  expectNotListed({ ids }: Listing, items: readonly Item[], what: string): void {
    const got = items.map((item) => this.idOf(item)).filter((id) => ids.includes(id));
    expectThat(got.length === 0, what, { expected: 'none of these', got });
  }

  /** The place has just these: by a list of its own, else each by reading it. @param items in the order of creation */
  async expectItems(place: Place, items: readonly Item[], what: string): Promise<void> {
    if (isShared(this.resource)) {
      for (const item of items) {
        await this.expectRead(item, what);
      }
      return;
    }
    const listing = await this.list(place);
    const shown = this.inOrder(items).map((item) => item.shown);
    if (this.resource.order !== 'by id') {
      return expectSame(what, listing.items, shown);
    }
    const due = [...items.map((item) => this.idOf(item)), ...place.foreign].toSorted();
    // By the source document alone, a list may have any order.
    expectSame(
      what,
      this.implementation.origin === 'all' ? listing.ids : listing.ids.toSorted(),
      due,
    );
    this.expectShownIn(listing, items, what);
  }

  /** As the list has them. @param items in the order of creation */
  inOrder(items: readonly Item[]): Item[] {
    const { order } = this.resource;
    if (order === 'oldest first' || order === 'any') {
      return [...items];
    }
    if (order === 'newest first') {
      return items.toReversed();
    }
    return items.toSorted((one, other) => (this.idOf(one) < this.idOf(other) ? -1 : 1));
  }

  /** Reads what a `uri` of a response leads to, which responds as the call does. */
  async follow(
    call: ResourceCall,
    uri: unknown,
    why: string,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    const { session, implementation, resource } = this;
    const response = await session.send({
      method: 'GET',
      target: reachable(session, uri),
      headers,
    });
    expectSuccess(implementation, session.operation(resource.calls[call]!), response, why);
    return response;
  }
}

function expectList(value: unknown, what: string, got = value): asserts value is Json[] {
  expectThat(Array.isArray(value), what, { expected: 'a list', got });
}

export function expectOnce(ids: readonly string[], what: string): void {
  expectThat(new Set(ids).size === ids.length, what, { expected: 'each once', got: ids });
}

/** Whether a check of what was seen passes. */
export function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Nonconformity) {
      return false;
    }
    throw error;
  }
}

/** An item shows these members; a map in it has no more than these. */
export function expectShown(
  { maps }: Pick<Resource, 'maps'>,
  what: string,
  got: Json,
  expected: Json,
): void {
  expectSame(what, got, expected);
  for (const pointer of maps ?? []) {
    const [map, due] = [valueAt(got, pointer), valueAt(expected, pointer)] as [
      Json | undefined,
      Json | undefined,
    ];
    if (due !== undefined) {
      expectSame(
        `${what}: the names in ${pointer}`,
        Object.keys(map ?? {}).toSorted(),
        Object.keys(due).toSorted(),
      );
    }
  }
}

/** Where a `uri` is reached on the host under test: behind a proxy, a service names its public address. */
export function reachable({ implementation }: Session, uri: unknown): string {
  const { base } = implementation.client;
  // By the source document alone, a relative reference is a URI, too.
  if (implementation.origin === 'source' && typeof uri === 'string' && !URL.canParse(uri)) {
    return new URL(uri, `${base.href.replace(/\/$/, '')}/`).href;
  }
  const isAbsolute = typeof uri === 'string' && URL.canParse(uri) && /^https?:/i.test(uri);
  expectThat(isAbsolute, 'A `uri` is absolute.', {
    expected: 'an absolute URI of http or https',
    got: String(uri),
  });
  const url = new URL(uri as string);
  if (url.host === base.host) {
    return uri as string;
  }
  const roots = new Set(
    [...implementation.operations.values()].map(({ path }) => path.split('/{')[0]!),
  );
  const starts = [...roots].map((root) => url.pathname.indexOf(root)).filter((start) => start >= 0);
  return url.pathname.slice(Math.min(...starts, url.pathname.length - 1)) + url.search;
}

/** Whether a service may give the id of a removed item to a new one, as many do where ids are numbers. */
function isGivenAgain(id: string): boolean {
  return /^\d+$/.test(id);
}
