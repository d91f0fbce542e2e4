/**
 * Rules of the contract that its schemas cannot say: names of headers that differ in case only (D23), and the XML of an
 * identity provider (D26).
 */
import type { FieldError } from '../../domain/types.ts';
import { entityDescriptorFault } from '../../saml/entity-descriptor.ts';
import { isObject, type JsonObject } from '../../openapi/document.ts';
import { pointerTo } from '../response/json-pointer.ts';

/** @param body as it was sent; what breaks its schema is passed over, since it is reported already */
export function crossFieldErrors(body: unknown): FieldError[] {
  if (!isObject(body)) return [];
  return [
    ...headerErrors(body, 'request_headers'),
    ...headerErrors(body, 'response_headers'),
    ...idpMetadataErrors(body),
  ];
}

function headerErrors(body: JsonObject, module: string): FieldError[] {
  const headers = body[module];
  if (!isObject(headers)) return [];
  const added = isObject(headers['add']) ? Object.keys(headers['add']) : [];
  const removed = Array.isArray(headers['remove']) ? (headers['remove'] as unknown[]) : [];
  return [
    ...repeats(added).map((index) => repeated([module, 'add', added[index]!])),
    ...repeats(removed).map((index) => repeated([module, 'remove', String(index)])),
  ];
}

/**
 * Indices of names that stand before in another case. The same in the same case breaks the schema, but for one name: Ajv's
 * `uniqueItems` notes the texts that it has seen as properties of an object, and `__proto__` makes none.
 */
function repeats(names: readonly unknown[]): number[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (typeof name !== 'string') return [];
    if (names.indexOf(name) < index) return name === '__proto__' ? [index] : [];
    const folded = name.toLowerCase();
    if (seen.has(folded)) return [index];
    seen.add(folded);
    return [];
  });
}

function repeated(path: string[]): FieldError {
  return {
    pointer: pointerTo(path),
    code: 'duplicate',
    detail: 'is a header name that the object has already; names are compared without case',
  };
}

function idpMetadataErrors(body: JsonObject): FieldError[] {
  const xml = isObject(body['saml']) ? body['saml']['idp_metadata'] : undefined;
  if (typeof xml !== 'string' || xml === '') return [];
  const detail = entityDescriptorFault(xml);
  return detail === undefined ? [] : [{ pointer: '/saml/idp_metadata', code: 'format', detail }];
}
