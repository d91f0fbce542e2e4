/** Operations that bring back what was removed, such as `POST /books/{id}/restore`. */
import { itemPathOf, withoutSlash } from './item-paths.ts';
import type { Contract } from './load.ts';
import { nounOf } from './nouns.ts';
import { type Operation, operationsOf, type Parameter } from './operations.ts';
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

/** Words of a DELETE that keeps the item. */
const KEEPS = /\b(soft|archiv|restor|recover|trash|deactivat|disabl)/i;

/** A query parameter that asks for removed items, too, as `show_deleted` of Google's AIP-164. */
const ASKS_FOR_REMOVED =
  /^(include|with|show|list|return)[-_]?(soft[-_]?)?(deleted|removed|trashed)$/i;

const ASKS_FOR_ARCHIVED = /^(include|with|show|list|return)[-_]?(soft[-_]?)?archived$/i;

export const asksForRemoved = ({ name }: Parameter): boolean => ASKS_FOR_REMOVED.test(name);

export const asksForArchived = ({ name }: Parameter): boolean => ASKS_FOR_ARCHIVED.test(name);

/** Whether an item may be kept somewhere after its removal, so that it can be seen or come back. */
export function mayBeKept(contract: Contract, removal: Operation): boolean {
  if (KEEPS.test(wordsAt(contract, removal.pointer))) {
    return true;
  }
  const item = itemPathOf(removal);
  return operationsOf(contract).some((one) => {
    const isAbout = one.path.startsWith(item) && isAboutRemoved(contract, one);
    const isAsked = one.parameters.some((each) => asksForRemoved(each) || asksForArchived(each));
    return isAbout || (isAsked && !listsOthers(contract, one, removal));
  });
}

/** Whether it lists items of another kind than the removal removes: tickets, and not comments. */
function listsOthers(contract: Contract, one: Operation, removal: Operation): boolean {
  const list = withoutSlash(one.path);
  const isOfItems = operationsOf(contract).some(({ path }) => {
    const isBelow = path.startsWith(`${list}/`);
    return isBelow && ONE_PARAMETER.test(withoutSlash(path.slice(list.length + 1)));
  });
  return isOfItems && nounOf(one) !== nounOf(removal);
}

const ONE_PARAMETER = /^\{[^{}]+\}$/;

/** `bookRestore` and `book_restore` have two words each. */
const BETWEEN_WORDS = /(?<=[a-z\d])(?=[A-Z])|_/g;
