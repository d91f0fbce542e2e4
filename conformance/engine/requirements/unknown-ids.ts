/** Ids that nothing has: long and random, and of the form that a contract and known ids have. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { setMember } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, texts } from '../contract/shape.ts';
import { changedWhereAllowed, otherText } from '../generate/fresh.ts';
import { freshName } from '../generate/fresh-names.ts';
import { textMatching } from '../generate/pattern-texts.ts';
import { CHANCE } from '../generate/random.ts';
import { examplesOf } from '../survey/values.ts';

/**
 * A path whose ids name nothing, since they are long and random; undefined if none fits.
 * @param areWords whether ids of no stated form are words of letters: some routers refuse others
 */
export function unknownPath(
  contract: Contract,
  { parameters, method }: Operation,
  areWords = false,
): Record<string, string> | undefined {
  const path: Record<string, string> = {};
  let isWhole = true;
  for (const parameter of parameters.filter((one) => one.in === 'path')) {
    const word = areWords ? unknownWord(contract, parameter) : undefined;
    const id = word ?? unknownId(contract, parameter, method);
    if (id === undefined) {
      isWhole = false;
    } else {
      setMember(path, parameter.name, id);
    }
  }
  return isWhole ? path : undefined;
}

/** A long random word; undefined if the contract states a form. */
function unknownWord(contract: Contract, parameter: Parameter): string | undefined {
  const hasForm = texts(shapeOf(contract, parameter.schema), 'format').length > 0;
  const isShown = examplesOf(contract, parameter).length > 0;
  if (hasForm || isShown) {
    return undefined;
  }
  return freshName(contract, parameter, CHANCE);
}

/**
 * Long and random; undefined if the type has no such values. A short one is good enough for reading
 * alone.
 * @param known an id of something: the unknown one has its form, if that is long enough
 */
export function unknownId(
  contract: Contract,
  parameter: Parameter,
  method: string,
  known?: string,
): string | undefined {
  const { schema } = parameter;
  const isValid = (value: unknown): boolean => schemasOf(contract).isValid(schema, value);
  const shape = shapeOf(contract, schema);
  if (shape.types.has('string')) {
    const example = examplesOf(contract, parameter).find((one) => typeof one === 'string');
    return unknownText(shape, [known, example], isValid);
  }
  if (!shape.types.has('integer')) {
    return undefined;
  }
  const numbers = [randomInt(2 ** 46, 2 ** 47)];
  if (method === 'GET') {
    numbers.push(randomInt(2 ** 30, 2 ** 31));
  }
  return numbers.find(isValid)?.toString();
}

/**
 * A text that names nothing, of the form of one of these, if that is long enough; undefined if no
 * such text is valid.
 */
export function unknownText(
  shape: Shape,
  forms: readonly (string | undefined)[],
  isValid: (text: string) => boolean,
): string | undefined {
  const like = forms.flatMap((text) => alike(text, isValid) ?? []);
  return [...like, ...randomTexts(shape)].find(isValid);
}

/**
 * This number of characters must be free in the pattern of ids: with fewer, a text may be an id of
 * somebody.
 */
const FREE_CHARACTERS = 8;

export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const HEX = /^[\da-f]{16,}$/;
const CHARACTER = /[a-z\d]/gi;

/** A random id of the form of another one; undefined if that is too short to be random. */
function alike(text: string | undefined, isValid: (id: string) => boolean): string | undefined {
  if (text === undefined) {
    return undefined;
  }
  if (UUID.test(text)) {
    return randomUUID();
  }
  if (HEX.test(text)) {
    return randomBytes(text.length).toString('hex').slice(0, text.length);
  }
  const free = text.match(CHARACTER) ?? [];
  if (free.length < FREE_CHARACTERS * 2) {
    return undefined;
  }
  const other = otherText(text, CHANCE);
  if (isValid(other)) {
    return other;
  }
  const kept = changedWhereAllowed(text, CHANCE, isValid);
  return isRareBeside(text, kept) ? kept : undefined;
}

/** Whether so much of a text is another one that no item has it by chance. */
function isRareBeside(text: string, other: string): boolean {
  const before = [...text];
  const free = [...other].filter((char, index) => char !== before[index]);
  return free.length >= FREE_CHARACTERS;
}

/** Ids of the usual forms, and of the pattern of the shape. */
function randomTexts(shape: Shape): string[] {
  const hex = randomBytes(16).toString('hex');
  const digits = `9${BigInt(`0x${hex}`)}`;
  const usual = [randomUUID(), `conformance-${hex}`, hex, hex.slice(0, 24), digits.slice(0, 18)];
  const [pattern] = texts(shape, 'pattern');
  if (pattern === undefined) {
    return usual;
  }
  const matching = fc.sample(textMatching(pattern, 64), 10);
  const [first = ''] = matching;
  return [...usual, ...matching.filter((text) => isRareBeside(first, text))];
}
