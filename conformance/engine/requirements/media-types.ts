/** Media types, as far as the contract documents their refusal: 406 for responses, 415 for requests. */
import { isForm, type Operation, successOf } from '../contract/operations.ts';
import { expectRefusal } from '../http/expect-response.ts';
import type { Api } from './api.ts';
import { callToRefuse, validCall } from './calls.ts';
import { each, type Requirement } from './requirement.ts';

export function mediaTypeRequirements(operation: Operation, api: Api): Requirement[] {
  const { responses, requestBody } = operation;
  return [
    ...(responses['406'] && Object.keys(successOf(operation).content).length > 0
      ? [notAcceptable(operation, api)]
      : []),
    ...(responses['415'] && requestBody && !isForm(requestBody.mediaType) ? [unsupportedType(operation, api)] : []),
  ];
}

function notAcceptable(operation: Operation, api: Api): Requirement {
  return {
    id: `${operation.operationId}.406`,
    level: operation.level,
    origin: operation.responses['406']!.origin,
    clause: operation.responses['406']!.pointer,
    sentence: `${operation.operationId} returns 406 when the Accept header rules out every documented media type.`,
    properties: () =>
      each({ 'an unknown media type': 'application/x-conformance' }, async (accept, session) => {
        const call = await validCall(session, operation.operationId, api.callData);
        const input = { ...call, headers: { ...call.headers, accept } };
        const response = await session.call(operation.operationId, input);
        const why = `Accept: ${accept} rules out what the contract documents.`;
        expectRefusal(session.implementation, operation, response, [406], why, { input });
      }),
  };
}

function unsupportedType(operation: Operation, api: Api): Requirement {
  return {
    id: `${operation.operationId}.415`,
    level: operation.level,
    origin: operation.responses['415']!.origin,
    clause: operation.responses['415']!.pointer,
    sentence: `${operation.operationId} returns 415 to a body of a media type that the contract does not document.`,
    properties: () =>
      each({ 'an unknown media type': 'application/x-conformance' }, async (type, session) => {
        const call = await callToRefuse(session, operation.operationId, api.callData);
        const input = { ...call, headers: { ...call.headers, 'content-type': type } };
        const response = await session.call(operation.operationId, input);
        const why = `The contract documents no body of ${type}.`;
        expectRefusal(session.implementation, operation, response, [415], why, { input });
      }),
  };
}
