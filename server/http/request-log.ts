/** One structured line a request. No header, no query and no body is logged: they may hold secrets (D27). */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { findOperation, injectedInto, startContext } from './request-context.ts';

/** Longer paths are cut; the contract's own are far shorter. */
const MAX_PATH = 512;

export function logRequests(log: Logger, newRequestId: () => string): RequestHandler {
  return (req, res, next) => {
    const requestId = newRequestId();
    const start = process.hrtime.bigint();
    const method = req.method;
    const path = (req.originalUrl.split('?', 1)[0] ?? '').slice(0, MAX_PATH);
    const requestLog = log.child({ request_id: requestId });
    startContext(res, requestId, requestLog);
    res.on('close', () => {
      const line = {
        method,
        path,
        operation: findOperation(res)?.id,
        status: res.statusCode,
        duration_ms: Number(process.hrtime.bigint() - start) / 1e6,
      };
      const injected = injectedInto(res);
      if (injected !== undefined) requestLog.warn({ ...line, injected }, 'request with an injected fault');
      else if (res.writableFinished) requestLog.info(line, 'request');
      else requestLog.warn(line, 'request aborted by the client');
    });
    next();
  };
}
