/** The meaning of PATCH (D11), for one property. */

/**
 * The value after a change: what is omitted stays, null resets to `fallback`, and a value replaces.
 */
export function patched<T>(before: T, sent: T | null | undefined, fallback: T): T {
  if (sent === undefined) {
    return before;
  }
  return sent ?? fallback;
}
