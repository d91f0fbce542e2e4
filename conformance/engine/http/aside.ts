/** Requests beside the cases, such as those that remove what a case made. */
import type { Sending } from './call.ts';
import type { RecordedExchange } from './exchange.ts';
import type { Implementation } from './implementation.ts';
import { operationAt } from './operation-of.ts';
import { HttpResponse, type RawResponse } from './response.ts';
import { isServerError } from './server-errors.ts';

/** Sends a request that no case shows; a status from 500 on is noted. @throws NoResponse */
export async function sendAside(
  implementation: Implementation,
  sending: Sending,
): Promise<RawResponse> {
  const { client } = implementation;
  const whole = client.authorized(sending);
  const response = await client.send(whole);
  if (response.status >= 500) {
    const { method, target, headers = {}, body } = whole;
    const request = { method, url: client.urlOf(target), headers, body: body?.toString() ?? null };
    const { status, headers: fields, text } = new HttpResponse(response);
    noteServerError(implementation, [
      { request, response: { status, headers: fields, body: text } },
    ]);
  }
  return response;
}

/** Notes a status from 500 on. @param exchanges the last one has the response */
export function noteServerError(
  { contract, client, serverErrors }: Implementation,
  exchanges: readonly RecordedExchange[],
): void {
  const last = exchanges.at(-1);
  if (!last?.response) {
    return;
  }
  const operation = operationAt(contract, client, last.request);
  const { status } = last.response;
  if (operation !== undefined && isServerError(operation, status)) {
    serverErrors.note(operation.operationId, status, exchanges);
  }
}
