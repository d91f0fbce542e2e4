/** The law of actions: they lead to the state that they name. */
import { memberOf } from '../contract/by-name.ts';
import { isActionOn } from '../contract/item-actions.ts';
import { operationsOf } from '../contract/operations.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import { type Law, once } from './law.ts';
import { type Facts, factsOf } from './resource.ts';
import type { Steps } from './steps.ts';

/** What brings an item from one state to another one. */
export const actionLaws = {
  actions: {
    needs: ['create', 'read'],
    applies: (facts) => actionsOf(facts).length > 0,
    sentence: ({ one }) =>
      `An action on ${one} leads to the state that it names, and gets its documented 409 there.`,
    properties: once('each action', tryActions),
  },
} satisfies Record<string, Law>;

type Action = ReturnType<typeof actionsOf>[number];

/** Each action. One that refuses a new item says nothing, and the others are tried all the same. */
async function tryActions(steps: Steps): Promise<void> {
  const actions = actionsOf(factsOf(steps.resource));
  const reasons: string[] = [];
  for (const action of actions) {
    const reason = await tryAction(action, steps);
    if (reason !== undefined) {
      reasons.push(reason);
    }
  }
  if (reasons.length === actions.length) {
    throw new NotPossible(reasons.join('; '));
  }
}

/**
 * POSTs that need nothing but an item, such as `/orders/{id}/cancel`, each with the member that
 * shows the state of the item.
 */
function actionsOf({ contract, read, sent, shown }: Facts) {
  const states = [...shown[0]!.properties].filter(
    ([name, { choices }]) => choices && !sent.properties.has(name),
  );
  const actions = operationsOf(contract).filter((one) => {
    return isActionOn(read.path, one) && one.unsupported === undefined;
  });
  return actions.flatMap((action) =>
    states.map(([member, { choices = [] }]) => ({ action, member, choices })),
  );
}

/**
 * `cancel` makes it `cancelled`; and once it has been in each of its states, a documented 409 must
 * have come.
 * @returns why it says nothing
 */
async function tryAction(
  { action, member, choices }: Action,
  steps: Steps,
): Promise<string | undefined> {
  const { session, implementation } = steps;
  const { path } = await steps.createOne(steps.full());
  const look = async () =>
    memberOf(
      Object(steps.within((await steps.succeed('read', { path })).json)) as Record<string, unknown>,
      member,
    );
  const was = await look();
  const act = () => session.call(action.operationId, { path });
  const response = await act();
  if (response.status >= 400) {
    return `${action.operationId} refuses a new item (${response.status})`;
  }
  expectSuccess(implementation, action, response);
  const now = await look();
  const verb = action.path.slice(action.path.lastIndexOf('/') + 1).toLowerCase();
  // `cancelled`; the meaning of `cancelled_by_seller` is not known.
  const isNamed = (state: string) =>
    state.startsWith(verb) && /^[a-z]{0,3}$/.test(state.slice(verb.length));
  const named = choices.filter((one) => verb.length > 2 && isNamed(String(one).toLowerCase()));
  const what = `${action.operationId} does not lead to the state that it names.`;
  expectThat(named.length !== 1 || now === named[0], what, { expected: named[0], got: now });
  if (
    !('409' in action.responses) ||
    now === was ||
    choices.some((one) => one !== was && one !== now)
  ) {
    return undefined;
  }
  const why =
    `It is ${String(now)} already: no other state of an item is ` +
    'left in which the documented 409 can come.';
  expectRefusal(implementation, action, await act(), { statuses: [409], why });
  expectSame('A refused action changed something', await look(), now);
  return undefined;
}
