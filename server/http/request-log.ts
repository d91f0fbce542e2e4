/** One structured line a request. No header, no query and no body is logged: they may hold secrets (D27). */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { newRequestId } from '../ids.ts';
import { requestLines } from './request-line.ts';
import { findOperation, injectedInto, startContext } from './request-context.ts';

/** Longer paths are cut; the contract's own are far shorter. */
const MAX_PATH = 512;

export function logRequests(log: Logger): RequestHandler {
  const writeLine = requestLines(log);
  return (req, res, next) => {
    const requestId = newRequestId();
    const start = performance.now();
    const method = req.method;
    const path = pathOf(req.originalUrl);
    startContext(res, requestId, log);
    res.on('close', () => {
      const line = {
        request_id: requestId,
        method,
        path,
        operation: findOperation(res)?.id,
        status: res.statusCode,
        duration_ms: Math.round((performance.now() - start) * 1000) / 1000,
      };
      const injected = injectedInto(res);
      if (injected !== undefined) log.warn({ ...line, injected }, 'request with an injected fault');
      else if (res.writableFinished) writeLine(line);
      else log.warn(line, 'request aborted by the client');
    });
    next();
  };
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return url.slice(0, Math.min(query < 0 ? url.length : query, MAX_PATH));
}
