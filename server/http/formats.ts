/** The formats of the contract that no validator knows: limits in bytes (D30), and expressions in RE2 syntax (D22). */
import { ContractError, type JsonObject } from '../contract.ts';
import { isRe2Syntax } from './expression.ts';

export const RE2 = 're2';

/** Formats that Ajv or the validator judges, or that only inform. */
const KNOWN_FORMATS = new Set(['date-time', 'uri', 'uri-reference', 'int32', 'int64', 'double', 'password']);

/** @throws ContractError for a format that nothing here would judge */
export function ownFormats(
  document: JsonObject,
): Record<string, { type: 'string'; validate: (text: string) => boolean }> {
  const formats: Record<string, { type: 'string'; validate: (text: string) => boolean }> = {};
  for (const schema of objectsIn(document.components)) {
    const { format, 'x-max-bytes': limit } = schema;
    if (typeof format !== 'string') continue;
    if (typeof limit === 'number') {
      formats[format] = { type: 'string', validate: (text) => Buffer.byteLength(text) <= limit };
    } else if (format === RE2) {
      formats[format] = { type: 'string', validate: isRe2Syntax };
    } else if (!KNOWN_FORMATS.has(format)) {
      throw new ContractError(`openapi.yaml uses the format ${format}, which this server does not know`);
    }
  }
  return formats;
}

/** Every object that may be a schema: examples and extensions are data. */
function* objectsIn(value: unknown): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as JsonObject;
  for (const [name, inner] of Object.entries(value)) {
    if (!name.startsWith('x-') && !name.startsWith('example')) yield* objectsIn(inner);
  }
}
