/** The change whose effect a read shows: the read alone does not say what went wrong. */
import { stringifyJson } from '../contract/json-numbers.ts';
import { isObject, parsePointer } from '../contract/pointers.ts';
import { parse } from '../http/response.ts';
import { isSafe } from '../survey/left-out.ts';
import type { Failure, ReportedExchange } from '../run/result.ts';
import { displayWidth } from './columns.ts';
import { exchangeInShort } from './failure.ts';

/**
 * The last change before a read that breaks a law or shows what was removed, and before any request
 * that stops the service.
 */
export function changeShown({ kind, exchanges }: Failure): ReportedExchange | undefined {
  const read = exchanges.at(-1);
  const change = exchanges.slice(0, -1).findLast(isChange);
  // A service may stop after several requests, of which the last one is a change, too.
  if (read === undefined || kind === 'stopped') {
    return change;
  }
  if (isChange(read)) {
    return undefined;
  }
  if (kind === 'law') {
    return change;
  }
  const isOfSameItem = change !== undefined && change.request.url === read.request.url;
  if (kind === 'accepts-invalid' && isOfSameItem) {
    return change;
  }
  return undefined;
}

const isChange = ({ request }: ReportedExchange): boolean => !isSafe(request);

/** The place at which two values differ, as evidence begins with it. */
const PLACE = /^at (\/\S*): /;

/** Such as `at /name: `, if both the expected and the other value begin with it. */
export function placeOf({ expected, got }: Failure): string | undefined {
  const [place] = PLACE.exec(got) ?? [];
  if (place !== undefined && expected.startsWith(place)) {
    return place;
  }
  return undefined;
}

/** If there is no room for the body, its member that the failure is about stands for it. */
export function changeInShort(
  change: ReportedExchange,
  failure: Failure,
  base: string,
  width: number,
): string {
  const whole = exchangeInShort(change, base, Infinity);
  if (displayWidth(whole) <= width) {
    return whole;
  }
  return exchangeInShort(withMemberAlone(change, failure), base, width);
}

function withMemberAlone(change: ReportedExchange, { got }: Failure): ReportedExchange {
  const [, pointer = ''] = PLACE.exec(got) ?? [];
  const [member] = pointer === '' ? [] : parsePointer(pointer);
  const body = parse(change.request.body ?? '');
  if (member === undefined || !isObject(body) || !Object.hasOwn(body, member)) {
    return change;
  }
  const start = stringifyJson({ [member]: body[member] }).slice(0, -1);
  const hasMore = Object.keys(body).length > 1;
  const short = hasMore ? `${start}, …}` : `${start}}`;
  return { ...change, request: { ...change.request, body: short } };
}
