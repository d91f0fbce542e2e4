/**
 * @param message says what is missing, for the authors of the suite
 * @throws Error if the value is undefined
 */
export function required<T>(value: T | undefined, message: string): T {
  if (value === undefined) {
    throw new Error(message);
  }
  return value;
}
