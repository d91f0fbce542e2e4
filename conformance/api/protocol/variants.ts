/** Requests of an operation that are written in another way than usual, as rows of data, and what must come of each. */
import { documentedStatuses, type Operation } from '../../engine/contract/operations.ts';
import { expectEither, expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { readOf } from '../../engine/http/implementation.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { once, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import { type ApiRule, ofOperation } from '../define.ts';
import { type CallInput, requestTargetOf } from '../../engine/http/call.ts';

export interface Variant {
  label: string;
  /** Replaces parts of a valid call; a body is sent in place of its `json`. */
  change?: Partial<CallInput> | ((call: CallInput) => CallInput);
  /** Header fields that are sent one by one: several of one name, or an empty one. */
  fields?: readonly (readonly [name: string, value: string])[];
  /** The documented success, a documented refusal with one of these statuses, or either of the two. */
  due: 'success' | 'either' | readonly number[];
  /** The codes that the refusal may have; by default those of its status. */
  codes?: readonly string[];
  why: string;
}

/** Makes requirements of one operation, each tried with variants of its requests. */
export function ruleOf(operation: Operation) {
  return (rule: ApiRule, sentence: string, ...variants: readonly (readonly Variant[])[]): Requirement =>
    ofOperation(operation)(rule, sentence, () => tries(operation, variants.flat()));
}

/** A request of the operation for each variant. */
export function tries(operation: Operation, variants: readonly Variant[]): Property[] {
  return variants.map((variant) => once(variant.label, (session) => tryOne(session, operation, variant)));
}

async function tryOne(session: Session, operation: Operation, variant: Variant): Promise<void> {
  const { due, codes, why } = variant;
  const isRefused = typeof due !== 'string';
  const call = await (isRefused ? callToRefuse : validCall)(session, operation.operationId);
  const before = due === 'either' ? await stateOf(session, operation, call) : undefined;
  const input = changed(call, variant.change);
  const response = await (variant.fields
    ? sendFields(session, operation, input, variant.fields)
    : session.callAround(operation.operationId, input));
  if (isRefused) {
    const refused = { input, ...(codes ? { codes } : {}) };
    return expectRefusal(session.implementation, operation, response, [...due], why, refused);
  }
  if (due === 'success') return expectSuccess(session.implementation, operation, response, why);
  expectEither(session.implementation, operation, response, documentedStatuses(operation, 4), why);
  if (response.status < 300 || before === undefined) return;
  expectSame('A refused request changed something', await stateOf(session, operation, call), before);
}

function changed(call: CallInput, change: Variant['change'] = {}): CallInput {
  if (typeof change === 'function') return change(call);
  const { json, ...rest } = call;
  return { ...rest, ...(json === undefined || 'body' in change ? {} : { json }), ...change };
}

/** The state that the path of the request shows, where it can be read and nobody else changes it. */
async function stateOf(session: Session, operation: Operation, { path }: CallInput): Promise<unknown> {
  const read = readOf(session.implementation, operation);
  if (!read || path === undefined) return undefined;
  const { status, json } = await session.send({ method: 'GET', target: requestTargetOf(read, { path }) });
  return { status, json };
}

/** The call with these header fields in place of those that are sent by default. */
async function sendFields(
  session: Session,
  operation: Operation,
  call: CallInput,
  fields: NonNullable<Variant['fields']>,
): Promise<HttpResponse> {
  const hasType = call.json === undefined || fields.some(([name]) => name.toLowerCase() === 'content-type');
  const response = await session.sendRaw({
    method: operation.method,
    target: requestTargetOf(operation, call),
    headers: [...(hasType ? [] : [['Content-Type', 'application/json'] as const]), ...fields],
    ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
  });
  session.made(operation.operationId, call, response);
  return response;
}
