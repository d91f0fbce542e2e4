/**
 * Values that break one clause, or that just keep it, beside the rest of a body that the service
 * accepted: what the service responds is due to that clause, and to nothing else it may dislike.
 */
import { memberOf, setMember } from '../contract/by-name.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Clause } from '../contract/clauses.ts';
import { isScalar } from '../contract/json-numbers.ts';
import type { Contract } from '../contract/load.ts';
import { isObject, joinPointer, parsePointer, valueAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { patternIn, shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { proveBreaksOnly } from '../generate/proof.ts';

type Members = Record<string, unknown>;

export interface ClauseOfBody {
  contract: Contract;
  /** JSON Pointer of the schema of the body. */
  pointer: string;
  clause: Clause;
}

/**
 * The accepted body with as little of another body as brings what that has at the clause.
 * @param accepted a body that the service accepted; undefined if none is known
 * @param other a body that breaks the clause, or that just keeps it
 * @returns `other` itself if no smaller part of it does
 */
export function besideAccepted(accepted: unknown, other: unknown, subject: ClauseOfBody): unknown {
  if (accepted === undefined) {
    return other;
  }
  const { contract, pointer, clause } = subject;
  const sent = asRequest(contract);
  const { isValid } = schemasOf(sent);
  const isKept = isValid(pointer, other);
  const carries = carriedBy(other, subject);
  const isRight = (one: unknown): boolean => {
    if (isKept) {
      return carries(one) && isValid(pointer, one);
    }
    return carries(one) && proveBreaksOnly(sent, pointer, clause, one);
  };
  const found = candidates(accepted, other, subject).find(isRight);
  if (found === undefined) {
    return other;
  }
  return withoutNeedless(found, { accepted, clause, isRight });
}

/**
 * The body with the names of the accepted one: other values that the contract allows name nothing.
 * @param names of the members that name an item
 */
export function withNamesOf(accepted: unknown, json: unknown, names: readonly string[]): unknown {
  if (!isObject(accepted) || !isObject(json)) {
    return json;
  }
  const named: Members = { ...json };
  for (const name of names) {
    const value = memberOf(accepted, name);
    if (isScalar(memberOf(json, name)) && isScalar(value)) {
      setMember(named, name, value);
    }
  }
  return named;
}

function candidates(accepted: unknown, other: unknown, subject: ClauseOfBody): unknown[] {
  const { contract, pointer, clause } = subject;
  const { path } = clause;
  const found: unknown[] = path.length > 0 ? [grafted(accepted, other, path)] : [accepted];
  if (isObject(accepted) && isObject(other)) {
    if (isOfNames(path[0] ?? '')) {
      const { properties } = shapeOf(asRequest(contract), pointer);
      found.push(withOtherNamesOf(accepted, other, properties));
    }
    const names = new Set([...Object.keys(other), ...Object.keys(accepted)]);
    found.push(...[...names].map((name) => withMemberOf(accepted, other, name)));
    found.push(withValuesOf(accepted, other));
  }
  return found;
}

/** The accepted body with this member as the other one has it, or without it. */
function withMemberOf(accepted: Members, other: Members, name: string): Members {
  if (Object.hasOwn(other, name)) {
    return { ...accepted, [name]: other[name] };
  }
  const { [name]: _, ...rest } = accepted;
  return rest;
}

/** The properties of the accepted body, and the members of the other one that are none. */
function withOtherNamesOf(
  accepted: Members,
  other: Members,
  properties: ReadonlyMap<string, unknown>,
): Members {
  const own = Object.entries(accepted).filter(([name]) => properties.has(name));
  const others = Object.entries(other).filter(([name]) => !properties.has(name));
  return Object.fromEntries([...own, ...others]);
}

/** The members of the other body, with the values of the accepted one. */
function withValuesOf(accepted: Members, other: Members): Members {
  const members: Members = {};
  for (const [name, value] of Object.entries(other)) {
    setMember(members, name, Object.hasOwn(accepted, name) ? accepted[name] : value);
  }
  return members;
}

/** The accepted value with the part of the other one at the path, as far as both go together. */
function grafted(accepted: unknown, other: unknown, path: readonly string[]): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) {
    return other;
  }
  if (Array.isArray(accepted) && Array.isArray(other) && accepted.length > 0) {
    return other.map((item) => grafted(accepted[0], item, rest));
  }
  if (!isObject(accepted) || !isObject(other)) {
    return other;
  }
  if (Object.hasOwn(other, segment)) {
    return { ...accepted, [segment]: grafted(memberOf(accepted, segment), other[segment], rest) };
  }
  if (isOfNames(segment)) {
    return other;
  }
  return withMemberOf(accepted, other, segment);
}

