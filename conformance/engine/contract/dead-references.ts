/**
 * References that lead nowhere. What such a reference stands for is unknown: it costs the rules
 * behind it, and not those beside it.
 */
import { supported } from './keywords.ts';
import { decode } from './percent-encoding.ts';
import { dereference, valueAt } from './pointers.ts';

/** Whether nothing is at the place that a reference names, or if another document has it. */
export function isDead(document: unknown, reference: string): boolean {
  if (reference.startsWith('#/')) {
    return valueAt(document, decode(reference.slice(1))) === undefined;
  }
  return !reference.startsWith('#');
}

/** Whether no schema is at a pointer, or nothing but a reference that leads nowhere. */
export const leadsNowhere = (document: unknown, pointer: string): boolean =>
  supported(
    () => valueAt(document, dereference(document, pointer)) === undefined,
    () => true,
  );
