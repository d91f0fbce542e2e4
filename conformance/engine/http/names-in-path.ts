/** Members of bodies that repeat what the path names, such as `id` in a PUT to `/things/{id}`. */
import { memberOf, setMember } from '../contract/by-name.ts';
import { isObject } from '../contract/pointers.ts';
import type { CallInput } from './call.ts';
import type { BodyRecipe } from './recipe.ts';

/**
 * The call with the values of its path in the body: the resource of each call is a new one. A
 * member with another value than that of the recipe is under test, and stays.
 */
export function withNamesOfPath(call: CallInput, body: BodyRecipe | undefined): CallInput {
  const { inPath } = body ?? {};
  const { json, path = {} } = call;
  if (inPath === undefined || !isObject(json)) {
    return call;
  }
  const known = Object(body?.json) as Record<string, unknown>;
  const members = { ...json };
  for (const [member, parameter] of Object.entries(inPath)) {
    const value = memberOf(path, parameter);
    const isOfRecipe = Object.hasOwn(json, member) && json[member] === memberOf(known, member);
    if (isOfRecipe && value !== undefined) {
      const isNumber = typeof json[member] === 'number';
      setMember(members, member, isNumber ? Number(value) : value);
    }
  }
  return { ...call, json: members };
}
