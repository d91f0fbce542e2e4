/** Values with two errors: a service should report both. */
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { reasonOf } from '../contract/implied.ts';
import { tooLarge } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf, type SchemaError } from '../contract/schemas.ts';
import type { JsonValues } from './build.ts';
import { accepted, choosingAnew, GaveUp } from './filter.ts';
import { violationsOfClause } from './violations.ts';

/**
 * Objects with the errors of two clauses; undefined for a schema without two that can be broken
 * together.
 */
export function twoErrors(
  contract: Contract,
  schemaPointer: string,
  hints: Hints,
): JsonValues | undefined {
  const clauses = clausesOf(contract, schemaPointer).filter((clause) =>
    leavesRoom(contract, schemaPointer, clause),
  );
  if (new Set(clauses.map(memberOf)).size < 2) {
    return undefined;
  }
  // Whether a case has a value is found out once it is chosen: for all cases of a clause, that
  // takes long.
  const valuesFor = (clause: Clause): JsonValues => {
    const cases = violationsOfClause(contract, schemaPointer, hints, clause);
    if (cases.length === 0) {
      throw new GaveUp(`nothing is known that breaks ${clause.id}`);
    }
    return fc.oneof(...cases.map(({ value }) => value));
  };
  const validate = (value: unknown) => schemasOf(contract).validate(schemaPointer, value);
  const one = choosingAnew(fc.constantFrom(...clauses).chain(valuesFor));
  const merged = fc.tuple(one, one).map(([first, second]) => merge(first, second, validate));
  return accepted(merged, 'body with two errors', (body) => body !== undefined);
}

/**
 * Whether another clause can be broken beside this one: not if the clause is one of the body
 * itself, unless it requires or refuses a property.
 */
function leavesRoom(contract: Contract, schemaPointer: string, clause: Clause): boolean {
  const { path, keyword } = clause;
  const isOfPart = path.length > 0 || ['required', 'additionalProperties'].includes(keyword);
  if (!isOfPart || tooLarge(clause) !== undefined) {
    return false;
  }
  return reasonOf(contract, schemaPointer, clause) === undefined;
}

/** The member of the body that breaks the clause; an unknown one has no name. */
function memberOf({ path, keyword, name = '' }: Clause): string {
  const [top] = path;
  if (top !== undefined) {
    return top;
  }
  if (keyword === 'additionalProperties') {
    return '';
  }
  return name;
}

type Validate = (value: unknown) => SchemaError[];

/**
 * The first value with the wrong members of the second; undefined unless it has the errors of both,
 * at two places.
 */
function merge(first: unknown, second: unknown, validate: Validate): unknown {
  if (!isObject(first) || !isObject(second)) {
    return undefined;
  }
  const wrong = validate(second);
  const names = new Set(wrong.map(({ path: [top], name }) => top ?? name));
  const kept = Object.entries(first).filter(([member]) => !names.has(member));
  const taken = Object.entries(second).filter(([member]) => names.has(member));
  const body = Object.fromEntries([...kept, ...taken]);
  const found = validate(body);
  const places = new Set(found.map(({ path, name = '' }) => [...path, name].join('\n')));
  const keys = new Set(found.map(keyOf));
  const hasAll = [...validate(first), ...wrong].every((error) => keys.has(keyOf(error)));
  if (places.size > 1 && hasAll) {
    return body;
  }
  return undefined;
}

const keyOf = ({ pointer, path, name = '' }: SchemaError): string =>
  [pointer, name, ...path].join('\n');
