/** While one request is under way, others to the same thing are refused. */
import type { ServiceResponse } from '../service.ts';
import type { Call, OperationId } from './operation.ts';
import { pause } from './pause.ts';
import { instead, type Plant, remembering } from './plant.ts';

/** @param thing what a request is to; those to another thing go on */
export function busy(operations: OperationId | readonly OperationId[], thing: (call: Call) => string | undefined, refusal: () => ServiceResponse): Plant {
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
