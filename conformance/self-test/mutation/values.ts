/** Changes to JSON values: another value of the same kind, and edits at a path. */
import { isObject } from '../../engine/contract/pointers.ts';
import { type Shape, strictest } from '../../engine/contract/shape.ts';

/** Stands for a property or item that is left out. */
export const DROP = Symbol('left out');

const TIMESTAMP = /^\d{4}-\d\d-\d\dT/;
const FIVE_MINUTES_MS = 300_000;
const HTTP_URI = /^https?:/;
/** A JSON Pointer that ends with an index. */
const INDEXED_POINTER = /^\/.*\d$/;

/** Another value of the same kind. Null, lists and objects stay as they are. */
export function altered(value: unknown, shape: Shape): unknown {
  if (value === null) {
    return null;
  }
  const choice = shape.choices?.find((one) => one !== value && one !== null);
  if (choice !== undefined) {
    return choice;
  }
  if (typeof value === 'boolean') {
    return !value;
  }
  if (typeof value === 'number') {
    const maximum = strictest(shape, 'maximum') ?? Infinity;
    return value < maximum ? value + 1 : value - 1;
  }
  if (typeof value === 'string') {
    return alteredText(value);
  }
  return value;
}

function alteredText(value: string): string {
  if (TIMESTAMP.test(value)) {
    return new Date(Date.parse(value) - FIVE_MINUTES_MS).toISOString();
  }
  if (HTTP_URI.test(value)) {
    return value.replace(/\/\/[^/]+/, '//other.example.com');
  }
  if (INDEXED_POINTER.test(value)) {
    return value.replace(/\d+$/, (index) => String(Number(index) + 1));
  }
  return `${value}x`;
}

type Change = (value: unknown) => unknown;

/**
 * A copy in which the value at each occurrence of the path is changed. `*` stands for any item or
 * property.
 */
export function editAt(value: unknown, path: readonly string[], change: Change): unknown {
  const [name, ...rest] = path;
  if (name === undefined) {
    return change(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value)) {
    const isOnPath = name === '*' || key === name;
    if (!isOnPath) {
      entries.push([key, child]);
      continue;
    }
    const edited = editAt(child, rest, change);
    if (edited !== DROP) {
      entries.push([key, edited]);
    }
  }
  if (Array.isArray(value)) {
    return entries.map(([, edited]) => edited);
  }
  return Object.fromEntries(entries);
}

/** Whether the test holds for the value at some occurrence of the path. */
export function someAt(
  value: unknown,
  path: readonly string[],
  test: (value: unknown) => boolean,
): boolean {
  const [name, ...rest] = path;
  if (name === undefined) {
    return test(value);
  }
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return Object.entries(value).some(([key, child]) => {
    const isOnPath = name === '*' || key === name;
    return isOnPath && someAt(child, rest, test);
  });
}

/**
 * A copy in which every object that lacks the property at the path has it, with the value `fill`.
 */
export function fillAt(value: unknown, path: readonly string[], fill: unknown): unknown {
  const name = path.at(-1);
  if (name === undefined) {
    return value;
  }
  const add = (holder: unknown) => {
    if (isObject(holder) && !Object.hasOwn(holder, name)) {
      return { ...holder, [name]: fill };
    }
    return holder;
  };
  return editAt(value, path.slice(0, -1), add);
}

/** Changes texts; other values stay as they are. */
export const onText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

/** Changes lists; other values stay as they are. */
export const onList =
  (change: (items: unknown[]) => unknown[]): Change =>
  (value) =>
    Array.isArray(value) ? change(value) : value;
