/** One structured line a request. No header, no query and no body is logged: they may hold secrets (D27). */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { newRequestId } from '../../ids.ts';
import { setContext, type RequestContext } from './context.ts';

/** Longer paths are cut; the contract's own are far shorter. */
const MAX_PATH = 512;

export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    const { method } = req;
    const path = pathOf(req.originalUrl);
    const context: RequestContext = { requestId: newRequestId(), log, operation: undefined, injected: undefined };
    setContext(res, context);
    res.on('close', () => {
      const { requestId, operation, injected } = context;
      const line = {
        request_id: requestId,
        method,
        path,
        operation: operation?.id,
        status: res.statusCode,
        duration_ms: Math.round((performance.now() - start) * 1000) / 1000,
      };
      if (injected !== undefined) log.warn({ ...line, injected }, 'request with an injected error');
      else if (res.writableFinished) log.info(line, 'request');
      else log.warn(line, 'request aborted by the client');
    });
    next();
  };
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return url.slice(0, Math.min(query < 0 ? url.length : query, MAX_PATH));
}
