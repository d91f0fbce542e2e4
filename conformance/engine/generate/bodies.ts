/** Values of bodies. Only JSON has types: in a form, a text stands for what it spells, an empty one for nothing. */
import { stringifyJson } from '../contract/json-numbers.ts';
import * as fc from 'fast-check';
import type { Hints } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import type { RequestBody } from '../contract/operations.ts';
import { imageIn, isJson, isRaw } from '../contract/media-types.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, strictest, withoutNull } from '../contract/shape.ts';
import { isDoubtful, spelled } from '../contract/spelling.ts';
import { accepted } from './filter.ts';
import { validValues } from './valid.ts';

/** Values that the body allows. @param contract as requests see it. */
export function bodyValues(
  contract: Contract,
  body: RequestBody,
  hints?: Hints,
): fc.Arbitrary<unknown> {
  const { pointer, mediaType } = body;
  if (mediaType === 'application/octet-stream') {
    const shape = shapeOf(contract, pointer);
    const minLength = strictest(shape, 'minLength') ?? 1;
    const maxLength = Math.min(strictest(shape, 'maxLength') ?? Infinity, minLength + 200);
    return fc
      .uint8Array({ minLength, maxLength })
      .map((bytes) => Buffer.from(bytes).toString('latin1'));
  }
  if (isRaw(mediaType) && imageIn(mediaType) !== undefined) {
    return fc.constant(imageIn(mediaType));
  }
  return carried(contract, body, validValues(contract, pointer, hints), true);
}

/** Those of the values that the media type carries, and that are valid or not when they are read again. */
export function carried(
  contract: Contract,
  body: RequestBody,
  values: fc.Arbitrary<unknown>,
  isValid: boolean,
) {
  if (isJson(body.mediaType)) {
    return values;
  }
  const { required } = shapeOf(contract, body.pointer);
  const fieldsOf = ([name, value]: [string, unknown]): [string, unknown][] => {
    const image =
      typeof value === 'string' ? imageIn(body.fields[name]?.contentType ?? '') : undefined;
    const sent = image ?? value;
    // Few large values have nothing that services read differently: where it may be missing, it is left out.
    if (required.has(name) || fieldRead(contract, body, name, sent) !== undefined) {
      return [[name, sent]];
    }
    return [];
  };
  const all = values.map((value) => {
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).flatMap(fieldsOf));
    }
    return value;
  });
  const what = `value that a body of ${body.mediaType} carries`;
  return accepted(all, what, (value) => isAllowed(contract, body, value) === isValid);
}

/** Whether the body is valid as a service reads it; undefined where services may differ. */
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

function readAgain(contract: Contract, body: RequestBody, value: unknown): unknown {
  const { mediaType } = body;
  if (isJson(mediaType)) {
    return value;
  }
  if (isRaw(mediaType)) {
    if (typeof value === 'string' && value.isWellFormed() && value !== '') {
      return value;
    }
    return undefined;
  }
  if (!isObject(value)) {
    return undefined;
  }
  const fields = Object.entries(value).map(
    ([name, one]) => [name, fieldRead(contract, body, name, one)] as const,
  );
  if (fields.some(([name, one]) => name === '' || one === undefined)) {
    return undefined;
  }
  return Object.fromEntries(fields);
}

/** A field as a service reads it; undefined where services may differ. */
function fieldRead(
  contract: Contract,
  { pointer, fields }: RequestBody,
  name: string,
  value: unknown,
): unknown {
  const isDeep = Object.values(Object(value) as object).some((inner) => typeof inner === 'object');
  if (isDeep && fields[name]?.style !== undefined) {
    return undefined;
  }
  const { properties, additional } = shapeOf(contract, pointer);
  const shape = properties.get(name) ?? additional;
  // Of an empty list, nothing is sent.
  if (shape === undefined) {
    return textOf([value].flat()[0]);
  }
  return fieldOf(withoutNull(contract, shape), value);
}

function fieldOf(shape: Shape, value: unknown): unknown {
  const isList = shape.types.has('array') && !shape.types.has('string');
  if (!isList) {
    return Array.isArray(value) ? undefined : scalarOf(shape, value);
  }
  const items = [value]
    .flat()
    .map((item) => (shape.items ? scalarOf(shape.items, item) : textOf(item)));
  if (items.length === 0 || items.includes(undefined)) {
    return undefined;
  }
  return items;
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

function textOf(value: unknown): string | undefined {
  const text =
    typeof value === 'object' && value !== null ? stringifyJson(value) : String(value ?? '');
  return text.isWellFormed() && text !== '' ? text : undefined;
}
