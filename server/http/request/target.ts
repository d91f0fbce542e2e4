/** Target and host, in the form that Express expects. Node's own check of the host is off: it sends no problem. */
import { isIPv4, isIPv6 } from 'node:net';
import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';
import { HttpError } from '../problem.ts';

/** RFC 9112, 3.2.2: the form that clients send to proxies, and that a server must accept. */
const ABSOLUTE_FORM = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

export const readTarget: RequestHandler = (req, _res, next) => {
  // Node's parser accepts the head of HTTP/2.0, although what follows cannot be HTTP/2.
  if (req.httpVersionMajor !== 1) {
    throw new ApiError('malformed_request', 'Send HTTP/1.1.');
  }
  checkSingleHeaders(req.rawHeaders, req.httpVersion);
  // RFC 9112, 6.1. Node decodes `chunked` alone, and passes on the rest.
  if (!['chunked', ''].includes((req.headers['transfer-encoding'] ?? '').toLowerCase())) {
    throw new HttpError(
      'malformed_request',
      'Only the transfer coding chunked is supported.',
      {},
      { status: 501 },
    );
  }
  const [origin, scheme, authority] = req.url.startsWith('/')
    ? []
    : (ABSOLUTE_FORM.exec(req.url) ?? []);
  if (origin !== undefined) {
    if (!/^https?$/i.test(scheme!)) {
      throw new ApiError('malformed_request', 'The request target is not http or https.');
    }
    const path = req.url.slice(origin.length);
    req.url = path.startsWith('/') ? path : `/${path}`;
    req.originalUrl = req.url;
    // It replaces the Host header (RFC 9112, 3.2.2).
    req.headers.host = authority!;
  }
  next();
};

/** @param headers names and values in turn, as Node gives them; Node's `headers` keep the first of several */
function checkSingleHeaders(headers: readonly string[], version: string): void {
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    if (name === 'host') {
      hosts++;
    } else if (name === 'authorization') {
      authorizations++;
    }
  }
  // RFC 9112, 3.2: exactly one, from HTTP/1.1 on.
  if (hosts > 1 || (hosts === 0 && version !== '1.0')) {
    throw new ApiError('malformed_request', 'Send one Host header.');
  }
  // A proxy in front may have checked another one than the one that is used here.
  if (authorizations > 1) {
    throw new ApiError('malformed_request', 'Send one Authorization header.');
  }
}

/** @throws ApiError unless the path and the query can be decoded */
export const checkEncoding: RequestHandler = (req, _res, next) => {
  try {
    if (req.url.includes('%')) {
      decodeURIComponent(req.url);
    }
  } catch {
    throw new ApiError('malformed_request', 'The path or the query is not valid percent-encoding.');
  }
  next();
};

/** Separates the port; brackets and labels are checked below. */
const HOST_AND_PORT = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{0,5}))?$/;

const HIGHEST_PORT = 65_535;

/** The host in lower case, without its port and a final dot; undefined where it is invalid. */
export function hostName(authority: string): string | undefined {
  const [, host, port] = HOST_AND_PORT.exec(authority) ?? [];
  if (host === undefined || Number(port ?? 0) > HIGHEST_PORT) {
    return undefined;
  }
  if (host.startsWith('[')) {
    return isIPv6(host.slice(1, -1)) ? host.toLowerCase() : undefined;
  }
  const name = host.replace(/\.$/, '').toLowerCase();
  return name.split('.').includes('') ? undefined : name;
}

/** Refuses invalid hosts and, where the service is open, unknown ones: any web page could reach it by DNS rebinding. */
export function checkHost(open: boolean, publicUrl: string | undefined): RequestHandler {
  const own = publicUrl === undefined ? undefined : hostName(new URL(publicUrl).host);
  // Most requests have the host of the one before.
  let last: { host: string; name: string | undefined } | undefined;
  return (req, _res, next) => {
    const { host } = req.headers;
    // A request of HTTP/1.0 may have no host: no browser sends one like this.
    if (host === undefined) {
      return next();
    }
    if (last?.host !== host) {
      last = { host, name: hostName(host) };
    }
    const { name } = last;
    if (name === undefined) {
      throw new ApiError(
        'malformed_request',
        'The Host header must be a host with an optional port.',
      );
    }
    if (open && name !== own && !isLoopback(name)) {
      throw new ApiError('malformed_request', UNKNOWN_HOST);
    }
    next();
  };
}

const UNKNOWN_HOST =
  'This server needs no token and therefore serves only localhost, 127.0.0.0/8 and [::1], so that web pages cannot reach it under host names of their own. To allow another host, set --public-url to its address, or require a token.';

/** @param name as `hostName` gives it */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}
