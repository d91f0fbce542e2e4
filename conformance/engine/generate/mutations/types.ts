/** Values of a wrong type. */
import { ALL_TYPES, type JsonType } from '../../contract/json-types.ts';
import type { Shape } from '../../contract/shape.ts';
import { type ClausePlace, exactly, type JsonValues, type Mutation } from '../build.ts';
import { type NumberRange, rangeOf } from '../numbers.ts';
import { present } from '../valid.ts';

/** Values that a lenient reader takes for a number, a boolean, nothing, a list of one … The most general come first. */
const TEMPTING: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  integer: [1, 0, 5],
  number: [1.5, 0.5, -0.1, 5.000001],
  string: ['', 'null', 'a', '{}', '[]', '5', '1', 'true', 'false', '1.5'],
  array: [[]],
  object: [{}],
};

/** How many of them are tried if no reader takes them for the type that is due. */
const FEW: Readonly<Partial<Record<JsonType, number>>> = { integer: 2, number: 1, string: 5 };

/** A valid value within a value of another type. */
const WRAPPED: Readonly<Partial<Record<JsonType, (value: unknown) => unknown>>> = {
  array: (value) => [value],
  object: (value) => ({ value }),
  string: (value) => JSON.stringify(value),
};

/** The types that are due, the valid values of them, and their range if they are numbers. */
interface Due {
  shape: Shape;
  /** The types in words. */
  words: string;
  valid: JsonValues | undefined;
  range: NumberRange;
}

export function typeMutations({ build, shape }: ClausePlace): Mutation[] {
  const due: Due = {
    shape,
    words: [...shape.types].join(' or '),
    valid: present(build, shape),
    range: rangeOf(shape),
  };
  const others = ALL_TYPES.filter((type) => !shape.types.has(type));
  return others.flatMap((type) => mutationsTo(type, due));
}

function mutationsTo(type: JsonType, due: Due): Mutation[] {
  const isNear = isTakenFor(type, due.shape);
  // One reader takes one value for something else: if there is such a reader, each value is a kind by itself.
  const kind = isNear ? undefined : type.replace('integer', 'number');
  const tempting = TEMPTING[type].slice(0, isNear ? undefined : FEW[type]);
  const mutations: Mutation[] = [];
  for (const value of tempting.filter((one) => isWithin(one, due))) {
    const label = `${JSON.stringify(value)} in place of ${due.words}`;
    mutations.push(exactly(label, value, kind));
  }
  const wrap = WRAPPED[type];
  if (due.valid && wrap) {
    mutations.push({
      label: `${due.words} in ${type}`,
      values: due.valid.map(wrap),
      kind: type === 'string' ? undefined : kind,
    });
  }
  return mutations;
}

/** Whether some readers take values of the type for a number, or texts for a boolean, where such a value is due. */
function isTakenFor(type: JsonType, { types }: Shape): boolean {
  if (types.has('integer') || types.has('number')) {
    return true;
  }
  return types.has('boolean') && type === 'string';
}

/** A number beyond the range of integers would break the range, too. */
function isWithin(value: unknown, { shape, range }: Due): boolean {
  if (typeof value !== 'number' || !shape.types.has('integer')) {
    return true;
  }
  return value >= range.min && value <= range.max;
}
