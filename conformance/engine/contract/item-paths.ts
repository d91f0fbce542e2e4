/** The paths of items, such as `/books/{id}`. */
import type { Operation } from './operations.ts';

/**
 * The path without what stands behind its last segment or key: some frameworks have a slash there,
 * and OData a parenthesis, as in `/Products({id})`.
 */
export const withoutSlash = (path: string): string => path.replace(/(?<=\})'?\)$|\/$/, '');

/**
 * What stands between a collection and the key of an item: a slash, or a parenthesis with or
 * without a quote, as in `/Products({id})` of OData.
 */
export const BEFORE_KEY = /(?:\/|\('?)$/;

/** A path up to its last key: the collection, and the name of the key. */
export const LAST_KEY = /^(.*)(?:\/|\('?)\{([^{}]+)\}/;

/**
 * The path of the item that an operation is about, such as `/books/{id}`; of `/books/{id}/`,
 * without the slash.
 */
export const itemPathOf = ({ path }: Operation): string => path.slice(0, path.lastIndexOf('}') + 1);

/**
 * Whether the operation is that of the item at this path: some frameworks have a slash at the end.
 */
export const isOfItem = ({ path }: Operation, item: string): boolean =>
  path === item || path === `${item}/`;
