/** The requests that make and change an item, and the members that they set. */
import { itemPathOf, withoutSlash } from './item-paths.ts';
import { supported } from './keywords.ts';
import type { Contract } from './load.ts';
import { nounOf } from './nouns.ts';
import { type Operation, operationsOf } from './operations.ts';
import { type Shape, shapeOf } from './shape.ts';
import { asRequest } from './variants.ts';

/**
 * The operations that make or change such an item as another operation is about: POST at the
 * collection, also at one inside of something else, and PUT and PATCH at the item.
 */
export function writesOfItem(contract: Contract, item: Operation): Operation[] {
  const noun = nounOf(item);
  return operationsOf(contract).filter((one) => {
    const path = withoutSlash(one.path);
    const isCreation = one.method === 'POST' && path.endsWith(`/${noun}`);
    const isChange = one.method === 'PUT' || one.method === 'PATCH';
    return nounOf(one) === noun && (isCreation || (isChange && path === itemPathOf(one)));
  });
}

/**
 * The members that a client sets in such an item, without those that the service may change by
 * itself: any switch and choice, and what is called after a state, version or time.
 */
export function membersSetByClients(contract: Contract, item: Operation): string[] {
  const all = writesOfItem(contract, item).flatMap((write) =>
    supported(
      () => membersSetBy(contract, write),
      () => [],
    ),
  );
  return [...new Set(all)];
}

function membersSetBy(contract: Contract, { requestBody }: Operation): string[] {
  if (!requestBody) {
    return [];
  }
  const { properties } = shapeOf(asRequest(contract), requestBody.pointer);
  const all = [...properties].filter(([name, shape]) => !mayBeState(name, shape));
  return all.map(([name]) => name);
}

/** Such as `deletedAt`, `updated_by`, `version` and `lifecycle_state`. */
const OF_STATE = new RegExp(
  'delet|remov|archiv|trash|discard|restor|recover|updat|modif|chang|creat' +
    '|version|revision|etag|status|state|phase|stage',
  'i',
);

function mayBeState(name: string, { types, choices }: Shape): boolean {
  return OF_STATE.test(name) || types.has('boolean') || choices !== undefined;
}
