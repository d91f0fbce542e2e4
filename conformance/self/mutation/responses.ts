/** Responses: another status, another header, a field that is dropped, altered, swapped, cut or stale. */
import type { Operation, Response } from '../../engine/contract/operations.ts';
import type { ServiceResponse } from '../service.ts';
import { DROP, editAt, isObject, type Json, jsonOf, type Place, succeeded, withHeaders } from './messages.ts';
import { breaking, fromEach, type Handle, isWrite, needsToken, type Operator, type Operators } from './operator.ts';
import { type Field, has, isFreeText, isProperty, perField, perOperation, showing } from './operator.ts';

/** A service need not have these, and no test can make it. */
const NOT_MADE = ['429', '500', '503'];

type Change = (response: ServiceResponse) => ServiceResponse;

/** @param status such as `200` or `4XX` */
const onStatus = (status: string, change: Change): Handle =>
  showing((one) => (new RegExp(`^${status.replaceAll(/x/gi, '.')}$`).test(String(one.status)) ? change(one) : one));

type Choice = (field: Field) => boolean;
type Edit = (value: any, place: Place, field: Field) => unknown;

/** @param make called once for each service */
const perShown = (fits: Choice, make: () => Edit): Operator =>
  perField(
    'shown',
    (field) => !NOT_MADE.includes(field.status!) && fits(field),
    (field) => {
      const edit = make();
      return onStatus(field.status!, (response) => {
        const json = jsonOf(response);
        const edited = editAt(json, field.path, (value, place) => edit(value, place, field));
        return json === undefined ? response : { ...response, body: JSON.stringify(edited) };
      });
    },
  );

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** The value of the next property of the same type. */
function nextValue(own: unknown, { holder, name }: Place): unknown {
  const names = Object.keys(holder);
  const at = names.indexOf(name);
  const others = [...names.slice(at + 1), ...names.slice(0, at)].map((other) => (holder as Json)[other]);
  return others.find((value) => kindOf(value) === kindOf(own)) ?? own;
}

const RETYPED: Record<string, (value: any) => unknown> = {
  string: (value) => ({ value }),
  number: String,
  boolean: String,
  null: () => '',
  list: (items) => items[0] ?? {},
  object: (value) => [value],
};

const EMPTY: Record<string, unknown> = { string: '', number: 0, boolean: {}, null: null, list: [], object: {} };

const FIVE_MINUTES = 300_000;

/** Another value of the same kind. */
function altered(value: unknown, _: Place, { shape }: Field): unknown {
  if (value === null) return null;
  const choice = shape.choices?.find((one) => one !== value && one !== null);
  if (choice !== undefined) return choice;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(Date.parse(value) - FIVE_MINUTES).toISOString();
  if (/^https?:/.test(value)) return value.replace(/\/\/[^/]+/, '//other.example.com');
  return /^\/.*\d$/.test(value) ? value.replace(/\d+$/, (index) => String(Number(index) + 1)) : `${value}x`;
}

function truncated(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1);
  if (typeof value !== 'string') return value;
  return value.slice(0, /^(https?:|\/)/.test(value) ? value.lastIndexOf('/') : -1);
}

function folded(text: string): string {
  return text.replaceAll(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));
}

/** One of the values so far: the first, or the one before. */
const earlier = (index: 0 | -2) => (): Edit => {
  const seen: unknown[] = [];
  return (value) => (seen.push(value) === 1 ? value : seen.at(index));
};

const onText = (change: (text: string) => string) => (value: unknown) =>
  typeof value === 'string' ? change(value) : value;
const onList = (change: (items: unknown[]) => unknown[]) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
const isRequired: Choice = (field) => isProperty(field) && field.required;
const isText: Choice = (field) => has(field, 'string');
const isList: Choice = (field) => has(field, 'array');
const isScalar: Choice = (field) => isProperty(field) && !has(field, 'object');
const isPlain: Choice = (field) => has(field, 'string', 'boolean', 'number', 'integer');
const isLong: Choice = (field) => isFreeText(field) || isList(field);

