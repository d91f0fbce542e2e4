/** Calls of this API that must succeed: what they need is made first. */
import fc from 'fast-check';
import type { Operation } from '../engine/contract/operations.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import type { Session } from '../engine/http/session.ts';
import type { CallInput } from '../engine/http/call.ts';
import * as calls from '../engine/requirements/calls.ts';
import { eachText, type Property } from '../engine/requirements/requirement.ts';
import { CALL_DATA } from './call-data.ts';
import { succeed } from '../engine/http/expect-response.ts';

export function validCall(session: Session, operationId: string): Promise<CallInput> {
  return calls.validCall(session, operationId, CALL_DATA);
}

/** For requests that must be refused: see `callToRefuse`. */
export function groundFor(session: Session, { operationId }: Operation): Promise<CallInput> {
  return calls.callToRefuse(session, operationId, CALL_DATA);
}

/** Nothing varies. */
export const NOTHING = fc.constant(undefined);

export function offers(implementation: Implementation, operationId: string): boolean {
  const operation = implementation.operations.get(operationId);
  return operation !== undefined && (operation.level === 'core' || implementation.level === 'extended');
}

/** One case for each operation of the level. */
export function eachOffered(implementation: Implementation, check: Property<string>['check']): Property[] {
  const all = [...implementation.operations.keys()];
  return eachText(
    all.filter((operationId) => offers(implementation, operationId)),
    check,
  );
}

/** A valid call with this `Authorization`. */
export async function succeedWith(
  session: Session,
  operationId: string,
  authorization: string,
  why: string,
): Promise<void> {
  const call = await validCall(session, operationId);
  await succeed(session, operationId, { ...call, headers: { authorization } }, why);
}
