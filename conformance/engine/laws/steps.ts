/**
 * The steps that cases of laws take on items and lists of a resource. Each step checks what the
 * service responds.
 */
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isJson } from '../contract/media-types.ts';
import { satisfies } from '../contract/schemas.ts';
import { asRequest } from '../contract/variants.ts';
import type { JsonSpelling } from '../generate/json-spellings.ts';
import { type CallInput, requestOf } from '../http/call.ts';
import { expectRefusal, expectSuccess, refuse, succeed } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, NotPossible } from '../http/nonconformity.ts';
import { type HttpResponse, ResponseLost } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import {
  expectAllListed,
  expectListed,
  expectNotListed,
  expectShown,
  expectShownIn,
  type Listing,
  shownOf,
} from './expect-items.ts';
import { idOf, inListOrder, itemIn, type ShowingItem, withinEnvelope } from './items.ts';
import {
  type AskedPage,
  itemsIn,
  type NumberedPage,
  readList,
  readPage,
  type Reading,
} from './listing.ts';
import { elementAt } from './required.ts';
import {
  bodyOf,
  changeBodyFor,
  isShared,
  type Item,
  type Json,
  type Named,
  operationIdOf,
  pick,
  type Place,
  type Resource,
  type ResourceCall,
  uniqueValuesOf,
  type Wanted,
} from './resource.ts';
import { follow } from './uris.ts';

/** Longer than a timestamp of whole seconds can hide. */
const MORE_THAN_A_SECOND_MS = 1_100;

/** The contract may not let ids be longer than this, in characters. */
const LONGEST_ID = 64;

/** An id that is a number. */
const DIGITS = /^\d+$/;

/** A change that is in the response alone. */
export const READ_DIFFERS = 'A read of the item and the response to its change differ';

/** A call that is sent together with others. */
export interface PlannedCall {
  call: ResourceCall;
  input: CallInput;
}

/** A change of an item, or a function that makes it for the item. */
export type PatchOf = Json | ((item: Item) => Json | Promise<Json>);

/** Bodies as they are sent: as usual, or in another spelling. */
type BodyText = Pick<CallInput, 'json' | 'body'>;

/** How long it is waited for a removal that was accepted, from one look to the next. */
const REMOVAL_MS = [50, 100, 200, 400, 800, 1600, 3200];

/** Services of which a removal was not done in that time: others are not waited for. */
const endless = new WeakSet<Implementation>();

export class Steps {
  readonly session: Session;
  readonly resource: Resource;
  readonly #sleep: (ms: number) => Promise<unknown>;
  /** How bodies of creations and changes are written; undefined: as usual. */
  #spelling: JsonSpelling | undefined;

  /** @param sleep waits for so many milliseconds; tests have another clock */
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