const EDITS: Record<string, [fits: Choice, edit: Edit]> = {
  drop: [isRequired, () => DROP],
  null: [isProperty, () => null],
  retype: [isProperty, (value) => RETYPED[kindOf(value)]!(value)],
  empty: [isProperty, (value) => EMPTY[kindOf(value)]],
  alter: [isPlain, altered],
  swap: [isScalar, nextValue],
  truncate: [isLong, truncated],
  'fold-case': [isText, onText(folded)],
  'percent-encode': [isFreeText, onText(encodeURI)],
  'unescape-pointer': [
    (field) => field.path.at(-1) === 'pointer',
    onText((text) => text.replaceAll('~1', '/').replaceAll('~0', '~')),
  ],
  'lose-item': [isList, onList((items) => items.slice(0, -1))],
  'repeat-item': [isList, onList((items) => [...items.slice(0, 1), ...items])],
  'reverse-list': [isList, onList((items) => items.toReversed())],
};

const fields: Operators = {
  ...fromEach(EDITS, ([fits, edit]) => perShown(fits, () => edit)),
  'stale-field': perShown(isScalar, earlier(-2)),
  'constant-field': perShown((field) => isScalar(field) && isText(field), earlier(0)),
};

/** @param changesOf the changes of one response, by what is added to the name of the mutant */
function perResponse(changesOf: (response: Response) => Map<string, Change>): Operator {
  const variantsOf = (operation: Operation, response: Response) =>
    [...changesOf(response)].map(([more, change]) => {
      const at = [operation.operationId, response.status, more].filter(Boolean).join('/');
      const variant = breaking(operation, at, () => onStatus(response.status, change));
      return { ...variant, needsToken: needsToken(response.status) };
    });
  return ({ operations }) =>
    operations.flatMap((operation) =>
      Object.values(operation.responses)
        .filter(({ status }) => /^[24]\d\d$/.test(status) && !NOT_MADE.includes(status))
        .flatMap((response) => variantsOf(operation, response)),
    );
}

const STATUSES = [200, 201, 202, 204, 206, 400, 404, 409, 500];

function withStatus(response: ServiceResponse, status: number): ServiceResponse {
  const json = jsonOf(response);
  const isProblem = isObject(json) && 'status' in json;
  const body = status === 204 ? '' : isProblem ? JSON.stringify({ ...json, status }) : response.body;
  return { ...response, status, body };
}

const perHeader = (edit: (name: string) => string | undefined): Operator =>
  perResponse(({ headers, content }) => {
    const names = [...Object.keys(headers), ...(Object.keys(content).length > 0 ? ['content-type'] : [])];
    return new Map(names.map((name) => [name, (one) => withHeaders(one, { [name.toLowerCase()]: edit(name) })]));
  });

/** One mutant for each response with content, or for each one without. */
const perContent = (isBodiless: boolean, change: Change): Operator =>
  perResponse(({ content }) => new Map((Object.keys(content).length === 0) === isBodiless ? [['', change]] : []));

const wholes: Operators = {
  status: perResponse(({ status }) => {
    const others = STATUSES.filter((other) => String(other) !== status);
    return new Map(others.map((other) => [String(other), (response) => withStatus(response, other)]));
  }),
  'no-body': perContent(false, (response) => ({ ...withHeaders(response, { 'content-type': undefined }), body: '' })),
  'unexpected-body': perContent(true, (response) => ({ ...response, extra: '{}' })),
  'drop-header': perHeader(() => undefined),
  'alter-header': perHeader((name) => (name === 'content-type' ? 'text/html' : 'http://127.0.0.1/other')),
};

const isRead = (operation: Operation) => !isWrite(operation);

export const responses: Operators = {
  ...fields,
  ...wholes,
  'foreign-response': perOperation(isRead, () => {
    let last: { target: string; response: ServiceResponse } | undefined;
    return showing((response, { target }) => {
      if (!succeeded(response)) return response;
      const shown = last && last.target !== target ? last.response : response;
      last = { target, response };
      return shown;
    });
  }),
  'cached-response': perOperation(isRead, () => {
    const first = new Map<string, ServiceResponse>();
    return showing((response, { target }) => {
      if (succeeded(response) && !first.has(target)) first.set(target, response);
      return succeeded(response) ? first.get(target)! : response;
    });
  }),
  'remembered-404': perOperation(isRead, () => {
    const missing = new Map<string, ServiceResponse>();
    return async (next, request) => {
      const response = missing.get(request.target) ?? (await next(request));
      if (response.status === 404) missing.set(request.target, response);
      return response;
    };
  }),
};
