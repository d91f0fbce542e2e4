/** Responses: another status, another header, a field that is dropped, altered, swapped, cut or stale. */
import type { Operation, Response } from '../../engine/contract/operations.ts';
import type { ServiceResponse } from '../service.ts';
import { DROP, editAt, isObject, type Json, jsonOf, type Place, showing, withHeaders } from './messages.ts';
import { instead, type Mutate, NEEDS_TOKEN, onSuccess, type Operator, type Operators } from './operator.ts';
import { perField, perOperation } from './operator.ts';
import { type Field, has, isProperty } from './subject.ts';

/** A service need not have these, and no test can make it. */
const NOT_MADE = ['429', '500', '503'];

function onStatus(operation: Operation, status: string, change: (one: ServiceResponse) => ServiceResponse): Mutate {
  return instead(operation, async (next, request) => {
    const response = await next(request);
    return status.replace(/XX$/i, String(response.status).slice(1)) === String(response.status)
      ? change(response)
      : response;
  });
}

type Edit = (value: unknown, place: Place, field: Field) => unknown;

/** @param make called anew for each service */
const perShown = (fits: (field: Field) => boolean, make: () => Edit): Operator =>
  perField(
    'shown',
    (field) => !NOT_MADE.includes(field.status!) && fits(field),
    (field) => {
      const edit = make();
      return onStatus(field.operation, field.status!, (response) => {
        const json = jsonOf(response);
        const edited = editAt(json, field.path, (value, place) => edit(value, place, field));
        return json === undefined ? response : showing(response, edited);
      });
    },
  );

/** The value of the next property of the same type. */
function nextValue(own: unknown, { holder, name }: Place): unknown {
  const names = Object.keys(holder);
  const at = names.indexOf(name);
  const kind = (value: unknown) => (Array.isArray(value) || value === null ? String(value && 'list') : typeof value);
  const others = [...names.slice(at + 1), ...names.slice(0, at)].map((other) => (holder as Json)[other]);
  return others.find((value) => kind(value) === kind(own)) ?? own;
}

function retyped(value: unknown): unknown {
  if (typeof value === 'string') return { value };
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value[0] ?? {};
  return value === null ? '' : [value];
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return [];
  return value === null ? null : {};
}

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

function stale(): Edit {
  let known: { value: unknown } | undefined;
  return (value) => {
    const before = known;
    known = { value };
    return before ? before.value : value;
  };
}

/** The first value is shown ever after. */
function constant(): Edit {
  let first: { value: unknown } | undefined;
  return (value) => (first ??= { value }).value;
}

const onText = (change: (text: string) => string) => (value: unknown) =>
  typeof value === 'string' ? change(value) : value;
const onList = (change: (items: unknown[]) => unknown[]) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
const isRequired = (field: Field) => isProperty(field) && field.required;
const isText = (field: Field) => has(field, 'string') && !field.shape.choices;
const isList = (field: Field) => has(field, 'array');
const isScalar = (field: Field) => isProperty(field) && !has(field, 'object');
const isPlain = (field: Field) => has(field, 'string', 'boolean', 'number', 'integer');
const isLong = (field: Field) => isText(field) || isList(field);

const EDITS: Record<string, [fits: (field: Field) => boolean, edit: Edit]> = {
  drop: [isRequired, () => DROP],
  null: [isProperty, () => null],
  retype: [isProperty, retyped],
  empty: [isProperty, emptied],
  alter: [isPlain, altered],
  swap: [isScalar, nextValue],
  truncate: [isLong, truncated],
  'fold-case': [(field) => has(field, 'string'), onText(folded)],
  'percent-encode': [isText, onText(encodeURI)],
  'unescape-pointer': [isText, onText((text) => text.replaceAll('~1', '/').replaceAll('~0', '~'))],
  'lose-item': [isList, onList((items) => items.slice(0, -1))],
  'repeat-item': [isList, onList((items) => [...items.slice(0, 1), ...items])],
  'reverse-list': [isList, onList((items) => items.toReversed())],
};

const fields: Operators = {
  ...Object.fromEntries(Object.entries(EDITS).map(([name, [fits, edit]]) => [name, perShown(fits, () => edit)])),
  'stale-field': perShown(isScalar, stale),
  'constant-field': perShown((field) => isScalar(field) && has(field, 'string'), constant),
};

type Changes = Record<string, (response: ServiceResponse) => ServiceResponse>;

/** @param changesOf the changes of one response, by what is added to the name of the mutant */
function perResponse(changesOf: (response: Response) => Changes): Operator {
  return ({ operations }) =>
    operations.flatMap((operation) =>
      Object.values(operation.responses)
        .filter(({ status }) => /^[24]\d\d$/.test(status) && !NOT_MADE.includes(status))
        .flatMap((response) =>
          Object.entries(changesOf(response)).map(([more, change]) => ({
            at: [operation.operationId, response.status, more].filter(Boolean).join('/'),
            level: operation.level,
            needsToken: NEEDS_TOKEN.includes(response.status),
            mutate: onStatus(operation, response.status, change),
          })),
        ),
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
    const change = (name: string) => (one: ServiceResponse) => withHeaders(one, { [name.toLowerCase()]: edit(name) });
    return Object.fromEntries(names.map((name) => [name, change(name)]));
  });

/** One mutant for each response with content, or for each one without. */
const perContent = (isBodiless: boolean, change: (response: ServiceResponse) => ServiceResponse): Operator =>
  perResponse(({ content }): Changes => ((Object.keys(content).length === 0) === isBodiless ? { '': change } : {}));

const wholes: Operators = {
  status: perResponse(({ status }) => {
    const others = STATUSES.filter((other) => String(other) !== status);
    return Object.fromEntries(others.map((other) => [String(other), (response) => withStatus(response, other)]));
  }),
  'no-body': perContent(false, (response) => ({ ...withHeaders(response, { 'content-type': undefined }), body: '' })),
  'unexpected-body': perContent(true, (response) => ({ ...response, extra: '{}' })),
  'drop-header': perHeader(() => undefined),
  'alter-header': perHeader((name) => (name === 'content-type' ? 'text/html' : 'http://127.0.0.1/other')),
};

const isRead = ({ method }: Operation) => method === 'GET';

export const responses: Operators = {
  ...fields,
  ...wholes,
  'foreign-response': perOperation(isRead, (operation) => {
    let last: { target: string; response: ServiceResponse } | undefined;
    return onSuccess(operation, (response, { target }) => {
      const shown = last && last.target !== target ? last.response : response;
      last = { target, response };
      return shown;
    });
  }),
  'cached-response': perOperation(isRead, (operation) => {
    const first = new Map<string, ServiceResponse>();
    return onSuccess(operation, (response, { target }) => {
      if (!first.has(target)) first.set(target, response);
      return first.get(target)!;
    });
  }),
  'remembered-404': perOperation(isRead, (operation) => {
    const missing = new Map<string, ServiceResponse>();
    return instead(operation, async (next, request) => {
      const response = missing.get(request.target) ?? (await next(request));
      if (response.status === 404) missing.set(request.target, response);
      return response;
    });
  }),
};
