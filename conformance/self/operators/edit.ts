/** Changes of JSON values at a path. */
import { isObject, type Json } from '../mutate/request.ts';

/** Stands for a property or item that is left out. */
export const DROP = Symbol('left out');

export interface Place {
  /** The object or list that has the value, before any change. */
  holder: Json | unknown[];
  name: string;
}

/** A copy with the value at each occurrence of the path changed; where nothing is changed, the same value. */
export function editAt(
  value: unknown,
  path: readonly string[],
  change: (value: unknown, place: Place) => unknown,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const edit = (inner: unknown, key: string, holder: Json | unknown[]) =>
    rest.length === 0 ? change(inner, { holder, name: key }) : editAt(inner, rest, change);
  if (Array.isArray(value)) {
    if (name !== '*') return value;
    return value.map((item, index) => edit(item, String(index), value)).filter((item) => item !== DROP);
  }
  if (!isObject(value)) return value;
  if (name !== '*' && !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, name === '*' || key === name ? edit(inner, key, value) : inner] as const)
      .filter(([, inner]) => inner !== DROP),
  );
}

/** Adds what is missing: at each object that the path to the property leads to and that does not have it. */
export function fillAt(value: unknown, path: readonly string[], fill: unknown): unknown {
  const name = path.at(-1)!;
  const add = (holder: unknown) =>
    isObject(holder) && !Object.hasOwn(holder, name) ? { ...holder, [name]: fill } : holder;
  return path.length === 1 ? add(value) : editAt(value, path.slice(0, -1), add);
}
