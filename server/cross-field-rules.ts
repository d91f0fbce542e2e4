/**
 * Rules that no schema states: names of headers that differ in case only (D23), XML of identity
 * providers (D26).
 */
import type { FieldError } from './domain/types.ts';
import { isObject, type JsonObject, pointerTo } from './openapi/document.ts';
import { hasAtMost } from './openapi/texts-of-format.ts';
import { entityDescriptorError } from './saml.ts';

/** @param body as it was sent; skips what breaks its schema, since it is reported already */
export function crossFieldErrors(body: unknown): FieldError[] {
  if (!isObject(body)) {
    return [];
  }
  return [
    ...headerErrors(body, 'request_headers'),
    ...headerErrors(body, 'response_headers'),
    ...metadataErrors(body),
  ];
}

function headerErrors(body: JsonObject, module: string): FieldError[] {
  const headers = body[module];
  if (!isObject(headers)) {
    return [];
  }
  const errors: FieldError[] = [];
  const added = isObject(headers['add']) ? Object.keys(headers['add']) : [];
  for (const { name } of repeatsIn(added)) {
    errors.push(repeatedHeader([module, 'add', name]));
  }
  const removed: unknown[] = Array.isArray(headers['remove']) ? headers['remove'] : [];
  for (const { index } of repeatsIn(removed)) {
    errors.push(repeatedHeader([module, 'remove', String(index)]));
  }
  return errors;
}

function repeatedHeader(path: readonly string[]): FieldError {
  const detail = 'is a header name that the object has already; header names are case-insensitive';
  return { pointer: pointerTo(path), code: 'duplicate', detail };
}

interface NamedItem {
  name: string;
  index: number;
}

/**
 * The names that occur before in another case. Equal names break the schema, which reports them,
 * except for `__proto__`: the `uniqueItems` of Ajv misses it.
 */
function repeatsIn(names: readonly unknown[]): NamedItem[] {
  const seen = new Set<string>();
  const seenInLowerCase = new Set<string>();
  const repeats: NamedItem[] = [];
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string') {
      continue;
    }
    const isReported = seen.has(name) && name !== '__proto__';
    const lowerCase = name.toLowerCase();
    if (seenInLowerCase.has(lowerCase) && !isReported) {
      repeats.push({ name, index });
    }
    seen.add(name);
    seenInLowerCase.add(lowerCase);
  }
  return repeats;
}

/** The `maxLength` of `IdpMetadata`. */
export const LONGEST_METADATA = 262_144;

function metadataErrors(body: JsonObject): FieldError[] {
  const saml = body['saml'];
  const xml = isObject(saml) ? saml['idp_metadata'] : undefined;
  // An empty or longer text breaks the schema, and is not read.
  if (typeof xml !== 'string' || xml === '' || !hasAtMost(LONGEST_METADATA, xml)) {
    return [];
  }
  const detail = entityDescriptorError(xml);
  if (detail === undefined) {
    return [];
  }
  return [{ pointer: '/saml/idp_metadata', code: 'format', detail }];
}
