/**
 * Items that belong to another one, such as the bookings of a room: they are inside of it, or name
 * it in their bodies.
 */
import { memberOf, setMember } from '../contract/by-name.ts';
import { itemPathOf } from '../contract/item-paths.ts';
import { branchesOf } from '../contract/kinds.ts';
import type { Contract } from '../contract/load.ts';
import { membersSent, nounBefore, resourceNamed, singular } from '../contract/nouns.ts';
import { type Operation, pathParameters } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { asRequest } from '../contract/variants.ts';
import type { CallInput } from '../http/call.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { shownBy } from '../http/shown-item.ts';
import { validCall } from '../requirements/calls.ts';

/** What makes items that belong to the one at the path of another operation. */
export interface Belonging {
  /** An operation on the owner, such as its GET. */
  owner: Operation;
  maker: Operation;
  /** The member of a body of the maker that names the owner; undefined: its path does. */
  member: string | undefined;
  /** Whether that member is a text. */
  isText: boolean;
}

/** Undefined if what the maker makes does not name the owner, or is inside of more than that. */
export function belongingTo(
  contract: Contract,
  owner: Operation,
  maker: Operation,
): Belonging | undefined {
  const item = itemPathOf(owner);
  const isInside = blank(maker.path).startsWith(`${blank(item)}/`);
  const isDeeper = pathParameters(maker).length > pathParameters(owner).length;
  if (isInside && !isDeeper) {
    return { owner, maker, member: undefined, isText: true };
  }
  if (isInside) {
    return undefined;
  }
  const key = pathParameters(owner).at(-1);
  const noun = nounBefore(owner.path, key?.name ?? '');
  if (noun === undefined) {
    return undefined;
  }
  const names = membersSent(contract, maker);
  const member = names.find((name) => resourceNamed(name) === singular(noun));
  if (member === undefined) {
    return undefined;
  }
  return { owner, maker, member, isText: isText(contract, maker, member) };
}

/** A path without the names of its parameters, which may differ from one path to the next. */
const blank = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}');

function isText(contract: Contract, { requestBody }: Operation, member: string): boolean {
  const shapes = requestBody ? branchesOf(asRequest(contract), requestBody.pointer) : [];
  return shapes.some(({ properties }) => properties.get(member)?.types.has('string'));
}

/**
 * Makes an item that belongs to the owner of this path.
 * @throws NotPossible if the service refuses it, or does not show to whom it belongs
 */
export async function makeFor(
  session: Session,
  belonging: Belonging,
  { path = {} }: CallInput,
): Promise<HttpResponse> {
  const { owner, maker, member } = belonging;
  const call = await validCall(session, maker.operationId);
  const input =
    member === undefined
      ? { ...call, path: pathInside(belonging, path) }
      : namingIn(call, belonging, path);
  const response = await session.call(maker.operationId, input);
  if (response.status >= 300) {
    throw new NotPossible(`${maker.operationId} was not accepted (${response.status})`);
  }
  const { contract } = session.implementation;
  const shown = shownBy(contract, maker, response.json);
  if (member !== undefined && textAt(shown, member) !== lastOf(owner, path)) {
    throw new NotPossible(`${maker.operationId} makes nothing that shows to whom it belongs`);
  }
  return response;
}

type Path = NonNullable<CallInput['path']>;

/** The path of the maker, whose parameters are those of the owner, perhaps with other names. */
function pathInside({ owner, maker }: Belonging, path: Path): Path {
  const values = pathParameters(owner).map(({ name }) => memberOf(path, name) ?? '');
  const inside: Path = {};
  for (const [index, { name }] of pathParameters(maker).entries()) {
    setMember(inside, name, values[index] ?? '');
  }
  return inside;
}

function namingIn(call: CallInput, belonging: Belonging, path: Path): CallInput {
  const { owner, maker, member = '' } = belonging;
  const { json } = call;
  const name = lastOf(owner, path);
  if (!isObject(json) || name === undefined) {
    throw new NotPossible(`the body of ${maker.operationId} has no name of the item`);
  }
  const value = belonging.isText ? name : Number(name);
  return { ...call, json: { ...json, [member]: value } };
}

/** The name of the item in the path of an operation on it. */
function lastOf(owner: Operation, path: Path): string | undefined {
  const key = pathParameters(owner).at(-1);
  return memberOf(path, key?.name ?? '');
}

function textAt(item: unknown, member: string): string | undefined {
  const value = isObject(item) ? memberOf(item, member) : undefined;
  return value === undefined ? undefined : String(value);
}
