/** A request is refused as it should be, but a part of it was done. */
import type { OperationId } from './operation.ts';
import { instead, type Mutate } from './mutate.ts';
import { isObject, type Json, jsonIn, sending } from './request.ts';

/** @param status the refusal in question; others leave nothing behind */
export function refusedInPart(operation: OperationId, status: 400 | 409, part: (body: Json) => Json): Mutate {
  return instead(operation, async (next, request) => {
    const response = await next(request);
    const body = jsonIn(request);
    if (response.status === status && isObject(body)) await next(sending(request, part(body)));
    return response;
  });
}
