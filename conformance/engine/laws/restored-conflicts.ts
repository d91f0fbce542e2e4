/**
 * The law of removed items that cannot come back, since a new one has what no two may have, such as
 * a serial number.
 */
import { isDeepStrictEqual } from 'node:util';
import { operationsOf } from '../contract/operations.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { type Law, once } from './law.ts';
import { bodyOf, type Facts, factsOf, type Item, pick } from './resource.ts';
import { type Restoring, restoringBy } from './restored.ts';
import type { Steps } from './steps.ts';

export const restoredConflictLaws = {
  restoredConflict: {
    needs: ['create', 'read', 'delete'],
    applies: (facts) => restoringOf(facts) !== undefined,
    sentence: ({ one, many }) =>
      `Bringing ${one} back is refused if a new one has what no two ${many} may have.`,
    properties: (resource) => [
      once('one that was made again', (steps) => tryMadeAgain(factsOf(resource), steps)),
    ],
  },
} satisfies Record<string, Law>;

/** The action that brings items back, if it and their creation document a conflict. */
function restoringOf({ contract, create, read }: Facts): Restoring | undefined {
  const all = operationsOf(contract).flatMap((action) => restoringBy(contract, action) ?? []);
  const found = all.find((one) => one.read.operationId === read.operationId);
  const isConflict = '409' in create.responses && '409' in (found?.action.responses ?? {});
  if (isConflict) {
    return found;
  }
  return undefined;
}

async function tryMadeAgain(facts: Facts, steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const { operationId } = restoringOf(facts)!.action;
  const place = await steps.place();
  const input = { path: place.path, json: bodyOf(place) };
  const item = await steps.create(place, input.json);
  const again = await session.call(resource.calls.create, input);
  if (again.status !== 409) {
    throw new NotPossible('two equal creations are no conflict here');
  }
  await steps.remove(item);
  const other = await session.call(resource.calls.create, input);
  if (other.status >= 300) {
    throw new NotPossible(`what was removed is in conflict with a new one (${other.status})`);
  }
  const response = await session.call(operationId, { path: item.path });
  const isBack = response.status < 300 && (await isAsBefore(facts, item, steps));
  expectThat(!isBack, 'Two items are there, of which only one may be.', {
    expected: 'a refusal, such as 409',
    got: response.status,
  });
}

/** Whether the item is there as it was: a service may bring it back with another name. */
async function isAsBefore({ members }: Facts, item: Item, steps: Steps): Promise<boolean> {
  const shown = await steps.read(item);
  return isDeepStrictEqual(pick(shown, members), pick(item.shown, members));
}
