/** What a PATCH says: undefined stands for what it leaves as it is. */
export type Changes<T> = { [Name in keyof T]: T[Name] | undefined };

/** A new value; neither of the two given is touched, so that a change may still be refused. */
export function apply<T extends object>(old: T, changes: Changes<Partial<T>>): T {
  return { ...old, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) };
}
