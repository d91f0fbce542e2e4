/** Requests beside the cases, such as those that remove what a case made. */
import type { Sending } from './call.ts';
import type { RecordedExchange } from './exchange.ts';
import type { Implementation } from './implementation.ts';
import { neededSteps } from './needed-steps.ts';
import { operationAt } from './operation-of.ts';
import { HttpResponse, NoResponse, type RawResponse, SIGNS_OF_A_STOP } from './response.ts';
import { isServerError } from './server-errors.ts';

/**
 * Sends a request that no case shows. That the service fails at it is noted, and whether it may be
 * why the service stops.
 * @throws NoResponse
 */
export async function sendAside(
  implementation: Implementation,
  sending: Sending,
): Promise<RawResponse> {
  const { client, suspects, presence, contract } = implementation;
  const whole = client.authorized(sending);
  const { method, target, headers = {}, body } = whole;
  const request = { method, url: client.urlOf(target), headers, body: body?.toString() ?? null };
  const exchange: RecordedExchange = { request, response: null };
  const operation = presence.barred.size > 0 ? operationAt(contract, client, request) : undefined;
  if (operation !== undefined && presence.barred.has(operation.operationId)) {
    throw new NoResponse('unavailable', 'not sent, since it stops the service');
  }
  const begun = performance.now();
  try {
    const response = await client.send(whole);
    suspects.responded([exchange]);
    const { status, headers: fields, text } = new HttpResponse(response);
    exchange.response = { status, headers: fields, body: text };
    if (status >= 500) {
      noteServerError(implementation, [exchange]);
    }
    return response;
  } catch (error) {
    if (error instanceof NoResponse && SIGNS_OF_A_STOP.has(error.kind)) {
      exchange.error = error.message;
      suspects.lost(begun, [exchange], error);
    }
    throw error;
  }
}

/** A case sends few; the survey sends all that it tries. */
const FEW = 12;

/** Notes a status from 500 on. @param exchanges the last one has the response */
export function noteServerError(
  { contract, client, serverErrors }: Implementation,
  exchanges: readonly RecordedExchange[],
): void {
  const steps = exchanges.length > FEW ? neededSteps(exchanges, { contract, client }) : exchanges;
  const last = exchanges.at(-1);
  if (!last?.response) {
    return;
  }
  const operation = operationAt(contract, client, last.request);
  const { status } = last.response;
  if (operation !== undefined && isServerError(operation, status)) {
    serverErrors.note(operation.operationId, status, steps);
  }
}
