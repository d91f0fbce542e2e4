/** The formats of the contract that no validator knows: limits in bytes (D30), and expressions in RE2 syntax (D22). */
import { ContractError, type JsonObject } from '../../openapi/document.ts';
import { schemasOf } from '../../openapi/schemas.ts';
import { isRe2Syntax } from './expression.ts';

export const RE2 = 're2';

/** Formats that the validator knows, or that only inform. */
const KNOWN_FORMATS = new Set(['date-time', 'uri', 'uri-reference', 'int32', 'int64', 'double', 'password']);

export type Formats = Record<string, { type: 'string'; validate: (text: string) => boolean }>;

/** @throws ContractError for a format that nothing here would validate */
export function contractFormats(document: JsonObject): Formats {
  const formats: Formats = {};
  for (const { schema } of schemasOf(document)) {
    const { format, 'x-max-bytes': limit } = schema;
    if (typeof format !== 'string') continue;
    if (typeof limit === 'number') {
      formats[format] = { type: 'string', validate: (text) => Buffer.byteLength(text) <= limit };
    } else if (format === RE2) {
      formats[format] = { type: 'string', validate: isRe2Syntax };
    } else if (!KNOWN_FORMATS.has(format)) {
      throw new ContractError(`openapi.yaml uses the format ${format}, which this server does not support`);
    }
  }
  return formats;
}
