/**
 * Values that must be there, because the law that needs them is stated only for resources that have
 * them.
 */

/** The value. @throws Error with the message if it is undefined */
export function required<T>(value: T | undefined, message: string): T {
  if (value === undefined) {
    throw new Error(message);
  }
  return value;
}

/** The element at an index; a negative index counts from the end. @throws Error if there is none */
export function elementAt<T>(list: readonly T[], index: number): T {
  return required(list.at(index), `the list has ${list.length} elements, and none at ${index}`);
}
