/** The statuses with which an operation refuses a request that breaks the contract. */
import { documentedStatuses, type Operation, statusesFrom } from '../contract/operations.ts';

/** Not what is refused: who asks, what is not there, what is in the way, how much and how often. */
const OTHER_REASONS = [401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 423, 428, 429];

/** Those that it documents; where it documents none, any from 400 to 499. */
export function refusalsOf(operation: Operation): number[] {
  const documented = documentedStatuses(operation, 4);
  const reasons = documented.length < 100 ? documented.filter((status) => !OTHER_REASONS.includes(status)) : documented;
  return reasons.length > 0 ? reasons : statusesFrom(400);
}
