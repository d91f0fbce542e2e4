/**
 * An object of values by names of the contract. It inherits nothing: an operation may be called
 * `constructor` or `toString`.
 */
export function byName<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const values = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) {
    values[name] = value;
  }
  return values;
}
