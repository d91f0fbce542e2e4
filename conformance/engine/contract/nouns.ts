/** Names of parameters and members that mean the same in another spelling. */

import { spelt } from './item-keys.ts';
import { supported } from './keywords.ts';
import { branchesOf } from './kinds.ts';
import type { Contract } from './load.ts';
import type { Operation } from './operations.ts';
import { asRequest } from './variants.ts';

/** Names of members that identify an item, the likeliest first. */
export const KEYS: readonly string[] = [
  'id',
  'uuid',
  'guid',
  'key',
  'slug',
  'name',
  'number',
  'code',
  'tag',
  'title',
];

/**
 * Whether a segment says which member a parameter is, as in `/variables/name/{name}` and
 * `/pets/by-id/{pet_id}`.
 */
export function isKeyword(segment: string, parameter: string): boolean {
  const word = spelt(segment);
  const named = spelt(parameter);
  const member = word.startsWith('by') ? word.slice(2) : word;
  return word === named || member === named || (KEYS.includes(member) && named.endsWith(member));
}

/** The names of the members of a body; empty without a body, or if nothing can read its schema. */
export function membersSent(contract: Contract, { requestBody }: Operation): string[] {
  if (requestBody === null) {
    return [];
  }
  const names = () => {
    const shapes = branchesOf(asRequest(contract), requestBody.pointer);
    return shapes.flatMap(({ properties }) => [...properties.keys()]);
  };
  return [...new Set(supported(names, () => []))];
}

const PARAMETER = /\{([^{}]+)\}/;

/** The literal segment before a path parameter: `pets` of `/pets/{id}`; undefined if none is. */
export function nounBefore(path: string, parameter: string): string | undefined {
  const segments = path.split('/');
  const index = segments.findIndex((one) => one.includes(`{${parameter}}`));
  const before = segments
    .slice(0, Math.max(0, index))
    .findLast((one) => !PARAMETER.test(one) && !isKeyword(one, parameter));
  if (before === '') {
    return undefined;
  }
  return before;
}

/** `boxes`, `matches` */
const PLURAL_OF_SIBILANT = /(ses|xes|zes|ches|shes)$/;

/** Words of a singular and a plural: `silences` and `silence`, `entries` and `entry`. */
export function singular(noun: string): string {
  const word = spelt(noun);
  if (word.endsWith('ies')) {
    return `${word.slice(0, -3)}y`;
  }
  if (PLURAL_OF_SIBILANT.test(word)) {
    return word.slice(0, -2);
  }
  return word.replace(/s$/, '');
}

/** The subject of an operation: the last literal segment of its path. */
export const nounOf = ({ path }: Operation): string | undefined =>
  path.split('/').findLast((one) => one !== '' && !one.includes('{'));

/** `project_id`, `projectId` and `project` name a project. */
export function resourceNamed(name: string): string | undefined {
  const word = spelt(name);
  const ending = ['uuid', 'name', 'key', 'id'].find((one) => word.endsWith(one));
  const owner = ending === undefined ? word : word.slice(0, -ending.length);
  if (owner === '') {
    return undefined;
  }
  return singular(owner);
}

/**
 * Rates how well a member fits a path parameter; the lower the better. @param noun the collection
 * that the member belongs to, such as `pets` @returns undefined if it does not fit
 */
export function nameRank(parameter: string, member: string, noun = ''): number | undefined {
  const wanted = spelt(parameter);
  const found = spelt(member);
  // A parameter `id` asks for the id of its own noun, and for no other id.
  if (found === wanted && (noun !== '' || !KEYS.includes(wanted))) {
    return 0;
  }
  if (noun !== '' && wanted === singular(noun) + found) {
    return 1;
  }
  const ending = KEYS.findIndex((key) => key === found && wanted.endsWith(key));
  if (ending >= 0 && noun !== '' && wanted.startsWith(singular(noun))) {
    return 2 + ending;
  }
  return undefined;
}
