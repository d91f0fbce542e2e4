/** Errors of bodies that no schema can state; "Field errors" in the contract names them. */
import type { FieldErrorRule } from './field-error-table.ts';
import { isObject, joinPointer } from '../../engine/contract/pointers.ts';

const FIELD_ERRORS = '/components/schemas/FieldErrorCode';

/** Those that `body` has, or may have: only a service reads XML. */
export function errorsBeyondSchema(body: unknown): FieldErrorRule[] {
  const errors: FieldErrorRule[] = [];
  const add = (code: string, ...pointers: string[]) => errors.push({ codes: [code], pointers, clause: FIELD_ERRORS });
  for (const pointers of loneSurrogates(body, '')) add('unicode', ...pointers);
  if (!isObject(body)) return errors;
  for (const name of ['request_headers', 'response_headers']) {
    const module = body[name];
    if (!isObject(module)) continue;
    const { add: added, remove } = module;
    if (isObject(added))
      for (const header of repeats(Object.keys(added)))
        add('duplicate', joinPointer('', name, 'add'), joinPointer('', name, 'add', header.name));
    if (Array.isArray(remove))
      for (const header of repeats(remove))
        add('duplicate', joinPointer('', name, 'remove'), joinPointer('', name, 'remove', header.index));
  }
  const xml = isObject(body['saml']) ? body['saml']['idp_metadata'] : undefined;
  if (typeof xml === 'string') add('format', '/saml/idp_metadata');
  return errors;
}

/** Names that stand before in the same or another case. */
function repeats(names: readonly unknown[]): { name: string; index: number }[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (typeof name !== 'string') return [];
    const folded = name.toLowerCase();
    if (seen.has(folded)) return [{ name, index }];
    seen.add(folded);
    return [];
  });
}

/**
 * Texts that UTF-8 cannot hold. A pointer cannot hold such a name either: it names the object around it, or has the
 * replacement character.
 */
function* loneSurrogates(value: unknown, pointer: string): Generator<string[]> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield [pointer];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* loneSurrogates(item, joinPointer(pointer, index));
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const at = joinPointer(pointer, name.toWellFormed());
      if (!name.isWellFormed()) yield [pointer, at];
      yield* loneSurrogates(item, at);
    }
  }
}
