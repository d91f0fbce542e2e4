/** Fields of requests: what is kept is something else than what was sent. */
import type { Operation } from '../../engine/contract/operations.ts';
import { before } from '../mutate/mutate.ts';
import { isObject, plainJsonIn, sending } from '../mutate/request.ts';
import { type Api, allows, defaultOf, type Field, has, isRequired, oneOfEachField } from './api.ts';
import { DROP, editAt, fillAt } from './edit.ts';
import { idOf, type Operator } from './operator.ts';

type Fits = (field: Field, api: Api, operation: Operation) => boolean;

function perField(
  name: string,
  description: string,
  fits: Fits,
  change: (body: unknown, field: Field, operation: Operation) => unknown,
): Operator {
  return {
    name,
    description,
    variants: (api) =>
      oneOfEachField(api.taken, name)
        .filter(([operation, field]) => fits(field, api, operation))
        .map(([operation, field]) => ({
          at: `${operation.operationId}/${field.name}`,
          level: field.level,
          mutate: before(idOf(operation), (request) => {
            const body = plainJsonIn(request);
            const changed = change(body, field, operation);
            return JSON.stringify(changed) === JSON.stringify(body) ? request : sending(request, changed);
          }),
        })),
  };
}

/** Values that show what a change of texts or lists does: it makes a mutant where a field allows one that it changes. */
const WITNESSES: unknown[] = [
  ' Ae\u0301\0<b>&amp; %41',
  'Aa  Aa',
  'Aa',
  'AaZz09-_',
  'Aa.Bb.example.com:8443',
  'https://Example.com/Aa/b?c=D',
  '/Aa/b',
  'Aa@Example.com',
  'X-Aa',
  ['b', 'a', 'a'],
  ['Bb.example.com:443', 'Aa.example.com:443'],
  ['b-id', 'a-id', 'b-id'],
  ['b@b.example.com', 'a@b.example.com', 'b@b.example.com'],
  ['b.example.com', 'a.example.com', 'b.example.com'],
  ['b', 'a'],
  ['X-B', 'X-A'],
];

function changing(name: string, description: string, change: (value: any) => unknown): Operator {
  const fits: Fits = (field, api) =>
    field.shape.choices === undefined &&
    WITNESSES.some((value) => {
      if (!has(field, typeof value === 'string' ? 'string' : 'array')) return false;
      const changed = applied(value);
      return JSON.stringify(changed) !== JSON.stringify(value) && allows(api, field, value);
    });
  const applied = (value: unknown) => {
    try {
      return change(value);
    } catch {
      return value;
    }
  };
  return perField(name, description, fits, (body, { path }) => editAt(body, path, applied));
}

const text = (change: (value: string) => string) => (value: unknown) =>
  typeof value === 'string' ? change(value) : value;
const list = (change: (items: unknown[]) => unknown[]) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
const isProperty = ({ path }: Field) => path.at(-1) !== '*';
const isUpdate = ({ method }: Operation) => method === 'PATCH';
const bytes = (value: string, count: number) =>
  Buffer.from(value)
    .subarray(0, count)
    .toString('utf8')
    .replace(/\uFFFD$/, '');

/** What stands for an omitted property of a new resource. */
function fallback(field: Field): unknown {
  const stated = defaultOf(field);
  if (stated !== undefined) return stated;
  if (has(field, 'null') && has(field, 'object')) return null;
  if (has(field, 'array')) return [];
  return has(field, 'string') ? '' : undefined;
}

