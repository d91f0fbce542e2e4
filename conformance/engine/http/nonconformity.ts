/**
 * The errors that a check throws: the implementation breaks a rule, or nothing can be said about
 * it.
 */
import { stringifyJson } from '../contract/json-numbers.ts';
import { escapeSegment } from '../contract/pointers.ts';
import { firstDifference, LONGEST_VALUE, textInShort } from './long-values.ts';

/** One of the errors of a response. */
export interface Violation {
  /** The place in the contract, or a word of the suite: the same for each response. */
  what: string;
  /** The error in words, as reports show it behind the name of the operation. */
  words: string;
  message: string;
  expected: string;
  got: string;
  /** JSON Pointer of the clause that is broken. */
  clause?: string;
}

/** The implementation breaks a rule. It has the expected value and the one that came. */
export class Nonconformity extends Error {
  override name = 'Nonconformity';
  readonly details: {
    expected: string;
    got: string;
    /**
     * JSON Pointer of a clause of the contract that states the rule more exactly than the
     * requirement.
     */
    clause?: string;
    /**
     * `status`: another status than the expected one. `effect`: what the request did, whatever its
     * status.
     */
    kind?: 'status' | 'effect';
    /** The statuses that were due, beside `kind`. */
    due?: readonly number[];
    /** All errors of the response: the first one is the message. */
    violations?: readonly Violation[];
  };

  constructor(message: string, details: Nonconformity['details']) {
    super(message);
    this.details = details;
  }
}

/**
 * The service lacks what a case needs, such as enough event types. That is not a failure: the
 * requirement is skipped.
 */
export class NotPossible extends Error {
  override name = 'NotPossible';
}

/** Undefined for what the service or the contract does not allow. */
export async function ifPossible<T>(make: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof NotPossible) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Another operation did not give what a case needs: that operation must be fixed, and the
 * requirement of the case is blocked.
 */
export class Blocked extends Error {
  override name = 'Blocked';
  /** The `operationId`. */
  readonly by: string;

  constructor(by: string, reason: string) {
    super(`${by} was not reached: ${reason}`);
    this.by = by;
  }
}

/**
 * The case was broken off, by the service or by the user. It has no result: the requirement is in
 * error.
 */
export class BrokenOff extends Error {
  override name = 'BrokenOff';
}

/**
 * Shows the first difference. Objects may have more properties than are expected, in any order.
 * @throws Nonconformity unless both are equal as JSON otherwise
 */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  const difference = differ(got, expected, '');
  if (difference === undefined) {
    return;
  }
  const { at } = difference;
  const shown = shownApart(difference);
  if (at === '') {
    throw new Nonconformity(what, shown);
  }
  throw new Nonconformity(`${what} (at ${at})`, {
    expected: `at ${at}: ${shown.expected}`,
    got: `at ${at}: ${shown.got}`,
  });
}

/** Two values that should be the same. */
export interface Apart {
  expected: unknown;
  got: unknown;
}

/** Both as texts; for two long texts, their kinds and the place at which they differ. */
function shownApart({ expected, got }: Apart): { expected: string; got: string } {
  const areTexts = typeof expected === 'string' && typeof got === 'string';
  if (areTexts && expected.length > LONGEST_VALUE) {
    const at = firstDifference(expected, got);
    return { expected: textInShort(expected), got: `${textInShort(got)}, differs at ${at}` };
  }
  return { expected: show(expected), got: show(got) };
}

export function expectThat(
  condition: boolean,
  message: string,
  { expected, got }: Apart,
): asserts condition {
  if (!condition) {
    throw new Nonconformity(message, { expected: show(expected), got: show(got) });
  }
}

const MAX_SHOWN = 2_000;

export function show(value: unknown, most = MAX_SHOWN): string {
  const text = typeof value === 'string' ? value : toText(value);
  if (text.length > most) {
    return `${text.slice(0, most)}… (${text.length} characters)`;
  }
  return text;
}

/** JSON, if it can be written: a value that nests too deeply can be read, but not written. */
export function toText(value: unknown): string {
  try {
    return stringifyJson(value) ?? 'nothing';
  } catch {
    return 'JSON that nests too deeply to be shown';
  }
}

/** The length of JSON up to which two lists are shown whole. */
const MAX_LIST = 200;
const MOST_NAMED = 3;

/**
 * Two lists as they are if they are short; else the number of items of each, and the items that the
 * other one lacks.
 */
export function apart(got: readonly unknown[], expected: readonly unknown[]): Apart {
  if (toText(got).length <= MAX_LIST && toText(expected).length <= MAX_LIST) {
    return { got, expected };
  }
  const missing = lacking(expected, got);
  const added = lacking(got, expected);
  const hasSameItems = missing.length + added.length === 0;
  const index = expected.findIndex((item, at) => toText(item) !== toText(got[at]));
  if (hasSameItems && index >= 0) {
    return { got: orderInWords(got, index), expected: orderInWords(expected, index) };
  }
  return { got: itemsInWords(got, added), expected: itemsInWords(expected, missing) };
}

/** The items of a list that the other one does not have, as texts. */
function lacking(list: readonly unknown[], other: readonly unknown[]): string[] {
  const others = new Set(other.map(toText));
  return list.map(toText).filter((item) => !others.has(item));
}

const orderInWords = (list: readonly unknown[], index: number): string =>
  `${list.length} items, item ${index}: ${toText(list[index])}`;

/** @param alone the items that the other list does not have */
function itemsInWords({ length }: readonly unknown[], alone: readonly string[]): string {
  if (alone.length === 0) {
    return `${length} items`;
  }
  const named = alone.slice(0, MOST_NAMED).join(', ');
  const more = alone.length > MOST_NAMED ? ` and ${alone.length - MOST_NAMED} more` : '';
  return `${length} items, only here: ${named}${more}`;
}

interface Difference extends Apart {
  /** JSON Pointer. */
  at: string;
}

/**
 * A double beyond 2^53 stands for each of the integers that are read as it: a service may write
 * another one of them (RFC 8259, 6).
 */
const isWrittenAs = (got: unknown, expected: unknown): boolean =>
  typeof got === 'bigint' && typeof expected === 'number' && Number(got) === expected;

/** The first difference. Properties that only `got` has are ignored: responses are open. */
function differ(got: unknown, expected: unknown, at: string): Difference | undefined {
  if (typeof expected !== 'object' || expected === null) {
    if (got === expected || isWrittenAs(got, expected)) {
      return undefined;
    }
    return { at, got, expected };
  }
  if (typeof got !== 'object' || got === null || Array.isArray(got) !== Array.isArray(expected)) {
    return { at, got, expected };
  }
  const members = new Map(Object.entries(got));
  for (const [name, value] of Object.entries(expected)) {
    // The length shows what a list lacks at its end.
    if (Array.isArray(expected) && !members.has(name)) {
      break;
    }
    const difference = differ(members.get(name), value, `${at}/${escapeSegment(name)}`);
    if (difference !== undefined) {
      return difference;
    }
  }
  if (Array.isArray(got) && Array.isArray(expected) && got.length !== expected.length) {
    return { at, ...apart(got, expected) };
  }
  return undefined;
}
