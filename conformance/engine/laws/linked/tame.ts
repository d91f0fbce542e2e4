/**
 * Values that every service keeps as they are. A contract does not promise that a text keeps its spaces or its case, that
 * a set keeps its order, or that a number keeps its last digit: what laws compare is free of that.
 */
import { randomInt } from 'node:crypto';
import type { Contract } from '../../contract/load.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { isPatterned, type Shape, shapeOf, strictest, texts } from '../../contract/shape.ts';
import { isMarked } from '../../contract/variants.ts';
import type { Json } from '../resource.ts';

/** Formats that say how large a number is; others have several spellings of one value. */
const EXACT_FORMATS = ['int32', 'int64'];

const LARGEST = 1_000_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LENGTH = 12;

/** Whether a value has one spelling, in all its depth, and is shown as it is sent. */
export function isExact(shape: Shape, above: readonly Shape[] = []): boolean {
  if (above.includes(shape)) return true;
  const inside = [...shape.properties.values(), shape.items, shape.additional].filter((one) => one !== undefined);
  return (
    !isMarked(shape, 'readOnly') &&
    !isMarked(shape, 'writeOnly') &&
    texts(shape, 'format').every((format) => EXACT_FORMATS.includes(format)) &&
    inside.every((one) => isExact(one, [...above, shape]))
  );
}

/** A body as valid as this one, with new words in place of free texts, and without null where it can be left out. */
export function tameBody(contract: Contract, pointer: string, body: Json): Json {
  const schemas = schemasOf(contract);
  const { properties } = shapeOf(contract, pointer);
  let tamed = body;
  for (const name of Object.keys(body)) {
    const { [name]: value, ...rest } = tamed;
    const better = value === null ? rest : { ...tamed, [name]: tame(properties.get(name), value) };
    if (schemas.isValid(pointer, better)) tamed = better;
  }
  return tamed;
}

export function tame(shape: Shape | undefined, value: unknown): unknown {
  if (shape === undefined || shape.choices !== undefined || shape.alternatives.length > 0) return value;
  if (typeof value === 'string') return isFree(shape) ? wordFor(shape) : value;
  if (typeof value === 'number') return Math.round(Math.min(Math.max(value, -LARGEST), LARGEST));
  if (Array.isArray(value)) {
    const isSet = shape.parts.some(({ schema }) => schema['uniqueItems'] === true);
    const items = isSet ? value.slice(0, Math.max(1, strictest(shape, 'minItems') ?? 0)) : (value as unknown[]);
    return items.map((item) => tame(shape.items, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, tame(shape.properties.get(name) ?? shape.additional, one)]),
  );
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

/** Another one each time, where it may be long: no two items may need to differ in it, but some services ask for that. */
function wordFor(shape: Shape): string {
  const most = Math.min(LENGTH, strictest(shape, 'maxLength') ?? LENGTH, strictest(shape, 'x-max-bytes') ?? LENGTH);
  const length = Math.max(most, strictest(shape, 'minLength') ?? 0);
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
