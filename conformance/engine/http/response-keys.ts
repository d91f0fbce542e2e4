/** The parts of a response that name an item. */
import { isScalar } from '../contract/json-numbers.ts';
import type { HttpResponse } from './response.ts';

/** The last segment of the path of a URI reference, as its first group; a slash may follow it. */
const LAST_SEGMENT = /([^/?#]+)\/?(?:[?#].*)?$/;

/** The last segment of the path in the `Location` of a response, decoded. */
export function endOf({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  const [, last] = LAST_SEGMENT.exec(headers['location'] ?? '') ?? [];
  if (last === undefined) {
    return undefined;
  }
  return decodeURIComponent(last);
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
    const value = members[name];
    if (isScalar(value) && typeof value !== 'boolean') {
      return String(value);
    }
  }
  return endOf(response);
}