/** Whether a segment stands for all items, for all other names, or for those of a pattern. */
export const isOfNames = (segment: string): boolean =>
  segment === '*' || patternIn(segment) !== undefined;

type Check = (one: unknown) => boolean;

/** Rules that count the names of an object, or choose among them. */
const OF_NAMES: ReadonlySet<string> = new Set([
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'required',
  'dependentRequired',
]);

/** Whether a body has what the other one has at the place of the clause. */
function carriedBy(other: unknown, { contract, pointer, clause }: ClauseOfBody): Check {
  const sent = asRequest(contract);
  const { isValid } = schemasOf(sent);
  const { path, keyword } = clause;
  const isOfBranches = keyword === 'anyOf' || keyword === 'oneOf';
  if (path.length > 0) {
    const known = shapeOf(sent, pointer).properties;
    const values = valuesAt(other, path, known);
    return (one) => isDeepStrictEqual(valuesAt(one, path, known), values);
  }
  if (!isValid(pointer, other) && isOfBranches) {
    return failsBranchAs(other, { contract, pointer, clause });
  }
  if (!isValid(pointer, other)) {
    // The proof that the clause is broken shows that it is.
    return () => true;
  }
  if (isOfBranches) {
    const branches = branchesIn(clause);
    const met = (one: unknown) => branches.map((branch) => isValid(branch, one));
    const due = met(other);
    return (one) => isDeepStrictEqual(met(one), due);
  }
  if (OF_NAMES.has(keyword) && clause.onNames !== true) {
    const due = namesIn(other);
    return (one) => isDeepStrictEqual(namesIn(one), due);
  }
  return (one) => isDeepStrictEqual(one, other);
}

/** The pointers of the branches of an `anyOf` or `oneOf`. */
function branchesIn({ keyword, schema, pointer }: Clause): string[] {
  const branches = schema[keyword] as unknown[];
  return Array.from(branches.keys(), (index) => joinPointer(pointer, index));
}

/**
 * Whether a body breaks the branch that the other one almost satisfies in the same way: a cat with
 * ten lives is another error than a cat with none.
 */
function failsBranchAs(other: unknown, { contract, clause }: ClauseOfBody): Check {
  const { validate } = schemasOf(asRequest(contract));
  const errorsAt = (branch: string, one: unknown): string[] =>
    validate(branch, one).map(({ path, keyword, name }) => [...path, keyword, name].join('\n'));
  const byBranch = branchesIn(clause).map((branch) => ({ branch, due: errorsAt(branch, other) }));
  const least = Math.min(...byBranch.map(({ due }) => due.length));
  const nearest = byBranch.filter(({ due }) => due.length === least);
  return (one) => nearest.every(({ branch, due }) => isDeepStrictEqual(errorsAt(branch, one), due));
}

const namesIn = (value: unknown): string[] => Object.keys(Object(value) as object).toSorted();

/**
 * The values at a path, by their places; what is not there has none.
 * @param known properties that are not among the other names of the root
 */
function valuesAt(
  root: unknown,
  path: readonly string[],
  known: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  let open: [place: string, value: unknown][] = [['', root]];
  for (const [depth, segment] of path.entries()) {
    const next: typeof open = [];
    for (const [place, value] of open) {
      for (const name of namesFor(segment, value)) {
        if (depth > 0 || name === segment || !known.has(name)) {
          const members = value as Members;
          next.push([joinPointer(place, name), members[name]]);
        }
      }
    }
    open = next;
  }
  return Object.fromEntries(open);
}

function namesFor(segment: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if (Object.hasOwn(value, segment)) {
    return [segment];
  }
  return isOfNames(segment) ? Object.keys(value) : [];
}

