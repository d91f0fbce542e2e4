/** The rules that each schema object states itself, with their origins: the lines of `generated/clauses.txt`. */
import { rootsOf } from './clauses.ts';
import { SINGLE_RULES } from './keywords.ts';
import { type Contract, perContract } from './load.ts';
import { originOf, type Side, UNSTATED } from './origins.ts';
import { objectAt, referenced, valueAt, walk } from './pointers.ts';

/** The pointers of all that requests can send and that responses can show, through references. */
const reachedOf = perContract((contract): [Side, Set<string>][] => {
  const reach = (from: string, found: Set<string>): Set<string> => {
    if (found.has(from)) return found;
    walk(
      valueAt(contract.document, from),
      ({ $ref }, pointer) => {
        found.add(pointer);
        if (typeof $ref === 'string') reach(referenced($ref), found);
      },
      from,
    );
    return found;
  };
  return Object.entries(rootsOf(contract)).map(([side, roots]) => [
    side as Side,
    roots.reduce((found, root) => reach(root, found), new Set<string>()),
  ]);
});

const STATED = [...SINGLE_RULES, 'required', 'additionalProperties', 'default'];

/**
 * The rules that the schema object at `pointer` states itself, one line each: its keyword, its value and its origin;
 * and both origins where requests and responses have it and differ. Required names have one line for each origin.
 */
export function statedAt(contract: Contract, pointer: string): string[] {
  const schema = objectAt(contract.document, pointer);
  const sides = reachedOf(contract).flatMap(([side, reached]) => (reached.has(pointer) ? [side] : []));
  const origin = (keyword: string, name?: string): string => {
    const each = sides.map((side) => originOf(contract, pointer, keyword, side, name));
    if (new Set(each).size === 1) return each[0]!;
    return each.map((one, index) => `${sides[index]} ${one}`).join(', ') || UNSTATED;
  };
  const isStated = (keyword: string) =>
    keyword in schema && !(keyword === 'additionalProperties' && schema[keyword] !== false);
  return STATED.filter(isStated).flatMap((keyword) => {
    const value = schema[keyword];
    if (keyword !== 'required') return [`${keyword} ${JSON.stringify(value)}: ${origin(keyword)}`];
    const origins = (value as string[]).map((name) => [name, origin(keyword, name)] as const);
    return [...new Set(origins.map(([, one]) => one))].map((one) => {
      const names = origins.filter(([, other]) => other === one).map(([name]) => name);
      return `${keyword} ${JSON.stringify(names)}: ${one}`;
    });
  });
}
