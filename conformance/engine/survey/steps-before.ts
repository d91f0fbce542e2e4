/** What may come before an action that refuses a new item, such as `solve` before `close`. */
import { isActionOn } from '../contract/item-actions.ts';
import { itemPathOf } from '../contract/item-paths.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { isAboutRemoved } from '../contract/undoing.ts';
import type { Implementation } from '../http/implementation.ts';

/** So many ways are tried for one action. */
const MOST_WAYS = 4;

/** A way has at most so many steps. */
const MOST_STEPS = 3;

/**
 * The ways to another state of a new item, each of a few operations that were reached: other
 * actions on it; or its removal, for an action that brings it back. None for an operation that
 * needs more than the item.
 */
export function waysBefore(
  operation: Operation,
  { contract, survey }: Pick<Implementation, 'contract' | 'survey'>,
): string[][] {
  const item = itemPathOf(operation);
  if (!isActionOn(item, operation) || !('409' in operation.responses)) {
    return [];
  }
  const bringsBack = isAboutRemoved(contract, operation);
  const ways: string[][] = [];
  for (const one of operationsOf(contract)) {
    const isRemoval = one.method === 'DELETE' && one.path === item;
    const mayHelp = bringsBack ? isRemoval : isActionOn(item, one);
    const { isReached, recipe } = survey[one.operationId] ?? {};
    const isOwn = isReached === true && recipe?.path.isOwn === true;
    if (one !== operation && mayHelp && isOwn) {
      ways.push([...(recipe.before ?? []), one.operationId]);
    }
  }
  return ways
    .filter((way) => way.length <= MOST_STEPS && !way.includes(operation.operationId))
    .toSorted((one, other) => one.length - other.length)
    .slice(0, MOST_WAYS);
}
