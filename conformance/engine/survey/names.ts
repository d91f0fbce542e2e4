/** Names of parameters and members that mean the same in another spelling. */

import { spelt } from '../contract/item-keys.ts';

/** Some frameworks have a slash at the end of a path. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');

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

/** Whether a segment says which member a parameter is, as in `/variables/name/{name}`. */
export const isKeyword = (segment: string, parameter: string): boolean =>
  [spelt(parameter), `by${spelt(parameter)}`].includes(spelt(segment));

const PARAMETER = /\{([^{}]+)\}/;

/** The literal segment before a path parameter: `pets` of `/pets/{id}`; undefined if none is. */
export function nounBefore(path: string, parameter: string): string | undefined {
  const segments = path.split('/');
  const index = segments.findIndex((one) => one.includes(`{${parameter}}`));
  const before = segments
    .slice(0, Math.max(0, index))
    .findLast((one) => !PARAMETER.test(one) && !isKeyword(one, parameter));
  return before === '' ? undefined : before;
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

/**
 * Rates how well a member fits a path parameter; the lower the better. @param noun the collection
 * that the member belongs to, such as `pets` @returns undefined if it does not fit
 */
export function rankOf(parameter: string, member: string, noun = ''): number | undefined {
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