export const requestFields: Operator[] = [
  perField(
    'ignore-field',
    'A field of a request is ignored.',
    (field, api, operation) => isProperty(field) && !isRequired(api, operation.requestBody!.pointer, field),
    (body, { path }) => editAt(body, path, () => DROP),
  ),
  perField(
    'null-as-absent',
    'Null in a change is taken for an omitted field.',
    (field, _, operation) => isUpdate(operation) && field.path.length === 1 && has(field, 'null'),
    (body, { path }) => editAt(body, path, (value) => (value === null ? DROP : value)),
  ),
  perField(
    'absent-as-null',
    'An omitted field of a change is taken for null.',
    (field, _, operation) => isUpdate(operation) && field.path.length === 1 && has(field, 'null'),
    (body, { path }) => (isObject(body) ? fillAt(body, path, null) : body),
  ),
  perField(
    'empty-as-absent',
    'An empty text or list, 0 or false is taken for an omitted field.',
    (field) =>
      isProperty(field) &&
      has(field, 'string', 'array', 'boolean', 'integer', 'number') &&
      field.shape.choices === undefined,
    (body, { path }) => editAt(body, path, (value) => (isEmpty(value) ? DROP : value)),
  ),
  perField(
    'other-default',
    'An omitted field has another default.',
    (field, _, operation) =>
      isProperty(field) &&
      (field.path.length > 1 || !isUpdate(operation)) &&
      (fallback(field) !== undefined || field.shape.choices !== undefined),
    (body, field) => {
      const other = otherDefault(field);
      return other === undefined || !isObject(body) ? body : fillAt(body, field.path, other);
    },
  ),
  perField(
    'flip-field',
    'A boolean of a request is kept as its opposite.',
    (field) => has(field, 'boolean'),
    (body, { path }) => editAt(body, path, (value) => (typeof value === 'boolean' ? !value : value)),
  ),
  perField(
    'other-choice',
    'A value of a closed list is kept as the first one.',
    (field) => (field.shape.choices?.filter((choice) => choice !== null).length ?? 0) > 1,
    (body, { path, shape }) => editAt(body, path, (value) => (value === null ? null : shape.choices![0])),
  ),
  perField(
    'add-one',
    'A number of a request is kept as the next one.',
    (field) => has(field, 'integer', 'number'),
    (body, { path, shape }) =>
      editAt(body, path, (value) => {
        const most = Math.min(...shape.parts.map(({ schema }) => Number(schema['maximum'] ?? Infinity)));
        return typeof value === 'number' && value < most ? value + 1 : value;
      }),
  ),
  changing(
    'trim',
    'White space around a text is removed.',
    text((value) => value.trim()),
  ),
  changing(
    'collapse-space',
    'Runs of white space become one space.',
    text((value) => value.replaceAll(/\s+/g, ' ')),
  ),
  changing(
    'lower-case',
    'A text is kept in lower case.',
    text((value) => value.toLowerCase()),
  ),
  changing(
    'nfc',
    'A text is kept in the normal form C of Unicode.',
    text((value) => value.normalize('NFC')),
  ),
  changing(
    'end-at-nul',
    'A text ends at its first NUL.',
    text((value) => value.split('\0', 1)[0]!),
  ),
  changing(
    'escape-html',
    'A text is escaped for HTML.',
    text((value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ),
  changing(
    'decode-percent',
    'Percent-escapes in a text are decoded.',
    text((value) =>
      value.replaceAll(/%([2-7][0-9A-F])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    ),
  ),
  changing(
    'ascii-only',
    'Characters beyond ASCII are lost.',
    text((value) => value.replaceAll(/[^\0-\x7F]/g, '?')),
  ),
  ...[1, 2, 3].map((part) =>
    perField(
      ['', 'cut-at-half', 'cut-last-byte', 'cut-last-character'][part]!,
      [
        '',
        'A text loses what is beyond half of its limit.',
        'A text of the longest kind loses its last byte.',
        'A text of the longest kind loses its last character.',
      ][part]!,
      (field) =>
        has(field, 'string') &&
        field.shape.choices === undefined &&
        limitOf(field) !== undefined &&
        limitOf(field)! < 100_000,
      (body, field) => {
        const most = limitOf(field)!;
        const cut = text((value) => {
          if (part === 1) return Buffer.byteLength(value) > most / 2 ? bytes(value, Math.floor(most / 2)) : value;
          if (part === 2) return Buffer.byteLength(value) >= most ? bytes(value, most - 1) : value;
          return Array.from(value).length >= most
            ? Array.from(value)
                .slice(0, most - 1)
                .join('')
            : value;
        });
        return editAt(body, field.path, cut);
      },
    ),
  ),
  changing(
    'sort',
    'A list is kept sorted.',
    list((items) => items.toSorted()),
  ),
  changing(
    'reverse',
    'A list is kept in the opposite order.',
    list((items) => items.toReversed()),
  ),
  changing(
    'dedupe',
    'A list keeps each value once.',
    list((items) => [...new Set(items)]),
  ),
  changing(
    'first-item',
    'Only the first item of a list is kept.',
    list((items) => items.slice(0, 1)),
  ),
  changing(
    'lose-last-item',
    'A list of several items loses its last one.',
    list((items) => (items.length > 1 ? items.slice(0, -1) : items)),
  ),
];

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

function limitOf({ shape }: Field): number | undefined {
  const limits = shape.parts
    .flatMap(({ schema }) => [schema['x-max-bytes'], schema['maxLength']])
    .filter((one) => typeof one === 'number');
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

function otherDefault(field: Field): unknown {
  const value = fallback(field);
  if (field.shape.choices) return field.shape.choices.find((choice) => choice !== value && choice !== null);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (value === null) return {};
  return undefined;
}
