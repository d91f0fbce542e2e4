/** Lone surrogates, which JSON can write (`"\ud800"`) and UTF-8 cannot (D30). */
import type { FieldError } from '../domain/types.ts';
import { pointerTo } from './pointer.ts';

/** Every text of the value, names included, that is not well-formed. Iterative, so that depth costs no stack. */
export function unicodeFaults(body: unknown): FieldError[] {
  const faults: FieldError[] = [];
  const rest: { value: unknown; path: string[] }[] = [{ value: body, path: [] }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !value.isWellFormed()) faults.push(fault(path));
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const at = [...path, name];
      if (!name.isWellFormed()) faults.push(fault(at));
      rest.push({ value: inner, path: at });
    }
  }
  return faults;
}

function fault(path: string[]): FieldError {
  return {
    pointer: pointerTo(path.map((name) => name.toWellFormed())),
    code: 'unicode',
    detail: 'holds a lone surrogate, which is not Unicode text',
  };
}
