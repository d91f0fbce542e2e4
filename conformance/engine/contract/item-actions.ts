/** Actions on an item, such as `POST /tickets/{id}/close`. */
import type { Operation } from './operations.ts';

const ONE_SEGMENT = /^\/[^/{}]+$/;

/**
 * Whether an operation is a POST right behind the item that needs no body and is done with its
 * response.
 * @param item the path of the item, such as `/tickets/{id}`
 */
export function isActionOn(
  item: string,
  { method, path, requestBody, responses }: Operation,
): boolean {
  const isBehind = path.startsWith(`${item}/`) && ONE_SEGMENT.test(path.slice(item.length));
  return method === 'POST' && isBehind && requestBody === null && !('202' in responses);
}
