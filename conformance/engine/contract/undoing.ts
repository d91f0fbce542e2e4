/** Operations that bring back what was removed, such as `POST /books/{id}/restore`. */
import type { Contract } from './load.ts';
import type { Operation } from './operations.ts';
import { wordsAt } from './words.ts';

/** The beginning of a segment of a path, of an id or of a summary. */
const VERBS =
  /\b_?(restor|un-?_?(delet|remov|archiv|trash|destroy)|recover|reactivat|undo|reinstat|resurrect)/i;

/** As in "Shows a deleted book". */
const OF_REMOVED = /\b(deleted|removed|archived|trashed|discarded)\b/i;

/**
 * Whether an operation is about items that were removed: its words name them, or it changes
 * something and is called after what brings them back.
 */
export function isAboutRemoved(contract: Contract, operation: Operation): boolean {
  const { method, path, operationId, pointer } = operation;
  const [summary = ''] = wordsAt(contract, pointer).split('\n', 1);
  const action = path.slice(path.lastIndexOf('/') + 1);
  const changes = method !== 'GET' && method !== 'DELETE';
  const names = [action, operationId, summary].map((one) => one.replaceAll(CAPITAL, ' $1'));
  return OF_REMOVED.test(summary) || (changes && names.some((one) => VERBS.test(one)));
}

/** `restoreBook` has two words. */
const CAPITAL = /(?<=[a-z\d])([A-Z])/g;
