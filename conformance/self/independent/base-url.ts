/** What every `uri` begins with. */
import { Refusal } from './problem.ts';

/** A host name or IP address and a port; nothing longer than DNS can hold. */
const HOST = /^(?:[\w.~-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** A host that is no host would make every URI wrong; RFC 9112, 3.2 asks for 400. HTTP/1.0 may send none. */
export function baseUrl(publicUrl: string | undefined, host = 'localhost'): string {
  if (!HOST.test(host)) throw new Refusal('malformed_request', 'The Host header names no host.');
  return publicUrl?.replace(/\/+$/, '') ?? `http://${host}`;
}

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?$/i;

/** Where no token is asked for, any web page could reach the service under a name of its own (DNS rebinding). */
export function refuseForeignHost(publicUrl: string | undefined, host = 'localhost'): void {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  if (host === known || LOOPBACK.test(host)) return;
  throw new Refusal('malformed_request', 'Without tokens, only hosts that are known here are served.');
}
