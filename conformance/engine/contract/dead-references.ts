/**
 * References that lead nowhere. What such a reference stands for is unknown: it costs the rules
 * behind it, and not those beside it.
 */
import { decode } from './percent-encoding.ts';
import { isObject, valueAt, walk } from './pointers.ts';
import { isInValue } from './references.ts';

type Json = Record<string, unknown>;

/** Whether nothing is at the place that a reference names, or if another document has it. */
export function isDead(document: unknown, reference: string): boolean {
  if (reference.startsWith('#/')) {
    return valueAt(document, decode(reference.slice(1))) === undefined;
  }
  return !reference.startsWith('#');
}

/** Whether no schema is at a pointer, or nothing but a reference that leads nowhere. */
export function leadsNowhere(document: unknown, pointer: string): boolean {
  const seen = new Set<string>();
  let current = pointer;
  while (!seen.has(current)) {
    seen.add(current);
    const value = valueAt(document, current);
    if (value === undefined) {
      return true;
    }
    const { $ref } = Object(value) as Json;
    if (typeof $ref !== 'string') {
      return false;
    }
    if (isDead(document, $ref)) {
      return true;
    }
    current = decode($ref.slice(1));
  }
  return false;
}

/** The document without such references; itself if it has none. */
export function withoutDeadReferences(document: Json): Json {
  const found: string[] = [];
  walk(document, ({ $ref }, pointer) => {
    if (typeof $ref === 'string' && isDead(document, $ref) && !isInValue(pointer)) {
      found.push(pointer);
    }
  });
  if (found.length === 0) {
    return document;
  }
  const copy = structuredClone(document);
  for (const pointer of found) {
    const holder = valueAt(copy, pointer);
    if (isObject(holder)) {
      delete holder['$ref'];
    }
  }
  return copy;
}
