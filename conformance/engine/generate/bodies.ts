/**
 * Values of bodies. Only JSON has types: in a form, a text stands for the value that it spells, and
 * an empty text for nothing.
 */
import { memberOf } from '../contract/by-name.ts';
import * as fc from 'fast-check';
import type { Hints } from '../contract/hints.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import type { Contract } from '../contract/load.ts';
import type { RequestBody } from '../contract/operations.ts';
import { imageIn, isJson, isJsonSequence, isPlainText, isRaw } from '../contract/media-types.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, strictest, withoutNull } from '../contract/shape.ts';
import { isDoubtful, spelled } from '../contract/spelling.ts';
import { separatorOfStyle } from '../contract/styles.ts';
import { accepted } from './filter.ts';
import { validValues } from './valid.ts';

/** Values that the body allows. @param contract as requests see it: `asRequest` */
export function bodyValues(
  contract: Contract,
  body: RequestBody,
  hints?: Hints,
): fc.Arbitrary<unknown> {
  const { pointer, mediaType } = body;
  const image = imageIn(mediaType);
  if (image !== undefined) {
    return fc.constant(image);
  }
  if (isRaw(mediaType) && !isPlainText(mediaType)) {
    return bytesFor(shapeOf(contract, pointer));
  }
  return carried(contract, body, validValues(contract, pointer, hints), true);
}

/** Texts in which each character is a byte. */
function bytesFor(shape: Shape): fc.Arbitrary<string> {
  const minLength = strictest(shape, 'minLength') ?? 1;
  const maxLength = Math.min(strictest(shape, 'maxLength') ?? Infinity, minLength + 200);
  return fc
    .uint8Array({ minLength, maxLength })
    .map((bytes) => Buffer.from(bytes).toString('latin1'));
}

/**
 * Those of the values that the media type carries.
 * @param isValid whether they are valid when a service reads them
 */
export function carried(
  contract: Contract,
  body: RequestBody,
  values: fc.Arbitrary<unknown>,
  isValid: boolean,
): fc.Arbitrary<unknown> {
  if (isJson(body.mediaType) || isJsonSequence(body.mediaType)) {
    return values;
  }
  const all = values.map((value) => (isObject(value) ? asForm(contract, body, value) : value));
  const what = `value that a body of ${body.mediaType} carries`;
  return accepted(all, what, (value) => isAllowed(contract, body, value) === isValid);
}

/**
 * The fields of a form. Large values often have members that services read differently: optional
 * ones are left out.
 */
function asForm(
  contract: Contract,
  body: RequestBody,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const { required } = shapeOf(contract, body.pointer);
  const fields: [string, unknown][] = [];
  for (const [name, one] of Object.entries(value)) {
    const sent = imageFor(body, name, one) ?? one;
    if (required.has(name) || fieldRead(contract, body, name, sent) !== undefined) {
      fields.push([name, sent]);
    }
  }
  return Object.fromEntries(fields);
}

/** The image to send in place of a text, if the field takes images. */
function imageFor({ fields }: RequestBody, name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  return imageIn(memberOf(fields, name)?.contentType ?? '');
}

/** Whether the body is valid as a service reads it; undefined if services may differ. */
export function isAllowed(
  contract: Contract,
  body: RequestBody,
  value: unknown,
): boolean | undefined {
  const read = readAgain(contract, body, value);
  if (read === undefined) {
    return undefined;
  }
  return schemasOf(contract).isValid(body.pointer, read);
}

/** The body as a service reads it; undefined if services may differ. */
function readAgain(contract: Contract, body: RequestBody, value: unknown): unknown {
  const { mediaType } = body;
  if (isJson(mediaType) || isJsonSequence(mediaType)) {
    return value;
  }
  if (isRaw(mediaType)) {
    return textRead(contract, body, value);
  }
  if (!isObject(value)) {
    return undefined;
  }
  const fields: [string, unknown][] = [];
  for (const [name, one] of Object.entries(value)) {
    const read = fieldRead(contract, body, name, one);
    // Readers of forms leave `__proto__` out, for their own safety.
    if (name === '' || name === '__proto__' || read === undefined) {
      return undefined;
    }
    fields.push([name, read]);
  }
  return Object.fromEntries(fields);
}

/** White space at the ends of a text: many services remove it from a body. */
const AT_ENDS = /^\s|\s$/;

/** A text as a service reads it; undefined if services may differ. */
function textRead(contract: Contract, { pointer }: RequestBody, value: unknown): unknown {
  const shape = withoutNull(contract, shapeOf(contract, pointer));
  const text = typeof value === 'object' ? undefined : textOf(value);
  if (text === undefined || AT_ENDS.test(text)) {
    return undefined;
  }
  return scalarOf(shape, text);
}

/** A field as a service reads it; undefined if services may differ. */
function fieldRead(
  contract: Contract,
  { pointer, fields }: RequestBody,
  name: string,
  value: unknown,
): unknown {
  const members: unknown[] = Object.values(Object(value));
  const isDeep = members.some((inner) => typeof inner === 'object');
  const { style, explode = style === 'form' } = memberOf(fields, name) ?? {};
  const isHolder = typeof value === 'object' && value !== null;
  const isNothing = isHolder && members.length === 0;
  if (style !== undefined && (isDeep || isNothing)) {
    return undefined;
  }
  // An item with a separator is read again as two.
  const isJoined = style !== undefined && !explode;
  if (isJoined && members.some((inner) => String(inner).includes(separatorOfStyle(style)))) {
    return undefined;
  }
  const { properties, additional } = shapeOf(contract, pointer);
  const shape = properties.get(name) ?? additional;
  if (shape === undefined) {
    const [first] = [value].flat();
    return textOf(first);
  }
  const own = withoutNull(contract, shape);
  if (style !== undefined && isObject(value)) {
    return membersRead(own, value);
  }
  return valueOfField(own, value);
}

/** An object whose members are written as texts; undefined if services may differ. */
function membersRead(
  shape: Shape,
  value: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const members: [string, unknown][] = [];
  for (const [name, one] of Object.entries(value)) {
    const rules = shape.property(name);
    const read = rules ? scalarOf(rules, one) : textOf(one);
    if (read === undefined || name === '__proto__') {
      return undefined;
    }
    members.push([name, read]);
  }
  return Object.fromEntries(members);
}

function valueOfField(shape: Shape, value: unknown): unknown {
  const isList = shape.types.has('array') && !shape.types.has('string');
  if (isList) {
    return itemsOfField(shape, [value].flat());
  }
  if (Array.isArray(value)) {
    return undefined;
  }
  return scalarOf(shape, value);
}

/**
 * The items of a list as a service reads them; undefined for an empty list, for which nothing is
 * sent.
 */
function itemsOfField({ items: rules }: Shape, items: unknown[]): unknown[] | undefined {
  const read = items.map((item) => (rules ? scalarOf(rules, item) : textOf(item)));
  if (read.length === 0 || read.includes(undefined)) {
    return undefined;
  }
  return read;
}

function scalarOf(shape: Shape, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !shape.types.has('string')) {
    return value;
  }
  const text = textOf(value);
  if (text === undefined || isDoubtful(shape, text)) {
    return undefined;
  }
  return spelled(shape, text);
}

/** The text that is sent for a value; undefined if nothing is sent, or no text can be. */
function textOf(value: unknown): string | undefined {
  const isHolder = typeof value === 'object' && value !== null;
  const text = isHolder ? stringifyJson(value) : String(value ?? '');
  if (text.isWellFormed() && text !== '') {
    return text;
  }
  return undefined;
}
