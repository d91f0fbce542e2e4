/** Items of another collection that a member of an item names, such as the room of a booking. */
import { memberOf } from '../contract/by-name.ts';
import { keyFor, spelt } from '../contract/item-keys.ts';
import { allLinks } from '../contract/item-links.ts';
import { type Operation, type Parameter, pathParameters } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { Blocked, NotPossible } from '../http/nonconformity.ts';
import { validCall } from '../requirements/calls.ts';
import type { Facts } from './resource.ts';
import type { Steps } from './steps.ts';

/** What makes an item, and the path parameter that names it. */
interface Maker {
  create: Operation;
  key: Parameter;
}

/** The POST whose items the member names: the path of one has a parameter of its name. */
function makerOf({ contract, id }: Facts, member: string): Maker | undefined {
  for (const { from, to } of allLinks(contract)) {
    const key = pathParameters(to).at(-1);
    const isNamed = key !== undefined && spelt(key.name) === spelt(member);
    if (isNamed && from.method === 'POST' && key.name !== id.parameter) {
      return { create: from, key };
    }
  }
  return undefined;
}

/**
 * The names of new items for a member. Fewer than `count`, or none, if the member names no items
 * that an operation makes.
 */
export async function newNamesFor(
  { session }: Steps,
  facts: Facts,
  member: string,
  count: number,
): Promise<unknown[]> {
  const maker = makerOf(facts, member);
  const names: unknown[] = [];
  if (maker === undefined) {
    return names;
  }
  const { create, key } = maker;
  const [own = '', around] = keyFor(facts.contract, create, key);
  for (let made = 0; made < count; made++) {
    try {
      const input = await validCall(session, create.operationId);
      const { status, json } = await session.call(create.operationId, input);
      const holder = around === undefined ? json : memberOf(Object(json), around);
      const name = isObject(holder) ? memberOf(holder, own) : undefined;
      if (status < 300 && name !== undefined) {
        names.push(name);
      }
    } catch (error) {
      // The requirements of that operation report why it makes nothing.
      if (!(error instanceof Blocked || error instanceof NotPossible)) {
        throw error;
      }
    }
  }
  return names;
}
