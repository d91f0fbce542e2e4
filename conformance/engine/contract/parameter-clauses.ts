/**
 * The clauses of parameters: their ids begin with the name of the parameter, such as
 * `limit.maximum`.
 */
import { clausesOf, type Clause } from './clauses.ts';
import { reasonOf } from './implied.ts';
import type { Contract } from './load.ts';
import { objectAt, parameterSchema } from './pointers.ts';
import { shapeAt, shapeOf, type Shape } from './shape.ts';

/** A clause that no value breaks alone. */
export interface ImpliedClause {
  clause: Clause;
  reason: string;
}

/** The clauses of the parameter at the pointer, such as `/components/parameters/Limit`. */
export function parameterClauses(contract: Contract, parameterPointer: string): Clause[] {
  const { name } = objectAt(contract.document, parameterPointer);
  const { schema } = parameterSchema(contract.document, parameterPointer);
  return clausesOf(contract, schema).map((clause) => clauseOfParameter(clause, String(name)));
}

/** The clauses of the parameter that no value in a request breaks alone, each with the reason. */
export function impliedParameterClauses(
  contract: Contract,
  parameterPointer: string,
): ImpliedClause[] {
  const { name, in: place } = objectAt(contract.document, parameterPointer);
  const { schema, inJson } = parameterSchema(contract.document, parameterPointer);
  const shape = shapeOf(contract, schema);
  const implied: ImpliedClause[] = [];
  for (const clause of clausesOf(contract, schema)) {
    let reason = reasonOf(contract, schema, clause);
    if (!inJson) {
      reason ??= reasonInText(shape, place, clause);
    }
    if (reason !== undefined) {
      implied.push({ clause: clauseOfParameter(clause, String(name)), reason });
    }
  }
  return implied;
}

/** Why no text in a URL or header breaks the clause; undefined if one does. */
function reasonInText(
  shape: Shape,
  place: unknown,
  { keyword, path, schema }: Clause,
): string | undefined {
  if (keyword === 'type' && path.length === 0 && isStructured(shape)) {
    return 'Every text can be read as a list or an object.';
  }
  if (keyword === 'type' && shapeAt(shape, path)?.types.has('string')) {
    return 'A parameter in a URL is always a text.';
  }
  if (keyword === 'minLength' && schema['minLength'] === 1 && place === 'path') {
    return 'An empty text in a path makes another path.';
  }
  if (keyword === 'minItems' && schema['minItems'] === 1) {
    return 'An empty list counts as omitted.';
  }
  return undefined;
}

/** Whether a parameter with this value is a list or an object, not a text. */
export const isStructured = ({ types }: Shape): boolean =>
  (types.has('array') || types.has('object')) && !types.has('string');

/** The clause with the name of the parameter before its id. */
export const clauseOfParameter = (clause: Clause, parameter: string): Clause => ({
  ...clause,
  id: `${parameter}.${clause.id}`,
});
