/**
 * Values that break one clause, beside the rest of a body that the service accepted: so it is
 * refused for that clause, and not for other reasons.
 */
import type { Clause } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import { isObject, joinPointer, valueAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { asRequest } from '../contract/variants.ts';

type Members = Record<string, unknown>;

interface Place {
  contract: Contract;
  /** JSON Pointer of the schema of the body. */
  pointer: string;
  clause: Clause;
}

/**
 * The accepted body with as little of another body as changes whether it is valid.
 * @param accepted a body that the service accepted; undefined if none is known
 * @param other a body that breaks the clause, or that just keeps it
 * @returns `other` itself if no part of it does
 */
export function besideAccepted(accepted: unknown, other: unknown, place: Place): unknown {
  if (!isObject(accepted) || !isObject(other)) {
    return other;
  }
  const { contract, pointer, clause } = place;
  const { isValid } = schemasOf(asRequest(contract));
  const isSame = isValid(pointer, other);
  const candidates = [
    withPartAt(accepted, other, clause.path),
    ...namesOf(accepted, other).map((name) => withMemberOf(accepted, other, name)),
  ];
  const found = candidates.find((one) => {
    return one !== undefined && isValid(pointer, one) === isSame && keepsValue(one, other, clause);
  });
  return found ?? other;
}

/** Whether both have the same value at the path of the clause, or both have none. */
function keepsValue(one: unknown, other: unknown, { path }: Clause): boolean {
  if (path.length === 0) {
    return true;
  }
  const pointer = joinPointer('', ...path);
  return JSON.stringify(valueAt(one, pointer)) === JSON.stringify(valueAt(other, pointer));
}

const namesOf = (accepted: Members, other: Members): string[] => [
  ...new Set([...Object.keys(other), ...Object.keys(accepted)]),
];

/** The accepted body with this member as the other one has it, or without it. */
function withMemberOf(accepted: Members, other: Members, name: string): Members {
  if (Object.hasOwn(other, name)) {
    return { ...accepted, [name]: other[name] };
  }
  const { [name]: _, ...rest } = accepted;
  return rest;
}

/** The accepted body with the part of the other one at the path; undefined if there is no place. */
function withPartAt(accepted: unknown, other: unknown, path: readonly string[]): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) {
    return undefined;
  }
  if (!isObject(accepted) || !isObject(other) || !Object.hasOwn(other, segment)) {
    return undefined;
  }
  if (rest.length === 0) {
    return { ...accepted, [segment]: other[segment] };
  }
  const inner = withPartAt(accepted[segment], other[segment], rest);
  return inner === undefined ? undefined : { ...accepted, [segment]: inner };
}
