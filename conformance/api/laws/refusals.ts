/** Refusals of laws of this API: of a creation, of a change, and of what breaks the contract and would be a conflict. */
import { once, type Steps } from '../../engine/laws/steps.ts';
import type { Item, Json, Resource } from '../../engine/laws/resource.ts';
import { INFO, on } from '../define.ts';

/** A creation with this, or with each of these, is refused with 400, and nothing is there. */
export async function refuseCreation(steps: Steps, bodies: Json | readonly Json[], why: string): Promise<void> {
  const place = await steps.place();
  for (const body of [bodies].flat())
    await steps.refuse('create', { path: place.path, json: { ...place.bodies[0], ...body } }, [400], why);
  await steps.expectItems(place, [], 'What was refused is there');
}

/** A change is refused with 400, and the item stays as it was. @returns the response */
export async function refuseChange(steps: Steps, item: Item, patch: Json, why: string) {
  const response = await steps.refuse('update', { path: item.path, json: patch }, [400], why);
  await steps.expectItems(item.place, [item], 'A refused change changed something');
  return response;
}

/** What exists already, in a body that breaks the contract. */
export function conflictOnlyIfValid(id: string, resource: Resource, level: 'core' | 'extended') {
  return on(resource, level)(
    [id, 'D29', INFO, '409 comes only to a request that is otherwise valid'],
    `Adding a ${resource.unique!.members.at(-1)} that exists already, in a body that breaks the contract, gets 400 and not 409.`,
    once('an unknown property beside what exists already', async (steps) => {
      const { path, bodies } = (await steps.createOne()).place;
      await steps.refuse('create', { path, json: { ...bodies[0], x: 1 } }, [400], 'The body has an unknown property.');
    }),
  );
}
