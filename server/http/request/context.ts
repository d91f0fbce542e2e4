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
  /** The faults that the request asked for and gets, such as `drop`. */
  injected?: string;
}

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

/** Logs no header, no query and no body: they may hold secrets (D27). */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    const context: RequestContext = { requestId: newRequestId(), log, start, errors: [] };
    res.locals['requestContext'] = context;
    // Applications around this one may change them meanwhile.
    const { method, originalUrl } = req;
    res.on('close', () => logLine({ method, originalUrl }, res, context));
    next();
  };
}

/** Longer paths are cut; the contract's own are far shorter. */
const MAX_PATH = 512;

function logLine(
  { method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>,
  res: Response,
  { requestId, log, start, operation, injected }: RequestContext,
): void {
  const line = {
    request_id: requestId,
    method,
    path: pathWithoutQuery(originalUrl).slice(0, MAX_PATH),
    operation: operation?.id,
    status: res.statusCode,
    duration_ms: Math.round((performance.now() - start) * 1000) / 1000,
  };
  if (injected !== undefined) {
    log.warn({ ...line, injected }, 'request with an injected error');
  } else if (res.writableFinished) {
    log.info(line, 'request');
  } else {
    log.warn(line, 'request aborted by the client');
  }
}
