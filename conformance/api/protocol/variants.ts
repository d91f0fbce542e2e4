/** Requests that are written in an unusual way, as rows of data, and the responses that are due. */
import { documentedStatuses, type Operation } from '../../engine/contract/operations.ts';
import { type CallInput, requestTargetOf } from '../../engine/http/call.ts';
import { expectEither, expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { operationBeside } from '../../engine/http/implementation.ts';
import { knownResponse } from '../../engine/http/known-members.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { once } from '../../engine/laws/law.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import type { Property } from '../../engine/requirements/requirement.ts';
import { type ApiRequirement, ofOperation, type OperationRule } from '../define.ts';

/** The name and the value of a header field. */
export type HeaderField = readonly [name: string, value: string];

export interface Variant {
  /**
   * Unique among the variants of a requirement. It is a part of the seed: a change of it changes
   * the cases.
   */
  label: string;
  /** Replaces parts of a valid call; a body is sent in place of its `json`. */
  change?: Partial<CallInput> | ((call: CallInput) => CallInput);
  /** Header fields that are sent one by one: several of one name, or an empty one. */
  fields?: readonly HeaderField[];
  /**
   * The documented success, a documented refusal with one of these statuses, or either of the two.
   */
  due: 'success' | 'either' | readonly number[];
  /** The codes that the refusal may have; by default those of its status. */
  codes?: readonly string[];
  /** The reason for the expected response, as a sentence. */
  why: string;
}

/** States requirements of one operation, each tried with variants of its requests. */
export function ruleOf(operation: Operation) {
  return (rule: OperationRule, ...variants: readonly (readonly Variant[])[]): ApiRequirement =>
    ofOperation(operation)(rule, () => tries(operation, variants.flat()));
}

/** A property for each variant of a request of the operation. */
export function tries(operation: Operation, variants: readonly Variant[]): Property[] {
  return variants.map((variant) =>
    once(variant.label, (session) => tryVariant(session, operation, variant)),
  );
}

async function tryVariant(session: Session, operation: Operation, variant: Variant): Promise<void> {
  const { due, codes, why } = variant;
  const { implementation } = session;
  const isRefused = typeof due !== 'string';
  const changesNothing = isRefused || operation.method === 'GET';
  const call = await (changesNothing ? callToRefuse : validCall)(session, operation.operationId);
  const before = due === 'either' ? await stateOf(session, operation, call) : undefined;
  const input = changed(call, variant.change);
  const response = await sendVariant(session, operation, input, variant.fields);
  if (isRefused) {
    const refused = codes ? { input, codes } : { input };
    return expectRefusal(implementation, operation, response, { statuses: due, why, ...refused });
  }
  if (due === 'success') {
    return expectSuccess(implementation, operation, response, why);
  }
  expectEither(implementation, operation, response, {
    statuses: documentedStatuses(operation, 4),
    why,
  });
  if (response.status >= 300 && before !== undefined) {
    const after = await stateOf(session, operation, call);
    if (after !== undefined) {
      expectSame('A refused request changed something', after, before);
    }
  }
}

function changed(call: CallInput, change: Variant['change'] = {}): CallInput {
  if (typeof change === 'function') {
    return change(call);
  }
  const { json, ...rest } = call;
  if (json === undefined || 'body' in change) {
    return { ...rest, ...change };
  }
  return { ...rest, json, ...change };
}

/**
 * The status and the body of a read at the path of the request; undefined if nothing can be read
 * there, or the body is not JSON.
 */
export async function stateOf(
  session: Session,
  operation: Operation,
  { path }: CallInput,
): Promise<unknown> {
  const read = operationBeside(session.implementation, operation, 'GET');
  if (!read || path === undefined) {
    return undefined;
  }
  const target = requestTargetOf(read, { path });
  const response = await session.send({ method: 'GET', target });
  const { status, json } = response;
  if (status < 300) {
    expectSuccess(session.implementation, read, response, 'The resource is read.');
  }
  if (json === undefined) {
    // That is a failure of the read alone, and shows no change.
    return undefined;
  }
  return { status, json: knownResponse(session.implementation.contract, read, json) };
}

/** @param fields header fields in place of those that are sent by default */
async function sendVariant(
  session: Session,
  operation: Operation,
  call: CallInput,
  fields: readonly HeaderField[] | undefined,
): Promise<HttpResponse> {
  const { operationId, method } = operation;
  if (!fields) {
    return session.callAround(operationId, call);
  }
  const headers = [...fields];
  const request = { method, target: requestTargetOf(operation, call), headers };
  const names = fields.map(([name]) => name.toLowerCase());
  if (call.json !== undefined && !names.includes('content-type')) {
    headers.unshift(['Content-Type', 'application/json']);
  }
  const body = call.json === undefined ? {} : { body: JSON.stringify(call.json) };
  const response = await session.sendRaw({ ...request, ...body });
  session.made(operationId, call, response);
  return response;
}
