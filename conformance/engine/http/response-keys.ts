/** The parts of a response that name an item. */
import { memberOf } from '../contract/by-name.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { decode } from '../contract/percent-encoding.ts';
import type { HttpResponse } from './response.ts';

/** The last segment of the path of a URI reference, as its first group; a slash may follow it. */
const LAST_SEGMENT = /([^/?#]+)\/?(?:[?#].*)?$/;

/**
 * The last segment of the path in the `Location` of a response, decoded; as it stands if it is no
 * URI reference, since a service may send any text (RFC 3986, 2.1: `%` begins an encoded byte).
 */
export function endOf({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  const [, last] = LAST_SEGMENT.exec(headers['location'] ?? '') ?? [];
  if (last === undefined) {
    return undefined;
  }
  return decode(last);
}

/**
 * The text with which a response names an item: the first member of these names that is a text or a
 * number, else `id`, else the end of its `Location`.
 */
export function keyIn(
  response: Pick<HttpResponse, 'headers'> & { json?: unknown },
  ...names: string[]
): string | undefined {
  const members = Object(response.json) as Record<string, unknown>;
  for (const name of [...names, 'id']) {
    const value = memberOf(members, name);
    if (isScalar(value) && typeof value !== 'boolean') {
      return String(value);
    }
  }
  return endOf(response);
}
