/**
 * Requests that the HTTP server below an application may refuse by itself, in any form: no handler
 * sees them. Tomcat and Jetty, for example, refuse encoded slashes, backslashes and control
 * characters; every server has a longest target.
 */

/** In characters. Every HTTP server takes as many. */
const LONGEST = 2_000;

/** An encoded control character, slash or backslash. */
const ENCODED = /%(?:[01][0-9a-f]|7f|2f|5c)/i;
/** The scheme and the host of an absolute URI. */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** Whether the server below may refuse the target, whatever the application does with it. */
export function mayBeRefusedBelow(target: string): boolean {
  const [path = ''] = target.replace(ORIGIN, '').split('?', 1);
  return path.includes('//') || target.length > LONGEST || ENCODED.test(target);
}
