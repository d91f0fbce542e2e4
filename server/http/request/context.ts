/** What each request carries: its id, the log and, once routed, the operation that it calls. */
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Operation } from '../../contract.ts';

export interface RequestContext {
  readonly requestId: string;
  /** Of the service. */
  readonly log: Logger;
  /** Undefined before routing, and where the contract has no such path. */
  operation: Operation | undefined;
  /** A fault that was asked for, such as `drop`, and that the response is to be. */
  injected: string | undefined;
}

/** Beside what others may keep in `locals`. */
const KEY = 'requestContext';

export function setContext(res: Response, context: RequestContext): void {
  res.locals[KEY] = context;
}

export function contextOf(res: Response): RequestContext {
  return res.locals[KEY] as RequestContext;
}

/** A logger whose lines have the id of the request. Made when it is asked for: most requests log nothing of their own. */
export function logOf(res: Response): Logger {
  const { log, requestId } = contextOf(res);
  return log.child({ request_id: requestId });
}
