/** The context of each request, and its one line in the log. */
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Operation } from '../../contract.ts';
import type { FieldError } from '../../domain/types.ts';
import { newRequestId } from '../../ids.ts';

export interface RequestContext {
  readonly requestId: string;
  readonly log: Logger;
  /** In milliseconds, by `performance.now`. */
  readonly start: number;
  /** Undefined before routing, and if the contract has no such path. */
  operation?: Operation;
  /** Errors of the request that no schema can state. */
  errors: readonly FieldError[];
  /** The fingerprint of the token that was sent. */
  token?: string | undefined;
  /** The faults that the request asked for and gets, such as `drop`. */
  injected?: string;
}

/** Paths that orchestrators ask for every few seconds. */
export const PROBES: readonly string[] = ['/livez', '/readyz'];

/** In `res.locals`, beside what others keep there. */
export const contextOf = (res: Response): RequestContext =>
  res.locals['requestContext'] as RequestContext;

/**
 * A logger whose lines have the id of the request. Made on demand: most requests log nothing beside
 * their line.
 */
export function logOf(res: Response): Logger {
  const { log, requestId } = contextOf(res);
  return log.child({ request_id: requestId });
}

/** The query of a URL may hold secrets. */
export function pathWithoutQuery(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path;
}

/**
 * Gives each request its context, its id in `X-Request-Id`, and one line in the log. That has no
 * body, no query and no token, and of the headers what tells clients apart: the others may hold
 * secrets (D27).
 *
 * @param isBehindProxy whether the sender of each request is trusted to name its id and its client
 */
export function logRequests(log: Logger, isBehindProxy: boolean): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    const requestId = (isBehindProxy ? sentId(req) : undefined) ?? newRequestId();
    const context: RequestContext = { requestId, log, start, errors: [] };
    res.locals['requestContext'] = context;
    res.setHeader(REQUEST_ID, requestId);
    // Applications around this one may change them meanwhile, and a closed connection has no
    // address.
    const { method, originalUrl } = req;
    const client = isBehindProxy ? req.ip : req.socket.remoteAddress;
    res.on('close', () => logLine({ method, originalUrl, client }, res, context));
    next();
  };
}

export const REQUEST_ID = 'X-Request-Id';

/** Such ids need no escapes in a log, and the contract bounds the length of `request_id`. */
const ID_FORM = /^[\w.~+/=:-]{1,128}$/;

function sentId({ headers }: Request): string | undefined {
  const sent = headers['x-request-id'];
  if (typeof sent === 'string' && ID_FORM.test(sent)) {
    return sent;
  }
  return undefined;
}

/** W3C Trace Context. Later versions may have further parts. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/** Undefined if the request belongs to no trace, or if its header is invalid. */
function traceIdOf({ headers }: Request): string | undefined {
  const sent = headers['traceparent'];
  if (typeof sent !== 'string') {
    return undefined;
  }
  return TRACEPARENT.exec(sent)?.groups?.['traceId'];
}

/** Longer texts are cut; paths of the contract are far shorter. */
const MAX_PATH = 512;
const MAX_ADDRESS = 64;
const MAX_USER_AGENT = 256;

interface Sent {
  method: string;
  originalUrl: string;
  /** The address; a proxy may send any text for it. */
  client: string | undefined;
}

function logLine(
  { method, originalUrl, client }: Sent,
  res: Response,
  context: RequestContext,
): void {
  const { requestId, log, start, operation, token, injected } = context;
  const path = pathWithoutQuery(originalUrl);
  const line = {
    request_id: requestId,
    trace_id: traceIdOf(res.req),
    method,
    path: path.slice(0, MAX_PATH),
    operation: operation?.id,
    status: res.statusCode,
    duration_ms: Math.round((performance.now() - start) * 1000) / 1000,
    client: client?.slice(0, MAX_ADDRESS),
    user_agent: res.req.headers['user-agent']?.slice(0, MAX_USER_AGENT),
    token,
  };
  if (injected !== undefined) {
    log.warn({ ...line, injected }, 'request with an injected error');
  } else if (!res.writableFinished) {
    log.warn(line, 'request aborted by the client');
  } else if (PROBES.includes(path) && res.statusCode === 200) {
    log.debug(line, 'request');
  } else {
    log.info(line, 'request');
  }
}
