/**
 * The outcome of a call is the one that is due: a documented success, a refusal, or either of them.
 */
import {
  documentedFor,
  documentedStatuses,
  type Operation,
  statusesFrom,
} from '../contract/operations.ts';
import { mayBeRefusedBelow } from './below-application.ts';
import { type CallInput, requestTargetOf } from './call.ts';
import { expectDocumented } from './expect-documented.ts';
import type { Implementation, Refused, Session } from './implementation.ts';
import { expectThat, Nonconformity, show } from './nonconformity.ts';
import { HttpResponse, NoResponse } from './response.ts';

/** By HTTP servers, which refuse some requests before handlers see them. */
export const ANY_REFUSAL: readonly number[] = [...statusesFrom(400), 501, 505];

/** How often other data takes the place of data that the contract lets a service refuse. */
const OTHER_TRIES = 3;

/**
 * Calls an operation whose success is due.
 * @throws Nonconformity; NotPossible if the contract allows the refusal
 */
export async function succeed(
  session: Session,
  operationId: string,
  input: CallInput,
  why?: string,
): Promise<HttpResponse> {
  const response = await respond(session, operationId, input);
  expectSuccess(session.implementation, session.operation(operationId), response, why);
  return response;
}

/**
 * Calls an operation whose success is due, and compares it with the documented one.
 * @throws what `succeed` throws
 */
export async function succeedAsDocumented(
  session: Session,
  operationId: string,
  input: CallInput,
): Promise<void> {
  const response = await respond(session, operationId, input);
  expectDocumentedSuccess(session.implementation, session.operation(operationId), response);
}

/** The response to a call, or to one with other data, if the contract lets a service refuse it. */
async function respond(
  session: Session,
  operationId: string,
  input: CallInput,
): Promise<HttpResponse> {
  const { implementation } = session;
  const operation = session.operation(operationId);
  let response = await session.callAround(operationId, input);
  for (let tries = 0; response.status >= 400 && tries < OTHER_TRIES; tries++) {
    const other = await implementation.api.instead?.(session, operation, input, response);
    if (other === undefined) {
      break;
    }
    response = await session.callAround(operationId, other);
  }
  return response;
}

/** A refusal that must come. */
export interface DueRefusal {
  /** The statuses that the refusal may have. */
  statuses: readonly number[];
  /** The reason, as a sentence. */
  why: string;
}

/**
 * Calls an operation that must refuse.
 * @param due `code` is what the body must have; default: any
 * @throws Nonconformity
 */
export async function refuse(
  session: Session,
  operationId: string,
  input: CallInput,
  { statuses, why, code }: DueRefusal & { code?: string | undefined },
): Promise<HttpResponse> {
  const { implementation } = session;
  const operation = session.operation(operationId);
  const response = await callOrClosed(session, operation, input);
  expectRefusal(implementation, operation, response, { statuses, why, input });
  if (code !== undefined && implementation.origin === 'all') {
    const { code: got } = Object(response.json) as { code?: unknown };
    expectThat(got === code, `${why} The code is another one.`, { expected: code, got });
  }
  return response;
}

/** Represents the response of a server that closes the connection. */
const CLOSED = new HttpResponse({ status: 0, headers: {}, body: Buffer.alloc(0) });

/**
 * The response to a call that may be refused. A server below the application may close the
 * connection in place of one.
 */
export async function callOrClosed(
  session: Session,
  operation: Operation,
  input: CallInput,
  isReadAround = operation.method === 'GET',
): Promise<HttpResponse> {
  // A change that must be refused changes nothing: there is nothing to read around it.
  const call = isReadAround ? 'callAround' : 'call';
  try {
    return await session[call](operation.operationId, input);
  } catch (error) {
    const isClosed = error instanceof NoResponse && error.kind === 'closed';
    if (isClosed && mayBeRefusedBelow(requestTargetOf(operation, input))) {
      return CLOSED;
    }
    throw error;
  }
}

/** The response; undefined if the server closes the connection in place of one. */
export async function unlessClosed(
  send: () => Promise<HttpResponse>,
): Promise<HttpResponse | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NoResponse && error.kind === 'closed') {
      return undefined;
    }
    throw error;
  }
}

/**
 * The response is a success: the documented one; or any, if the survey has seen that the operation
 * succeeds in an undocumented way, which the requirement of its success reports.
 * @throws Nonconformity
 */
export function expectSuccess(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  why?: string,
): void {
  const { flaw } = implementation.survey[operation.operationId] ?? {};
  const isSuccess = response.status >= 200 && response.status < 300;
  if (flaw === undefined || !isSuccess) {
    expectDocumentedSuccess(implementation, operation, response, why);
  }
}

