/**
 * Mutants that keep other values than those of the request, that do not check clauses, or that
 * refuse valid values.
 */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Contract } from '../../engine/contract/load.ts';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { stringifyJson } from '../../engine/contract/json-numbers.ts';
import { isObject, joinPointer } from '../../engine/contract/pointers.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import { defaultOf, type Shape, shapeOf, strictest } from '../../engine/contract/shape.ts';
import { spelled } from '../../engine/contract/spelling.ts';
import { proveBreaksOnly } from '../../engine/generate/proof.ts';
import {
  jsonOf,
  pathOf,
  plainJsonOf,
  problem,
  type QueryPair,
  queryOf,
  succeeded,
  withHeaders,
  withJson,
  withQuery,
} from '../messages.ts';
import type { ServiceRequest } from '../service.ts';
import {
  type FieldFilter,
  type Handle,
  type MakeHandle,
  type Operator,
  type Operators,
  perField,
  perPlace,
  perRow,
  type Place,
  repeatingSuccess,
} from './operator.ts';
import { type Field, hasType, isFreeText, isProperty, type Subject } from './subject.ts';
import { altered, DROP, editAt, fillAt, onList, onText, someAt } from './values.ts';

/** Changes the body of the request, for each field that `fits`. */
const perBody = (fits: FieldFilter, change: (body: unknown, field: Field) => unknown): Operator =>
  perField('requestFields', fits, (field) => (next, request) => {
    const body = plainJsonOf(request);
    if (body === undefined) {
      return next(request);
    }
    const changed = change(body, field);
    if (stringifyJson(changed) === stringifyJson(body)) {
      return next(request);
    }
    return next(withJson(request, changed));
  });

interface ValueChange {
  fits: FieldFilter;
  change: (value: any, field: Field) => unknown;
}

/** Changes the value of the field in the body of the request. */
const perValue = ({ fits, change }: ValueChange): Operator =>
  perBody(fits, (body, field) => editAt(body, field.path, (value) => change(value, field)));

/** Texts, of which every change below alters at least one. */
const TEXTS = [
  ' Ae\u0301\0  <b>&',
  ' Aé  b ',
  'Aa',
  'Aa.example:80',
  '/Aé',
  'https://Aa.example/A',
  'A@Aa.example',
  "/${7*7}{{7*7}}<script>a</script>%s%n../+'; --\u202e😀",
];

/** Changes texts, for each field that allows a text which the change alters. */
function perText(change: (text: string) => string): Operator {
  const changedTexts = TEXTS.filter((text) => change(text) !== text);
  const allowsOne = ({ shape }: Field, { contract }: Subject) => {
    const [schema] = shape.roots;
    if (schema === undefined) {
      return false;
    }
    return changedTexts.some((text) => schemasOf(contract).isValid(schema, text));
  };
  const fits: FieldFilter = (field, subject) =>
    !hasType(field, 'array') && allowsOne(field, subject);
  return perValue({ fits, change: onText(change) });
}

const perList = (change: (items: unknown[]) => unknown[]): Operator =>
  perValue({ fits: (field) => hasType(field, 'array'), change: onList(change) });

/**
 * The length of the longest text that the field allows: in bytes or in characters, whichever is
 * smaller.
 */
function lengthLimitOf({ shape }: Field): number {
  const bytes = strictest(shape, 'x-max-bytes') ?? Infinity;
  const characters = strictest(shape, 'maxLength') ?? Infinity;
  return Math.min(bytes, characters);
}

/** A text of the greatest length loses its last character. */
function withoutLast(value: unknown, field: Field): unknown {
  if (typeof value !== 'string' || Buffer.byteLength(value) < lengthLimitOf(field)) {
    return value;
  }
  const bytes = Buffer.from(value).subarray(0, -1);
  return String(bytes).replace(/\uFFFD$/, '');
}

const isUpdate = ({ operation }: Field) => operation.method === 'PATCH';

/** Whether null resets the field, and omitting it keeps its value. */
const isResettable: FieldFilter = (field) =>
  isUpdate(field) && field.path.length === 1 && hasType(field, 'null');

const isEmpty = (value: any) => value === 0 || value === false || value?.length === 0;

/** Another value than the default of an omitted field; undefined if there is none. */
function otherDefault({ shape }: Field): unknown {
  const ownDefault = defaultOf(shape);
  if (shape.choices) {
    return shape.choices.find((one) => one !== ownDefault && one !== null);
  }
  return altered(ownDefault, shape) ?? undefined;
}

/** Whether the service gives the field another value if it is omitted. */
function hasOtherDefault(field: Field): boolean {
  const isKeptWhenOmitted = isUpdate(field) && field.path.length === 1;
  return isProperty(field) && !isKeptWhenOmitted && otherDefault(field) !== undefined;
}

/** The value that a request has at one place; undefined if it has none. */
type ValueOf = (request: ServiceRequest) => unknown;

interface UncheckedClause {
  clause: Clause;
  make: MakeHandle;
}

/**
 * For each clause: a request that breaks this clause alone gets the last success, as if it had been
 * carried out.
 */
