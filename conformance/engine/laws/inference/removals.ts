/** The statuses of calls that name an item that is removed. */
import { documentedStatuses, type Operation } from '../../contract/operations.ts';
import type { Named } from '../resource.ts';

/**
 * The statuses of a read once the item is removed, as far as the contract says; empty if it may be
 * done later.
 */
export function goneStatuses(read: Operation, removal: Operation): readonly number[] {
  if ('202' in removal.responses) {
    return [];
  }
  const named = [404, 410].filter((status) => String(status) in read.responses);
  // A removal whose response has a body may keep the item as a removed one.
  if (named.length > 0) {
    return named;
  }
  return '204' in removal.responses ? documentedStatuses(read, 4) : [];
}

/** The statuses of calls that name a removed item. A PUT may make it again if it documents 201. */
export function missingOf(
  update: Operation | undefined,
  gone: readonly number[],
): Partial<Record<Named, readonly number[]>> {
  const isUpdate = update && '404' in update.responses && !('201' in update.responses);
  return { read: gone, ...(isUpdate ? { update: documentedStatuses(update, 4) } : {}) };
}
