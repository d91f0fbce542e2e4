/** Steps and laws of refused creations and changes: what was refused has changed nothing. */
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Item, Json } from '../../engine/laws/resource.ts';
import { once } from '../../engine/laws/law.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { INFO, on } from '../define.ts';
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

interface ConflictRule {
  id: string;
  level: Requirement['level'];
  /** The member that no two items may have the same value of. */
  name: string;
}

/**
 * The law that a body which breaks the contract gets 400 and not 409, even if it names what exists.
 */
export function conflictOnlyIfValid({ id, name, level }: ConflictRule, resourceIn: ResourceIn) {
  return on(resourceIn, level)(
    {
      id,
      origin: 'D29',
      clause: INFO,
      quotes: ['409 comes only to a request that is otherwise valid'],
      sentence:
        `Adding a ${name} that exists already, in a body that ` +
        'breaks the contract, gets 400 and not 409.',
    },
    once('an unknown property beside what exists already', async (steps) => {
      const { place } = await steps.createOne();
      const json = { ...place.bodies[0], x: 1 };
      const why = 'The body has an unknown property.';
      await steps.refuse('create', { path: place.path, json }, { statuses: [400], why });
    }),
  );
}
