/** Bodies that break two clauses at different places. */
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { reasonOf } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf, type SchemaError } from '../contract/schemas.ts';
import type { Hints } from '../contract/hints.ts';
import { accepted } from './filter.ts';
import { violationsOfClause } from './cases.ts';

/**
 * Two values that each break one clause, put together. The wrong parts of the second one are put into the first.
 * Undefined for a schema without two clauses that can be broken together.
 */
export function twoErrors(contract: Contract, schemaPointer: string, hints: Hints): fc.Arbitrary<unknown> | undefined {
  // A clause of the body itself, such as its type, leaves no room for another error; a missing property does.
  const clauses = clausesOf(contract, schemaPointer).filter(
    (clause) =>
      (clause.path.length > 0 || ROOT.has(clause.keyword)) && reasonOf(contract, schemaPointer, clause) === undefined,
  );
  if (new Set(clauses.map(topOf)).size < 2) return undefined;
  const validate = (value: unknown) => schemasOf(contract).validate(schemaPointer, value);
  const one = fc.constantFrom(...clauses).chain((clause) => {
    const violations = violationsOfClause(contract, schemaPointer, hints, clause);
    return fc.oneof(...violations.map(({ value }) => value));
  });
  const merged = fc.tuple(one, one).map(([first, second]) => {
    if (!isObject(first) || !isObject(second)) return undefined;
    const wrong = validate(second);
    const body = mergedWith(first, second, wrong);
    const due = [...validate(first), ...wrong].map(keyOf);
    const found = new Set(validate(body).map(keyOf));
    return placesOf(validate(body)).size > 1 && due.every((key) => found.has(key)) ? body : undefined;
  });
  return accepted(merged, 'body with two errors', (body) => body !== undefined);
}

const ROOT = new Set(['required', 'additionalProperties']);

function topOf({ path, keyword, name }: Clause): string {
  return path[0] ?? (keyword === 'additionalProperties' ? '' : (name ?? ''));
}

type Json = Record<string, unknown>;

function mergedWith(first: Json, second: Json, wrong: readonly SchemaError[]): Json {
  const members = new Map(Object.entries(first));
  for (const { path, name } of wrong) {
    const top = path[0] ?? name;
    if (top === undefined) continue;
    if (Object.hasOwn(second, top)) members.set(top, second[top]);
    else members.delete(top);
  }
  return Object.fromEntries(members);
}

function keyOf({ pointer, path, name = '' }: SchemaError): string {
  return [pointer, name, ...path].join('\n');
}

function placesOf(errors: readonly SchemaError[]): Set<string> {
  return new Set(errors.map(({ path, name = '' }) => [...path, name].join('\n')));
}
