/** The media types of a body: an operation takes each one that its contract documents. */
import type { Contract } from '../contract/load.ts';
import type { Operation, RequestBody } from '../contract/operations.ts';
import { asRequest } from '../contract/variants.ts';
import { bodyValues, isAllowed } from '../generate/bodies.ts';
import { possible } from '../generate/filter.ts';
import type { CallInput } from '../http/call.ts';
import { expectDocumentedSuccess } from '../http/expect-response.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { validCall } from './calls.ts';
import { basedRequirement, CLAUSE, type Requirement } from './requirement.ts';

/** One for each media type beside the preferred one, of which a body can be made. */
export function bodyTypeRequirements(contract: Contract, operation: Operation): Requirement[] {
  const all = operation.requestBody?.alternatives ?? [];
  return all.map((body) => ({ ...takenAs(contract, operation, body), weight: CLAUSE }));
}

function takenAs(contract: Contract, operation: Operation, body: RequestBody): Requirement {
  const { operationId, origin } = operation;
  const { mediaType, pointer } = body;
  return basedRequirement(operation, `media-type.${mediaType}`, {
    stated: { origin, pointer },
    sentence: `${operationId} takes a valid body of ${mediaType}, which the contract documents.`,
    properties: ({ hints }) =>
      possible(() => ({
        label: `valid bodies of ${mediaType}`,
        values: bodyValues(asRequest(contract), body, hints),
        mayBeEmpty: true,
        check: (json: unknown, session: Session) => tryBody(session, operation, body, json),
      })),
  });
}

/** Refusals that are due to the media type, whatever the body is. */
const OF_MEDIA_TYPE = 415;

/** Refusals that are due to the body: one that was accepted in another media type is right. */
const OF_BODY = [400, 422];

/**
 * Sends the body that the operation accepts in another media type, if this one can have it. A
 * generated one may be refused for reasons of the service.
 */
async function tryBody(
  session: Session,
  operation: Operation,
  body: RequestBody,
  generated: unknown,
): Promise<void> {
  const { implementation } = session;
  const { operationId } = operation;
  const { mediaType } = body;
  const call = await validCall(session, operationId);
  const sent = asRequest(implementation.contract);
  const isAccepted = call.json !== undefined && isAllowed(sent, body, call.json) === true;
  const json = isAccepted ? call.json : generated;
  const response = await session.call(operationId, { ...withoutMediaType(call), json, form: body });
  const { status } = response;
  const isDue = status === OF_MEDIA_TYPE || (isAccepted && OF_BODY.includes(status));
  if (!isDue && status >= 400 && status < 500) {
    throw new NotPossible(`${operationId} refuses generated bodies of ${mediaType} (${status})`);
  }
  const why = `The contract documents a body of ${mediaType}.`;
  expectDocumentedSuccess(implementation, session.operation(operationId), response, why);
}

/** The call without the form in which its recipe sends the body. */
function withoutMediaType(whole: CallInput): CallInput {
  const { form: _, ...call } = whole;
  const headers = Object.entries(call.headers ?? {});
  const others = headers.filter(([name]) => name !== 'content-type');
  return { ...call, headers: Object.fromEntries(others) };
}
