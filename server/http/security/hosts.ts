/**
 * Refuses a host that is none, and, where no token is asked for, hosts that are not known. Without that, any web page could
 * reach an open server on the reader's own machine: its script asks a host name of its own that is made to lead to 127.0.0.1
 * (DNS rebinding), and to the browser both are one origin.
 */
import { isIPv4, isIPv6 } from 'node:net';
import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';

/** As far as the two are told apart by it; what is in brackets and in the labels is looked at below. */
const HOST_AND_PORT = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{0,5}))?$/;

const HIGHEST_PORT = 65_535;

/** Without its port and in lower case; undefined where it is no host. */
export function hostName(authority: string): string | undefined {
  const [, host, port] = HOST_AND_PORT.exec(authority) ?? [];
  if (host === undefined || Number(port ?? 0) > HIGHEST_PORT) return undefined;
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1)) ? host.toLowerCase() : undefined;
  // A dot at the end may stand for the root of all names.
  const name = host.replace(/\.$/, '').toLowerCase();
  return name.split('.').includes('') ? undefined : name;
}

export interface HostOptions {
  /** Nobody needs a token. */
  open: boolean;
  /** Its host is known, too. */
  publicUrl: string | undefined;
}

/** A request of HTTP/1.0 may have no host: no browser sends one like this. */
export function checkHost({ open, publicUrl }: HostOptions): RequestHandler {
  const own = publicUrl === undefined ? undefined : hostName(new URL(publicUrl).host);
  const known = new Map<string, ApiError | undefined>();
  const errorFor = (authority: string): ApiError | undefined => {
    const name = hostName(authority);
    if (name === undefined)
      return new ApiError('malformed_request', 'The Host header must be a host with an optional port.');
    return !open || isLoopback(name) || name === own ? undefined : new ApiError('malformed_request', UNKNOWN_HOST);
  };
  return (req, _res, next) => {
    const { host } = req.headers;
    if (host !== undefined) {
      if (!known.has(host)) {
        // Clients choose them.
        if (known.size >= MOST_KNOWN) known.clear();
        known.set(host, errorFor(host));
      }
      const error = known.get(host);
      if (error !== undefined) throw error;
    }
    next();
  };
}

const MOST_KNOWN = 100;

const UNKNOWN_HOST =
  'This server asks for no token, and so serves localhost, 127.0.0.0/8 and [::1] alone, lest web pages reach it under names of their own. To allow another host, set --public-url to its address, or ask for a token.';

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}
