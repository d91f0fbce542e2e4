/** The types of JSON values. */

/**
 * `number` means a number with a fraction here: the `number` of a schema allows `integer` as well.
 */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export const ALL_TYPES: readonly JsonType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

export function typeOf(value: unknown): JsonType {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  if (typeof value === 'bigint' || Number.isInteger(value)) {
    return 'integer';
  }
  return typeof value as 'boolean' | 'number' | 'string' | 'object';
}
