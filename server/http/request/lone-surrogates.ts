/** Lone surrogates, which JSON can write (`"\ud800"`) and UTF-8 cannot (D30). */
import type { FieldError } from '../../domain/types.ts';
import { type Place, pointerAt } from '../response/json-pointer.ts';

/** More are not reported anyway, and each costs its path. */
const MAX_ERRORS = 100;

/** Texts of the value, names included, that are not well-formed. Iterative, so that depth costs no stack. */
export function loneSurrogates(body: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const rest: { value: unknown; place: Place | undefined }[] = [{ value: body, place: undefined }];
  for (let next = rest.pop(); next && errors.length < MAX_ERRORS; next = rest.pop()) {
    const { value, place } = next;
    if (typeof value === 'string' && !value.isWellFormed()) errors.push(errorAt(place));
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const at = { name, around: place };
      if (!name.isWellFormed()) errors.push(errorAt(at));
      rest.push({ value: inner, place: at });
    }
  }
  return errors;
}

function errorAt(place: Place | undefined): FieldError {
  return {
    pointer: pointerAt(place),
    code: 'unicode',
    detail: 'has a lone surrogate, which cannot be written in UTF-8',
  };
}
