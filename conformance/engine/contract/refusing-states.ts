/** The states of an item in which something is refused, as the words of a contract name them. */
import { escapeRegExp } from './escape-reg-exp.ts';

/** The item that the words are about. */
export interface StatedItem {
  /** Its name as a regular expression, such as `ticket`. */
  noun: string;
  /** Whether `it` may be this item, too. */
  isNearest: boolean;
  /** The values of the member that shows its state. */
  choices: readonly string[];
}

/** As in "Administrators may still change it." */
const HAS_EXCEPTIONS =
  /\b(unless|except|exceptions?|if|when|while|may|might|force[ds]?|admin\w*)\b/i;

/** What may follow behind another reason: `or has 10 tags`, `or the agent is not active`. */
const OTHER_REASON = ',? or (?:the|it|its|has|there|already)\\b.*';

/** Names of any item. */
const ANY_ITEM = 'it|item|resource|object|entity|record';

/**
 * The states in which the words say that a request is refused, as in "The ticket is closed." and
 * "The order is not open or paid". Empty if they name none, or say more than that.
 */
export function refusingStates(words: string, item: StatedItem): string[] {
  const sentences = words.split(/[.;!]+(?:\s+|$)|\n\s*\n/).map(plain);
  if (sentences.some((sentence) => HAS_EXCEPTIONS.test(sentence))) {
    return [];
  }
  const found = new Set<string>();
  for (const sentence of sentences) {
    statesIn(sentence, item).forEach((state) => found.add(state));
  }
  // No request could be right in all of them.
  const isEach = found.size === item.choices.length;
  return isEach ? [] : [...found];
}

/** In lower case, without quotes, and with spaces in place of `_` and `-`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[`'"*]/g, '')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

function statesIn(sentence: string, { noun, isNearest, choices }: StatedItem): string[] {
  const states = choices.map((one) => escapeRegExp(plain(one))).filter((one) => one !== '');
  if (states.length === 0) {
    return [];
  }
  const anyState = `(?:${states.toSorted((one, other) => other.length - one.length).join('|')})`;
  const list = `(?<list>${anyState}(?:(?:, (?:n?or )?| n?or )${anyState})*)`;
  const name = isNearest ? `(?:${noun}|${ANY_ITEM})` : noun;
  const subject = `(?:(?:the|an?|this|that) )?(?:(?:state|status) of (?:the )?)?${name}`;
  const verb = '(?: (?:is|was|has been|has already been)|(?= already))';
  const no = '(?<no> (?:not|no longer|neither))?';
  const adverbs =
    '(?: (?:already|currently|still|now|any longer|any more|in(?: (?:state|status))?))*';
  const end = `(?: already| any ?more| any longer)?(?:$|${OTHER_REASON})`;
  const isInState = `^${subject}${verb}${adverbs}${no}${adverbs} ${list}${end}`;
  const onlyThose = `^only ${list} ${noun}(?:e?s)? can be [a-z]+$`;
  const stated = new RegExp(isInState).exec(sentence);
  const { list: named, no: negation } = stated?.groups ?? {};
  if (named !== undefined) {
    return chosen(named, choices, negation === undefined);
  }
  const { list: only } = new RegExp(onlyThose).exec(sentence)?.groups ?? {};
  if (only !== undefined) {
    return chosen(only, choices, false);
  }
  return [];
}

/** The states of a list, or all others. */
function chosen(list: string, choices: readonly string[], areNamed: boolean): string[] {
  const names = new Set(list.split(/, (?:n?or )?| n?or /));
  return choices.filter((one) => names.has(plain(one)) === areNamed);
}