  /** The same steps, with bodies of creations and changes in this spelling. */
  writing(spelling: JsonSpelling): Steps {
    const steps = new Steps(this.session, this.resource, this.#sleep);
    steps.#spelling = spelling;
    return steps;
  }

  get implementation(): Implementation {
    return this.session.implementation;
  }

  /** The body of a creation or a change. @throws NotPossible unless it is JSON */
  written(call: 'create' | 'update', json: Json): BodyText {
    if (this.#spelling === undefined) {
      return { json };
    }
    const operationId = operationIdOf(this.resource, call);
    const { mediaType = '' } = this.session.operation(operationId).requestBody ?? {};
    if (!isJson(mediaType)) {
      throw new NotPossible(`the body of ${operationId} is not JSON`);
    }
    const whole = this.resource.wrapped?.(json) ?? json;
    return { json, body: this.#spelling.write(whole) };
  }

  /** Waits until timestamps of whole seconds differ. */
  async moreThanASecond(): Promise<void> {
    await this.#sleep(MORE_THAN_A_SECOND_MS);
  }

  async pause(ms: number): Promise<void> {
    await this.#sleep(ms);
  }

  // Calls.

  /** Makes a call that must succeed. */
  succeed(call: ResourceCall, input: CallInput, why?: string): Promise<HttpResponse> {
    return succeed(this.session, operationIdOf(this.resource, call), input, why);
  }

  /** Makes a call that must be refused. */
  refuse(
    call: ResourceCall,
    input: CallInput,
    due: Parameters<typeof refuse>[3],
  ): Promise<HttpResponse> {
    return refuse(this.session, operationIdOf(this.resource, call), input, due);
  }

  /**
   * Makes calls at once.
   * @param refusals the status that refuses a call, for calls that may be refused; all others must
   * succeed
   */
  async together(
    calls: readonly PlannedCall[],
    refusals: Partial<Record<ResourceCall, number>> = {},
  ): Promise<HttpResponse[]> {
    const { session, resource } = this;
    const responses = await session.together(() =>
      calls.map(({ call, input }) => session.call(operationIdOf(resource, call), input)),
    );
    for (const [index, response] of responses.entries()) {
      const planned = elementAt(calls, index);
      const refusal = refusals[planned.call];
      if (refusal === undefined) {
        await this.#expectNotRefusedAlone(planned, response);
      }
      this.expectOutcome(planned.call, response, refusal, 'Another request came first.');
    }
    return responses;
  }

  /**
   * Creates items at once, one for each body of the place. Those without a response are left out,
   * as they may be there or not.
   * @returns the responses, in the order of the bodies
   * @throws ResponseLost if fewer than two have a response
   */
  async createTogether({ path, bodies }: Place): Promise<(HttpResponse | undefined)[]> {
    const { session, resource } = this;
    const lost: ResponseLost[] = [];
    const create = (json: Json): Promise<HttpResponse | undefined> => {
      const response = session.call(resource.calls.create, { path, json });
      return response.catch((error: unknown) => {
        if (!(error instanceof ResponseLost)) {
          throw error;
        }
        lost.push(error);
        return undefined;
      });
    };
    const responses = await session.together(() => bodies.map(create));
    const [first] = lost;
    if (first !== undefined && responses.length - lost.length < 2) {
      throw first;
    }
    for (const [index, response] of responses.entries()) {
      if (response !== undefined) {
        const input: CallInput = { path, json: bodies[index] };
        await this.#expectNotRefusedAlone({ call: 'create', input }, response);
        this.expectOutcome('create', response, undefined, 'Another request came first.');
      }
    }
    return responses;
  }

  /**
   * A call that is refused alone, too, says nothing of calls at once.
   * @throws NotPossible
   */
  async #expectNotRefusedAlone(
    { call, input }: PlannedCall,
    { status }: HttpResponse,
  ): Promise<void> {
    // After the others, a conflict is right.
    const isRefused = status >= 400 && status < 500 && status !== 409;
    if (!isRefused) {
      return;
    }
    const operation = this.session.operation(operationIdOf(this.resource, call));
    const alone = await this.session.call(operation.operationId, input);
    if (alone.status === status) {
      await this.implementation.api.instead?.(this.session, operation, input, alone);
    }
  }

  /** The response is a documented success, or a refusal with this status, if there is one. */
  expectOutcome(
    call: ResourceCall,
    response: HttpResponse,
    refusal: number | undefined,
    why: string,
  ): void {
    const operation = this.session.operation(operationIdOf(this.resource, call));
    if (refusal === undefined || response.status < 300) {
      expectSuccess(this.implementation, operation, response);
    } else {
      expectRefusal(this.implementation, operation, response, { statuses: [refusal], why });
    }
  }

  /** Reads the resource of a URI in a response; it responds as the call does. */
  follow(call: ResourceCall, uri: unknown, why: string): Promise<HttpResponse> {
    const operationId = operationIdOf(this.resource, call);
    return follow(this.session, uri, { operationId, why });
  }

  // Places and bodies.

  /** One place. @throws NotPossible */
  async place(wanted: Wanted = { items: 1 }): Promise<Place> {
    const places = await this.resource.places(this.session, wanted);
    return elementAt(places, 0);
  }

  /** Two places with equal bodies. @throws NotPossible */
  async twoPlaces(items: number): Promise<[Place, Place]> {
    const places = await this.resource.places(this.session, { items, places: 2 });
    return [elementAt(places, 0), elementAt(places, 1)];
  }

  /** Whether the contract allows a body of this call. */
  allows(call: 'create' | 'update', json: unknown): boolean {
    const { requestBody } = this.session.operation(operationIdOf(this.resource, call));
    const sent = asRequest(this.implementation.contract);
    return requestBody !== null && satisfies(sent, [requestBody.pointer], json);
  }

  /** A body with all members. */
  full(): Json {
    return this.resource.values.full(this.implementation);
  }

  /** A body without the members that can be omitted. */
  bare(): Json {
    return this.resource.values.bare(this.implementation);
  }

  /** The body, with the unique values of the place unless it has its own. */
  bodyIn(place: Place, body: Json): Json {
    const named = this.namingIn(place, body);
    if (this.resource.unique) {
      return { ...bodyOf(place), ...named };
    }
    return named;
  }

  /** The body, with the names of what exists, such as the book of a loan. */
  namingIn(place: Place, body: Json): Json {
    const { naming = [] } = place;
    if (naming.length === 0) {
      return { ...body };
    }
    return { ...body, ...pick(bodyOf(place), naming) };
  }

  /** Bodies with all members and with few members in turn, with the unique values of these. */
  mixed(bodies: readonly Json[]): Json[] {
    return bodies.map((body, index) => {
      const base = index % 2 === 0 ? this.full() : this.bare();
      return { ...base, ...body };
    });
  }

  /** The members of an item that no two items may have the same values of. */
  uniqueOf(json: Json): Json {
    return pick(json, uniqueValuesOf(this.resource).members);
  }

  /**
   * A change of these members to other values, which an item with all members accepts.
   * @param members default: the first
   */
  otherOf(place: Place, members?: readonly string[]): Json {
    const { values } = this.resource;
    const changed = members ?? values.members.slice(0, 1);
    const entries = changed.map((member) => {
      return [member, values.other(member, this.implementation, place)] as const;
    });
    return Object.fromEntries(entries);
  }

  // Items.

  idOf({ shown }: Pick<Item, 'shown'>): string {
    return idOf(this.resource, shown);
  }

  /** The item that a response shows. */
  itemIn(place: Place, response: ShowingItem): Item {
    return itemIn(this.resource, this.implementation, place, response);
  }

  /** The item in a response, without the object around it. */
  within(json: unknown): unknown {
    return withinEnvelope(this.resource, json);
  }

  async create(place: Place, json: Json, why?: string): Promise<Item> {
    const { id, silent = [] } = this.resource;
    const input = { path: place.path, ...this.written('create', json) };
    const response = await this.succeed('create', input, why);
    const item = this.itemIn(place, response);
    if (id.givenBy === 'body') {
      expectSame('The response has another id', this.idOf(item), json[id.member]);
    }
    if (silent.includes('create')) {
      return { ...item, shown: await this.read(item) };
    }
    return item;
  }

  /** One item for each of the bodies, in one place. @param bodies default: all of the place */
  async createAll(place: Place, bodies: readonly Json[] = place.bodies): Promise<Item[]> {
    const items: Item[] = [];
    for (const body of bodies) {
      items.push(await this.create(place, body));
    }
    return items;
  }

  /** One item for each body of a new place. */
  async createSome(wanted: Wanted): Promise<{ place: Place; items: Item[] }> {
    const place = await this.place(wanted);
    return { place, items: await this.createAll(place) };
  }

  /**
   * An item in a new place.
   * @param body default: one with few members; it gets the unique values of the place
   */
  async createOne(body?: Json, wanted?: Wanted): Promise<Item> {
    const place = await this.place(wanted);
    return this.create(place, this.bodyIn(place, body ?? this.bare()));
  }

  /** Two equal items, each in a new place. */
  async createApart(): Promise<[Item, Item]> {
    const [one, other] = await this.twoPlaces(1);
    return [await this.create(one, bodyOf(one)), await this.create(other, bodyOf(other))];
  }

  /** Several items in a new place: with all members and with few members in turn. */
  async createMixed(count: number): Promise<Item[]> {
    const place = await this.place({ items: count, atLeast: 1 });
    return this.createAll(place, this.mixed(place.bodies));
  }

  /** @returns the item as it is shown */
  async read(item: Item): Promise<Json> {
    const response = await this.succeed('read', { path: item.path }, 'The item exists.');
    return this.itemIn(item.place, response).shown;
  }

  /** @returns what a read of the item shows, with the members that laws do not compare */
  async readWhole({ path }: Pick<Item, 'path'>): Promise<Json> {
    const { json } = await this.succeed('read', { path }, 'The item exists.');
    return this.within(json) as Json;
  }

  /** HEAD at the path of an item, whatever its response: a cache may take it for that of a GET. */
  async head(path: Item['path']): Promise<void> {
    const read = this.session.operation(operationIdOf(this.resource, 'read'));
    await this.session.send({ ...requestOf(read, { path }), method: 'HEAD' });
  }

  /** Reading the item shows what it showed last. */
  async expectRead(item: Item, what: string): Promise<void> {
    expectSame(what, await this.read(item), item.shown);
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

  // Changes.

  /** @returns the item after the change, which may have another id */
  async update(item: Item, patch: Json, why?: string): Promise<Item> {
    const { silent = [] } = this.resource;
    const json = changeBodyFor(this.resource, item, patch);
    const input = { path: item.path, ...this.written('update', json) };
    const response = await this.succeed('update', input, why);
    if (silent.includes('update')) {
      return { ...item, shown: await this.read(item) };
    }
    return this.itemIn(item.place, response);
  }

  /**
   * Changes an item. The response, a read of the item and the list of its place must show the
   * change.
   * @param before the item as it was shown
   */
  async expectChanged(item: Item, before: Json, patch: Json): Promise<Item> {
    const changed = await this.update(item, patch);
    this.expectChangeShown(changed, item, before, patch);
    // This comes first, as long as the change is new.
    if (this.idOf(changed) !== this.idOf(item)) {
      const why = `The item was changed into ${this.idOf(changed)}.`;
      await this.expectGone(item, why, ['read', 'update', 'delete']);
    }
    await this.expectRead(changed, READ_DIFFERS);
    if (!isShared(this.resource)) {
      await this.expectItems(item.place, [changed], 'The list does not show the change');
    }
    return changed;
  }

  /**
   * The response to a change shows it.
   * @param item as it was before, with the members that no change touches
   * @param before what it showed of its body
   */
  expectChangeShown(changed: Item, item: Item, before: Json, patch: Json): void {
    const { resource } = this;
    const due = { ...resource.changed(before, patch), ...pick(item.shown, resource.fixed) };
    this.expectShown('The response does not show the change', changed.shown, due);
  }

  /** Creates an item in a new place, and changes it as `expectChanged` does. */
  async tryChange(body: Json, patchOf: PatchOf): Promise<void> {
    const item = await this.createOne(body, { items: 2 });
    const before = this.resource.shown(this.bodyIn(item.place, body));
    const patch = typeof patchOf === 'function' ? await patchOf(item) : patchOf;
    await this.expectChanged(item, before, patch);
  }

  // Items that were removed, or that never existed.

  async remove(item: Item): Promise<void> {
    const { status } = await this.succeed('delete', { path: item.path }, 'The item exists.');
    if (status === 202) {
      await this.#untilRemoved(item);
    }
  }

  /** A removal that was only accepted may be done later (RFC 9110, 15.3.3): it is waited for. */
  async #untilRemoved({ path }: Item): Promise<void> {
    const read = operationIdOf(this.resource, 'read');
    const first = await this.session.call(read, { path });
    for (const ms of endless.has(this.implementation) ? [] : REMOVAL_MS) {
      const { status, json } = await this.session.call(read, { path });
      if (status >= 400 || !isDeepStrictEqual(json, first.json)) {
        return;
      }
      await this.pause(ms);
    }
    endless.add(this.implementation);
  }

  /** Removes an item. @returns the item as a read showed it before */
  async removeSeen(item: Item): Promise<unknown> {
    const read = operationIdOf(this.resource, 'read');
    const { json } = await this.session.call(read, { path: item.path });
    await this.remove(item);
    return json;
  }

  /**
   * Each of the calls is refused; a change with and without members in its body, and without a
   * body if it may be omitted.
   */
  async expectGone(
    item: Pick<Item, 'place' | 'path'>,
    why: string,
    calls: readonly Named[] = ['read'],
  ): Promise<void> {
    const { place, path } = item;
    for (const call of calls) {
      const statuses = this.#missingStatuses(call, path);
      if (statuses === undefined) {
        continue;
      }
      if (call === 'update') {
        const other = this.otherOf(place);
        await this.#refuseWithoutBody(path, statuses, why);
        await this.refuse(call, { path, json: {} }, { statuses, why });
        await this.refuse(call, { path, json: other }, { statuses, why });
      } else {
        await this.refuse(call, { path }, { statuses, why });
      }
    }
  }

  async #refuseWithoutBody(
    path: Item['path'],
    statuses: readonly number[],
    why: string,
  ): Promise<void> {
    const { requestBody } = this.session.operation(operationIdOf(this.resource, 'update'));
    if (requestBody && !requestBody.required) {
      await this.refuse('update', { path }, { statuses, why });
    }
  }

