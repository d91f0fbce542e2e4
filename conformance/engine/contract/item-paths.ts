/** The paths of items, such as `/books/{id}`. */
import type { Operation } from './operations.ts';

/** Some frameworks have a slash at the end of a path. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');

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
