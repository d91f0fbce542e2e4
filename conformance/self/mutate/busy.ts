/** Requests to the same thing at the same time: all but the first are refused, or all of them. */
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import type { Call, OperationId } from './operation.ts';
import { pause } from './pause.ts';
import { instead, type Mutate, remembering } from './mutate.ts';

/** While one is under way, others are refused. @param thing what a request is to; those to another thing go on */
export function busy(
  operations: OperationId | readonly OperationId[],
  thing: (call: Call) => string | undefined,
  refusal: () => ServiceResponse,
): Mutate {
  return remembering(() => {
    const under = new Set<string | undefined>();
    return instead(operations, async (next, request, call) => {
      const key = thing(call);
      if (under.has(key)) return refusal();
      under.add(key);
      try {
        await pause();
        return await next(request);
      } finally {
        under.delete(key);
      }
    });
  });
}

/** Of several that are under way together, each is refused. */
export function noneWins(
  operations: OperationId | readonly OperationId[],
  thing: (call: Call, request: ServiceRequest) => string,
  refusal: () => ServiceResponse,
): Mutate {
  return remembering(() => {
    const under = new Map<string, number>();
    return instead(operations, async (next, request, call) => {
      const key = thing(call, request);
      under.set(key, (under.get(key) ?? 0) + 1);
      await pause();
      const isAlone = under.get(key) === 1;
      await pause();
      under.delete(key);
      return isAlone ? next(request) : refusal();
    });
  });
}
