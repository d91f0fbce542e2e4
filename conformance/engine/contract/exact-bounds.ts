/**
 * Integers of schemas that no double holds. Of a bound such as `maximum: 9223372036854775806`, a
 * schema has the next double, and the digits beside it; values, such as those of an `enum`, are
 * BigInts.
 */
import { createRequire } from 'node:module';
import { Type } from 'js-yaml';
import { useBigIntegers } from './json-numbers.ts';

/** The keyword for the digits of the bounds beside it. */
export const EXACT_BOUNDS = 'x-exact-bounds';

type Schema = Record<string, unknown>;

interface IntegerType {
  resolve(text: unknown): boolean;
  construct(text: string): number;
}

const { types } = createRequire(import.meta.url)('js-yaml') as { types: { int: IntegerType } };

/** Integers as YAML writes them: BigInts if a double does not hold them. */
export const BIG_INTEGERS = new Type('tag:yaml.org,2002:int', {
  kind: 'scalar',
  resolve: (text: unknown) => types.int.resolve(text),
  construct: (text: string) => {
    const number = types.int.construct(text);
    const isExact = Number.isSafeInteger(number) || !/^[-+]?\d+$/.test(text);
    if (isExact) {
      return number;
    }
    useBigIntegers();
    return BigInt(text.replace('+', ''));
  },
});

export const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

type Bound = (typeof BOUNDS)[number];

/** Members of schemas that are values, and no rules with a number. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'example']);

/** Puts doubles in place of the BigInts of a schema, and keeps the digits of bounds beside them. */
export function keepExactBounds(schema: Schema): void {
  const digits: Record<string, string> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (typeof value !== 'bigint' || VALUES.has(name)) {
      continue;
    }
    schema[name] = Number(value);
    if (BOUNDS.includes(name as Bound)) {
      digits[name] = String(value);
    }
  }
  if (Object.keys(digits).length > 0) {
    schema[EXACT_BOUNDS] = digits;
  }
}

/** The bound of a schema; undefined if it has none. */
export function exactBound(schema: Readonly<Schema>, keyword: string): number | bigint | undefined {
  const digits = Object(schema[EXACT_BOUNDS]) as Record<string, string>;
  // In 3.0, `exclusiveMaximum: true` made a bound of the `maximum` beside it.
  const inclusive = keyword.replace(/^exclusiveM/, 'm');
  const stated = digits[keyword] ?? digits[inclusive];
  const bound = schema[keyword];
  if (stated !== undefined && Number(stated) === bound) {
    return BigInt(stated);
  }
  return typeof bound === 'number' ? bound : undefined;
}

/** Whether a number is on the right side of a bound, by the digits of both. */
export function keepsBound(
  schema: Readonly<Schema>,
  keyword: string,
  value: number | bigint,
): boolean {
  const bound = exactBound(schema, keyword);
  if (bound === undefined) {
    return true;
  }
  switch (keyword) {
    case 'minimum':
      return value >= bound;
    case 'maximum':
      return value <= bound;
    case 'exclusiveMinimum':
      return value > bound;
    default:
      return value < bound;
  }
}
