/**
 * What the contract leaves open: a service may understand such a request or refuse it, but it responds as documented,
 * and what it refuses it has not done.
 */
import type { Operation } from '../../engine/contract/operations.ts';
import { expectEither } from '../../engine/http/expect-response.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { validCall } from '../valid-calls.ts';
import { type CallInput, requestTargetOf } from '../../engine/http/call.ts';

/** @param send a request of the operation, written in another way than usual */
export async function triesEither(
  session: Session,
  operation: Operation,
  send: (call: CallInput) => Promise<HttpResponse>,
  why: string,
): Promise<void> {
  const call = await validCall(session, operation.operationId);
  const before = await stateOf(session, operation, call);
  const response = await send(call);
  expectEither(session.implementation, operation, response, why);
  if (response.status < 300 || before === undefined) return;
  const after = await stateOf(session, operation, call);
  expectSame('A request that was refused has changed something', after, before);
}

/** What the path of the request shows, where it can be read and nobody else changes it. */
async function stateOf(session: Session, operation: Operation, { path }: CallInput): Promise<unknown> {
  const { operations, level } = session.implementation;
  const read = [...operations.values()].find((one) => one.method === 'GET' && one.path === operation.path);
  if (!read || path === undefined || (read.level === 'extended' && level === 'core')) return undefined;
  const { status, json } = await session.send({ method: 'GET', target: requestTargetOf(read, { path }) });
  return { status, json };
}
