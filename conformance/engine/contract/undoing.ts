/** Operations that bring back what was removed, such as `POST /books/{id}/restore`. */
import type { Contract } from './load.ts';
import type { Operation } from './operations.ts';
import { wordsAt } from './words.ts';

/** Verbs that bring something back. */
const BRINGS_BACK = /\b(restor|recover|reactivat|undo\b|reinstat|resurrect)/i;

/** Verbs that undo another one: `undelete` and `un-archive`. */
const UNDOES = /\bun[- ]?(delet|remov|archiv|trash|destroy)/i;

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
  const named = [action, operationId, summary].join(' ').replaceAll(BETWEEN_WORDS, ' ');
  const isUndoing = BRINGS_BACK.test(named) || UNDOES.test(named);
  return OF_REMOVED.test(summary) || (changes && isUndoing);
}

/** `bookRestore` and `book_restore` have two words each. */
const BETWEEN_WORDS = /(?<=[a-z\d])(?=[A-Z])|_/g;
