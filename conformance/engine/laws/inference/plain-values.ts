/**
 * Values that every service keeps as they are. A contract does not promise that a text keeps its
 * spaces or its case, that a set keeps its order, or that a number keeps its last digit: the values
 * that laws compare are free of that.
 */
import { memberOf, setMember } from '../../contract/by-name.ts';
import { supported } from '../../contract/keywords.ts';
import type { Contract } from '../../contract/load.ts';
import { matcherOf } from '../../contract/patterns.ts';
import { satisfies } from '../../contract/schemas.ts';
import { isPatterned, type Shape, shapeOf, strictest, texts } from '../../contract/shape.ts';
import { isMarked } from '../../contract/variants.ts';
import { letters } from '../../generate/fresh.ts';
import { areInOrder, timesInOrder } from '../../generate/times.ts';
import type { Json } from '../resource.ts';

/** The schema of a body, and that of its kind if there are several: it satisfies both. */
export type Pointers = readonly string[];

/** What is sent as a free text. */
type TextSource = 'examples' | 'words';

/** Formats that say how large a number is; others have several spellings of one value. */
const EXACT_FORMATS = ['int32', 'int64', 'float', 'double', 'uuid', 'date', 'email'];

const LARGEST = 1_000_000;

const LENGTH = 12;

/**
 * Whether a value has one spelling, in all its depth, and is shown as it is sent.
 * @param seen shapes that are checked already: one that many others have is checked once
 */
export function isExact(contract: Contract, shape: Shape, seen = new Set<Shape>()): boolean {
  if (seen.has(shape)) {
    return true;
  }
  seen.add(shape);
  const branches = shape.alternatives.flat().map((pointer) => shapeOf(contract, pointer));
  const inside = [...shape.properties.values(), ...branches, shape.items, shape.additional].filter(
    (one) => one !== undefined,
  );
  return (
    !isMarked(shape, 'readOnly') &&
    !isMarked(shape, 'writeOnly') &&
    texts(shape, 'format').every((format) => EXACT_FORMATS.includes(format)) &&
    inside.every((one) => isExact(contract, one, seen))
  );
}

/**
 * A body as valid as this one, with new words in place of free texts, times that follow each other,
 * and small numbers; and without null if it can be omitted.
 * @param names of the members to which this is done; default: all
 */
export function tameBody(
  contract: Contract,
  pointers: Pointers,
  body: Json,
  names: readonly string[] = Object.keys(body),
): Json {
  const shape = shapeOf(contract, ...pointers);
  const isValid = (one: Json) => satisfies(contract, pointers, one);
  const tamed = tamedIn(body, names, shape.properties, isValid);
  const inOrder = { ...tamed, ...timesInOrder(shape, tamed) };
  if (!areInOrder(shape, tamed) && isValid(inOrder)) {
    return inOrder;
  }
  return tamed;
}

/**
 * The body with these members as tame as it allows: all at once, or else each half of them, since a
 * body may have hundreds.
 */
function tamedIn(
  body: Json,
  names: readonly string[],
  properties: ReadonlyMap<string, Shape>,
  isValid: (one: Json) => boolean,
): Json {
  const tamed = { ...body };
  for (const name of names) {
    const value = memberOf(body, name);
    if (value === null) {
      delete tamed[name];
    } else {
      setMember(tamed, name, tame(properties.get(name), value));
    }
  }
  if (isValid(tamed)) {
    return tamed;
  }
  if (names.length < 2) {
    return body;
  }
  const middle = Math.floor(names.length / 2);
  const first = tamedIn(body, names.slice(0, middle), properties, isValid);
  return tamedIn(first, names.slice(middle), properties, isValid);
}

/**
 * The value with new words in place of free texts.
 * @param as `words`: also in place of a text whose example has a syntax
 */
export function tame(
  shape: Shape | undefined,
  value: unknown,
  as: TextSource = 'examples',
): unknown {
  if (shape === undefined || shape.choices !== undefined || shape.alternatives.length > 0) {
    return value;
  }
  if (typeof value === 'string') {
    return isFree(shape) ? textFor(shape, as) : withoutOuterSpaces(shape, value);
  }
  if (typeof value === 'number') {
    return smallNumber(shape, value);
  }
  if (Array.isArray(value)) {
    const items = isSet(shape)
      ? value.slice(0, Math.max(1, strictest(shape, 'minItems') ?? 0))
      : (value as unknown[]);
    return items.map((item) => tame(shape.items, item, as));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const shapeOfMember = (name: string) => shape.properties.get(name) ?? shape.additional;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, tame(shapeOfMember(name), one, as)]),
  );
}

/**
 * One of two small numbers: services have limits that contracts do not state, such as the number of
 * guests in a room, and 0 often has a meaning of its own.
 */
function smallNumber(shape: Shape, value: number): number {
  const whole = Math.round(value);
  const least = Math.max(1, Math.ceil(strictest(shape, 'minimum') ?? 1));
  const most = strictest(shape, 'maximum') ?? Infinity;
  if (least >= most) {
    return Math.min(Math.max(whole, -LARGEST), LARGEST);
  }
  return least + (Math.abs(whole) % 2);
}

/** A list in which each item may be once: its order need not be kept. */
export const isSet = ({ parts }: Shape): boolean =>
  parts.some(({ schema }) => schema['uniqueItems'] === true);

/** The text as a service keeps it that removes spaces at both ends, if it may be without them. */
function withoutOuterSpaces(shape: Shape, text: string): string {
  const trimmed = text.trim();
  const isLongEnough = trimmed.length >= (strictest(shape, 'minLength') ?? 0);
  const isMatching = supported(
    () => texts(shape, 'pattern').every((pattern) => matcherOf(pattern).test(trimmed)),
    () => false,
  );
  return isLongEnough && isMatching ? trimmed : text;
}

/** A text that may be any. */
export function isFree(shape: Shape): boolean {
  return (
    shape.choices === undefined &&
    shape.alternatives.length === 0 &&
    [...shape.types].every((type) => type === 'string' || type === 'null') &&
    !isPatterned(shape) &&
    texts(shape, 'format').length === 0
  );
}

function textFor(shape: Shape, as: TextSource): string {
  const example = as === 'examples' ? exampleWithSyntax(shape) : undefined;
  return example ?? wordFor(shape);
}

/**
 * The example of a text that has more than words in it, such as `0 3 * * *`: its syntax is nowhere
 * but in the example, and a service may refuse other texts.
 */
function exampleWithSyntax({ parts }: Shape): string | undefined {
  const stated = parts.flatMap(({ schema: { example, examples } }) => [
    example,
    ...(Array.isArray(examples) ? (examples as unknown[]) : []),
  ]);
  return stated.filter((one) => typeof one === 'string').find((one) => SYNTAX.test(one));
}

/** Characters of languages, such as XML; names, addresses and sentences have none of them. */
const SYNTAX = /[<>{}[\]*=$%\\^|~`]/;

/**
 * A different one each time, if it may be long: the contract need not ask that items differ in it,
 * but some services do.
 */
function wordFor(shape: Shape): string {
  const most = Math.min(
    LENGTH,
    strictest(shape, 'maxLength') ?? LENGTH,
    strictest(shape, 'x-max-bytes') ?? LENGTH,
  );
  return letters(Math.max(most, strictest(shape, 'minLength') ?? 0));
}
