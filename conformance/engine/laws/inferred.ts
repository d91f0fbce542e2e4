/** The laws that follow from the resources of a contract, and why others do not. */
import { scalarText } from '../contract/json-numbers.ts';
import { type Contract, entry } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { CaseSession } from '../http/session.ts';
import { type LawName, LAWS, requirementFrom, type Rule } from './index.ts';
import { type InferredResource, inferredResources } from './inference/inferred-resources.ts';
import type { Need } from './inference/needs.ts';
import type { Law } from './law.ts';
import { isNested } from './race-nested.ts';
import type { Resource, ResourceCall } from './resource.ts';
import { Steps } from './steps.ts';
import { type Requirement, skippedRequirement, statedIn } from '../requirements/requirement.ts';

/** A law as HTTP and a contract promise it. */
interface Promised {
  law: LawName;
  /** The end of the id of the requirement. */
  end: string;
  statedBy: ResourceCall;
  /** What it needs, beside items that can be told apart. */
  needs: readonly Need[];
  /** Default: the level of the calls. */
  level?: 'extended';
  /** Whether it is about items that are inside of others. */
  isInside?: boolean;
}

const PROMISED: readonly Promised[] = [
  { law: 'createdTogether', end: 'ids', statedBy: 'create', needs: [] },
  { law: 'echo', end: 'echo', statedBy: 'create', needs: ['members', 'echo'] },
  { law: 'createSpelled', end: 'echo.spellings', statedBy: 'create', needs: ['members', 'echo'] },
  {
    law: 'updateSpelled',
    end: 'update.spellings',
    statedBy: 'update',
    needs: ['members', 'update'],
  },
  { law: 'readYourWrite', end: 'read-your-write', statedBy: 'read', needs: ['members', 'echo'] },
  { law: 'siblings', end: 'siblings', statedBy: 'read', needs: [] },
  { law: 'defaults', end: 'defaults', statedBy: 'create', needs: ['members', 'defaults'] },
  { law: 'stable', end: 'stable', statedBy: 'read', needs: [] },
  { law: 'listed', end: 'listed', statedBy: 'list', needs: ['list'] },
  { law: 'listedRead', end: 'listed.read', statedBy: 'list', needs: ['list'] },
  { law: 'gone', end: 'gone', statedBy: 'delete', needs: ['delete', 'gone'] },
  { law: 'listDeleted', end: 'gone-from-list', statedBy: 'delete', needs: ['delete', 'list'] },
  { law: 'removedListed', end: 'removed.listed', statedBy: 'list', needs: ['delete', 'list'] },
  { law: 'restoredConflict', end: 'restored.conflict', statedBy: 'create', needs: ['delete'] },
  { law: 'updateEcho', end: 'update', statedBy: 'update', needs: ['members', 'update'] },
  {
    law: 'updateAbsent',
    end: 'update.others-stay',
    statedBy: 'update',
    needs: ['members', 'update'],
  },
  {
    law: 'updateBack',
    end: 'update.there-and-back',
    statedBy: 'update',
    needs: ['members', 'update'],
  },
  {
    law: 'updateIdempotent',
    end: 'update.again',
    statedBy: 'update',
    needs: ['members', 'update'],
  },
  { law: 'changedTimes', end: 'update.time', statedBy: 'update', needs: ['members', 'update'] },
  { law: 'merged', end: 'update.merged', statedBy: 'update', needs: ['update'] },
  { law: 'replaced', end: 'replaced', statedBy: 'update', needs: ['members', 'update', 'replace'] },
  { law: 'refusedUpdate', end: 'update.refused', statedBy: 'update', needs: ['members', 'update'] },
  {
    law: 'refusedBeside',
    end: 'update.refused-beside',
    statedBy: 'update',
    needs: ['members', 'update'],
    level: 'extended',
  },
  {
    law: 'refusedReasons',
    end: 'update.refused-reasons',
    statedBy: 'update',
    needs: ['members', 'update'],
    level: 'extended',
  },
  { law: 'unusualValues', end: 'values', statedBy: 'create', needs: ['members'] },
  { law: 'elsewhere', end: 'elsewhere', statedBy: 'read', needs: [] },
  { law: 'otherCase', end: 'case', statedBy: 'read', needs: [] },
  { law: 'alteredId', end: 'altered', statedBy: 'read', needs: [], level: 'extended' },
  { law: 'endOfLocation', end: 'location', statedBy: 'create', needs: [] },
  { law: 'conflict', end: 'conflict', statedBy: 'create', needs: [], level: 'extended' },
  {
    law: 'conflictAtOnce',
    end: 'race.conflict',
    statedBy: 'create',
    needs: [],
    level: 'extended',
  },
  {
    law: 'updateConflict',
    end: 'update.conflict',
    statedBy: 'update',
    needs: ['members', 'update'],
    level: 'extended',
  },
  { law: 'updateRemoved', end: 'update.null', statedBy: 'update', needs: ['members', 'update'] },
  { law: 'filtered', end: 'filtered', statedBy: 'list', needs: ['members', 'list'] },
  { law: 'statedFilters', end: 'filtered.stated', statedBy: 'list', needs: ['list'] },
  { law: 'timeFilters', end: 'filtered.time', statedBy: 'list', needs: ['list'] },
  { law: 'sorted', end: 'sorted', statedBy: 'list', needs: ['members', 'list'] },
  { law: 'statedOrder', end: 'order', statedBy: 'list', needs: ['members', 'list'] },
  { law: 'defaultSize', end: 'default-size', statedBy: 'list', needs: ['list'] },
  { law: 'smallPages', end: 'pages', statedBy: 'list', needs: ['list'] },
  { law: 'actions', end: 'actions', statedBy: 'read', needs: ['members'], level: 'extended' },
  {
    law: 'outlivesParent',
    end: 'race.inside-removed',
    statedBy: 'delete',
    needs: ['delete', 'gone'],
    level: 'extended',
    isInside: true,
  },
  {
    law: 'lostBesideParent',
    end: 'race.inside-changed',
    statedBy: 'update',
    needs: ['members', 'update'],
    level: 'extended',
    isInside: true,
  },
  {
    law: 'membersAtOnce',
    end: 'race.update',
    statedBy: 'update',
    needs: ['members', 'update'],
    level: 'extended',
  },
  { law: 'readOnly', end: 'read-only', statedBy: 'read', needs: [], level: 'extended' },
];

