/** Calls of this API that must succeed: what they need is made first. */
import fc from 'fast-check';
import type { Operation } from '../engine/contract/operations.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import type { CallInput, Session } from '../engine/http/session.ts';
import * as calls from '../engine/requirements/calls.ts';
import { CALL_DATA } from './call-data.ts';

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
