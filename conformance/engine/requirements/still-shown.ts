/** Items that a read still shows after they were removed. */
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { wordsAt } from '../contract/words.ts';

/** Two reads, before and after a removal, as far as the contract declares their members. */
export interface TwoReads {
  before: unknown;
  after: unknown;
}

/**
 * Whether the second read shows the removed item as one that is there: nothing has changed but the
 * time or the version of the last change. A mark of the removal is the state of an item that the
 * service keeps, unless the contract says that a removed one cannot be read. Any other difference
 * may be that of a new item with the same id.
 */
export function isStillShown(
  contract: Contract,
  removal: Operation,
  { before, after }: TwoReads,
): boolean {
  if (!isObject(before) || !isObject(after)) {
    return isDeepStrictEqual(before, after);
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => {
    return !isDeepStrictEqual(memberOf(before, name), memberOf(after, name));
  });
  const isUnreadable = CANNOT_BE_READ.test(wordsAt(contract, removal.pointer));
  return changed.every((name) => OF_CHANGE.test(name) || (isUnreadable && MARK.test(name)));
}

/** Such as `updatedAt` and `revision`. */
const OF_CHANGE = /^(last_?)?(updat|modif|chang)\w*$|^(version|revision|etag)$/i;

/** Such as `deletedAt` and `is_removed`. */
const MARK = /^(is_?)?(delet|remov|trash|discard)\w*$/i;

/** As in "It can no longer be read." */
const CANNOT_BE_READ =
  /\b(cannot|can ?not|can no longer|no longer) (be )?(read|found|retrieved|shown|seen|accessed)\b/i;