  /** The statuses that refuse a call that names no item; undefined if the call is not tried. */
  #missingStatuses(call: Named, path: Item['path']): readonly number[] | undefined {
    const { missing } = this.resource;
    if (missing) {
      return missing[call];
    }
    // An id that is longer than the contract allows may be refused for its length.
    const isTooLong = Object.values(path).some((id) => id.length > LONGEST_ID);
    return isTooLong ? [404, 400] : [404];
  }

  /**
   * As `expectGone`, unless the id names something else by now: another item that got the same id,
   * or the item in another state, if the service keeps removed items. Both are right unless the
   * contract says that ids are given once.
   * @param before the item as a read showed it before the removal
   */
  async expectGoneOrOther(
    item: Item,
    before: unknown,
    why: string,
    calls: readonly Named[] = ['read'],
  ): Promise<void> {
    const statuses = this.resource.missing?.read;
    if (statuses === undefined) {
      await this.expectGone(item, why, calls);
      return;
    }
    const operationId = operationIdOf(this.resource, 'read');
    const input = { path: item.path };
    const response = await this.session.call(operationId, input);
    if (isOther(response, before)) {
      return;
    }
    const operation = this.session.operation(operationId);
    expectRefusal(this.implementation, operation, response, {
      statuses: [...statuses],
      why,
      input,
    });
    if (DIGITS.test(this.idOf(item))) {
      // A service may give a number again: a change could be one of another item, which has it
      // since the read.
      return;
    }
    const others = calls.filter((call) => call !== 'read');
    await this.expectGone(item, why, others);
  }

  /**
   * Whether a list shows something else by now under the id of a removed item.
   * @param before as in `expectGoneOrOther`
   */
  async isOtherIn(listing: Listing, item: Item, before: unknown): Promise<boolean> {
    const { missing } = this.resource;
    if (missing === undefined || !listing.ids.includes(this.idOf(item))) {
      return false;
    }
    const shown = this.ownIn(listing, [item]);
    if (shown.some((one) => !isDeepStrictEqual(one, item.shown))) {
      return true;
    }
    const read = operationIdOf(this.resource, 'read');
    return isOther(await this.session.call(read, { path: item.path }), before);
  }

  // Lists.

  /**
   * Reads the whole list; a shared list as far as the oldest of `known`.
   * @param known in the order of creation
   */
  list(place: Place, known: readonly Item[] = [], reading: Reading = {}): Promise<Listing> {
    return readList(this, place, known, reading);
  }

  /** Reads one page of a list that has pages with numbers or cursors. */
  page(place: Place, asked: AskedPage): Promise<NumberedPage> {
    return readPage(this, place, asked);
  }

  /** The items in the response of a list, as it shows them. */
  itemsIn(json: unknown): Json[] {
    return itemsIn(this.resource, json);
  }

  /**
   * The place has these items and no others: by its list; by reading each item, if the list is
   * shared.
   */
  async expectItems(place: Place, items: readonly Item[], what: string): Promise<void> {
    if (isShared(this.resource)) {
      for (const item of items) {
        await this.expectRead(item, what);
      }
      return;
    }
    const listing = await this.list(place);
    if (this.resource.order !== 'by id') {
      const shown = inListOrder(this.resource, items).map((item) => item.shown);
      expectSame(what, listing.items, shown);
      return;
    }
    const due = [...items.map((item) => this.idOf(item)), ...place.foreign];
    // By the source document alone, a list may have any order.
    const hasOrder = this.implementation.origin === 'all';
    const ids = hasOrder ? listing.ids : listing.ids.toSorted();
    expectSame(what, ids, due.toSorted());
    this.expectShownIn(listing, items, what);
  }

  /**
   * Each of the items is listed once, in their order; others may be between them.
   * @param items in the order of creation
   */
  expectListed(listing: Pick<Listing, 'ids'>, items: readonly Item[]): void {
    expectListed(this.resource, listing, items);
  }

  /** As `expectListed`, and the list shows each item as it was shown last. */
  expectListedAs(listing: Listing, items: readonly Item[]): void {
    this.expectListed(listing, items);
    this.expectShownIn(listing, items);
  }

  /** The list shows each item as it was shown last. */
  expectShownIn(
    listing: Listing,
    items: readonly Item[],
    what = 'The list shows the item differently',
  ): void {
    expectShownIn(this.resource, listing, items, what);
  }

  /** The items that the list shows, without others. */
  ownIn(listing: Pick<Listing, 'items'>, items: readonly Item[]): Json[] {
    return shownOf(this.resource, listing, items);
  }

  /** The list has these items, those that others had there before, and no more. */
  expectAllListed(listing: Pick<Listing, 'ids'>, place: Place, items: readonly Item[]): void {
    expectAllListed(this.resource, listing, place, items);
  }

  expectNotListed(listing: Listing, items: readonly Item[], what: string): void {
    expectNotListed(this.resource, listing, items, what);
  }

  /** The items in the order of the list. @param items in the order of creation */
  inOrder(items: readonly Item[]): Item[] {
    return inListOrder(this.resource, items);
  }
}

/** Whether a read shows another item, or another state, than a read before. */
function isOther({ status, json }: HttpResponse, before: unknown): boolean {
  return status < 300 && !isDeepStrictEqual(json, before);
}
