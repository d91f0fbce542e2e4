/** Responses: another status, another header, a field that is dropped, altered, cut or stale. */
import type { Operation, Response } from '../../engine/contract/operations.ts';
import type { ServiceResponse } from '../service.ts';
import { altered, DROP, editAt, isObject, jsonOf, onList, onText, succeeded, withHeaders } from './messages.ts';
import { type Field, fromEach, type Handle, has, isFreeText, isMade, isProperty, isWrite } from './operator.ts';
import { type Named, type Operator, type Operators, perField, perOperation, perPlace } from './operator.ts';
import { repeating, showing } from './operator.ts';

type Change = (response: ServiceResponse) => ServiceResponse;

/** @param status such as `200` or `4XX` */
const onStatus = (status: string, change: Change): Handle =>
  showing((one) => (new RegExp(`^${status.replaceAll(/x/gi, '.')}$`).test(String(one.status)) ? change(one) : one));

type Choice = (field: Field) => boolean;
type Edit = (value: any, field: Field) => unknown;

/** @param make called once for each service @param at the value that is edited: the field, or the object that has it */
const perShown = (fits: Choice, make: () => Edit, at = (path: readonly string[]) => path): Operator =>
  perField('shown', fits, (field) => {
    const edit = make();
    return onStatus(field.status!, (response) => {
      const json = jsonOf(response);
      const edited = editAt(json, at(field.path), (value) => edit(value, field));
      return json === undefined ? response : { ...response, body: JSON.stringify(edited) };
    });
  });

/** One of the values so far: the first, or the one before. */
const earlier = (index: 0 | -2) => (): Edit => {
  const seen: unknown[] = [];
  return (value) => (seen.push(value) === 1 ? value : seen.at(index));
};

/** The object with the value of the next property of the same type in place of its own. */
function swapped(holder: unknown, { path }: Field): unknown {
  const name = path.at(-1)!;
  if (!isObject(holder) || !(name in holder)) return holder;
  const names = Object.keys(holder);
  const others = [...names.splice(names.indexOf(name)).slice(1), ...names].map((other) => holder[other]);
  const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
  const next = others.find((one) => kindOf(one) === kindOf(holder[name]));
  return next === undefined ? holder : { ...holder, [name]: next };
}

const isRequired: Choice = (field) => isProperty(field) && field.required;
const isText: Choice = (field) => has(field, 'string');
const isList: Choice = (field) => has(field, 'array');
const isScalar: Choice = (field) => isProperty(field) && !has(field, 'object');
const isPlain: Choice = (field) => has(field, 'string', 'boolean', 'number', 'integer');

const EDITS: Record<string, [fits: Choice, edit: Edit]> = {
  drop: [isRequired, () => DROP],
  null: [isProperty, () => null],
  retype: [isProperty, (value) => (typeof value === 'string' ? { value } : JSON.stringify(value))],
  empty: [
    (field) => isProperty(field) && has(field, 'string', 'array', 'integer', 'number'),
    (value) => (typeof value === 'number' ? 0 : (value?.slice?.(0, 0) ?? value)),
  ],
  alter: [isPlain, (value, { shape }) => altered(value, shape)],
  truncate: [isFreeText, onText((text) => text.slice(0, /^(https?:|\/)/.test(text) ? text.lastIndexOf('/') : -1))],
  'fold-case': [isText, onText((text) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()))],
  // Spaces, other than ASCII, and the tilde of JSON Pointers.
  escape: [isFreeText, onText((text) => text.replaceAll(/[^!-}]/gu, (one) => `%${one.codePointAt(0)}`))],
  'lose-item': [isList, onList((items) => items.slice(0, -1))],
  'repeat-item': [isList, onList((items) => [...items.slice(0, 1), ...items])],
  'reverse-list': [isList, onList((items) => items.toReversed())],
};

/** @param changesOf the changes of one response, by what is added to the name of the mutant */
function perResponse(changesOf: (response: Response) => [string, Change][]): Operator {
  return perPlace(({ responses }) =>
    Object.values(responses).flatMap((own) =>
      changesOf(own)
        .filter(() => isMade(own.status) && !own.status.endsWith('XX'))
        .map(([name, change]): Named => [`${own.status}${name && '/'}${name}`, () => onStatus(own.status, change)]),
    ),
  );
}

const STATUSES = [200, 201, 202, 204, 206, 400, 404, 409, 500];

export function withStatus(response: ServiceResponse, status: number): ServiceResponse {
  const json = jsonOf(response);
  const isProblem = isObject(json) && 'status' in json;
  const body = status === 204 ? '' : isProblem ? JSON.stringify({ ...json, status }) : response.body;
  return { ...response, status, body };
}

const withBody: Change = (response) => ({ ...response, extra: '{}' });
const withoutBody: Change = (response) => ({ ...withHeaders(response, { 'content-type': undefined }), body: '' });

const perHeader = (edit: (name: string) => string | undefined): Operator =>
  perResponse(({ headers, content }) => {
    const names = [...Object.keys(headers), ...(Object.keys(content).length > 0 ? ['content-type'] : [])];
    return names.map((name) => [name, (one) => withHeaders(one, { [name.toLowerCase()]: edit(name) })]);
  });

const isRead = (operation: Operation) => !isWrite(operation);

/** The first response to a target that `isKept` is shown again, in place of those that `isReplaced`. */
const remembering = (isKept: typeof succeeded, isReplaced: typeof succeeded): Operator =>
  perOperation(isRead, () => {
    const first = new Map<string, ServiceResponse>();
    return showing((response, { target }) => {
      if (isKept(response) && !first.has(target)) first.set(target, response);
      return isReplaced(response) ? (first.get(target) ?? response) : response;
    });
  });

export const responses: Operators = {
  ...fromEach(EDITS, ([fits, edit]) => perShown(fits, () => edit)),
  swap: perShown(
    isScalar,
    () => swapped,
    (path) => path.slice(0, -1),
  ),
  'stale-field': perShown(isScalar, earlier(-2)),
  'constant-field': perShown((field) => isScalar(field) && isText(field), earlier(0)),
  status: perResponse(({ status }) => {
    const others = STATUSES.filter((other) => String(other) !== status);
    return others.map((other) => [String(other), (response) => withStatus(response, other)]);
  }),
  'other-body': perResponse(({ content }) => [['', Object.keys(content).length > 0 ? withoutBody : withBody]]),
  'drop-header': perHeader(() => undefined),
  'alter-header': perHeader((name) => (name === 'content-type' ? 'text/html' : 'http://127.0.0.1/other')),
  'foreign-response': perOperation(isRead, () =>
    repeating((response, { target }, last) => succeeded(response) && last.target !== target),
  ),
  'cached-response': remembering(succeeded, succeeded),
  'remembered-404': remembering(
    ({ status }) => status === 404,
    () => true,
  ),
};
