/** Lone surrogates, which JSON can write (`"\ud800"`) and UTF-8 cannot (D30). */
import type { FieldError } from '../domain/types.ts';
import { type Place, pointerAt } from './pointer.ts';

/** More are not told anyway, and each costs its path. */
const MAX_FAULTS = 100;

/** Texts of the value, names included, that are not well-formed. Iterative, so that depth costs no stack. */
export function unicodeFaults(body: unknown): FieldError[] {
  const faults: FieldError[] = [];
  const rest: { value: unknown; place: Place | undefined }[] = [{ value: body, place: undefined }];
  for (let next = rest.pop(); next && faults.length < MAX_FAULTS; next = rest.pop()) {
    const { value, place } = next;
    if (typeof value === 'string' && !value.isWellFormed()) faults.push(fault(place));
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const at = { name, around: place };
      if (!name.isWellFormed()) faults.push(fault(at));
      rest.push({ value: inner, place: at });
    }
  }
  return faults;
}

function fault(place: Place | undefined): FieldError {
  return { pointer: pointerAt(place), code: 'unicode', detail: 'holds a lone surrogate, which is not Unicode text' };
}
