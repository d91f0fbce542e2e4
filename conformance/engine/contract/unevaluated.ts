/**
 * Which properties or items a schema evaluates, for `unevaluatedProperties` and `unevaluatedItems`. Ajv settles this when
 * it compiles a schema, and is wrong where the value decides: with `contains`, with `if`, in branches of an `anyOf`.
 */
import { isObject, joinPointer, referenced, valueAt } from './pointers.ts';
import { patternsFor } from './shape.ts';

export type IsValid = (pointer: string, value: unknown) => boolean;

/** The names (of items: the positions) in `value` that the schema at `pointer` leaves to its own `unevaluated…`. */
export function unevaluated(document: unknown, isValid: IsValid, pointer: string, value: object): string[] {
  const names = Object.keys(value);
  const rest = new Set(names);
  const seen = new Set<string>();
  const visit = (at: string): void => {
    const schema = valueAt(document, at);
    if (seen.has(at) || !isObject(schema)) return;
    seen.add(at);
    const evaluates = Array.isArray(value) ? evaluatesItem : evaluatesProperty;
    const left = `unevaluated${Array.isArray(value) ? 'Items' : 'Properties'}`;
    for (const name of names) {
      const inner = (value as Record<string, unknown>)[name];
      if ((at !== pointer && left in schema) || evaluates(schema, name, at, inner, isValid)) rest.delete(name);
    }
    for (const applied of inPlace(schema, at, value, isValid)) visit(applied);
  };
  visit(pointer);
  return [...rest];
}

function evaluatesProperty(schema: Record<string, unknown>, name: string): boolean {
  return (
    'additionalProperties' in schema ||
    Object.hasOwn(schema['properties'] ?? {}, name) ||
    patternsFor(schema, name).length > 0
  );
}

function evaluatesItem(
  schema: Record<string, unknown>,
  position: string,
  at: string,
  item: unknown,
  isValid: IsValid,
): boolean {
  return (
    'items' in schema ||
    Number(position) < ((schema['prefixItems'] ?? []) as unknown[]).length ||
    ('contains' in schema && isValid(joinPointer(at, 'contains'), item))
  );
}

/** The schemas that apply to the value itself, as far as it satisfies them. */
function inPlace(schema: Record<string, unknown>, at: string, value: object, isValid: IsValid): string[] {
  const applied = typeof schema['$ref'] === 'string' ? [referenced(schema['$ref'])] : [];
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    for (const index of ((schema[keyword] ?? []) as unknown[]).keys()) applied.push(joinPointer(at, keyword, index));
  for (const name of Object.keys(schema['dependentSchemas'] ?? {}))
    if (Object.hasOwn(value, name)) applied.push(joinPointer(at, 'dependentSchemas', name));
  if ('if' in schema) {
    const isMet = isValid(joinPointer(at, 'if'), value);
    applied.push(
      ...(isMet ? ['if', 'then'] : ['else']).filter((word) => word in schema).map((word) => joinPointer(at, word)),
    );
  }
  return applied.filter((one) => isValid(one, value));
}
