/** What each request carries: its id, its logger and, once routed, the operation that it calls. */
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Operation } from '../contract.ts';
import type { FieldError } from '../domain/types.ts';

interface Locals {
  requestId: string;
  /** Of the service. */
  log: Logger;
  operation: Operation | undefined;
  textFaults: readonly FieldError[] | undefined;
  injected: string | undefined;
}

export function startContext(res: Response, requestId: string, log: Logger): void {
  // Whole from the start: the dictionary that Express would make is slow to write and to read.
  const locals: Locals = { requestId, log, operation: undefined, textFaults: undefined, injected: undefined };
  Object.assign(res, { locals });
}

export function requestIdOf(res: Response): string {
  return (res.locals as Locals).requestId;
}

/** Made when it is asked for: most requests log nothing of their own. */
export function logOf(res: Response): Logger {
  const { log, requestId } = res.locals as Locals;
  return log.child({ request_id: requestId });
}

export function setOperation(res: Response, operation: Operation): void {
  (res.locals as Locals).operation = operation;
}

/** Undefined before the router has found one. */
export function findOperation(res: Response): Operation | undefined {
  return (res.locals as Locals).operation;
}

export function operationOf(res: Response): Operation {
  const operation = findOperation(res);
  if (!operation) throw new Error('no operation was routed');
  return operation;
}

/** Notes what is wrong with texts of the body. */
export function setTextFaults(res: Response, faults: readonly FieldError[]): void {
  (res.locals as Locals).textFaults = faults;
}

export function textFaultsOf(res: Response): readonly FieldError[] {
  return (res.locals as Locals).textFaults ?? [];
}

/** Notes that the answer is to be a fault that was asked for, such as `drop`. */
export function setInjected(res: Response, fault: string): void {
  (res.locals as Locals).injected = fault;
}

/** Undefined for an answer as it is. */
export function injectedInto(res: Response): string | undefined {
  return (res.locals as Locals).injected;
}
