/**
 * Requests: a part is ignored, defaulted, normalised or cut, so that another value is kept than was sent; one clause is
 * not checked while all others are; or a class of valid values is refused.
 */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Contract } from '../../engine/contract/load.ts';
import type { Parameter } from '../../engine/contract/operations.ts';
import { joinPointer } from '../../engine/contract/pointers.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import { defaultOf, shapeOf, spelled, strictest } from '../../engine/contract/shape.ts';
import { proveBreaksOnly } from '../../engine/generate/cases.ts';
import type { ServiceRequest } from '../service.ts';
import { altered, DROP, editAt, fillAt, isObject, jsonOf, onList, onText, pathOf, plainJsonOf } from './messages.ts';
import { problem, queryOf, sending, succeeded, withHeaders, withQuery } from './messages.ts';
import { type Field, type Fits, fromEach, type Handle, has, isFreeText, isProperty, type Named } from './operator.ts';
import { type Operator, type Operators, perField, perPlace, repeating, type Subject } from './operator.ts';

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
  return perValue(fits, onText(change));
}

const ofList = (change: (items: unknown[]) => unknown[]) => perValue((field) => has(field, 'array'), onList(change));

function limitOf({ shape }: Field): number {
  return Math.min(strictest(shape, 'x-max-bytes') ?? Infinity, strictest(shape, 'maxLength') ?? Infinity);
}

