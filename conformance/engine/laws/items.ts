/** Steps on items of any resource, each checked as it is taken. */
import { valueAt } from '../contract/pointers.ts';
import { refuse, succeed } from '../http/expect-response.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import {
  idOf,
  type Item,
  type Json,
  type Named,
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

/** What is shown has these members; of a map, no more than these. */
export function expectShown(resource: Resource, what: string, got: Json, expected: Json): void {
  expectSame(what, got, expected);
  for (const pointer of resource.maps ?? []) {
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
