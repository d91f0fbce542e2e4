/**
 * The law of removed items that cannot come back, since a new one has what no two may have, such as
 * a serial number.
 */
import { isDeepStrictEqual } from 'node:util';
import { operationsOf } from '../contract/operations.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { membersIn, shownBy } from '../http/shown-item.ts';
import { type Law, once } from './law.ts';
import { bodyOf, type Facts, factsOf, type Item, type Json } from './resource.ts';
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
  const made = await session.call(resource.calls.create, input);
  if (made.status >= 300) {
    throw new NotPossible(`what was removed is in conflict with a new one (${made.status})`);
  }
  const other = steps.itemIn(place, made);
  if (steps.idOf(other) === steps.idOf(item)) {
    throw new NotPossible('a new item in the place of a removed one brings that back');
  }
  const { status } = await session.call(operationId, { path: item.path });
  if (status < 300) {
    const areBoth =
      (await isAsBefore(item, input.json, steps)) && (await isAsBefore(other, input.json, steps));
    const what = 'The removed item is back beside a new one with its unique value.';
    expectThat(!areBoth, what, { expected: 'a refusal, such as 409', got: status });
  }
}

const OF_STATE = /(status|state|phase|stage|active|enabled|draft)$/i;

/**
 * Whether an item is there as it was sent: a service may give one of two another name, or remove
 * it. @throws NotPossible if it shows nothing of that
 */
async function isAsBefore(item: Item, sent: Json, steps: Steps): Promise<boolean> {
  const { session, resource } = steps;
  const { status, json } = await session.call(resource.calls.read, { path: item.path });
  const names = Object.keys(sent).filter((name) => Object.hasOwn(item.shown, name));
  if (names.length === 0) {
    throw new NotPossible('an item shows nothing of what was sent');
  }
  const { read } = factsOf(resource);
  const shown = shownBy(session.implementation.contract, read, json);
  const states = Object.keys(item.shown).filter((name) => OF_STATE.test(name));
  const isInState = isDeepStrictEqual(membersIn(shown, states), membersIn(item.shown, states));
  if (status < 300 && !isInState) {
    throw new NotPossible('what comes back is in another state: it need not be unique there');
  }
  return status < 300 && isDeepStrictEqual(membersIn(shown, names), membersIn(item.shown, names));
}