interface Pruning {
  accepted: unknown;
  clause: Clause;
  isRight: Check;
}

/**
 * The body without members that the accepted one lacks, as far as it stays right: a service may
 * refuse them for reasons of their own.
 */
function withoutNeedless(found: unknown, { accepted, clause, isRight }: Pruning): unknown {
  const { path, keyword } = clause;
  if (path.length === 0 && OF_NAMES.has(keyword)) {
    return found;
  }
  let body = found;
  let tries = 0;
  for (const place of placesAlong(found, accepted, path)) {
    const smaller = withoutPlace(body, place);
    tries++;
    if (tries > MOST_TRIES) {
      break;
    }
    if (isRight(smaller)) {
      body = smaller;
    }
  }
  return body;
}

/** Enough for large bodies, and little time. */
const MOST_TRIES = 60;

/** The places of members beside the path that the accepted body lacks, from the outside in. */
function placesAlong(value: unknown, accepted: unknown, path: readonly string[]): string[][] {
  const [segment, ...rest] = path;
  if (segment === undefined || typeof value !== 'object' || value === null) {
    return [];
  }
  const known = Object(accepted) as Members;
  const places: string[][] = [];
  for (const [name, member] of Object.entries(value)) {
    const beside = Array.isArray(value) ? known[0] : memberOf(known, name);
    const isOnPath = name === segment || isOfNames(segment);
    if (isOnPath) {
      const inside = placesAlong(member, beside, rest);
      places.push(...inside.map((place) => [name, ...place]));
    } else if (!Array.isArray(value) && !Object.hasOwn(known, name)) {
      places.push([name], ...placesIn(member).map((place) => [name, ...place]));
    }
  }
  return places;
}

/** The places of all members and items, from the outside in, and from the last to the first. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value)
    .toReversed()
    .flatMap(([name, member]) => [[name], ...placesIn(member).map((place) => [name, ...place])]);
}

/** The value without what it has at a place; itself if it has nothing there. */
function withoutPlace(value: unknown, [name, ...rest]: readonly string[]): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name ?? '');
  if (name === undefined || !isThere) {
    return value;
  }
  const members = value as Members;
  if (Array.isArray(value)) {
    const index = Number(name);
    if (rest.length === 0) {
      return value.toSpliced(index, 1);
    }
    return value.with(index, withoutPlace(members[name], rest));
  }
  if (rest.length > 0) {
    return { ...members, [name]: withoutPlace(members[name], rest) };
  }
  const { [name]: _, ...others } = members;
  return others;
}

/**
 * Valid bodies that show whether a refused body is refused for what it has at the clause: without
 * it, or with each single one of its members. If such a body is refused, too, the clause is not the
 * reason.
 */
export function controlsOf(json: unknown, accepted: unknown, subject: ClauseOfBody): unknown[] {
  const { contract, pointer, clause } = subject;
  const { path, keyword } = clause;
  const { isValid } = schemasOf(asRequest(contract));
  const isRight: Check = (one) =>
    isValid(pointer, one) && !isDeepStrictEqual(one, json) && !isDeepStrictEqual(one, accepted);
  const places = Object.keys(valuesAt(json, path, new Map())).map(parsePointer);
  const controls: unknown[] = [];
  for (const place of places.toReversed()) {
    if (place.length > 0) {
      controls.push(withoutPlace(json, place));
    }
    if (keyword === 'additionalProperties') {
      controls.push(...withSingleMembers(json, accepted, place));
    }
  }
  return controls.filter(isRight).slice(0, MOST_CONTROLS);
}

const MOST_CONTROLS = 20;

/** The body with one member at a time of the object at a place, beside those that were accepted. */
function withSingleMembers(json: unknown, accepted: unknown, place: readonly string[]): unknown[] {
  const whole = valueAt(json, joinPointer('', ...place));
  const known = namesIn(valueAt(accepted, joinPointer('', ...place)));
  const added = namesIn(whole).filter((name) => !known.includes(name));
  return added.map((single) => {
    const others = added.filter((name) => name !== single);
    return others.reduce((body, name) => withoutPlace(body, [...place, name]), json);
  });
}
