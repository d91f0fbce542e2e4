/** Where items of a resource are made that only its contract describes, and whether anything can be said of them. */
import { entry } from '../../contract/entry.ts';
import type { Operation } from '../../contract/operations.ts';
import { expectSuccess } from '../../http/expect-response.ts';
import type { Implementation } from '../../http/implementation.ts';
import { Nonconformity, NotPossible } from '../../http/nonconformity.ts';
import { Session } from '../../http/session.ts';
import { validCall, withRequired } from '../../requirements/calls.ts';
import { itemIn } from '../items.ts';
import { idOf, type Place, type Resource } from '../resource.ts';
import type { Bodies } from './values.ts';

/** Places for items; each call of the case gets the parameters that it cannot be without. */
export function placesOf(create: Operation, bodies: () => Bodies): Resource['places'] {
  return async (session, { items, places = 1 }) => {
    session.complete = (operation, input) => withRequired(session.implementation, operation, input);
    const all: Place[] = [];
    for (let count = 0; count < places; count++) {
      const { path = {} } = await validCall(session, create.operationId);
      all.push({ path, bodies: bodies().several(items), foreign: [] });
    }
    return all;
  };
}

const surveys = new WeakMap<Implementation, Map<string, Promise<string | undefined>>>();

/**
 * The resource, for laws that compare items: they say nothing where none can be made, or where two creations give one id,
 * as those of a mock server do. Both are failures of other requirements.
 */
export function surveyed(resource: Resource): Resource {
  return {
    ...resource,
    get values() {
      return resource.values;
    },
    async places(session, wanted) {
      const { implementation } = session;
      const known = entry(surveys, implementation, () => new Map<string, Promise<string | undefined>>());
      const reason = await entry(known, resource.calls.create, () => survey(implementation, resource));
      if (reason !== undefined) throw new NotPossible(reason);
      return resource.places(session, wanted);
    },
  };
}

/** Why nothing can be said of its items; undefined where something can. */
async function survey(implementation: Implementation, resource: Resource): Promise<string | undefined> {
  const session = new Session(implementation);
  const { create } = resource.calls;
  try {
    const [place] = (await resource.places(session, { items: 2 })) as [Place];
    const ids: string[] = [];
    for (const json of place.bodies) {
      const response = await session.call(create, { path: place.path, json });
      expectSuccess(implementation, session.operation(create), response);
      ids.push(idOf(resource, itemIn(resource, place, response)));
    }
    return new Set(ids).size === ids.length
      ? undefined
      : `two calls of ${create} gave one id: items cannot be distinguished`;
  } catch (error) {
    if (error instanceof Nonconformity) return `${create} makes no item of what the contract allows: ${error.message}`;
    throw error;
  } finally {
    await session.cleanUp(false);
  }
}