export function inferredLaws(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  const all = inferredResources(contract).flatMap((found) => {
    if ('reason' in found) {
      return [skippedRequirement(found.create, found.part, 'What is made is there.', found.reason)];
    }
    return lawsFor(found, operations);
  });
  return statedIn('engine/laws/inferred.ts', all);
}

function lawsFor(inferred: InferredResource, operations: readonly Operation[]): Requirement[] {
  const { part: items, resource, replaceable, missing, facts } = inferred;
  const { create, read } = facts;
  const all = whoseItemsDiffer(resource);
  const allByPut = whoseItemsDiffer(replaceable);
  const isDue = ({ law, isInside = false }: Promised): boolean => {
    const isStated = (LAWS[law] as Law).applies?.(facts) ?? true;
    return isStated && (!isInside || isNested(resource));
  };
  const due = PROMISED.filter(isDue);
  return due.map(({ law: name, end, statedBy, needs, level }): Requirement => {
    const law: Law = LAWS[name];
    // The first law finds two creations that give one id.
    const comparesItems = name !== 'createdTogether';
    const allNeeds: Need[] = ['own id', ...needs];
    const reason = allNeeds.map((need) => missing[need]).find((one) => one !== undefined);
    const part = `${items}.${end}`;
    if (reason !== undefined) {
      return skippedRequirement(create, part, law.sentence(resource), reason);
    }
    const compared = needs.includes('replace') ? allByPut : all;
    const tried = comparesItems ? compared : resource;
    const { list } = tried;
    const isInParent = statedBy === 'list' && list.kind === 'embedded';
    const stating = isInParent ? list.read : tried.calls[statedBy];
    const stated = operations.find(({ operationId }) => operationId === stating) ?? read;
    const rule: Rule = {
      id: `${create.operationId}.${part}`,
      origin: create.origin,
      clause: stated.pointer,
    };
    const found = requirementFrom(law, rule, tried, operations);
    return level === undefined ? found : { ...found, level };
  });
}

const knownReasons = new WeakMap<Implementation, Map<string, Promise<string | undefined>>>();

/**
 * The resource for laws that compare items: they have no result if no item can be made, or if two
 * have one id (mocks).
 */
function whoseItemsDiffer(resource: Resource): Resource {
  const places: Resource['places'] = async (session, wanted) => {
    const { implementation } = session;
    const known = entry(
      knownReasons,
      implementation,
      () => new Map<string, Promise<string | undefined>>(),
    );
    const outcome = entry(known, resource.one, () => whyItemsDoNotDiffer(implementation, resource));
    // That the service stopped meanwhile says nothing of what comes later.
    outcome.catch(() => known.delete(resource.one));
    const reason = await outcome;
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
async function whyItemsDoNotDiffer(
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
      if (
        resource.id.givenBy === 'body' &&
        steps.idOf(item) !== scalarText(json[resource.id.member])
      ) {
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
