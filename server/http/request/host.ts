/** The host of a request. Node's own check of it is off: it sends no problem document. */
import { isIPv4, isIPv6 } from 'node:net';
import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';

/**
 * Refuses invalid hosts and, if the service is open, unknown ones: otherwise any web page could
 * reach it by DNS rebinding.
 */
export function checkHost(isOpen: boolean, publicUrl: string | undefined): RequestHandler {
  const publicHost = publicUrl === undefined ? undefined : hostName(new URL(publicUrl).host);
  return (req, _res, next) => {
    const { host } = req.headers;
    // A request of HTTP/1.0 may have no host: no browser sends one like this.
    if (host !== undefined) {
      const name = validHostName(host);
      if (isOpen && name !== publicHost && !isLoopback(name)) {
        throw new ApiError('malformed_request', UNKNOWN_HOST);
      }
    }
    next();
  };
}

const UNKNOWN_HOST =
  'This server needs no token and therefore serves only localhost, 127.0.0.0/8 and [::1], so ' +
  'that web pages cannot reach it under their own host names. To allow another host, set ' +
  '--public-url to its address, or require a token.';

/** @throws ApiError */
function validHostName(host: string): string {
  const name = hostName(host);
  if (name === undefined) {
    const detail = 'The Host header must be a host with an optional port.';
    throw new ApiError('malformed_request', detail);
  }
  return name;
}

/** Separates the port; brackets and labels are checked below. */
const HOST_AND_PORT = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{0,5}))?$/;

const HIGHEST_PORT = 65_535;

/** The host in lower case, without its port and a final dot; undefined if it is invalid. */
export function hostName(authority: string): string | undefined {
  const [, host, port = ''] = HOST_AND_PORT.exec(authority) ?? [];
  if (host === undefined || Number(port) > HIGHEST_PORT) {
    return undefined;
  }
  if (host.startsWith('[')) {
    return isIPv6(host.slice(1, -1)) ? host.toLowerCase() : undefined;
  }
  const name = host.replace(/\.$/, '').toLowerCase();
  const hasEmptyLabel = name.split('.').includes('');
  return hasEmptyLabel ? undefined : name;
}

/** @param name as `hostName` returns it */
export function isLoopback(name: string): boolean {
  const isLoopbackV4 = isIPv4(name) && name.startsWith('127.');
  return name === 'localhost' || name === '[::1]' || isLoopbackV4;
}
