/** A change of a route that is not one step: half of it is done, or its parts are looked at one by one. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { problem, succeeded } from '../mutate/response.ts';
import { asSent, disabled, SIGN_IN } from '../mutate/modules.ts';
import { only, removes } from '../mutate/patch.ts';
import type { Mutate } from '../mutate/mutate.ts';
import { refusedInPart } from '../mutate/refused-in-part.ts';
import { isObject, type Json, sending } from '../mutate/request.ts';
import { changing } from '../mutate/route.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('atomic', 'extended');

/** Does a part of what is refused with 400. */
const partly = (part: (patch: Json) => Json): Mutate => refusedInPart('updateRoute', 400, part);

/** Those properties that the service takes alone: what a service does that applies one after another. */
const oneByOne = (until: 'the first error' | 'the end'): Mutate =>
  changing(async (next, request, patch) => {
    const response = await next(request);
    if (response.status !== 400) return response;
    for (const [name, value] of Object.entries(patch)) {
      const answered = await next(sending(request, { [name]: value }));
      if (until === 'the first error' && !succeeded(answered)) break;
    }
    return response;
  });

/** From one module that signs users in to another, in one change. */
const swaps = (patch: Json, before: Json): boolean => {
  const enabled = SIGN_IN.find((name) => isObject(before[name]) && before[name]['enabled'] === true);
  return (
    enabled !== undefined &&
    SIGN_IN.some((name) => name !== enabled && isObject(patch[name]) && patch[name]['enabled'] !== false)
  );
};

const swapping = (
  handle: (next: Service, request: ServiceRequest, patch: Json, before: Json) => Promise<ServiceResponse>,
): Mutate =>
  changing((next, request, patch, before) =>
    swaps(patch, before) ? handle(next, request, patch, before) : next(request),
  );

export const atomic: Mutant[] = [
  mutant('refused-texts', 'A change that is refused has changed the texts.', partly(only('description', 'metadata'))),
  mutant('refused-match', 'A change that is refused has changed the match where that is right.', partly(only('match'))),
  mutant(
    'refused-nulls',
    'A change that is refused has removed modules.',
    partly((patch) => only(...removes(patch))(patch)),
  ),
  mutant('refused-added', 'A change that is refused has added a module.', partly(only('user_agent_filter'))),
  mutant('refused-first', 'Parts of a change are done until one is refused.', oneByOne('the first error')),
  mutant('refused-rest', 'All right parts of a change are done, and the others refused.', oneByOne('the end')),

  mutant(
    'swap-409',
    'The modules of a change are looked at one after another, and the new one first.',
    swapping(async () => problem(409, 'conflict')),
  ),
  mutant(
    'swap-removed-409',
    'A swap by null is refused with 409, and one by disabling is not.',
    swapping(async (next, request, patch) =>
      SIGN_IN.some((name) => patch[name] === null) ? problem(409, 'conflict') : next(request),
    ),
  ),
  mutant(
    'swap-disabled-409',
    'A swap by disabling is refused with 409, and one by null is not.',
    swapping(async (next, request, patch) =>
      SIGN_IN.some((name) => isObject(patch[name]) && patch[name]['enabled'] === false)
        ? problem(409, 'conflict')
        : next(request),
    ),
  ),
  mutant(
    'swap-in-order',
    'The modules of a change are looked at in the order of the contract.',
    swapping(async (next, request, patch) => {
      const first = SIGN_IN.find((name) => Object.hasOwn(patch, name))!;
      return isObject(patch[first]) && patch[first]['enabled'] !== false ? problem(409, 'conflict') : next(request);
    }),
  ),
  mutant(
    'swap-new-disabled',
    'The new module of a swap is kept disabled.',
    swapping((next, request, patch) =>
      next(
        sending(
          request,
          Object.fromEntries(
            Object.entries(patch).map(([name, value]) => [name, SIGN_IN.includes(name) ? disabled(value) : value]),
          ),
        ),
      ),
    ),
  ),
  mutant(
    'swap-old-removed',
    'The old module of a swap is removed where it should be disabled.',
    swapping((next, request, patch) =>
      next(
        sending(
          request,
          Object.fromEntries(
            Object.entries(patch).map(([name, value]) => [
              name,
              SIGN_IN.includes(name) && isObject(value) && value['enabled'] === false ? null : value,
            ]),
          ),
        ),
      ),
    ),
  ),
  mutant(
    'swap-old-kept',
    'The old module of a swap is disabled where it should be removed.',
    swapping((next, request, patch, before) =>
      next(
        sending(
          request,
          Object.fromEntries(
            Object.entries(patch).map(([name, value]) => [
              name,
              SIGN_IN.includes(name) && value === null ? disabled(asSent(name, before[name])) : value,
            ]),
          ),
        ),
      ),
    ),
  ),
  mutant(
    'swap-new-lost',
    'A swap removes the old module, and does not set the new one.',
    swapping((next, request, patch) =>
      next(
        sending(
          request,
          without(patch, ...SIGN_IN.filter((name) => isObject(patch[name]) && patch[name]['enabled'] !== false)),
        ),
      ),
    ),
  ),
];
