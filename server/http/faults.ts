/**
 * Faults on request, for people who test their clients; off unless it is asked for at start. A client sends, by RFC 7240:
 *
 *     Prefer: status=503              an error that the contract documents for the operation, as the contract has it
 *     Prefer: status=409, code=conflict    with this problem code; `code` alone will do, too
 *     Prefer: delay=250               waits so many milliseconds first, at most 30,000
 *     Prefer: drop                    closes the connection without an answer
 *     Prefer: drop=midway             closes it after the headers and half of the body
 *
 * It stands behind authentication and validation, so that a client still learns what is wrong with its request, and in place
 * of the handler: but for a mere delay, nothing is read and nothing is changed. `Preference-Applied` says what was done.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Contract, Operation, OperationId } from '../contract.ts';
import { invalidRequest, type Refusal } from '../domain/refusal.ts';
import type { FieldError } from '../domain/types.ts';
import { documentedAnswers, type DocumentedAnswers, type DocumentedError } from './documented-answers.ts';
import { readPreferences } from './prefer.ts';
import { HttpRefusal } from './problem.ts';
import { logOf, operationOf, setInjected } from './request-context.ts';

export const MAX_DELAY_MS = 30_000;

interface Wish {
  error: HttpRefusal | undefined;
  delayMs: number | undefined;
  drop: 'at once' | 'midway' | undefined;
  /** The preferences that are granted, as they were sent. */
  applied: string;
}

export function injectFaults(contract: Contract): RequestHandler {
  const known = new Map<OperationId, DocumentedAnswers>(
    contract.operations.map((one) => [one.id, documentedAnswers(contract, one)]),
  );
  return async (req, res, next) => {
    const operation = operationOf(res);
    const answers = known.get(operation.id)!;
    const wish = wishOf(req, operation, answers);
    if (wish === undefined) {
      next();
      return;
    }
    const { error, delayMs, drop, applied } = wish;
    setInjected(res, applied);
    logOf(res).warn({ operation: operation.id, injected: applied }, 'injecting a fault, as the Prefer header asks');
    res.set('Preference-Applied', applied);
    if (delayMs !== undefined && !(await waited(res, delayMs))) return;
    if (drop === 'at once') {
      res.destroy();
      return;
    }
    if (drop === 'midway') cutInTheMiddle(res);
    if (error !== undefined) throw error;
    if (drop === 'midway') res.status(answers.success!.status).json(answers.success!.example);
    else next();
  };
}

/** @throws Refusal that says what can be had */
function wishOf(req: Request, operation: Operation, answers: DocumentedAnswers): Wish | undefined {
  const preferences = new Map(
    [...readPreferences(req.headers.prefer)].filter(([name]) => ['status', 'code', 'delay', 'drop'].includes(name)),
  );
  if (preferences.size === 0) return undefined;
  const drop = dropOf(preferences.get('drop'));
  const error = errorOf(preferences.get('status'), preferences.get('code'), operation, answers);
  if (drop === 'midway' && error === undefined && answers.success === undefined) {
    throw refused(`drop=midway needs a body, and ${operation.id} succeeds without one: ask for a status, too`);
  }
  return {
    error,
    delayMs: delayOf(preferences.get('delay')),
    drop,
    applied: [...preferences].map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join(', '),
  };
}

function dropOf(value: string | undefined): Wish['drop'] {
  if (value === undefined || value === 'midway') return value;
  if (value === '') return 'at once';
  throw refused('drop is given alone or as drop=midway');
}

function delayOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,6}$/.test(value) || Number(value) > MAX_DELAY_MS)
    throw refused(`delay is a number of milliseconds from 0 to ${MAX_DELAY_MS}`);
  return Number(value);
}

function errorOf(
  status: string | undefined,
  code: string | undefined,
  operation: Operation,
  { errors }: DocumentedAnswers,
): Wish['error'] {
  if (status === undefined && code === undefined) return undefined;
  const found = errors.find(
    (one) =>
      (status === undefined || String(one.status) === status) &&
      (code === undefined || one.codes.some((known) => known === code)),
  );
  if (found === undefined) {
    const list = errors.map((one) => `${one.status} (${one.codes.join(', ')})`).join(', ');
    throw refused(`the contract has these errors for ${operation.id}, with their codes: ${list}`);
  }
  return refusalOf(found, code, operation);
}

function refusalOf(
  { codes, headers }: DocumentedError,
  asked: string | undefined,
  { requestBody, parameters }: Operation,
): HttpRefusal {
  const code = codes.find((one) => one === asked) ?? codes[0]!;
  const detail = 'There is nothing wrong: the Prefer header of the request asked for this problem.';
  // Where faults have their places, one is named that the operation has.
  const place =
    requestBody !== undefined || parameters.length === 0 ? { pointer: '' } : { parameter: parameters[0]!.name };
  return new HttpRefusal(
    code,
    detail,
    headers,
    code === 'invalid_request' ? [{ ...place, code: 'value', detail }] : [],
  );
}

/** 400, as for a parameter that breaks its schema. */
function refused(detail: string): Refusal {
  const fault: FieldError = { parameter: 'Prefer', code: 'value', detail };
  return invalidRequest([fault]);
}

/** False when the client has hung up: then nobody is there to answer, and nothing is done. */
function waited(res: Response, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (still: boolean) => {
      clearTimeout(timer);
      res.off('close', hungUp);
      resolve(still);
    };
    const hungUp = () => done(false);
    const timer = setTimeout(done, ms, true);
    res.once('close', hungUp);
  });
}

/** Whatever the answer will be: its headers promise the whole body, half of it goes out, and the connection closes. */
function cutInTheMiddle(res: Response): void {
  res.end = ((chunk?: unknown) => {
    const body = Buffer.from((chunk ?? '') as string);
    res.flushHeaders();
    res.write(body.subarray(0, Math.floor(body.length / 2)), () => res.destroy());
    return res;
  }) as Response['end'];
}
