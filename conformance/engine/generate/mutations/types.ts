/** Values of a wrong type. */
import { stringifyJson } from '../../contract/json-numbers.ts';
import { ALL_TYPES, type JsonType } from '../../contract/json-types.ts';
import type { Shape } from '../../contract/shape.ts';
import { type ClausePlace, exactly, type JsonValues, type Mutation } from '../build.ts';
import { type NumberRange, rangeOf } from '../numbers.ts';
import { present } from '../valid.ts';

/**
 * Values that a lenient reader takes for a number, a boolean, nothing, a list of one … The most
 * general come first.
 */
const TEMPTING: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  integer: [1, 0, 5],
  number: [1.5, 0.5, -0.1, 5.000001],
  string: ['', 'null', 'a', '{}', '[]', '5', '1', 'true', 'false', '1.5'],
  array: [[]],
  object: [{}],
};

/** The number of them that are tried if no reader takes them for the type that is expected. */
const FEW: Readonly<Partial<Record<JsonType, number>>> = { integer: 2, number: 1, string: 5 };

/** A valid value within a value of another type. */
const WRAPPED: Readonly<Partial<Record<JsonType, (value: unknown) => unknown>>> = {
  array: (value) => [value],
  object: (value) => ({ value }),
  string: (value) => stringifyJson(value),
};

/** The values that are expected at a place. */
interface Expected {
  shape: Shape;
  /** Their types. */
  words: string;
  /** Valid values other than null. */
  valid: JsonValues | undefined;
  /** The range of numbers. */
  range: NumberRange;
}

export function typeMutations({ build, shape }: ClausePlace): Mutation[] {
  const expected: Expected = {
    shape,
    words: [...shape.types].join(' or '),
    valid: present(build, shape),
    range: rangeOf(shape),
  };
  const others = ALL_TYPES.filter((type) => !shape.types.has(type));
  return others.flatMap((type) => mutationsTo(type, expected));
}

function mutationsTo(type: JsonType, expected: Expected): Mutation[] {
  const isNear = isTakenFor(type, expected.shape);
  // A reader may take one of these values for the expected type, and no other one: then each value
  // is a separate kind.
  const kind = isNear ? undefined : type.replace('integer', 'number');
  const tempting = TEMPTING[type].slice(0, isNear ? undefined : FEW[type]);
  const mutations: Mutation[] = [];
  for (const value of tempting.filter((one) => isWithin(one, expected))) {
    const label = `${stringifyJson(value)} in place of ${expected.words}`;
    mutations.push(exactly(label, value, kind));
  }
  const wrap = WRAPPED[type];
  if (expected.valid && wrap) {
    mutations.push({
      label: `${expected.words} in ${type}`,
      values: expected.valid.map(wrap),
      kind: type === 'string' ? undefined : kind,
    });
  }
  return mutations;
}

/**
 * Whether some readers take values of the type for a number, or texts for a boolean, if such a
 * value is expected.
 */
function isTakenFor(type: JsonType, { types }: Shape): boolean {
  if (types.has('integer') || types.has('number')) {
    return true;
  }
  return types.has('boolean') && type === 'string';
}

/** A number beyond the range of integers would break the range, too. */
function isWithin(value: unknown, { shape, range }: Expected): boolean {
  if (typeof value !== 'number' || !shape.types.has('integer')) {
    return true;
  }
  return value >= range.min && value <= range.max;
}
