/** Values of another type, other than those that are listed, and numbers beyond a bound. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { ALL_TYPES, strictest, type JsonType, type Shape } from '../contract/shape.ts';
import type { Build } from './build.ts';
import type { Mutation } from './mutation.ts';
import { rangeOf } from './numbers.ts';
import { present } from './values.ts';

/** What a lenient reader would take for a number, a boolean, nothing, a list of one … */
const TEMPTING: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  integer: [1, 0, 5],
  number: [1.5, 0.5, -0.1, 5.000001],
  string: ['', '5', '1', 'true', 'false', 'null', '1.5', 'a', '{}', '[]'],
  array: [[]],
  object: [{}],
};

export function typeMutations(build: Build, shape: Shape): Mutation[] {
  const due = [...shape.types].join(' or ');
  const valid = present(build, shape);
  const { min, max } = rangeOf(shape);
  return ALL_TYPES.filter((type) => !shape.types.has(type)).flatMap((type) => {
    // Each by itself: what a reader takes for something else is often one value alone.
    const tempting = TEMPTING[type].filter(
      // Beyond its limits it would break them, too.
      (value) => typeof value !== 'number' || !shape.types.has('integer') || (value >= min && value <= max),
    );
    const mutations = tempting.map((value) => ({
      label: `${JSON.stringify(value)} in place of ${due}`,
      leaf: fc.constant(value),
    }));
    const wrapped = valid ? wrappedIn(type, valid) : undefined;
    return wrapped ? [...mutations, { label: `${due} in ${type}`, leaf: wrapped }] : mutations;
  });
}

function wrappedIn(type: JsonType, valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> | undefined {
  if (type === 'array') return valid.map((value) => [value]);
  if (type === 'object') return valid.map((value) => ({ value }));
  if (type === 'string') return valid.map((value) => JSON.stringify(value));
  return undefined;
}

export function choiceMutations({ choices = [] }: Shape): Mutation[] {
  const words = choices.filter((choice) => typeof choice === 'string');
  const numbers = choices.filter((choice) => typeof choice === 'number');
  const mutations: [string, unknown[]][] = [
    [
      'another case',
      words.flatMap((word) => [word.toUpperCase(), word.toLowerCase(), word.charAt(0).toUpperCase() + word.slice(1)]),
    ],
    [
      'another word',
      words.length > 0
        ? ['other', 'none', 'null', ...words.flatMap((word) => [word.slice(0, -1), `${word}s`, `${word}0`])]
        : [],
    ],
    ['an empty text', ['']],
    ['white space around it', words.flatMap((word) => [` ${word}`, `${word} `, `${word}\n`])],
    ['two of them', words.length > 0 ? [words.join(','), words.join('')] : []],
    ['another number', numbers.flatMap((number) => [number + 1, -number - 1, number + 0.5])],
    [
      'a number',
      words
        .map(Number)
        .filter((number) => !Number.isNaN(number))
        .concat(0),
    ],
    ['a text', numbers.map(String)],
    ['null', [null]],
    ['a boolean', [true, false]],
    ['a list of it', choices.map((choice) => [choice])],
    ['an object', [{}]],
  ];
  return mutations.flatMap(([label, values]) => {
    const others = values.filter(
      (value) => !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value)),
    );
    return others.map((value) => ({ label: `${label}: ${JSON.stringify(value)}`, leaf: fc.constant(value) }));
  });
}

export function boundMutations(shape: Shape, keyword: string, direction: 1 | -1): Mutation[] {
  const bound = strictest(shape, keyword);
  if (bound === undefined) return [];
  const far = [2 ** 31, 2 ** 32, 2 ** 53, 1e15]
    .map((size) => direction * size)
    .filter((value) => (value - bound) * direction > 1);
  const mutations: Mutation[] = [
    { label: `${bound + direction}, one beyond`, leaf: fc.constant(bound + direction) },
    { label: 'far beyond', leaf: fc.constantFrom(...far) },
  ];
  if (shape.types.has('number'))
    mutations.push({
      label: 'just beyond',
      leaf: fc.constantFrom(...[0.01, 1e-9].map((step) => bound + direction * step)),
    });
  return mutations;
}

export function exclusiveMutations({ keyword, schema }: Clause): Mutation[] {
  const bound = schema[keyword] as number;
  const far = keyword === 'exclusiveMinimum' ? bound - 1 : bound + 1;
  return [
    { label: `${bound} itself`, leaf: fc.constant(bound) },
    { label: `${far}, beyond`, leaf: fc.constant(far) },
  ];
}

export function multipleMutations(shape: Shape, step: number): Mutation[] {
  const offsets = shape.types.has('number') ? [step / 2, step / 10] : [1];
  return offsets.map((offset) => ({
    label: `a multiple and ${offset}`,
    leaf: fc.integer({ min: 0, max: 9 }).map((count) => count * step + offset),
  }));
}
