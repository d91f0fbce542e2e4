/** Access to the service: credentials, and the hosts under which it is known. */
import { ApiError } from './problem.ts';

export interface AccessOptions {
  /** Without it, the service runs open. */
  token?: string | undefined;
  /** Beside `token`. It permits no change. */
  readOnlyToken?: string | undefined;
  /** Every `uri` begins with it; by default, with the address in the Host header. */
  publicUrl?: string | undefined;
}

const BEARER = /^bearer +(.*)$/is;
const CHALLENGE = 'Bearer realm="independent"';

/**
 * Whether the credentials permit changes. @throws ApiError if they do not open the service; without
 * credentials, the challenge has no error code (RFC 6750).
 */
export function mayWrite(
  authorization: string | undefined,
  { token, readOnlyToken }: AccessOptions,
): boolean {
  if (token === undefined) {
    return true;
  }
  const [, sent] = BEARER.exec(authorization ?? '') ?? [];
  if (sent === token) {
    return true;
  }
  if (sent !== undefined && sent === readOnlyToken) {
    return false;
  }
  const challenge = authorization === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`;
  throw new ApiError('unauthorized', 'These credentials do not open this service.', {
    headers: { 'www-authenticate': challenge },
  });
}

/** Credentials for reading are used for a change. */
export function readOnlyError(): ApiError {
  return new ApiError('forbidden', 'These credentials are for reading only.', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` },
  });
}

/** A host name or IP address, and a port. DNS can hold no longer name. */
const HOST = /^(?:[\w.~-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;
const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?$/i;

/**
 * The beginning of every `uri`. @throws ApiError if the host is invalid, for which RFC 9112, 3.2
 * asks for 400, or unknown
 * @param host that of the request; HTTP/1.0 may send none
 */
export function baseUrl({ publicUrl, token }: AccessOptions, host = 'localhost'): string {
  if (!HOST.test(host)) {
    throw new ApiError('malformed_request', 'The Host header is not a host.');
  }
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const isKnown = host === publicHost || LOOPBACK.test(host);
  // Without tokens, any web page could reach the service under a name that it controls (DNS
  // rebinding).
  if (token === undefined && !isKnown) {
    throw new ApiError(
      'malformed_request',
      'Without tokens, only hosts that are known here are served.',
    );
  }
  return publicUrl?.replace(/\/+$/, '') ?? `http://${host}`;
}