/**
 * The response is the success that is documented: status, media type, headers and body.
 * @throws Nonconformity
 */
export function expectDocumentedSuccess(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  why = 'The request is valid.',
): void {
  const successes = documentedStatuses(operation, 2);
  // A contract without a success leaves its status open.
  expectStatus(response, successes.length > 0 ? successes : statusesFrom(200), why);
  const documented = documentedFor(operation, response.status);
  if (documented) {
    expectDocumented(implementation, documented, response);
  }
}

/**
 * A refusal with one of the statuses; by the source alone (§7), any 4xx status and any body.
 * @throws Nonconformity
 */
export function expectRefusal(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  due: DueRefusal & Omit<Refused, 'documented' | 'operation'>,
): void {
  const { statuses, why, ...refused } = due;
  if (refused.input && isRefusedBelow(operation, refused.input, response)) {
    return;
  }
  if (implementation.origin === 'source') {
    expectAnyRefusal(response, why);
    return;
  }
  expectStatus(response, statuses, why);
  const documented = documentedFor(operation, response.status);
  if (documented) {
    expectDocumented(implementation, documented, response);
  }
  implementation.api.expectError?.(implementation, response, { ...refused, operation, documented });
}

/** A refusal in any form, which may be that of the server below the application. */
function isRefusedBelow(operation: Operation, input: CallInput, response: HttpResponse): boolean {
  const isRefusal = response === CLOSED || ANY_REFUSAL.includes(response.status);
  return isRefusal && mayBeRefusedBelow(requestTargetOf(operation, input));
}

function expectAnyRefusal(response: HttpResponse, why: string): void {
  if (response.status < 400 || response.status > 499) {
    throw new Nonconformity(`${why} It must be refused.`, {
      expected: 'a status from 400 to 499',
      got: statusOf(response),
      kind: 'status',
      due: statusesFrom(400),
    });
  }
}

/**
 * A documented success, or a refusal with one of the statuses: the contract allows both.
 * @throws Nonconformity
 */
export function expectEither(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  due: Parameters<typeof expectRefusal>[3],
): void {
  if (response !== CLOSED && response.status < 400) {
    expectSuccess(implementation, operation, response, due.why);
  } else {
    expectRefusal(implementation, operation, response, due);
  }
}

/**
 * Refused in any form: HTTP servers refuse some requests before handlers see them, or close.
 * @throws Nonconformity
 */
export async function expectRefusedAnyhow(
  send: () => Promise<HttpResponse>,
  why: string,
  more: readonly number[] = [],
): Promise<void> {
  const response = await unlessClosed(send);
  if (response !== undefined) {
    expectStatus(response, [...more, ...ANY_REFUSAL], why);
  }
}

export function expectStatus(
  response: HttpResponse,
  statuses: readonly number[],
  why: string,
): void {
  const { status } = response;
  if (statuses.includes(status)) {
    return;
  }
  const expected = inWords(statuses);
  const named = whatItNames(response);
  const isSuccessDue = statuses.every((one) => one < 300);
  const isPlaceNamed = named.includes(' at ');
  const right = isPlaceNamed && isSuccessDue ? ', where the suite finds nothing wrong' : '';
  throw new Nonconformity(`${why} Expected ${expected}, got ${status}${named}${right}.`, {
    expected,
    got: statusOf(response),
    kind: 'status',
    due: statuses,
  });
}

/** In characters. */
const MAX_NAMED = 200;

/** The code and the first field that an error names: they say more than its status. */
function whatItNames({ json }: HttpResponse): string {
  const { code, errors } = Object(json) as { code?: unknown; errors?: unknown };
  if (typeof code !== 'string') {
    return '';
  }
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const { code: why, pointer, parameter } = Object(first) as Record<string, unknown>;
  let named = ` ${code}`;
  if (typeof why === 'string') {
    named += `: ${why}`;
  }
  const place = pointer ?? parameter;
  if (typeof place === 'string') {
    named += ` at ${place === '' ? 'the body' : place}`;
  }
  return named.slice(0, MAX_NAMED);
}

/** `400 or 404`; `any of 400 to 499`. */
function inWords(statuses: readonly number[]): string {
  const rest = new Set(statuses);
  const words: string[] = [];
  for (const first of [200, 300, 400]) {
    const range = statusesFrom(first);
    if (range.every((status) => rest.has(status))) {
      words.push(`any of ${first} to ${first + 99}`);
      range.forEach((status) => rest.delete(status));
    }
  }
  return [...words, ...rest].join(' or ');
}

function statusOf({ status, text }: HttpResponse): string {
  if (text === '') {
    return String(status);
  }
  return `${status}, ${show(text)}`;
}
