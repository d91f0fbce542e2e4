/** The laws that follow from the links of a contract, stated or inferred, and why others do not. */
import { type Contract, entry } from '../../contract/load.ts';
import { type Operation, operationsOf } from '../../contract/operations.ts';
import { type Implementation } from '../../http/implementation.ts';
import { Nonconformity, NotPossible } from '../../http/nonconformity.ts';
import { CaseSession } from '../../http/session.ts';
import { type Requirement, statedIn, skippedRequirement } from '../../requirements/requirement.ts';
import { type LawName, LAWS, requirementFrom, type Rule } from '../index.ts';
import type { Resource, ResourceCall } from '../resource.ts';
import { Steps } from '../steps.ts';
import { contractLaws, type StatedLaw } from './contract-laws.ts';
import { type Linked, linkedResources, type Need } from './resources.ts';

/**
 * Each law that HTTP and a contract promise, by the end of its id, with the call that states it and
 * the parts of a resource that it needs.
 */
const PROMISED: readonly [LawName, string, ResourceCall, readonly Need[]][] = [
  ['createdTogether', 'ids', 'create', []],
  ['echo', 'echo', 'create', ['echo']],
  ['createSpelled', 'echo.spellings', 'create', ['echo']],
  ['updateSpelled', 'update.spellings', 'update', ['update']],
  ['readYourWrite', 'read-your-write', 'read', ['echo']],
  ['siblings', 'siblings', 'read', []],
  ['defaults', 'defaults', 'create', ['defaults']],
  ['stable', 'stable', 'read', []],
  ['listed', 'listed', 'list', ['list']],
  ['gone', 'gone', 'delete', ['delete', 'gone']],
  ['listDeleted', 'gone-from-list', 'delete', ['delete', 'list']],
  ['updateEcho', 'update', 'update', ['update']],
  ['updateAbsent', 'update.others-stay', 'update', ['update']],
  ['updateBack', 'update.there-and-back', 'update', ['update']],
  ['updateIdempotent', 'update.again', 'update', ['update']],
  ['replaced', 'replaced', 'update', ['update', 'replace']],
  ['refusedUpdate', 'update.refused', 'update', ['update']],
];

export function linkedLaws(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  const all = linkedResources(contract).flatMap((found) => {
    if ('reason' in found) {
      return [skippedRequirement(found.create, found.part, 'What is made is there.', found.reason)];
    }
    return lawsFor(found, operations);
  });
  return statedIn('engine/laws/linked/laws.ts', all);
}

function lawsFor(linked: Linked, operations: readonly Operation[]): Requirement[] {
  const { part: items, resource, replaceable, missing, facts } = linked;
  const { create, read } = facts;
  const all = surveyed(resource);
  const allByPut = surveyed(replaceable);
  const promised = PROMISED.map(([name, ...rest]): StatedLaw => [LAWS[name], ...rest]);
  return [...promised, ...contractLaws(facts)].map(([law, id, call, needs]): Requirement => {
    // The first law finds two creations that give one id.
    const comparesItems = law !== LAWS.createdTogether;
    const due: Need[] = comparesItems ? ['own id', 'members', ...needs] : ['own id'];
    const reason = due.map((need) => missing[need]).find((one) => one !== undefined);
    const part = `${items}.${id}`;
    if (reason !== undefined) {
      return skippedRequirement(create, part, law.sentence(resource), reason);
    }
    const compared = needs.includes('replace') ? allByPut : all;
    const tried = comparesItems ? compared : resource;
    const stated = operations.find(({ operationId }) => operationId === tried.calls[call]) ?? read;
    const rule: Rule = {
      id: `${create.operationId}.${part}`,
      origin: create.origin,
      clause: stated.pointer,
    };
    const found = requirementFrom(law, rule, tried, operations);
    if (/conflict$|^actions$/.test(id)) {
      return { ...found, level: 'extended' };
    }
    return found;
  });
}

const surveys = new WeakMap<Implementation, Map<string, Promise<string | undefined>>>();

/**
 * The resource for laws that compare items: they have no result if no item can be made, or if two
 * have one id (mocks).
 */
function surveyed(resource: Resource): Resource {
  const places: Resource['places'] = async (session, wanted) => {
    const { implementation } = session;
    const known = entry(
      surveys,
      implementation,
      () => new Map<string, Promise<string | undefined>>(),
    );
    const reason = await entry(known, resource.one, () => survey(implementation, resource));
    if (reason !== undefined) {
      throw new NotPossible(reason);
    }
    return resource.places(session, wanted);
  };
  // No copy, which would make the values: a list of requirements does not need them.
  return Object.assign(Object.create(resource) as Resource, { places });
}

/**
 * The reason why its items cannot be compared, which is a failure of other requirements; undefined
 * if they can.
 */
async function survey(
  implementation: Implementation,
  resource: Resource,
): Promise<string | undefined> {
  const session = new CaseSession(implementation);
  const steps = new Steps(session, resource);
  const { create: operationId } = resource.calls;
  try {
    const place = await steps.place({ items: 2 });
    const ids: string[] = [];
    for (const json of place.bodies) {
      const item = steps.itemIn(place, await steps.succeed('create', { path: place.path, json }));
      if (resource.id.givenBy === 'body' && steps.idOf(item) !== String(json[resource.id.member])) {
        const { member } = resource.id;
        return `${operationId} gives another \`${member}\` than the one that it is sent`;
      }
      const { status } = await session.call(resource.calls.read, { path: item.path });
      if ([400, 404, 410, 422].includes(status)) {
        return `${resource.calls.read} does not find what ${operationId} made`;
      }
      ids.push(steps.idOf(item));
    }
    const isOnce = new Set(ids).size === ids.length;
    if (isOnce) {
      return undefined;
    }
    return `two calls of ${operationId} gave one id: items cannot be distinguished`;
  } catch (error) {
    if (!(error instanceof Nonconformity)) {
      throw error;
    }
    return `${operationId} makes no item of what the contract allows: ${error.message}`;
  } finally {
    await session.cleanUp(false);
  }
}
