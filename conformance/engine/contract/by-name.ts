/**
 * Values by names of contracts and of services, which may be `constructor`, `toString` or
 * `__proto__`: inherited members of an object do not count.
 */

/** An object of values by names, which inherits nothing. */
export function byName<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const values = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) {
    values[name] = value;
  }
  return values;
}

/** The own value of an object under a name; undefined if it has none. */
export function memberOf<T>(
  holder: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  if (holder !== undefined && Object.hasOwn(holder, name)) {
    return holder[name];
  }
  return undefined;
}

/** Sets an own value. An assignment to `__proto__` would exchange the prototype of the object. */
export function setMember<T>(holder: Record<string, T>, name: string, value: NoInfer<T>): void {
  if (name !== '__proto__') {
    holder[name] = value;
    return;
  }
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