function unchecked(contract: Contract, schema: string, valueOf: ValueOf): UncheckedClause[] {
  const ignoring = (clause: Clause) =>
    repeatingSuccess((response, request) => {
      if (succeeded(response)) {
        return false;
      }
      const value = valueOf(request);
      return value !== undefined && proveBreaksOnly(contract, schema, clause, value);
    });
  return clausesOf(contract, schema).map((clause) => ({ clause, make: () => ignoring(clause) }));
}

function uncheckedBody({ requestBody }: Operation, contract: Contract): Place[] {
  if (requestBody === null) {
    return [];
  }
  const clauses = unchecked(contract, requestBody.pointer, jsonOf);
  return clauses.map(({ clause, make }) => ({ name: clause.id, make }));
}

function uncheckedSegments(operation: Operation, contract: Contract): Place[] {
  const pathParameters = operation.parameters.filter((one) => one.in === 'path');
  return pathParameters.flatMap((parameter) => uncheckedSegment(operation, parameter, contract));
}

function uncheckedSegment(operation: Operation, parameter: Parameter, contract: Contract): Place[] {
  const schema = joinPointer(parameter.pointer, 'schema');
  const shape = shapeOf(contract, schema);
  const index = operation.path.split('/').indexOf(`{${parameter.name}}`);
  const valueOf: ValueOf = (request) => {
    const segment = pathOf(request).split('/')[index] ?? '';
    return spelled(shape, decodeURIComponent(segment));
  };
  const places: Place[] = [];
  for (const { clause, make } of unchecked(contract, schema, valueOf)) {
    // A segment is always a text.
    const isNeverBroken = clause.keyword === 'type' && shape.types.has('string');
    if (!isNeverBroken) {
      places.push({ name: `${parameter.name}.${clause.keyword}`, make });
    }
  }
  return places;
}

/** The request with the value that a parameter has in `from`, or without the parameter. */
function withParameter(
  { name, in: place }: Parameter,
  request: ServiceRequest,
  from?: ServiceRequest,
): ServiceRequest {
  if (place !== 'query') {
    const header = place === 'cookie' ? 'cookie' : name.toLowerCase();
    return withHeaders(request, { [header]: from?.headers[header] });
  }
  const isOwn = ([one]: QueryPair) => one === name || one.startsWith(`${name}[`);
  const pairs = queryOf(request).filter((pair) => !isOwn(pair));
  if (from) {
    pairs.push(...queryOf(from).filter(isOwn));
  }
  return withQuery(request, pairs);
}

/**
 * Carries out a request that is refused for a parameter, with the value of a request that
 * succeeded.
 */
function ignoringInvalid(parameter: Parameter): Handle {
  let good: ServiceRequest | undefined;
  return async (next, request) => {
    const response = await next(request);
    if (succeeded(response)) {
      good = request;
    }
    if (response.status !== 400) {
      return response;
    }
    const second = await next(withParameter(parameter, request, good));
    return succeeded(second) ? second : response;
  };
}

const ignoringParameter =
  (parameter: Parameter): Handle =>
  (next, request) =>
    next(withParameter(parameter, request));

/** One mutant for each parameter outside of the path. */
const perParameter = (handleOf: (parameter: Parameter) => Handle): Operator =>
  perPlace(({ parameters }) => {
    const others = parameters.filter((one) => one.in !== 'path');
    return others.map((parameter) => ({ name: parameter.name, make: () => handleOf(parameter) }));
  });

const LIMITS = ['maxLength', 'maxItems', 'maximum'];
const NON_ASCII = /[^\0-\x7F]/;

/**
 * The number that a limit is compared with: the characters of a text, the items of a list, or the
 * value itself.
 */
function sizeOf(value: unknown): unknown {
  if (typeof value === 'string') {
    return [...value].length;
  }
  return Array.isArray(value) ? value.length : value;
}

/** Whether a list has items that differ in case alone. */
function hasCasePair(value: unknown): boolean {
  if (!Array.isArray(value)) {
    return false;
  }
  const folded = new Set(value.map((item) => String(item).toLowerCase()));
  return folded.size < new Set(value).size;
}

function isLimitedInCharacters(field: Field): boolean {
  const { shape } = field;
  const isInBytes = strictest(shape, 'x-max-bytes') !== undefined;
  return isFreeText(field) && strictest(shape, 'maxLength') !== undefined && !isInBytes;
}

/** Whether a text of so many characters at most has more of another unit. */
function isLonger(value: unknown, shape: Shape, unitsOf: (text: string) => number): boolean {
  const limit = strictest(shape, 'maxLength') ?? Infinity;
  const isLong = typeof value === 'string' && [...value].length <= limit;
  return isLong && unitsOf(value) > limit;
}

interface ValueRefusal {
  fits: FieldFilter;
  isRefused: (value: any, field: Field) => boolean;
}

