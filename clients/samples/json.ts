/** JSON, and references within a document. */
import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';

export type Json = Record<string, unknown>;

/** A document in YAML or JSON, with the types of JSON alone. */
export const readDocument = (path: string): Json =>
  load(readFileSync(path, 'utf8'), { schema: CORE_SCHEMA }) as Json;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object that `#/a/b` refers to, as often as needed.
 * @throws Error for a reference that leads nowhere
 */
export function resolve(document: Json, value: unknown): Json {
  let at = value;
  while (isObject(at) && typeof at['$ref'] === 'string') {
    const ref = at['$ref'];
    const [, ...names] = at['$ref'].split('/');
    at = names.reduce<unknown>(
      (inner, name) => (isObject(inner) ? inner[name] : undefined),
      document,
    );
    if (at === undefined) {
      throw new Error(`${ref} leads nowhere`);
    }
  }
  if (!isObject(at)) {
    throw new Error('expected an object in the contract');
  }
  return at;
}
