/** Steps and laws of refused creations and changes: what was refused has changed nothing. */
import type { CallInput } from '../../engine/http/call.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import { type Item, type Json, pick } from '../../engine/laws/resource.ts';
import { once } from '../../engine/laws/law.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { INFO, on } from '../define.ts';
import { required } from '../required.ts';
import type { ResourceIn } from '../resources/laid-over.ts';

/**
 * A creation with these members, or with each list of them, is refused with 400, and creates
 * nothing.
 */
export async function refuseCreation(
  steps: Steps,
  bodies: Json | readonly Json[],
  why: string,
): Promise<void> {
  const place = await steps.place();
  for (const body of [bodies].flat()) {
    const json = { ...place.bodies[0], ...body };
    await steps.refuse('create', { path: place.path, json }, { statuses: [400], why });
  }
  await steps.expectItems(place, [], 'A refused creation created something');
}

/** A change is refused with 400, and the item stays as it was. */
export async function refuseChange(
  steps: Steps,
  item: Item,
  patch: Json,
  why: string,
): Promise<HttpResponse> {
  const response = await steps.refuse(
    'update',
    { path: item.path, json: patch },
    { statuses: [400], why },
  );
  await steps.expectItems(item.place, [item], 'A refused change changed something');
  return response;
}

/** The sentence that 409 is the last of all refusals. */
export const ONLY_IF_VALID = '409 comes only to a request that is otherwise valid';

/** A request with an error beside what is wrong with it, and the statuses that refuse the error. */
interface WithError {
  input: CallInput;
  statuses: readonly number[];
  why: string;
}

/** The request with each of the errors that any request with a body may have. */
export function withErrors(input: CallInput, { token }: Implementation): WithError[] {
  const found: WithError[] = [
    {
      input: { ...input, query: { x: '1' } },
      statuses: [400],
      why: 'The query has an unknown parameter.',
    },
    {
      input: { ...input, json: { ...(input.json as Json), x: 1 } },
      statuses: [400],
      why: 'The body has an unknown property.',
    },
    {
      input: { ...input, headers: { 'content-type': 'text/plain' } },
      statuses: [415],
      why: 'The body is not declared as JSON.',
    },
    {
      input: { ...input, headers: { accept: 'text/html' } },
      statuses: [406],
      why: '`Accept` rules JSON out.',
    },
  ];
  if (token !== undefined) {
    const why = 'No token was sent.';
    found.push({ input: { ...input, headers: { authorization: '' } }, statuses: [401], why });
  }
  return found;
}

interface ConflictRule {
  id: string;
  level: Requirement['level'];
  /** The member that no two items may have the same value of. */
  name: string;
}

/** The law that a request with an error does not get 409, even if it names what exists. */
export function conflictOnlyIfValid({ id, name, level }: ConflictRule, resourceIn: ResourceIn) {
  return on(resourceIn, level)(
    {
      id,
      origin: 'D29',
      clause: INFO,
      quotes: [ONLY_IF_VALID],
      sentence:
        `A creation or a change with a ${name} that exists already, in a request that ` +
        'breaks the contract, is refused for that, and does not get 409.',
    },
    once('a creation with what exists already', async (steps) => {
      const { place } = await steps.createOne();
      const input = { path: place.path, json: place.bodies[0] };
      for (const one of withErrors(input, steps.implementation)) {
        await steps.refuse('create', one.input, one);
      }
    }),
    once('a change to what exists already', async (steps) => {
      const { items } = await steps.createSome({ items: 2, atLeast: 2 });
      const [one, other] = items;
      const taken = pick(required(one, 'no item').shown, [name]);
      const input = { path: required(other, 'one item').path, json: taken };
      for (const wrong of withErrors(input, steps.implementation)) {
        await steps.refuse('update', wrong.input, wrong);
      }
    }),
  );
}
