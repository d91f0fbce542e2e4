/** Items of a resource as responses show them. */
import { memberOf } from '../contract/by-name.ts';
import { schemaOfSuccess } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { shapeOf } from '../contract/shape.ts';
import type { Implementation } from '../http/implementation.ts';
import { knownResponse } from '../http/known-members.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import { type Item, type Json, type Place, type Resource, upper } from './resource.ts';

/** The id of an item that is shown like this. */
export function idOf({ id }: Resource, shown: Json): string {
  return String(shown[id.member]);
}

export function idsOf(resource: Resource, items: readonly Item[]): string[] {
  return items.map(({ shown }) => idOf(resource, shown));
}

/** The item in a response, without the object around it. */
export function withinEnvelope({ id, envelopes = [] }: Resource, json: unknown): unknown {
  if (!isObject(json) || Object.hasOwn(json, id.member)) {
    return json;
  }
  return envelopes.map((name) => memberOf(json, name)).find(isObject) ?? json;
}

/** A response that shows an item. */
export type ShowingItem = Pick<HttpResponse, 'json'> & Partial<HttpResponse>;

/**
 * The part of a shown item that laws compare: members that the contract does not declare may
 * differ.
 */
export function viewOf(resource: Resource, implementation: Implementation, shown: Json): Json {
  const { view, calls } = resource;
  if (view) {
    return view(shown);
  }
  const { contract, operations } = implementation;
  const read = operations.get(calls.read);
  return read ? (knownResponse(contract, read, shown) as Json) : shown;
}

/** The item that a response shows. @throws Nonconformity if it shows no id */
export function itemIn(
  resource: Resource,
  implementation: Implementation,
  place: Place,
  response: ShowingItem,
): Item {
  const { id, one } = resource;
  const shown = viewOf(resource, implementation, withId(resource, response));
  const given = shown[id.member];
  // By the source document alone, a schema may allow a response without an id. Nothing can be tried
  // without it.
  if (typeof given !== 'string' && !showsMembers(resource, implementation)) {
    throw new NotPossible(
      `the contract documents no member of what ${resource.calls.create} shows`,
    );
  }
  const details = { expected: 'a text', got: shown };
  expectThat(typeof given === 'string', `${upper(one)} has no \`${id.member}\`.`, details);
  return { place, path: { ...place.path, [id.parameter]: given }, shown };
}

/** Whether the contract says that a response to a creation has any members. */
function showsMembers({ calls }: Resource, { contract, operations }: Implementation): boolean {
  const create = operations.get(calls.create);
  const schema = create && schemaOfSuccess(create);
  return schema !== undefined && shapeOf(contract, schema).properties.size > 0;
}

/** What a response shows, with the id that it may have outside of its body. */
function withId(resource: Resource, { json, headers }: ShowingItem): Json {
  const { id } = resource;
  const inside = withinEnvelope(resource, json) as Json;
  const outside = headers && id.of?.({ headers, json });
  if (outside === undefined) {
    return inside;
  }
  return { ...inside, [id.member]: outside };
}

/** The items in the order of the list. @param items in the order of creation */
export function inListOrder(resource: Resource, items: readonly Item[]): Item[] {
  switch (resource.order) {
    case 'newest first':
      return items.toReversed();
    case 'by id':
      return items.toSorted((one, other) => {
        return idOf(resource, one.shown) < idOf(resource, other.shown) ? -1 : 1;
      });
    default:
      return [...items];
  }
}
