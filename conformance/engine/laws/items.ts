/** Steps on items of any resource, each checked as it is taken. */
import { valueAt } from '../contract/pointers.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { refuse, succeed } from './calls.ts';
import { idOf, type Item, type Json, type Named, type Place, type Resource, upper, type Wanted } from './resource.ts';

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
  if (resource.id.givenBy === 'body') expectId(resource, item, json[resource.id.member]);
  return resource.silent?.includes('create') ? { ...item, shown: await read(session, resource, item) } : item;
}

/** Of all bodies of the place, or of these. */
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
export async function createOne(session: Session, resource: Resource, body?: Json): Promise<Item> {
  const place = await placeFor(session, resource);
  const own = body ?? resource.values.bare(session.implementation);
  return create(session, resource, place, { ...(resource.unique ? place.bodies[0]! : {}), ...own });
}

export async function read(session: Session, resource: Resource, item: Item): Promise<Json> {
  const response = await succeed(session, resource.calls.read, { path: item.path }, 'It exists.');
  return itemIn(resource, item.place, response).shown;
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

export async function remove(session: Session, resource: Resource, item: Item): Promise<void> {
  await succeed(session, resource.calls.delete, { path: item.path }, 'It exists.');
}

export function itemIn(resource: Resource, place: Place, response: HttpResponse): Item {
  const json = response.json as Json;
  const shown = resource.view?.(json) ?? json;
  const { parameter, member } = resource.id;
  // By the source alone, a schema may let a response without an id pass; nothing can be tried without it.
  expectThat(typeof shown[member] === 'string', `${upper(resource.one)} has \`${member}\`.`, {
    expected: 'a text',
    got: shown,
  });
  return { place, path: { ...place.path, [parameter]: String(shown[member]) }, shown };
}

function expectId(resource: Resource, item: Item, expected: unknown): void {
  const got = idOf(resource, item);
  expectThat(got === expected, 'The response is another one than the one asked for.', { expected, got });
}

/** What is shown has these members; of a map, no more than these. */
export function expectShown({ maps }: Pick<Resource, 'maps'>, what: string, got: Json, expected: Json): void {
  expectSame(what, got, expected);
  for (const pointer of maps ?? []) {
    const [map, due] = [valueAt(got, pointer), valueAt(expected, pointer)] as [Json | undefined, Json | undefined];
    if (due !== undefined)
      expectSame(`${what}: the names in ${pointer}`, Object.keys(map ?? {}).toSorted(), Object.keys(due).toSorted());
  }
}

/** Every one of the calls gets 404: a change that would change nothing, too, and one that would. */
export async function expectGone(
  session: Session,
  resource: Resource,
  { place, path }: Pick<Item, 'place' | 'path'>,
  why: string,
  calls: readonly Named[] = ['read'],
): Promise<void> {
  const [member] = resource.values.members as [string];
  for (const call of calls) {
    // An id that is longer than ids can be may be refused for that.
    const statuses = resource.missing ? resource.missing[call] : isTooLong(path) ? [404, 400] : [404];
    if (!statuses) continue;
    const other = () => ({ [member]: resource.values.other(member, session.implementation, place) });
    for (const input of call === 'update'
      ? [
          { path, json: {} },
          { path, json: other() },
        ]
      : [{ path }])
      await refuse(session, resource.calls[call], input, [...statuses], why);
  }
}

/** Longer than the contract lets ids be. */
function isTooLong(path: Record<string, string>): boolean {
  return Object.values(path).some((id) => id.length > 64);
}