/** A text of the greatest length loses its last byte. */
function cut(value: unknown, field: Field): unknown {
  if (typeof value !== 'string' || Buffer.byteLength(value) < limitOf(field)) return value;
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

/** For each clause: a request that breaks it alone gets the last success of the operation, as if it had been done. */
function unchecked(contract: Contract, schema: string, valueOf: (one: ServiceRequest) => unknown) {
  const ignoring = (clause: Clause) =>
    repeating((response, request) => {
      const value = succeeded(response) ? undefined : valueOf(request);
      return value !== undefined && proveBreaksOnly(contract, schema, clause, value);
    });
  return clausesOf(contract, schema).map((clause) => [clause, () => ignoring(clause)] as const);
}

/** The request with the value that a parameter had in another one, or without it. */
function withParameter({ name, in: place }: Parameter, request: ServiceRequest, from?: ServiceRequest): ServiceRequest {
  const header = place === 'cookie' ? 'cookie' : name.toLowerCase();
  if (place !== 'query') return withHeaders(request, { [header]: from?.headers[header] });
  const isOwn = ([one]: [string, string]) => one === name || one.startsWith(`${name}[`);
  const others = queryOf(request).filter((one) => !isOwn(one));
  return withQuery(request, [...others, ...(from ? queryOf(from).filter(isOwn) : [])]);
}

/** A request that is refused for a parameter is done with the value of one that succeeded. */
function forgiving(parameter: Parameter): Handle {
  let good: ServiceRequest | undefined;
  return async (next, request) => {
    const response = await next(request);
    if (succeeded(response)) good = request;
    if (response.status !== 400) return response;
    const second = await next(withParameter(parameter, request, good));
    return succeeded(second) ? second : response;
  };
}

const perParameter = (make: (parameter: Parameter) => Handle): Operator =>
  perPlace(({ parameters }) => parameters.filter((one) => one.in !== 'path').map((one) => [one.name, () => make(one)]));

const LIMITS = ['maxLength', 'maxItems', 'maximum'];
const isList = (value: unknown) => Array.isArray(value);
const sizeOf = (value: unknown) =>
  typeof value === 'string' ? [...value].length : isList(value) ? value.length : value;

/** Requests with a value that is on the limit, null, empty or the like are refused. */
const REFUSED: Record<string, [fits: (field: Field) => boolean, isRefused: (value: any, field: Field) => boolean]> = {
  'refuse-null': [(field) => has(field, 'null'), (value) => value === null],
  'refuse-empty': [
    (field) => has(field, 'string', 'array', 'integer'),
    (value) => value === '' || value === 0 || (isList(value) && value.length === 0),
  ],
  'refuse-limit': [
    ({ shape }) => LIMITS.some((keyword) => strictest(shape, keyword) !== undefined),
    (value, { shape }) => LIMITS.some((keyword) => strictest(shape, keyword) === sizeOf(value)),
  ],
  'refuse-non-ascii': [isFreeText, (value) => typeof value === 'string' && /[^\0-\x7F]/.test(value)],
  'refuse-case-pairs': [
    (field) => has(field, 'array'),
    (value) => isList(value) && new Set(value.map((one) => String(one).toLowerCase())).size < new Set(value).size,
  ],
};

/** Another value is kept than the one that was sent. */
const KEPT: Record<string, [fits: Fits, change: (value: any, field: Field) => unknown]> = {
  'ignore-field': [(field) => isProperty(field) && !field.required, () => DROP],
  'null-as-omitted': [isResettable, (value) => (value === null ? DROP : value)],
  'empty-as-omitted': [
    (field) => isProperty(field) && !field.shape.choices && !has(field, 'object'),
    (value) => (isEmpty(value) ? DROP : value),
  ],
  'keep-other': [
    (field) => !!field.shape.choices || has(field, 'boolean', 'integer', 'number'),
    (value, { shape }) => altered(value, shape),
  ],
  // No text that the suite sends is as long as the limit of a document.
  'cut-last': [(field) => !field.shape.choices && limitOf(field) < 100_000, cut],
};

export const requests: Operators = {
  ...fromEach(KEPT, ([fits, change]) => perValue(fits, change)),
  'omitted-as-null': perBody(isResettable, (body, { path }) => (isObject(body) ? fillAt(body, path, null) : body)),
  'other-default': perBody(
    (field) => isProperty(field) && (field.path.length > 1 || !isUpdate(field)) && otherDefault(field) !== undefined,
    (body, field) => (isObject(body) ? fillAt(body, field.path, otherDefault(field)) : body),
  ),
  trim: ofText((value) => value.trim()),
  'collapse-space': ofText((value) => value.replaceAll(/\s+/g, ' ')),
  'lower-case': ofText((value) => value.toLowerCase()),
  'normal-form': ofText((value) => value.normalize('NFC')),
  'ascii-only': ofText((value) => value.replaceAll(/[^\0-\x7F]/g, '?')),
  'end-at-nul': ofText((value) => value.split('\0', 1)[0]!),
  'sort-list': ofList((items) => items.toSorted()),
  'turn-list': ofList((items) => items.toReversed()),
  'unique-list': ofList((items) => [...new Set(items)]),
  'unchecked-body': perPlace(({ requestBody }, contract) =>
    requestBody ? unchecked(contract, requestBody.pointer, jsonOf).map(([{ id }, make]) => [id, make]) : [],
  ),
  'unchecked-segment': perPlace((operation, contract) =>
    operation.parameters
      .filter((one) => one.in === 'path')
      .flatMap((parameter) => {
        const schema = joinPointer(parameter.pointer, 'schema');
        const shape = shapeOf(contract, schema);
        const index = operation.path.split('/').indexOf(`{${parameter.name}}`);
        const valueOf = (one: ServiceRequest) => spelled(shape, decodeURIComponent(pathOf(one).split('/')[index]!));
        // A segment is always a text.
        return unchecked(contract, schema, valueOf)
          .filter(([{ keyword }]) => keyword !== 'type' || !shape.types.has('string'))
          .map(([{ keyword }, make]): Named => [`${parameter.name}.${keyword}`, make]);
      }),
  ),
  'unchecked-parameter': perParameter(forgiving),
  'ignore-parameter': perParameter((parameter) => (next, request) => next(withParameter(parameter, request))),
  ...fromEach(REFUSED, ([fits, isRefused]): Operator =>
    perField('taken', fits, (field) => async (next, request) => {
      let found = false;
      editAt(jsonOf(request), field.path, (value) => ((found ||= isRefused(value, field)), value));
      const errors = [{ pointer: `/${field.path.join('/')}`, code: 'value', detail: 'It is refused.' }];
      return found ? problem(400, { code: 'invalid_request', errors }) : next(request);
    }),
  ),
};
