/**
 * Looks after a run for what creations have made that were refused, or that got no response, and
 * removes it.
 */
import { groupBy } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { sendAside } from '../http/aside.ts';
import type { Implementation } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import { HttpResponse, NoResponse } from '../http/response.ts';
import { CaseSession } from '../http/session.ts';
import type { UnconfirmedCalls } from '../http/unconfirmed.ts';
import { listRequests, listsIn, responseFor } from './marked-items.ts';

/** Of one operation: the parents that the run made are gone, and their items with them. */
const MOST_PATHS = 10;

/** @returns a sentence for each operation that has made something */
export async function lookBack(implementation: Implementation): Promise<string[]> {
  const { unconfirmed } = implementation;
  const byOperation = groupBy(unconfirmed.all, ({ operation }) => operation.operationId);
  const notes: string[] = [];
  for (const [operationId, all] of byOperation) {
    let count = 0;
    for (const calls of all.slice(-MOST_PATHS)) {
      count += await removeMade(implementation, calls);
    }
    if (count > 0) {
      const what = count === 1 ? 'one item' : `${count} items`;
      notes.push(`${operationId} made ${what} of requests that it refused or did not respond to.`);
    }
  }
  return notes;
}

/** @returns how many items there were */
async function removeMade(
  implementation: Implementation,
  calls: UnconfirmedCalls,
): Promise<number> {
  const { operation, path } = calls;
  const accepted = implementation.unconfirmed.acceptedOf(operation);
  const session = new CaseSession(implementation);
  const items = await itemsOf(implementation, calls);
  for (const item of items) {
    const input = path === undefined ? { json: item } : { path, json: item };
    session.made(operation.operationId, input, responseFor(item, accepted));
  }
  await session.cleanUp(true);
  return items.length;
}

/**
 * The items of the first list that shows some. Without a list, all that an operation may have made
 * which is known to do so: their texts alone. None if the service does not respond.
 */
async function itemsOf(
  implementation: Implementation,
  { operation, path, texts }: UnconfirmedCalls,
): Promise<unknown[]> {
  const isMade = (item: unknown) =>
    isObject(item) && Object.entries(item).some(([name, one]) => texts.get(one as string) === name);
  try {
    const requests = listRequests(implementation, operation, path);
    if (requests.length === 0 && implementation.unconfirmed.makers.has(operation)) {
      return [...texts].slice(-MOST_TEXTS).map(([text, name]) => ({ [name]: text }));
    }
    for (const request of requests) {
      const { status, json } = new HttpResponse(await sendAside(implementation, request));
      const items = status < 300 ? listsIn(json).flat().filter(isMade) : [];
      if (items.length > 0) {
        return items;
      }
    }
  } catch (error) {
    if (!(error instanceof NoResponse || error instanceof NotPossible)) {
      throw error;
    }
  }
  return [];
}

const MOST_TEXTS = 300;
