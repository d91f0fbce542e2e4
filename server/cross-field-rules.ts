/** Rules that no schema states: names of headers that differ in case only (D23), XML of identity providers (D26). */
import type { FieldError } from './domain/types.ts';
import { isObject, type JsonObject, pointerTo } from './openapi/document.ts';
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
  const added = isObject(headers['add']) ? Object.keys(headers['add']) : [];
  const removed = Array.isArray(headers['remove']) ? (headers['remove'] as unknown[]) : [];
  const detail = 'is a header name that the object has already; header names are case-insensitive';
  return [
    ...repeats(added).map((index) => [module, 'add', added[index]!]),
    ...repeats(removed).map((index) => [module, 'remove', String(index)]),
  ].map((path) => ({ pointer: pointerTo(path), code: 'duplicate', detail }));
}

/** Indices of names that occur before in another case. Equal names break the schema, except for `__proto__`. */
function repeats(names: readonly unknown[]): number[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (typeof name !== 'string') {
      return [];
    }
    // Ajv's `uniqueItems` keeps texts as properties of an object, which this one does not become.
    if (names.indexOf(name) < index) {
      return name === '__proto__' ? [index] : [];
    }
    const folded = name.toLowerCase();
    if (seen.has(folded)) {
      return [index];
    }
    seen.add(folded);
    return [];
  });
}

function metadataErrors(body: JsonObject): FieldError[] {
  const xml = isObject(body['saml']) ? body['saml']['idp_metadata'] : undefined;
  if (typeof xml !== 'string' || xml === '') {
    return [];
  }
  const detail = entityDescriptorError(xml);
  if (detail === undefined) {
    return [];
  }
  return [{ pointer: '/saml/idp_metadata', code: 'format', detail }];
}
