/** Values that are not among those that `enum` or `const` lists. */
import { stringifyJson } from '../../contract/json-numbers.ts';
import { isDeepStrictEqual } from 'node:util';
import { type ClausePlace, exactly, type Mutation } from '../build.ts';
import { someOf } from '../choices.ts';
import { capitalized } from './capitalized.ts';

export function choiceMutations({ shape }: ClausePlace): Mutation[] {
  const { choices = [] } = shape;
  const listed = new Set(choices);
  const holders = choices.filter((choice) => typeof choice === 'object');
  const isListed = (value: unknown) =>
    listed.has(value) || holders.some((choice) => isDeepStrictEqual(choice, value));
  const mutations: Mutation[] = [];
  for (const [label, values] of Object.entries(candidatesFor(someOf(choices)))) {
    for (const value of values) {
      if (!isListed(value)) {
        mutations.push(exactly(`${label}: ${stringifyJson(value)}`, value, label));
      }
    }
  }
  return mutations;
}

/** Values that a lenient reader takes for one of the choices, by their error. */
function candidatesFor(choices: readonly unknown[]): Record<string, unknown[]> {
  const words = choices.filter((choice) => typeof choice === 'string');
  const numbers = choices.filter((choice) => typeof choice === 'number');
  const longIntegers = choices.filter((choice) => typeof choice === 'bigint');
  const wordsAsNumbers = words.map(Number).filter((number) => !Number.isNaN(number));
  return {
    'another case': words.flatMap(inOtherCases),
    'another word': otherWords(words),
    'an empty text': [''],
    'white space around it': words.flatMap((word) => [` ${word}`, `${word} `, `${word}\n`]),
    'two of them': joined(words),
    'another number': numbers.flatMap((number) => [number + 1, -number - 1, number + 0.5]),
    'another last digit': longIntegers.flatMap((number) => [number + 1n, number - 1n]),
    'a number': [...wordsAsNumbers, 0],
    'a text': numbers.map(String),
    null: [null],
    'a boolean': [true, false],
    'a list of it': choices.map((choice) => [choice]),
    'an object': [{}],
  };
}

const inOtherCases = (word: string): string[] => [
  word.toUpperCase(),
  word.toLowerCase(),
  capitalized(word),
];

function otherWords(words: readonly string[]): string[] {
  if (words.length === 0) {
    return [];
  }
  const similar = words.flatMap((word) => [word.slice(0, -1), `${word}s`, `${word}0`]);
  return ['other', 'none', 'null', ...similar];
}

function joined(words: readonly string[]): string[] {
  if (words.length === 0) {
    return [];
  }
  return [words.join(','), words.join('')];
}
