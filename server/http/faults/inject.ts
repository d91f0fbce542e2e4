/**
 * Faults on request, for people who test their clients; off unless it is asked for at start. A client sends, by RFC 7240:
 *
 *     Prefer: status=503              an error that the contract documents for the operation, as the contract has it
 *     Prefer: status=409, code=conflict    with this problem code; `code` alone will do, too
 *     Prefer: delay=250               waits so many milliseconds first, at most 30,000
 *     Prefer: drop                    closes the connection without a response
 *     Prefer: drop=midway             closes it after the headers and half of the body
 *
 * It stands behind authentication and validation, so that a client still learns what is wrong with its request, and in place
 * of the handler: but for a mere delay, nothing is read and nothing is changed. `Preference-Applied` says what was done.
 */
import type { Request, Response } from 'express';
import type { Contract, Operation } from '../../contract.ts';
import { invalidRequest, type ApiError } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import { type DocumentedError, documentedResponses, type DocumentedResponses } from './documented-responses.ts';
import { readPreferences } from './prefer.ts';
import { HttpError } from '../response/problem.ts';
import { contextOf, logOf } from '../request/context.ts';

export const MAX_DELAY_MS = 30_000;

interface FaultRequest {
  error: HttpError | undefined;
  delayMs: number | undefined;
  drop: 'at once' | 'midway' | undefined;
  /** The preferences that are followed, as they were sent. */
  applied: string;
}

/** Does what a request asks for. `done`: the request needs nothing more. */
export type InjectFault = (req: Request, res: Response) => Promise<'go on' | 'done'>;

export function faultInjector(contract: Contract, operation: Operation): InjectFault {
  const responses = documentedResponses(contract, operation);
  return async (req, res) => {
    const asked = faultRequestOf(req, operation, responses);
    if (asked === undefined) return 'go on';
    const { error, delayMs, drop, applied } = asked;
    contextOf(res).injected = applied;
    logOf(res).warn(
      { operation: operation.id, injected: applied },
      'injecting an error because the Prefer header asks for it',
    );
    res.set('Preference-Applied', applied);
    if (delayMs !== undefined && !(await waited(res, delayMs))) return 'done';
    if (drop === 'at once') {
      res.destroy();
      return 'done';
    }
    if (drop === 'midway') cutInTheMiddle(res);
    if (error !== undefined) throw error;
    if (drop !== 'midway') return 'go on';
    res.status(responses.success!.status).json(responses.success!.example);
    return 'done';
  };
}

/** @throws ApiError that says what can be had */
function faultRequestOf(req: Request, operation: Operation, responses: DocumentedResponses): FaultRequest | undefined {
  const preferences = new Map(
    [...readPreferences(req.headers.prefer)].filter(([name]) => ['status', 'code', 'delay', 'drop'].includes(name)),
  );
  if (preferences.size === 0) return undefined;
  const drop = dropOf(preferences.get('drop'));
  const error = errorOf(preferences.get('status'), preferences.get('code'), operation, responses);
  if (drop === 'midway' && error === undefined && responses.success === undefined) {
    throw refused(`drop=midway needs a body, and ${operation.id} succeeds without one: ask for a status, too`);
  }
  return {
    error,
    delayMs: delayOf(preferences.get('delay')),
    drop,
    applied: [...preferences].map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join(', '),
  };
}

function dropOf(value: string | undefined): FaultRequest['drop'] {
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
  { errors }: DocumentedResponses,
): FaultRequest['error'] {
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
  return apiErrorOf(found, code, operation);
}

function apiErrorOf(
  { codes, headers }: DocumentedError,
  asked: string | undefined,
  { requestBody, parameters }: Operation,
): HttpError {
  const code = codes.find((one) => one === asked) ?? codes[0]!;
  const detail = 'The Prefer header of the request asked for this error.';
  // Where errors have their places, one is named that the operation has.
  const place =
    requestBody !== undefined || parameters.length === 0 ? { pointer: '' } : { parameter: parameters[0]!.name };
  return new HttpError(code, detail, headers, code === 'invalid_request' ? [{ ...place, code: 'value', detail }] : []);
}

/** 400, as for a parameter that breaks its schema. */
function refused(detail: string): ApiError {
  const error: FieldError = { parameter: 'Prefer', code: 'value', detail };
  return invalidRequest([error]);
}

/** False when the client has hung up: then nobody waits for a response, and nothing is done. */
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

/** Whatever the response will be: its headers promise the whole body, half of it goes out, and the connection closes. */
function cutInTheMiddle(res: Response): void {
  res.end = ((chunk?: unknown) => {
    const body = Buffer.from((chunk ?? '') as string);
    res.flushHeaders();
    res.write(body.subarray(0, Math.floor(body.length / 2)), () => res.destroy());
    return res;
  }) as Response['end'];
}
