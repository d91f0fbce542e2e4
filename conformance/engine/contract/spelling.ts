/** Raw texts, as URLs and header fields have them, and the JSON values that they stand for. */
import { parseJson } from './json-numbers.ts';
import type { Shape } from './shape.ts';

const INTEGER = /^-?(0|[1-9]\d*)$/;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const BOOLEAN = /^(true|false)$/;

/**
 * The JSON value that a raw text stands for, by the types that the schema allows; else the text
 * itself.
 */
export function spelled({ types }: Shape, raw: string): unknown {
  if (types.has('string')) {
    return raw;
  }
  const isWhole = INTEGER.test(raw) && (types.has('integer') || types.has('number'));
  if (isWhole) {
    return parseJson(raw);
  }
  if (types.has('number') && DECIMAL.test(raw)) {
    return Number(raw);
  }
  if (types.has('boolean') && BOOLEAN.test(raw)) {
    return raw === 'true';
  }
  return raw;
}

/** Some readers take these for a boolean. */
const LIKE_BOOLEAN = /^(t|f|true|false|y|n|yes|no|on|off|0|1)$/i;

/** Whether some readers take the text for a value of the type, and others refuse it. */
export function isDoubtful(shape: Shape, raw: string): boolean {
  if (shape.types.has('string') || typeof spelled(shape, raw) !== 'string') {
    return false;
  }
  if (shape.types.has('boolean')) {
    return LIKE_BOOLEAN.test(raw);
  }
  return Number.isFinite(Number(raw)) || raw.startsWith('{');
}
