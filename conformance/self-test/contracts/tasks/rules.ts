/** The rules of the contract about parameters and bodies. */
import type { Json } from '../../messages.ts';

/** Whether the value of each name is right. */
type Rules<T> = Record<string, (value: T) => boolean>;

/** The first name whose value breaks its rule. */
function wrongIn<T>(rules: Rules<T>, value: T): string | undefined {
  const wrong = Object.entries(rules).find(([, isRight]) => !isRight(value));
  return wrong?.[0];
}

const DIGITS = /^(0|[1-9]\d*)$/;
const POSITIVE_DIGITS = /^[1-9]\d{0,18}$/;
const TAG = /^[a-z]{1,8}$/;

const isFrom = (least: number, text: string) => DIGITS.test(text) && Number(text) >= least;

function isUnique(values: readonly unknown[]): boolean {
  const texts = values.map((value) => JSON.stringify(value));
  return new Set(texts).size === texts.length;
}

function isText(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'string') {
    return false;
  }
  const { length } = [...value];
  return length >= least && length <= most;
}

/** Whether the text is a positive integer of 64 bits. */
export const isRightId = (id: string): boolean =>
  POSITIVE_DIGITS.test(id) && BigInt(id) < 2n ** 63n;

/** The values of a list that is written as one parameter. */
const listed = (text: string | null) => text?.split(',') ?? [];

const QUERY: Rules<URLSearchParams> = {
  tags(query) {
    const tags = listed(query.get('tags'));
    return tags.length <= 3 && isUnique(tags) && tags.every((tag) => TAG.test(tag));
  },
  points: (query) => query.getAll('points').every((one) => isFrom(1, one) && Number(one) <= 13),
  between(query) {
    const names = [...query.keys()].filter((name) => name.startsWith('between['));
    const isComplete = names.length === 0 || names.includes('between[from]');
    const isBound = (name: string) =>
      /\[(from|to)\]$/.test(name) && isFrom(0, query.get(name) ?? '');
    return isComplete && names.every(isBound);
  },
  done: (query) => /^(true|false)$/.test(query.get('done') ?? 'true'),
};

const MAX_PAGE_SIZE = 50;

/** The name of a parameter of the list that is wrong. */
export function wrongParameter(query: URLSearchParams, pageSize = '10'): string | undefined {
  if (!isFrom(1, pageSize) || Number(pageSize) > MAX_PAGE_SIZE) {
    return 'X-Page-Size';
  }
  return wrongIn(QUERY, query);
}

const BODY: Rules<Json> = {
  title: ({ title }) => isText(title, 1, 40),
  notes: ({ notes = null }) => notes === null || isText(notes, 0, 100),
  priority: ({ priority = 1 }) => typeof priority === 'number' && priority > 0 && priority <= 10,
  state: ({ state = 'open' }) => state === 'open' || state === 'done',
  labels: ({ labels = [] }) => areLabels(labels),
};

function areLabels(labels: unknown): boolean {
  if (!Array.isArray(labels) || labels.length > 4) {
    return false;
  }
  return isUnique(labels) && labels.every((one) => isText(one, 1, Infinity));
}

/** The name of a member that is unknown or wrong. */
export function wrongBody(body: Json): string | undefined {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(BODY, name));
  return unknown ?? wrongIn(BODY, body);
}