/** Valid values that are refused: on a limit, null, empty or the like. */
const REFUSED_VALUES: Record<string, ValueRefusal> = {
  'refuse-null': { fits: (field) => hasType(field, 'null'), isRefused: (value) => value === null },
  'refuse-empty': {
    fits: (field) => hasType(field, 'string', 'array', 'integer'),
    isRefused: (value) =>
      value === '' || value === 0 || (Array.isArray(value) && value.length === 0),
  },
  'refuse-limit': {
    fits: ({ shape }) => LIMITS.some((keyword) => strictest(shape, keyword) !== undefined),
    isRefused: (value, { shape }) =>
      LIMITS.some((keyword) => strictest(shape, keyword) === sizeOf(value)),
  },
  'refuse-non-ascii': {
    fits: isFreeText,
    isRefused: (value) => typeof value === 'string' && NON_ASCII.test(value),
  },
  'count-bytes': {
    fits: isLimitedInCharacters,
    isRefused: (value, { shape }) => isLonger(value, shape, Buffer.byteLength),
  },
  'count-units': {
    fits: isLimitedInCharacters,
    isRefused: (value, { shape }) => isLonger(value, shape, (text) => text.length),
  },
  'refuse-case-pairs': { fits: (field) => hasType(field, 'array'), isRefused: hasCasePair },
};

const refusingValue = ({ fits, isRefused }: ValueRefusal): Operator =>
  perField('requestFields', fits, (field) => async (next, request) => {
    if (!someAt(jsonOf(request), field.path, (value) => isRefused(value, field))) {
      return next(request);
    }
    const pointer = `/${field.path.join('/')}`;
    const errors = [{ pointer, code: 'value', detail: 'It is refused.' }];
    return problem(400, { code: 'invalid_request', errors });
  });

/** No text that the suite sends is as long as the limit of a document. */
const LONGEST_SENT = 100_000;

/** `7*7` as the templates of two languages have it. */
const TEMPLATE = /\$\{7\*7\}|\{\{7\*7\}\}/g;
const DIRECTION_MARK = /[\u200e\u200f\u202a-\u202e]/g;
/** A character that takes two UTF-16 code units. */
const SURROGATE_PAIR = /[\u{10000}-\u{10ffff}]/gu;

/** Other values that are kept in place of those that were sent. */
const KEPT_VALUES: Record<string, ValueChange> = {
  'ignore-field': { fits: (field) => isProperty(field) && !field.required, change: () => DROP },
  'null-as-omitted': { fits: isResettable, change: (value) => (value === null ? DROP : value) },
  'empty-as-omitted': {
    fits: (field) => isProperty(field) && !field.shape.choices && !hasType(field, 'object'),
    change: (value) => (isEmpty(value) ? DROP : value),
  },
  'keep-other': {
    fits: (field) => !!field.shape.choices || hasType(field, 'boolean', 'integer', 'number'),
    change: (value, { shape }) => altered(value, shape),
  },
  'null-text-as-omitted': {
    fits: (field) => isProperty(field) && !field.required && isFreeText(field),
    change: (value) => (/^(null|undefined|NaN)$/.test(value) ? DROP : value),
  },
  'cut-last': {
    fits: (field) => !field.shape.choices && lengthLimitOf(field) < LONGEST_SENT,
    change: withoutLast,
  },
};

export const requestOperators: Operators = {
  ...perRow(KEPT_VALUES, perValue),
  'omitted-as-null': perBody(isResettable, (body, { path }) => {
    if (isObject(body)) {
      return fillAt(body, path, null);
    }
    return body;
  }),
  'other-default': perBody(hasOtherDefault, (body, field) => {
    if (isObject(body)) {
      return fillAt(body, field.path, otherDefault(field));
    }
    return body;
  }),
  trim: perText((text) => text.trim()),
  'collapse-space': perText((text) => text.replaceAll(/\s+/g, ' ')),
  'lower-case': perText((text) => text.toLowerCase()),
  'normal-form': perText((text) => text.normalize('NFC')),
  'ascii-only': perText((text) => text.replaceAll(/[^\0-\x7F]/g, '?')),
  'fill-template': perText((text) => text.replaceAll(TEMPLATE, '49')),
  'strip-tags': perText((text) => text.replaceAll(/<\/?script>/g, '')),
  'strip-parents': perText((text) => text.replaceAll('../', '')),
  'strip-marks': perText((text) => text.replaceAll(DIRECTION_MARK, '')),
  'strip-pairs': perText((text) => text.replaceAll(SURROGATE_PAIR, '')),
  'double-quotes': perText((text) => text.replaceAll("'", "''")),
  'plus-as-space': perText((text) => text.replaceAll('+', ' ')),
  'fill-format': perText((text) => text.replaceAll(/%[sn]/g, '')),
  'end-at-nul': perText((text) => text.replace(/\0.*/s, '')),
  'sort-list': perList((items) => items.toSorted()),
  'turn-list': perList((items) => items.toReversed()),
  'unique-list': perList((items) => [...new Set(items)]),
  'unchecked-body': perPlace(uncheckedBody),
  'unchecked-segment': perPlace(uncheckedSegments),
  'unchecked-parameter': perParameter(ignoringInvalid),
  'ignore-parameter': perParameter(ignoringParameter),
  ...perRow(REFUSED_VALUES, refusingValue),
};
