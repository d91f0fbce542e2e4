/**
 * Faults on request, off unless enabled at start: as a `Prefer` header asks (RFC 7240,
 * docs/test-a-client.md).
 */
import type { Request, Response } from 'express';
import type { Contract, Operation } from '../contract.ts';
import { type ApiError, invalidRequest } from '../domain/api-error.ts';
import type { FieldError, ProblemCode } from '../domain/types.ts';
import { HttpError, PROBLEM_TYPE, problemOf } from '../http/problem.ts';
import { contextOf, logOf } from '../http/request/context.ts';
import { JSON_TYPE } from '../http/request/media-types.ts';
import {
  type DocumentedError,
  documentedResponses,
  type DocumentedResponses,
  type DocumentedSuccess,
} from './documented-responses.ts';
import { readPreferences } from './preferences.ts';

const MAX_DELAY_MS = 30_000;

/** @returns true if it has responded, or the connection is closed: the handler must not run then */
export type FaultInjector = (req: Request, res: Response) => Promise<boolean>;

/**
 * After validation, in place of the handler: nothing is read or changed, unless there is only a
 * delay.
 */
export function faultInjector(contract: Contract, operation: Operation): FaultInjector {
  const responses = documentedResponses(contract, operation);
  return async (req, res) => {
    const fault = faultFor(readPreferences(req.headers.prefer), operation, responses);
    if (fault === undefined) {
      return false;
    }
    contextOf(res).injected = fault.applied;
    const line = { operation: operation.id, injected: fault.applied };
    logOf(res).warn(line, 'injecting an error because the Prefer header asks for it');
    res.set('Preference-Applied', fault.applied);
    if (fault.delayMs > 0) {
      await delayed(res, fault.delayMs);
    }
    return injected(res, fault);
  };
}

/** The fault that a request asks for. */
interface Fault {
  delayMs: number;
  /** Closes the connection at once, or in the middle of a response. */
  drop: 'at once' | Midway | undefined;
  /** The error in place of the response. */
  error: HttpError | undefined;
  /** The preferences unchanged. */
  applied: string;
}

/** The response, half of which is sent. */
interface Midway {
  response: HttpError | DocumentedSuccess;
}

function injected(res: Response, { drop, error }: Fault): boolean {
  if (drop === 'at once' || res.destroyed) {
    res.destroy();
    return true;
  }
  if (drop !== undefined) {
    sendHalf(res, drop.response);
    return true;
  }
  if (error !== undefined) {
    throw error;
  }
  return false;
}

const KNOWN_PREFERENCES = ['status', 'code', 'delay', 'drop'];

/** Undefined if the request asks for no fault. @throws ApiError that says what is possible */
function faultFor(
  all: ReadonlyMap<string, string>,
  operation: Operation,
  responses: DocumentedResponses,
): Fault | undefined {
  const preferences = new Map([...all].filter(([name]) => KNOWN_PREFERENCES.includes(name)));
  if (preferences.size === 0) {
    return undefined;
  }
  const dropValue = preferences.get('drop');
  if (dropValue !== undefined && dropValue !== '' && dropValue !== 'midway') {
    throw refused('drop is given alone or as drop=midway');
  }
  const error = errorFor(preferences, operation, responses);
  const drop = dropFor(dropValue, error ?? responses.success, operation);
  const delayMs = delayFor(preferences.get('delay') ?? '0');
  return { delayMs, drop, error, applied: written(preferences) };
}

/** @throws ApiError if the delay is too long, or not a number */
function delayFor(delay: string): number {
  if (!/^\d{1,6}$/.test(delay) || Number(delay) > MAX_DELAY_MS) {
    throw refused(`delay is a number of milliseconds from 0 to ${MAX_DELAY_MS}`);
  }
  return Number(delay);
}

/** @throws ApiError if there is no body to be dropped in the middle of */
function dropFor(
  value: '' | 'midway' | undefined,
  response: HttpError | DocumentedSuccess | undefined,
  { id }: Operation,
): Fault['drop'] {
  if (value === undefined) {
    return undefined;
  }
  if (value === '') {
    return 'at once';
  }
  if (response === undefined) {
    const reason = `drop=midway needs a body, and ${id} succeeds without one`;
    throw refused(`${reason}: ask for a status, too`);
  }
  return { response };
}

function written(preferences: ReadonlyMap<string, string>): string {
  const texts = [...preferences].map(([name, value]) => (value === '' ? name : `${name}=${value}`));
  return texts.join(', ');
}

/** Undefined if no error is asked for. @throws ApiError if the contract has no such error */
function errorFor(
  preferences: ReadonlyMap<string, string>,
  operation: Operation,
  { errors }: DocumentedResponses,
): HttpError | undefined {
  const status = preferences.get('status');
  const code = preferences.get('code');
  if (status === undefined && code === undefined) {
    return undefined;
  }
  const found = errors.find((one) => {
    const hasStatus = status === undefined || String(one.status) === status;
    const hasCode = code === undefined || one.codes.some((known) => known === code);
    return hasStatus && hasCode;
  });
  const codeOfError = found?.codes.find((one) => one === code) ?? found?.codes[0];
  if (found === undefined || codeOfError === undefined) {
    const list = errors.map(inWords).join(', ');
    throw refused(`the contract has these errors for ${operation.id}, with their codes: ${list}`);
  }
  const fieldErrors = fieldErrorsFor(codeOfError, operation);
  return new HttpError(codeOfError, DETAIL, found.headers, { errors: fieldErrors });
}

const DETAIL = 'The Prefer header of the request asked for this error.';

function inWords({ status, codes }: DocumentedError): string {
  return `${status} (${codes.join(', ')})`;
}

/** Errors of the request name a place that the operation has. */
function fieldErrorsFor(code: ProblemCode, operation: Operation): FieldError[] {
  if (code !== 'invalid_request') {
    return [];
  }
  const [parameter] = operation.parameters;
  if (operation.requestBody !== undefined || parameter === undefined) {
    return [{ pointer: '', code: 'value', detail: DETAIL }];
  }
  return [{ parameter: parameter.name, code: 'value', detail: DETAIL }];
}

/** 400, as for a parameter that breaks its schema. */
function refused(detail: string): ApiError {
  return invalidRequest([{ parameter: 'Prefer', code: 'value', detail }]);
}

/** Ends at once when the client closes the connection: then nothing more is done. */
function delayed(res: Response, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    res.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The headers announce the whole body, half of it goes out, and the connection closes. */
function sendHalf(res: Response, response: HttpError | DocumentedSuccess): void {
  if (response instanceof HttpError) {
    const problem = problemOf(response, contextOf(res).requestId, {});
    res.set(response.headers).status(problem.status).type(PROBLEM_TYPE);
    sendHalfOf(res, problem);
  } else {
    res.status(response.status).type(JSON_TYPE);
    sendHalfOf(res, response.example);
  }
}

function sendHalfOf(res: Response, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  res.set('Content-Length', String(body.length));
  const half = body.subarray(0, Math.floor(body.length / 2));
  res.write(half, () => res.destroy());
}
