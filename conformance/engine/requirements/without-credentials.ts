/** Requests without valid credentials: neither a cache nor another spelling of the path helps. */
import { isDeepStrictEqual } from 'node:util';
import { isJson } from '../contract/media-types.ts';
import { isSuccessOf, type Operation } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type CallInput, requestOf } from '../http/call.ts';
import { type DueRefusal, expectRefusal, unlessClosed } from '../http/expect-response.ts';
import { expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { isStream } from '../http/streams.ts';

/** A valid call, and the same one without valid credentials. */
interface Calls {
  valid: CallInput;
  refused: CallInput;
}

/** Whether the operation reads, and its response ends. */
function isRead({ implementation }: Session, operation: Operation): boolean {
  return operation.method === 'GET' && !isStream(implementation.contract, operation);
}

/** A read with valid credentials: a cache may keep the response, and show it to anybody. */
export async function readFirst(
  session: Session,
  operation: Operation,
  valid: CallInput,
): Promise<HttpResponse | undefined> {
  if (!isRead(session, operation)) {
    return undefined;
  }
  return session.call(operation.operationId, valid);
}

const AT_ONCE = 3;

/**
 * The same read with and without valid credentials at once: a cache may keep the response for a
 * moment, until somebody changes something. Those without are refused.
 * @throws Nonconformity
 */
export async function expectRefusedBeside(
  session: Session,
  operation: Operation,
  { valid, refused }: Calls,
  due: DueRefusal,
): Promise<void> {
  if (!isRead(session, operation)) {
    return;
  }
  const { operationId } = operation;
  const [, ...responses] = await session.together(() => [
    session.call(operationId, valid),
    ...Array.from({ length: AT_ONCE }, () => session.call(operationId, refused)),
  ]);
  for (const response of responses) {
    expectRefusal(session.implementation, operation, response, { ...due, input: refused });
  }
}

/** The same path to some servers, by what is different. */
const OTHER_PATHS: Readonly<Record<string, (path: string) => string>> = {
  'a slash at its end': (path) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`),
  'a slash twice': (path) => path.replace(/\/(?=[^/]*$)/, '//'),
  'a dot as a segment': (path) => path.replace(/\/(?=[^/]*$)/, '/./'),
  'a parameter behind': (path) => `${path};a=b`,
  'a format behind': (path) => `${path}.json`,
  'upper case': (path) => path.replace(/^\/[a-z_]+/, (segment) => segment.toUpperCase()),
};

/**
 * Whether the service knows another spelling of a path is its choice; without credentials, it does
 * not do there what it refuses at the path itself.
 * @throws Nonconformity
 */
export async function expectNothingAtOtherPaths(
  session: Session,
  operation: Operation,
  { valid, refused }: Calls,
): Promise<void> {
  const shown = await readFirst(session, operation, valid);
  const sending = requestOf(operation, refused);
  const [path = '', query] = sending.target.split('?', 2);
  for (const [label, respell] of Object.entries(OTHER_PATHS)) {
    let target = respell(path);
    if (query !== undefined) {
      target += `?${query}`;
    }
    const response = await unlessClosed(() => session.send({ ...sending, target }));
    if (response === undefined) {
      continue;
    }
    const isDone = isServed(operation, response, shown);
    if (isDone) {
      session.made(operation.operationId, refused, response);
    }
    expectThat(!isDone, `Without valid credentials, it is done at a path with ${label}.`, {
      expected: 'a refusal, or nothing that the operation does',
      got: `${sending.method} ${target}: ${response.status}`,
    });
  }
}

/**
 * Whether it is the response of the operation. Some servers have a page in HTML for any path, and
 * other paths may be open to anybody: a read must show the same as with credentials.
 */
function isServed(
  operation: Operation,
  response: HttpResponse,
  shown: HttpResponse | undefined,
): boolean {
  const { status, json, mediaType } = response;
  if (!isSuccessOf(operation, status)) {
    return false;
  }
  if (operation.method === 'GET') {
    const isContent = isObject(json) || Array.isArray(json);
    return isContent && isDeepStrictEqual(json, shown?.json);
  }
  return mediaType === '' || isJson(mediaType);
}
