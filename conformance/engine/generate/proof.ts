/**
 * The proof that a value breaks exactly one clause. Without it a refusal shows nothing: the service may have refused
 * for another reason.
 */
import type { Clause } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import { valueAt } from '../contract/pointers.ts';
import { schemasOf, type SchemaError } from '../contract/schemas.ts';
import { BYTE_FORMAT } from '../contract/formats.ts';

/**
 * Whether the faults of `value` by the schema at `schemaPointer` are those of `clause` at one place, and no others.
 * Rules that cannot but fall together count as one: `x-max-bytes` with the `maxLength` and `format` beside it, the type
 * and range of a number with its `format`, a list of values with the type beside it, and a rule that is stated twice. A
 * clause of keyword `if` is everything its branch says.
 */
export function proveBreaksOnly(contract: Contract, schemaPointer: string, clause: Clause, value: unknown): boolean {
  const faults = schemasOf(contract).validate(schemaPointer, value);
  const [first] = faults;
  if (!first || !faults.every(({ path }) => lies(path, clause))) return false;
  if (clause.keyword === 'if') return breaksBranch(contract, clause, faults, value);
  const place = first.path.join('\n');
  const name = clause.name ?? first.name;
  return (
    faults.some((fault) => fault.pointer === clause.pointer) &&
    faults.every(
      (fault) =>
        fault.path.join('\n') === place &&
        fault.name === name &&
        (fault.pointer === clause.pointer || isPart(contract, clause, fault)),
    )
  );
}

/** Whether an instance path is one that the path of the clause describes; for an `if`, one within. */
function lies(path: readonly string[], { path: pattern, keyword }: Clause): boolean {
  if (keyword === 'if' ? path.length < pattern.length : path.length !== pattern.length) return false;
  return pattern.every((segment, index) => segment === '*' || segment === path[index]);
}

function isPart(contract: Contract, clause: Clause, fault: SchemaError): boolean {
  const stated = valueAt(contract.document, fault.pointer);
  if (holderOf(fault.pointer) === holderOf(clause.pointer)) {
    if (['x-max-bytes', 'maxLength'].includes(clause.keyword) && 'x-max-bytes' in clause.schema)
      return (
        ['maxLength', 'x-max-bytes'].includes(fault.keyword) ||
        (fault.keyword === 'format' && BYTE_FORMAT.test(String(stated)))
      );
    if (['type', 'minimum', 'maximum'].includes(clause.keyword)) return fault.keyword === 'format';
    if (['enum', 'const'].includes(clause.keyword) && fault.keyword === 'type') return true;
  }
  // A value of a wrong type is of a wrong type by a condition, too.
  if (clause.keyword === 'type' && fault.keyword === 'type') return true;
  if (clause.keyword === 'required') return fault.keyword === 'required';
  return fault.keyword === clause.keyword && JSON.stringify(stated) === JSON.stringify(clause.schema[clause.keyword]);
}

/** Faults of a `$ref` below a branch are known by what the branch finds on its own: their pointers are elsewhere. */
function breaksBranch(contract: Contract, clause: Clause, faults: readonly SchemaError[], value: unknown): boolean {
  const at = faults[0]?.path.slice(0, clause.path.length) ?? [];
  let holder = value;
  for (const segment of at) holder = (holder as Record<string, unknown>)[segment];
  const found = schemasOf(contract).validate(clause.pointer, holder);
  const own = new Set(found.map(({ pointer, path }) => keyOf(pointer, [...at, ...path])));
  return faults.every((fault) => own.has(keyOf(fault.pointer, fault.path)));
}

function keyOf(pointer: string, path: readonly string[]): string {
  return [pointer, ...path].join('\n');
}

/** The schema that holds the keyword at `pointer`. */
function holderOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}
