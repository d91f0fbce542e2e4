/** Laws of the conflicts that a contract documents. */
import { objectAt } from '../contract/pointers.ts';
import { shapeOf } from '../contract/shape.ts';
import { expectRefusal } from '../http/expect-response.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { forEach, type Law, once } from './law.ts';
import { bodyOf, changeBodyFor, type Facts, factsOf } from './resource.ts';
import type { Steps } from './steps.ts';

/** Conflicts that the contract documents. */
export const conflictLaws = {
  conflict: {
    needs: ['create', 'read'],
    applies: ({ create }) => '409' in create.responses,
    sentence: ({ one }) =>
      `Creating ${one} that is there already gets the documented 409, and changes nothing.`,
    properties: (resource) => once('the same twice', tryConflict(factsOf(resource))),
  },
  conflictAtOnce: {
    needs: ['create', 'read'],
    applies: ({ contract, create }) =>
      '409' in create.responses && isConflictSure({ contract, create }),
    sentence: ({ one }) =>
      `Of several equal creations of ${one} at once, at most one succeeds if another one gets 409.`,
    properties: (resource) => forEach('at once', ROUNDS, tryAtOnce(factsOf(resource))),
  },
  updateConflict: {
    needs: ['create', 'read', 'update'],
    applies: mayTake,
    sentence: ({ one }) =>
      `A change of ${one} to what another one has gets the documented 409, and is not made.`,
    properties: once('what another one has', tryTaken),
  },
} satisfies Record<string, Law>;

/** Whether the words of the contract leave no doubt that two equal items are a conflict. */
function isConflictSure({ contract, create }: Pick<Facts, 'contract' | 'create'>): boolean {
  const { description: why } = objectAt(contract.document, create.responses['409']!.pointer);
  const { summary, description } = objectAt(contract.document, create.pointer);
  return ALREADY.some((one) => one.test([why, summary, description].join('\n')));
}

const EXISTS_ALREADY =
  /already (been )?(exist|registered|taken|used|in use|present|added|created)|exists? already/i;

const IS_UNIQUE = /duplicate|unique(?! id)/i;

const WITH_THE_SAME = /with (this|that|the same|the given) [\w ]{1,40}\bexists?\b/i;

const ANOTHER_HAS = /another [\w ]{1,40} (has|have|uses?) (this|that|the same)/i;

const WITH_EXISTING = /conflict\w* with (an? )?existing (?!state)/i;

const IS_TAKEN = /^taken|\b(is|are|name|mail|address|number|id|code) (taken|in use)/im;

const HELD = '(booked|reserved|claimed|occupied|allocated|assigned|enrolled|subscribed)';

const IS_HELD = new RegExp(`\\b${HELD}\\b[^.]*\\balready\\b`, 'i');

const ALREADY_HELD = new RegExp(`\\balready (been )?${HELD}\\b`, 'i');

/** Words of other conflicts, such as one with a state, are not among these. */
const ALREADY = [
  EXISTS_ALREADY,
  IS_UNIQUE,
  WITH_THE_SAME,
  ANOTHER_HAS,
  WITH_EXISTING,
  IS_TAKEN,
  IS_HELD,
  ALREADY_HELD,
];

const tryConflict = (facts: Facts) => async (steps: Steps) => {
  const { session, resource, implementation } = steps;
  const place = await steps.place();
  const input = { path: place.path, json: place.bodies[0]! };
  const item = await steps.create(place, input.json);
  const response = await session.call(resource.calls.create, input);
  if (response.status < 300 && !isConflictSure(facts)) {
    throw new NotPossible(
      'two equal creations are no conflict here, and no words of the contract say what is one',
    );
  }
  const statuses = ['409', '400', '422']
    .filter((status) => status in facts.create.responses)
    .map(Number);
  expectRefusal(implementation, facts.create, response, {
    statuses,
    why: 'The same exists already.',
  });
  await steps.expectRead(item, 'A refused creation changed something');
};

/** Rounds: a service that looks before it writes may be lucky once. */
const ROUNDS: readonly number[] = [1, 2, 3];

const AT_ONCE = 4;

/** As many equal creations at once as `AT_ONCE`, where two in turn are a conflict. */
const tryAtOnce = (facts: Facts) => async (_: number, steps: Steps) => {
  const { session, resource } = steps;
  const place = await steps.place({ items: 2 });
  const { path } = place;
  const first = { path, json: bodyOf(place) };
  await steps.succeed('create', first);
  const again = await session.call(resource.calls.create, first);
  if (again.status !== 409) {
    throw new NotPossible('two equal creations are no conflict here');
  }
  const input = { path, json: bodyOf(place, 1) };
  const responses = await session.together(() =>
    Array.from({ length: AT_ONCE }, () => session.call(resource.calls.create, input)),
  );
  const made = responses.filter(({ status }) => status < 300);
  expectThat(made.length <= 1, 'Several equal creations at once succeed.', {
    expected: `${facts.create.operationId} succeeds at most once`,
    got: responses.map(({ status }) => status).join(', '),
  });
};

/**
 * Whether a change may have all that a creation has, and the contract gives both the same reason
 * for a conflict.
 */
function mayTake({ contract, create, update, sent, id }: Facts): boolean {
  const [made, changed] = [create, update].map((one) => one?.responses['409']);
  if (!update || !made || !changed || id.givenBy === 'body') {
    return false;
  }
  const { properties } = shapeOf(contract, update.requestBody!.pointer);
  const [one, other] = [made, changed].map(
    ({ pointer }) => objectAt(contract.document, pointer)['description'],
  );
  const isSame = one === other || isConflictSure({ contract, create: update });
  return isSame && [...sent.properties.keys()].every((name) => properties.has(name));
}

/** Values that a second creation may not have are refused in a change, too. */
async function tryTaken(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const place = await steps.place({ items: 2 });
  const [, item] = await steps.createAll(place);
  const taken = place.bodies[0]!;
  const again = await session.call(resource.calls.create, { path: place.path, json: taken });
  if (again.status !== 409) {
    throw new NotPossible('two equal creations are no conflict here');
  }
  const json = changeBodyFor(resource, item!, taken);
  const input = { path: item!.path, json };
  await steps.refuse('update', input, { statuses: [409], why: 'Another item has all this.' });
  await steps.expectRead(item!, 'A refused change changed something');
}
