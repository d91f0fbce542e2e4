/** Values of parameters that the contract states, or that its types suggest. */
import { memberOf } from '../contract/by-name.ts';
import * as fc from 'fast-check';
import type { Hints } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import type { Parameter } from '../contract/operations.ts';
import { isObject, objectAt, valueAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { defaultOf, type Shape, shapeOf, strictest, texts } from '../contract/shape.ts';
import { exists, possible } from '../generate/filter.ts';
import { letters } from '../generate/fresh.ts';
import { LENGTH_OF_NAMES } from '../generate/fresh-names.ts';
import { valuesOf } from '../generate/parameters.ts';
import { textMatching } from '../generate/pattern-texts.ts';
import { type Random, seedFrom } from '../generate/random.ts';
import { withParameter } from '../http/call.ts';
import { inPlainWords } from './plain-words.ts';

/** A value, and its source in words for the user. */
export interface StatedValue {
  value: unknown;
  how: string;
}

/** The examples of a parameter and of its schema. */
export function examplesOf({ document }: Contract, { pointer, schema }: Parameter): unknown[] {
  const { example, examples } = objectAt(document, pointer);
  const { example: one, examples: more } = Object(valueAt(document, schema)) as {
    example?: unknown;
    examples?: unknown;
  };
  const valueIn = (named: unknown) => (isObject(named) ? named['value'] : undefined);
  const named = Object.values(isObject(examples) ? examples : {}).map(valueIn);
  const found = [example, ...named, one, ...(Array.isArray(more) ? (more as unknown[]) : [])];
  return found.filter((value) => value !== undefined && value !== null && value !== '');
}

/** The values that the contract states: examples, the default, and a few choices. */
export function statedValues(contract: Contract, parameter: Parameter): StatedValue[] {
  const shape = shapeOf(contract, parameter.schema);
  const stated: StatedValue[] = [];
  for (const value of examplesOf(contract, parameter)) {
    stated.push({ value, how: 'an example of the contract' });
  }
  const preset = defaultOf(shape);
  if (preset !== undefined) {
    stated.push({ value: preset, how: 'the default of the contract' });
  }
  for (const value of (shape.choices ?? []).slice(0, MOST_CHOICES)) {
    stated.push({ value, how: 'a value that the contract lists' });
  }
  const isValid = ({ value }: StatedValue) => schemasOf(contract).isValid(parameter.schema, value);
  return stated.filter((one) => one.value !== null && isValid(one));
}

const MOST_CHOICES = 4;

/**
 * A value that the schema allows, of plain words where it allows any texts; undefined if none is
 * found. A number comes from chance: a small one may name what others have.
 */
export function generatedValue(
  contract: Contract,
  parameter: Parameter,
  { hints, random }: { hints: Hints; random: Random },
): StatedValue | undefined {
  const values = valuesOf(contract, parameter, hints);
  if (!exists(values)) {
    return undefined;
  }
  const found = fc.sample(values, { numRuns: SAMPLES, seed: seedFrom(random) });
  const value = found.find((one) => one !== null && !isEmptyList(one)) ?? found[0];
  const how = 'a value that the contract allows';
  const usual = inPlainWords(shapeOf(contract, parameter.schema), value, random);
  if (schemasOf(contract).isValid(parameter.schema, usual)) {
    return { value: usual, how };
  }
  return { value, how };
}

/** Enough that one is likely to be no null and no empty list. */
const SAMPLES = 4;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A schema with at most this number of values gives each of them a meaning. */
const FEW = 100;

export function hasFewValues(contract: Contract, { schema }: Parameter): boolean {
  const shape = shapeOf(contract, schema);
  if (shape.choices !== undefined || (shape.types.size === 1 && shape.types.has('boolean'))) {
    return true;
  }
  const least = strictest(shape, 'minimum') ?? -Infinity;
  const most = strictest(shape, 'maximum') ?? Infinity;
  return most - least <= FEW && !shape.types.has('string');
}

/** So many names that may be too short to be new are tried. */
const MOST_SHORT_NAMES = 20;

/**
 * Names that the schema allows, the longest first. Somebody may have one that is this short: a read
 * shows first whether it is free.
 */
export function shortNames(contract: Contract, parameter: Parameter, random: Random): string[] {
  const { schema } = parameter;
  const shape = shapeOf(contract, schema);
  if (shape.choices !== undefined || !shape.types.has('string')) {
    return [];
  }
  const isName = (text: string) =>
    PLAIN_NAME.test(text) && schemasOf(contract).isValid(schema, text);
  const names = [...new Set(possibleNames(shape, random))].filter(isName);
  return names.toSorted((one, other) => other.length - one.length);
}

/** Texts of the patterns of a schema, or letters if it has no pattern. */
function possibleNames(shape: Shape, random: Random): string[] {
  const patterns = texts(shape, 'pattern');
  if (patterns.length === 0) {
    const most = Math.min(strictest(shape, 'maxLength') ?? Infinity, LENGTH_OF_NAMES);
    return Array.from({ length: MOST_SHORT_NAMES }, () => letters(most, random));
  }
  const settings = { numRuns: MOST_SHORT_NAMES, seed: seedFrom(random) };
  return patterns.flatMap((pattern) =>
    possible(() => fc.sample(textMatching(pattern, LENGTH_OF_NAMES), settings)).flat(),
  );
}

/** Other names have a meaning in some paths, or are written in several ways. */
const PLAIN_NAME = /^\w[\w-]+$/;

/** The text of a value in a path; undefined if the style of the parameter cannot write it. */
export function textInPath(parameter: Parameter, value: unknown): string | undefined {
  const call = withParameter({}, parameter, typeof value === 'object' ? value : String(value));
  return memberOf(call?.path, parameter.name);
}
