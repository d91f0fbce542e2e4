/**
 * Items that lists showed before the run made anything. A POST may return one of them in place of a
 * new one, such as the tag that has the title already: it belongs to others.
 */
import { memberOf } from '../contract/by-name.ts';
import { spelt } from '../contract/item-keys.ts';
import { withoutSlash } from '../contract/item-paths.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { perContract } from '../contract/load.ts';
import { type Operation, operationsOf, pathParameters } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import type { Implementation } from './implementation.ts';

/** Members by which paths name an item. */
const KEYS: ReadonlySet<string> = new Set(['id', 'uuid', 'guid', 'key', 'slug', 'name']);

/** The memory of a run is bounded. */
const MOST = 10_000;

/** The keys of the items of a list, of a list in an envelope, or of a map of items. */
export function keysOfItems(json: unknown): string[] {
  const members: unknown[] = isObject(json) ? Object.values(json) : [json];
  const items: unknown[] = members.filter((list) => Array.isArray(list)).flat();
  const isMap = isObject(json) && members.length > 0 && members.every(isObject);
  const keys = isMap ? Object.keys(json) : items.flatMap(keysOf);
  return keys.slice(0, MOST);
}

function keysOf(item: unknown): string[] {
  if (isScalar(item)) {
    return [String(item)];
  }
  if (!isObject(item)) {
    return [];
  }
  const keys = Object.entries(item).filter(([name]) => KEYS.has(spelt(name)));
  return keys
    .map(([, value]) => value)
    .filter((value) => isScalar(value))
    .map(String);
}

/**
 * Whether the last parameter of the path names an item that existed before the run.
 * @param values of the path
 */
export function existedBefore(
  { survey, contract }: Pick<Implementation, 'survey' | 'contract'>,
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const last = pathParameters(operation).at(-1);
  const key = last && memberOf(values, last.name);
  if (last === undefined || key === undefined) {
    return false;
  }
  const end = operation.path.indexOf(`{${last.name}}`);
  const list = listsOf(contract).get(withoutSlash(operation.path.slice(0, end)));
  const { existing = [] } = (list && survey[list.operationId]) ?? {};
  return existing.includes(String(key));
}

/** The operations that read collections, by their paths; the first one of each. */
const listsOf = perContract((contract): ReadonlyMap<string, Operation> => {
  const reads = operationsOf(contract).filter(({ method }) => method === 'GET');
  return new Map(reads.toReversed().map((one) => [withoutSlash(one.path), one]));
});
