/**
 * One edit: what to put at the path of a clause so that this clause breaks. Whether it does is proved by the caller.
 */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { isObject, valueAt } from '../contract/pointers.ts';
import { ALL_TYPES, strictest, type JsonType, type Shape } from '../contract/shape.ts';
import { present, type Build } from './build.ts';
import { containerEdits } from './containerEdits.ts';
import { textEdits } from './textEdits.ts';

export interface Edit {
  /** What is put there, in a few words. */
  label: string;
  /** What comes to stand at the path of the clause. */
  leaf: fc.Arbitrary<unknown>;
}

/** The edits that may break `clause`, which binds the values of `shape`. Empty when none is known. */
export function editsOf(build: Build, shape: Shape, clause: Clause): Edit[] {
  switch (clause.keyword) {
    case 'type':
      return typeEdits(build, shape);
    case 'enum':
    case 'const':
      return choiceEdits(shape);
    case 'minimum':
      return boundEdits(shape, 'minimum', -1);
    case 'maximum':
      return boundEdits(shape, 'maximum', 1);
    case 'minLength':
    case 'maxLength':
    case 'pattern':
    case 'format':
    case 'x-max-bytes':
      return textEdits(build, shape, clause);
    default:
      return containerEdits(build, shape, clause);
  }
}

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

function typeEdits(build: Build, shape: Shape): Edit[] {
  const due = [...shape.types].join(' or ');
  const valid = present(build, shape);
  return ALL_TYPES.filter((type) => !shape.types.has(type)).flatMap((type) => {
    // Each by itself: what a reader takes for something else is often one value alone.
    const edits = TEMPTING[type].map((value) => ({
      label: `${JSON.stringify(value)} in place of ${due}`,
      leaf: fc.constant(value),
    }));
    const wrapped = valid ? wrappedIn(type, valid) : undefined;
    return wrapped ? [...edits, { label: `${due} in ${type}`, leaf: wrapped }] : edits;
  });
}

function wrappedIn(type: JsonType, valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> | undefined {
  if (type === 'array') return valid.map((value) => [value]);
  if (type === 'object') return valid.map((value) => ({ value }));
  if (type === 'string') return valid.map((value) => JSON.stringify(value));
  return undefined;
}

function choiceEdits({ choices = [] }: Shape): Edit[] {
  const words = choices.filter((choice) => typeof choice === 'string');
  const numbers = choices.filter((choice) => typeof choice === 'number');
  const edits: [string, unknown[]][] = [
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
  return edits.flatMap(([label, values]) => {
    const others = values.filter(
      (value) => !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value)),
    );
    return others.map((value) => ({ label: `${label}: ${JSON.stringify(value)}`, leaf: fc.constant(value) }));
  });
}

function boundEdits(shape: Shape, keyword: string, direction: 1 | -1): Edit[] {
  const bound = strictest(shape, keyword);
  if (bound === undefined) return [];
  const far = [2 ** 31, 2 ** 32, 2 ** 53, 1e15]
    .map((size) => direction * size)
    .filter((value) => (value - bound) * direction > 1);
  const edits: Edit[] = [
    { label: `${bound + direction}, one beyond`, leaf: fc.constant(bound + direction) },
    { label: 'far beyond', leaf: fc.constantFrom(...far) },
  ];
  if (shape.types.has('number'))
    edits.push({
      label: 'just beyond',
      leaf: fc.constantFrom(...[0.01, 1e-9].map((step) => bound + direction * step)),
    });
  return edits;
}

/** The names of all properties of all components: what a client may well confuse with what is allowed here. */
export function namesElsewhere(build: Build, shape: Shape): string[] {
  const schemas = valueAt(build.contract.document, '/components/schemas');
  const names = Object.values(isObject(schemas) ? schemas : {}).flatMap((schema) =>
    isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [],
  );
  return [...new Set(names)].filter((name) => !shape.allows(name));
}
