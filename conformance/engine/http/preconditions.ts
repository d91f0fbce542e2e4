/**
 * Operations that ask for `If-Match`: the entity tag of the item, as a read just gave it (RFC 9110,
 * 13.1.1).
 */
import type { Operation, Parameter } from '../contract/operations.ts';
import { type CallInput, requestOf } from './call.ts';
import { operationBeside, type Session } from './implementation.ts';

/**
 * The statuses that refuse a condition that is missing or false (RFC 6585, 3; RFC 9110, 15.5.13).
 */
export const PRECONDITION_STATUSES: readonly number[] = [412, 428];

/** Whether the value of a parameter is the entity tag of the item, which the service gives. */
export const isEntityTag = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): boolean =>
  place === 'header' && /^if-match$/i.test(name);

/** The methods that change the item of their path, whose tag a read of it gives. */
const CHANGES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Whether a call needs the entity tag: the operation requires the field, or has it and changes an
 * item, and the call neither sets nor removes it. The tag of a list is no condition for an item
 * that a POST adds: others may have been added since.
 */
export function needsEntityTag(
  { method, parameters }: Operation,
  { headers = {} }: CallInput,
): boolean {
  const field = parameters.find(isEntityTag);
  const isAsked = field !== undefined && (field.required || CHANGES.has(method));
  return isAsked && headers['if-match'] === undefined;
}

/**
 * The call with the entity tag of its item, as a read gives it; unchanged if none does.
 * @throws NoResponse, BrokenOff
 */
export async function withEntityTag(
  session: Pick<Session, 'implementation' | 'send'>,
  operation: Operation,
  input: CallInput,
): Promise<CallInput> {
  const { implementation } = session;
  const read = operationBeside(implementation, operation, 'GET');
  if (!read) {
    return input;
  }
  const call = { path: input.path ?? {} };
  const whole = implementation.api.withRequired?.(implementation, read, call) ?? call;
  const { headers } = await session.send(requestOf(read, whole));
  const tag = headers['etag'];
  if (tag === undefined) {
    return input;
  }
  return { ...input, headers: { ...input.headers, 'if-match': tag } };
}
