/** Lone surrogates, which JSON can write (`"\ud800"`) and UTF-8 cannot (D30). */
import type { FieldError } from '../../domain/types.ts';
import { pointerTo } from '../../openapi/document.ts';

/** The problem shows no more errors, and each costs its path. */
const MAX_ERRORS = 100;

/** The texts of a value, names included, that have one. In a pointer, such a part of a name is replaced. */
export function loneSurrogates(value: unknown, path: readonly string[] = [], found: FieldError[] = []): FieldError[] {
  if ([path.at(-1), value].some((text) => typeof text === 'string' && !text.isWellFormed())) {
    const pointer = pointerTo(path.map((name) => name.toWellFormed()));
    found.push({ pointer, code: 'unicode', detail: 'has a lone surrogate, which cannot be written in UTF-8' });
  }
  for (const [name, inner] of typeof value === 'object' ? Object.entries(value ?? {}) : [])
    if (found.length < MAX_ERRORS) loneSurrogates(inner, [...path, name], found);
  return found;
}
