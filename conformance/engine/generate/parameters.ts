/**
 * Values of parameters that are lists or objects, and valid ones of any parameter. Only what the parameter can carry is
 * sent: what is read from it again must be the value that was meant.
 */
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { impliedClauses, named } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import type { Parameter } from '../contract/operations.ts';
import { joinPointer } from '../contract/pointers.ts';
import { shapeAt, shapeOf, type Shape, spelled } from '../contract/shape.ts';
import type { Hints } from '../contract/hints.ts';
import { boundariesOf } from './boundaries.ts';
import { accepted, exists } from './filter.ts';
import { PLAIN } from './scalars.ts';
import { validValues } from './valid.ts';
import { violationsOf } from './violations.ts';

export interface ValueCase {
  clause: Clause;
  label: string;
  value: fc.Arbitrary<unknown>;
}

/** Whether the value of a parameter is a list or an object. */
export function isStructured(contract: Contract, { pointer }: Parameter): boolean {
  const { types } = shapeOf(contract, joinPointer(pointer, 'schema'));
  return (types.has('array') || types.has('object')) && !types.has('string');
}

/** Values that the parameter allows. */
export function valuesOf(contract: Contract, parameter: Parameter, hints?: Hints): fc.Arbitrary<unknown> {
  const values = validValues(contract, joinPointer(parameter.pointer, 'schema'), hints);
  return accepted(values, `value for the parameter ${parameter.name}`, (value) => carries(contract, parameter, value));
}

export function limitsOf(contract: Contract, parameter: Parameter, hints?: Hints): ValueCase[] {
  return sendable(contract, parameter, boundariesOf(contract, joinPointer(parameter.pointer, 'schema'), hints));
}

export function wrongValuesOf(contract: Contract, parameter: Parameter, hints?: Hints): ValueCase[] {
  return sendable(contract, parameter, violationsOf(contract, joinPointer(parameter.pointer, 'schema'), hints));
}

/** The clauses of the parameter that what it carries can break: everything in it is a text, and itself is there. */
export function structuredClauses(contract: Contract, parameter: Parameter): Clause[] {
  const schema = joinPointer(parameter.pointer, 'schema');
  const implied = new Set(impliedClauses(contract, schema).map(({ clause }) => clause.id));
  const isText = (clause: Clause) => shapeAt(shapeOf(contract, schema), clause.path)?.types.has('string');
  return clausesOf(contract, schema)
    .filter((clause) => !implied.has(clause.id) && !(clause.keyword === 'minItems' && clause.schema['minItems'] === 1))
    .filter((clause) => clause.keyword !== 'type' || (clause.path.length > 0 && !isText(clause)))
    .map((clause) => named(clause, parameter.name));
}

function sendable(contract: Contract, parameter: Parameter, cases: readonly ValueCase[]): ValueCase[] {
  return cases.flatMap(({ clause, label, value }) => {
    const carried = accepted(value, `value that ${parameter.name} can carry`, (one) =>
      carries(contract, parameter, one),
    );
    return exists(carried) ? [{ clause: named(clause, parameter.name), label, value: carried }] : [];
  });
}

function carries(contract: Contract, { pointer, in: place }: Parameter, value: unknown): boolean {
  const shape = shapeOf(contract, joinPointer(pointer, 'schema'));
  const isText = (text: string) => text.isWellFormed() && (place === 'query' || PLAIN.test(text));
  const same = (of: Shape | undefined, one: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof one) &&
    isText(String(one)) &&
    (of === undefined || Object.is(spelled(of, String(one)), one));
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => same(shape.items, item));
  if (typeof value !== 'object' || value === null) return same(shape, value);
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([name, one]) => /^[\w-]+$/.test(name) && same(shape.properties.get(name) ?? shape.additional, one))
  );
}
