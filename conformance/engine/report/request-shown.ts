/** The requests that show a finding, each in one line, as all reports for people list them. */
import type { Kind } from '../findings/kinds.ts';
import type { Failure } from '../run/result.ts';
import { changeInShort, changeShown, placeOf } from './change-shown.ts';
import { displayWidth, fit } from './columns.ts';
import { exchangeInShort } from './failure.ts';
import type { Group } from './overview.ts';
import { oneLine, withShortValues } from './text.ts';

/** In columns: a value that has less room says nothing. */
const NARROWEST = 20;

/**
 * A line for each request; for server errors, of each of their response bodies.
 * @param base is left out of URLs
 * @param width in columns
 */
export function requestsShowing(group: Group, base: string, width: number): string[] {
  return evidenceOf(group).flatMap((one) => linesShowing(one, base, width));
}

/** The number of requests that show one server error. */
const MOST_REQUESTS = 3;

/** The evidence of the finding; for a server error, a failure for each of its response bodies. */
function evidenceOf({ finding, failure, others }: Group): Failure[] {
  if (failure === undefined) {
    return [];
  }
  if (finding?.kind !== 'server-error') {
    return [failure];
  }
  const byBody = new Map([[bodyOf(failure), failure]]);
  for (const other of others) {
    if (other.failure !== undefined && !byBody.has(bodyOf(other.failure))) {
      byBody.set(bodyOf(other.failure), other.failure);
    }
  }
  return [...byBody.values()].slice(0, MOST_REQUESTS);
}

const VARYING = /\d+|[0-9a-f]{8,}/g;
/** In UTF-16 code units. */
const COMPARED = 300;

/** The beginning of the body of the last response, without what differs each time. */
function bodyOf({ exchanges }: Failure): string {
  const body = exchanges.at(-1)?.response?.body ?? '';
  return body.slice(0, COMPARED).replaceAll(VARYING, '0');
}

/**
 * The kinds of which the response says more than its status, and the share of the line that it may
 * take from the request.
 */
const SHARES_OF_VALUE: Partial<Record<Kind, number>> = {
  'server-error': 0,
  'refuses-valid': 0,
  response: 0.4,
  law: 0.4,
};

/** The change that a read shows, if there is one, and the last request with what is wrong. */
function linesShowing(failure: Failure, url: string, width: number): string[] {
  const change = changeShown(failure);
  const before = change === undefined ? [] : [changeInShort(change, failure, url, width)];
  return [...before, shownBy(failure, url, width)];
}

/** The last request, its status, and what is wrong with the response, if there is room for it. */
function shownBy(failure: Failure, url: string, width: number): string {
  const last = failure.exchanges.at(-1);
  if (last === undefined) {
    return failure.message;
  }
  const inShort = (columns: number) => exchangeInShort(last, url, columns);
  const share = SHARES_OF_VALUE[failure.kind];
  if (share === undefined || last.response === null) {
    return inShort(width);
  }
  // The request ends with the status.
  const got = withoutStatus(failure.got, last.response.status);
  if (got === '') {
    return inShort(width);
  }
  // The title of another kind has the rule.
  const place = failure.kind === 'law' ? placeOf(failure) : undefined;
  const due = place === undefined ? '' : ` in place of ${failure.expected.slice(place.length)}`;
  const value = `, ${oneLine(withShortValues(got + due))}`;
  const request = inShort(width - Math.min(displayWidth(value), Math.floor(share * width)));
  const room = width - displayWidth(request);
  return room < NARROWEST && room < displayWidth(value) ? request : request + fit(value, room);
}

function withoutStatus(got: string, status: number): string {
  const isStatusFirst = got === String(status) || got.startsWith(`${status}, `);
  if (isStatusFirst) {
    return got.slice(String(status).length + 2);
  }
  return got;
}
