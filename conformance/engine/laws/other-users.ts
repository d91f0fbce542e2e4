/** The law of lists with two users: that of one leaves out what the other one makes. */
import { isDeepStrictEqual } from 'node:util';
import { isGuarded } from '../contract/credentials.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { withoutOtherUser } from '../http/other-user.ts';
import { expectKnownUser } from '../requirements/other-users.ts';
import { type Requirement, skippedRequirement, statedIn } from '../requirements/requirement.ts';
import { requirementFrom } from './index.ts';
import { type InferredResource, inferredResources } from './inference/inferred-resources.ts';
import { type Law, once } from './law.ts';
import { type Item, operationIdOf } from './resource.ts';
import type { Steps } from './steps.ts';

const notListed: Law = {
  needs: ['create', 'list'],
  sentence: ({ one }) => `The list of another user leaves out ${one} that belongs to this one.`,
  properties: once('a new item', tryList),
};

export function otherUserLaws(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  const all = inferredResources(contract).flatMap((found) => {
    return 'reason' in found ? [] : listLaws(found, operations);
  });
  return statedIn('engine/laws/other-users.ts', all);
}

function listLaws(found: InferredResource, operations: readonly Operation[]): Requirement[] {
  const { part, resource, missing, facts } = found;
  const { create, list } = facts;
  // A list in the parent is read with that, which the other user may not read.
  const isApart = resource.list.kind !== 'embedded' && list !== undefined;
  if (!isApart || !isGuarded(list)) {
    return [];
  }
  const end = `${part}.listed.other-user`;
  const reason = missing['own id'] ?? missing['list'];
  if (reason !== undefined) {
    return [skippedRequirement(create, end, notListed.sentence(resource), reason)];
  }
  const id = `${create.operationId}.${end}`;
  const rule = { id, origin: create.origin, clause: list.pointer };
  const requirement = requirementFrom(notListed, rule, resource, operations);
  return [{ ...requirement, skip: ({ otherUser }) => withoutOtherUser(otherUser, list) }];
}

async function tryList(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const item = await steps.createOne();
  const { place } = item;
  const own = await steps.list(place, [item]);
  if (!own.ids.includes(steps.idOf(item))) {
    throw new NotPossible('the list of this user does not have the item');
  }
  const { operationId } = session.operation(operationIdOf(resource, 'list'));
  await session.asOtherUser(async () => {
    const { status } = await session.call(operationId, { path: place.path });
    const isListed = status < 300 && (await isInList(steps, item));
    const what = 'The list of another user has what belongs to this one.';
    expectThat(!isListed, what, { expected: 'none of its items', got: item.shown });
  });
  await expectKnownUser(session);
}

/** Whether a list shows the item. Another user may have one that has the same id. */
async function isInList(steps: Steps, item: Item): Promise<boolean> {
  const listing = await steps.list(item.place);
  const shown = listing.ids.includes(steps.idOf(item)) ? steps.ownIn(listing, [item]) : [];
  return shown.some((one) => isDeepStrictEqual(one, item.shown));
}
