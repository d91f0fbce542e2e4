/** The law of lists with two users: that of one leaves out what the other one makes. */
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { expectTaken } from '../requirements/other-users.ts';
import { type Requirement, skippedRequirement, statedIn } from '../requirements/requirement.ts';
import { requirementFrom } from './index.ts';
import { type InferredResource, inferredResources } from './inference/inferred-resources.ts';
import { type Law, once } from './law.ts';
import { operationIdOf } from './resource.ts';
import type { Steps } from './steps.ts';

const notListed: Law = {
  needs: ['create', 'list'],
  sentence: ({ one }) => `The list of another user leaves out ${one} that belongs to this one.`,
  properties: once('a new item', tryList),
};

export function otherUserLaws(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  const all = inferredResources(contract).flatMap((found) => {
    return 'reason' in found ? [] : [listLaw(found, operations)];
  });
  return statedIn('engine/laws/other-users.ts', all);
}

function listLaw(found: InferredResource, operations: readonly Operation[]): Requirement {
  const { part, resource, missing, facts } = found;
  const { create, read } = facts;
  const end = `${part}.listed.other-user`;
  const reason = missing['own id'] ?? missing['list'];
  if (reason !== undefined) {
    return skippedRequirement(create, end, notListed.sentence(resource), reason);
  }
  const list = operations.find(({ operationId }) => operationId === resource.calls.list) ?? read;
  const id = `${create.operationId}.${end}`;
  const rule = { id, origin: create.origin, clause: list.pointer };
  return requirementFrom(notListed, rule, resource, operations);
}

async function tryList(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const item = await steps.createOne();
  const { place } = item;
  const list = session.operation(operationIdOf(resource, 'list'));
  await session.asOtherUser(async () => {
    const response = await session.call(list.operationId, { path: place.path });
    expectTaken(list, response);
    const isRefused = response.status >= 300;
    if (!isRefused) {
      const what = 'The list of another user has what belongs to this one.';
      steps.expectNotListed(await steps.list(place), [item], what);
    }
  });
}
