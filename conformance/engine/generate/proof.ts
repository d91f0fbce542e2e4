/**
 * The proof that a value breaks exactly one clause. Without it a refusal shows nothing: the service may have refused
 * for another reason.
 */
import type { Clause } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import { joinPointer, valueAt } from '../contract/pointers.ts';
import { schemasOf, type SchemaError } from '../contract/schemas.ts';
import { nullableBranch, patternIn, shapeAt, shapeOf, WHOLE_RULES } from '../contract/shape.ts';
import { BYTE_FORMAT } from '../contract/formats.ts';
import { without } from './without.ts';

/**
 * Whether the errors of `value` by the schema at `schemaPointer` are those of `clause` at one place, and no others.
 * Rules that cannot but fall together count as one: `x-max-bytes` with the `maxLength` and `format` beside it, the type
 * and range of a number with its `format`, a list of values with the type beside it, and a rule that is stated twice. A
 * clause of keyword `if` is everything its branch says.
 */
export function proveBreaksOnly(contract: Contract, schemaPointer: string, clause: Clause, value: unknown): boolean {
  const errors = schemasOf(contract).validate(schemaPointer, value);
  const [first] = errors;
  if (!first) return false;
  const isRightWithout = (rules: readonly string[]): boolean =>
    schemasOf(without(contract, [clause.pointer, ...rules])).isValid(schemaPointer, value);
  // What a rule about a whole value finds has many names; but without the rule, nothing is wrong.
  if (clause.keyword === 'if') return isRightWithout([]);
  if (WHOLE_RULES.includes(clause.keyword) && isRightWithout([])) return true;
  // Such rules fail together with what stands inside them: without both, nothing may be wrong.
  if (errors.some(({ keyword }) => WHOLE_RULES.includes(keyword)))
    return (
      errors.some(({ pointer }) => pointer === clause.pointer) &&
      isRightWithout(wholeRules(contract, schemaPointer, clause))
    );
  if (!errors.every(({ path }) => lies(path, clause))) return false;
  const place = first.path.join('\n');
  const name = clause.name ?? first.name;
  return (
    errors.some((error) => error.pointer === clause.pointer) &&
    errors.every(
      (error) =>
        error.path.join('\n') === place &&
        error.name === name &&
        (error.pointer === clause.pointer || isPart(contract, clause, error)),
    )
  );
}

/** The rules about whole values at the place of the clause and around it. */
function wholeRules(contract: Contract, schemaPointer: string, { path }: Clause): string[] {
  const root = shapeOf(contract, schemaPointer);
  return Array.from({ length: path.length + 1 }, (_, depth) => shapeAt(root, path.slice(0, depth))?.parts ?? [])
    .flat()
    .flatMap(({ pointer, schema }) =>
      WHOLE_RULES.filter((rule) => rule in schema && !(rule === 'oneOf' && nullableBranch(schema))).map((rule) =>
        joinPointer(pointer, rule),
      ),
    );
}

/** Whether an instance path is one that the path of the clause describes. */
function lies(path: readonly string[], { path: pattern }: Clause): boolean {
  return path.length === pattern.length && pattern.every((segment, index) => leadsTo(segment, path[index] ?? ''));
}

function leadsTo(segment: string, name: string): boolean {
  const pattern = patternIn(segment);
  return segment === '*' || segment === name || (pattern !== undefined && new RegExp(pattern, 'u').test(name));
}

function isPart(contract: Contract, clause: Clause, error: SchemaError): boolean {
  const stated = valueAt(contract.document, error.pointer);
  if (holderOf(error.pointer) === holderOf(clause.pointer)) {
    if (['x-max-bytes', 'maxLength'].includes(clause.keyword) && 'x-max-bytes' in clause.schema)
      return (
        ['maxLength', 'x-max-bytes'].includes(error.keyword) ||
        (error.keyword === 'format' && BYTE_FORMAT.test(String(stated)))
      );
    if (['type', 'minimum', 'maximum'].includes(clause.keyword)) return error.keyword === 'format';
    if (['enum', 'const'].includes(clause.keyword) && error.keyword === 'type') return true;
  }
  // A value of a wrong type is of a wrong type by a condition, too.
  if (clause.keyword === 'type' && error.keyword === 'type') return true;
  if (clause.keyword === 'required') return error.keyword === 'required';
  return error.keyword === clause.keyword && JSON.stringify(stated) === JSON.stringify(clause.schema[clause.keyword]);
}

/** The schema that holds the keyword at `pointer`. */
function holderOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}
