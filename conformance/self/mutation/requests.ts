/** Requests: a part is ignored, defaulted, normalised or cut, so that another value is kept than was sent. */
import { schemasOf } from '../../engine/contract/schemas.ts';
import { defaultOf, strictest } from '../../engine/contract/shape.ts';
import { altered, DROP, editAt, fillAt, isObject, plainJsonOf, sending } from './messages.ts';
import { type Fits, type Operator, type Operators, perField } from './operator.ts';
import { type Field, has, isProperty, type Subject } from './operator.ts';

const perBody = (fits: Fits, change: (body: unknown, field: Field) => unknown): Operator =>
  perField('taken', fits, (field) => (next, request) => {
    const body = plainJsonOf(request);
    const changed = body === undefined ? body : change(body, field);
    return next(JSON.stringify(changed) === JSON.stringify(body) ? request : sending(request, changed));
  });

/** The value of a field is changed where it is sent. */
const perValue = (fits: Fits, change: (value: any, field: Field) => unknown): Operator =>
  perBody(fits, (body, field) => editAt(body, field.path, (value) => change(value, field)));

/** Texts that every change of texts alters; a field that allows none of them has no such mutant. */
const TEXTS = [' Ae\u0301\0  <b>&', ' Aé  b ', 'Aa', 'Aa.example:80', '/Aé', 'https://Aa.example/A', 'A@Aa.example'];

/** A change of texts, for each field with a value that it changes. */
function ofText(change: (value: string) => string): Operator {
  const isChanged = ({ shape }: Field, { contract }: Subject) =>
    TEXTS.some((one) => change(one) !== one && schemasOf(contract).isValid(shape.roots[0]!, one));
  const fits: Fits = (field, subject) => !has(field, 'array') && isChanged(field, subject);
  return perValue(fits, (value) => (isText(value) ? change(value) : value));
}

const ofList = (change: (items: unknown[]) => unknown[]): Operator =>
  perValue(
    (field) => has(field, 'array'),
    (value) => (Array.isArray(value) ? change(value) : value),
  );

const isText = (value: unknown): value is string => typeof value === 'string';

function limitOf({ shape }: Field): number {
  return Math.min(strictest(shape, 'x-max-bytes') ?? Infinity, strictest(shape, 'maxLength') ?? Infinity);
}

/** A text of the greatest length loses its last byte. */
function cut(value: unknown, field: Field): unknown {
  if (!isText(value) || Buffer.byteLength(value) < limitOf(field)) return value;
  return String(Buffer.from(value).subarray(0, -1)).replace(/\uFFFD$/, '');
}

const isUpdate = ({ operation }: Field) => operation.method === 'PATCH';
const isResettable: Fits = (field) => isUpdate(field) && field.path.length === 1 && has(field, 'null');
const isEmpty = (value: any) => value === 0 || value === false || value?.length === 0;

/** Another value than the default of an omitted field. */
const otherDefault = ({ shape }: Field) => {
  const own = defaultOf(shape);
  return shape.choices ? shape.choices.find((one) => one !== own && one !== null) : (altered(own, shape) ?? undefined);
};

export const requests: Operators = {
  'ignore-field': perValue(
    (field) => isProperty(field) && !field.required,
    () => DROP,
  ),
  'null-as-omitted': perValue(isResettable, (value) => (value === null ? DROP : value)),
  'omitted-as-null': perBody(isResettable, (body, { path }) => (isObject(body) ? fillAt(body, path, null) : body)),
  'empty-as-omitted': perValue(
    (field) => isProperty(field) && !field.shape.choices && !has(field, 'object'),
    (value) => (isEmpty(value) ? DROP : value),
  ),
  'other-default': perBody(
    (field) => isProperty(field) && (field.path.length > 1 || !isUpdate(field)) && otherDefault(field) !== undefined,
    (body, field) => (isObject(body) ? fillAt(body, field.path, otherDefault(field)) : body),
  ),
  'keep-other': perValue(
    (field) => !!field.shape.choices || has(field, 'boolean', 'integer', 'number'),
    (value, { shape }) => altered(value, shape),
  ),
  trim: ofText((value) => value.trim()),
  'collapse-space': ofText((value) => value.replaceAll(/\s+/g, ' ')),
  'lower-case': ofText((value) => value.toLowerCase()),
  'normal-form': ofText((value) => value.normalize('NFC')),
  'ascii-only': ofText((value) => value.replaceAll(/[^\0-\x7F]/g, '?')),
  'end-at-nul': ofText((value) => value.split('\0', 1)[0]!),
  // No text that the suite sends is as long as the limit of a document.
  'cut-last': perValue((field) => !field.shape.choices && limitOf(field) < 100_000, cut),
  'sort-list': ofList((items) => items.toSorted()),
  'turn-list': ofList((items) => items.toReversed()),
  'unique-list': ofList((items) => [...new Set(items)]),
};
