/** Requests: values kept otherwise than sent, clauses not checked, valid values refused; texts and methods of HTTP. */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Contract } from '../../engine/contract/load.ts';
import type { Parameter } from '../../engine/contract/operations.ts';
import { joinPointer } from '../../engine/contract/pointers.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import { defaultOf, shapeOf, strictest } from '../../engine/contract/shape.ts';
import { spelled } from '../../engine/contract/spelling.ts';
import { proveBreaksOnly } from '../../engine/generate/proof.ts';
import { READ_ONLY_TOKEN, type ServiceRequest, type ServiceResponse, TOKEN } from '../service.ts';
import {
  altered,
  type Choice,
  DROP,
  editAt,
  everywhere,
  type Field,
  fillAt,
  type Fits,
  fromEach,
  type Handle,
  has,
  isFreeText,
  isObject,
  isProperty,
  isWrite,
  jsonOf,
  type Named,
  onList,
  onText,
  type Operator,
  type Operators,
  pathOf,
  perField,
  perOperation,
  perPlace,
  plainJsonOf,
  problem,
  queryOf,
  repeating,
  sending,
  showing,
  type Subject,
  succeeded,
  together,
  withHeaders,
  withQuery,
} from './operator.ts';
import { withStatus } from './responses.ts';

const perBody = (fits: Fits, change: (body: unknown, field: Field) => unknown): Operator =>
  perField('taken', fits, (field) => (next, request) => {
    const body = plainJsonOf(request);
    const changed = body === undefined ? body : change(body, field);
    return next(
      JSON.stringify(changed) === JSON.stringify(body) ? request : sending(request, changed),
    );
  });

const perValue = (fits: Fits, change: (value: any, field: Field) => unknown): Operator =>
  perBody(fits, (body, field) => editAt(body, field.path, (value) => change(value, field)));

/** Texts that every change of texts alters; a field that allows none of them has no such mutant. */
const TEXTS = [
  ' Ae\u0301\0  <b>&',
  ' Aé  b ',
  'Aa',
  'Aa.example:80',
  '/Aé',
  'https://Aa.example/A',
  'A@Aa.example',
];

/** A change of texts, for each field with a value that it changes. */
function ofText(change: (value: string) => string): Operator {
  const isChanged = ({ shape }: Field, { contract }: Subject) =>
    TEXTS.some((one) => change(one) !== one && schemasOf(contract).isValid(shape.roots[0]!, one));
  const fits: Fits = (field, subject) => !has(field, 'array') && isChanged(field, subject);
  return perValue(fits, onText(change));
}

const ofList = (change: (items: unknown[]) => unknown[]) =>
  perValue((field) => has(field, 'array'), onList(change));

function limitOf({ shape }: Field): number {
  return Math.min(
    strictest(shape, 'x-max-bytes') ?? Infinity,
    strictest(shape, 'maxLength') ?? Infinity,
  );
}

/** A text of the greatest length loses its last byte. */
function cut(value: unknown, field: Field): unknown {
  if (typeof value !== 'string' || Buffer.byteLength(value) < limitOf(field)) {
    return value;
  }
  return String(Buffer.from(value).subarray(0, -1)).replace(/\uFFFD$/, '');
}

const isUpdate = ({ operation }: Field) => operation.method === 'PATCH';
const isResettable: Fits = (field) =>
  isUpdate(field) && field.path.length === 1 && has(field, 'null');
const isEmpty = (value: any) => value === 0 || value === false || value?.length === 0;

/** Another value than the default of an omitted field. */
const otherDefault = ({ shape }: Field) => {
  const own = defaultOf(shape);
  if (shape.choices) {
    return shape.choices.find((one) => one !== own && one !== null);
  }
  return altered(own, shape) ?? undefined;
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
function withParameter(
  { name, in: place }: Parameter,
  request: ServiceRequest,
  from?: ServiceRequest,
): ServiceRequest {
  const header = place === 'cookie' ? 'cookie' : name.toLowerCase();
  if (place !== 'query') {
    return withHeaders(request, { [header]: from?.headers[header] });
  }
  const isOwn = ([one]: [string, string]) => one === name || one.startsWith(`${name}[`);
  const others = queryOf(request).filter((one) => !isOwn(one));
  return withQuery(request, [...others, ...(from ? queryOf(from).filter(isOwn) : [])]);
}

/** A request that is refused for a parameter is done with the value of one that succeeded. */
function forgiving(parameter: Parameter): Handle {
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

const perParameter = (make: (parameter: Parameter) => Handle): Operator =>
  perPlace(({ parameters }) =>
    parameters.filter((one) => one.in !== 'path').map((one) => [one.name, () => make(one)]),
  );

const LIMITS = ['maxLength', 'maxItems', 'maximum'];
const isList = (value: unknown) => Array.isArray(value);
const sizeOf = (value: unknown) => {
  if (typeof value === 'string') {
    return [...value].length;
  }
  return isList(value) ? value.length : value;
};

/** Requests with a value that is on the limit, null, empty or the like are refused. */
const REFUSED: Record<
  string,
  [fits: (field: Field) => boolean, isRefused: (value: any, field: Field) => boolean]
> = {
  'refuse-null': [(field) => has(field, 'null'), (value) => value === null],
  'refuse-empty': [
    (field) => has(field, 'string', 'array', 'integer'),
    (value) => value === '' || value === 0 || (isList(value) && value.length === 0),
  ],
  'refuse-limit': [
    ({ shape }) => LIMITS.some((keyword) => strictest(shape, keyword) !== undefined),
    (value, { shape }) => LIMITS.some((keyword) => strictest(shape, keyword) === sizeOf(value)),
  ],
  'refuse-non-ascii': [
    isFreeText,
    (value) => typeof value === 'string' && /[^\0-\x7F]/.test(value),
  ],
  'refuse-case-pairs': [
    (field) => has(field, 'array'),
    (value) =>
      isList(value) &&
      new Set(value.map((one) => String(one).toLowerCase())).size < new Set(value).size,
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
  'omitted-as-null': perBody(isResettable, (body, { path }) =>
    isObject(body) ? fillAt(body, path, null) : body,
  ),
  'other-default': perBody(
    (field) =>
      isProperty(field) &&
      (field.path.length > 1 || !isUpdate(field)) &&
      otherDefault(field) !== undefined,
    (body, field) => {
      if (isObject(body)) {
        return fillAt(body, field.path, otherDefault(field));
      }
      return body;
    },
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
  'unchecked-body': perPlace(({ requestBody }, contract) => {
    if (requestBody) {
      return unchecked(contract, requestBody.pointer, jsonOf).map(([{ id }, make]) => [id, make]);
    }
    return [];
  }),
  'unchecked-segment': perPlace((operation, contract) =>
    operation.parameters
      .filter((one) => one.in === 'path')
      .flatMap((parameter) => {
        const schema = joinPointer(parameter.pointer, 'schema');
        const shape = shapeOf(contract, schema);
        const index = operation.path.split('/').indexOf(`{${parameter.name}}`);
        const valueOf = (one: ServiceRequest) =>
          spelled(shape, decodeURIComponent(pathOf(one).split('/')[index]!));
        // A segment is always a text.
        return unchecked(contract, schema, valueOf)
          .filter(([{ keyword }]) => keyword !== 'type' || !shape.types.has('string'))
          .map(([{ keyword }, make]): Named => [`${parameter.name}.${keyword}`, make]);
      }),
  ),
  'unchecked-parameter': perParameter(forgiving),
  'ignore-parameter': perParameter(
    (parameter) => (next, request) => next(withParameter(parameter, request)),
  ),
  ...fromEach(REFUSED, ([fits, isRefused]): Operator =>
    perField('taken', fits, (field) => async (next, request) => {
      let found = false;
      editAt(jsonOf(request), field.path, (value) => ((found ||= isRefused(value, field)), value));
      const errors = [
        { pointer: `/${field.path.join('/')}`, code: 'value', detail: 'It is refused.' },
      ];
      if (found) {
        return problem(400, { code: 'invalid_request', errors });
      }
      return next(request);
    }),
  ),
};

const takesBody: Choice = ({ requestBody }) => requestBody !== null;
const takesQuery: Choice = ({ parameters }) => parameters.some((one) => one.in === 'query');
const JSON_TYPE = 'application/json';

/** Texts of a request: the operations where each counts, and for some a value that is always right. */
const PARTS: Record<string, [of: Choice, right?: string]> = {
  accept: [({ responses }) => '406' in responses, JSON_TYPE],
  'content-type': [takesBody, JSON_TYPE],
  authorization: [everywhere, `Bearer ${TOKEN}`],
  host: [everywhere, 'localhost'],
  'transfer-encoding': [takesBody],
  target: [({ path }) => path.includes('{')],
  body: [takesBody],
  'unexpected-authorization': [everywhere],
  'unexpected-body': [(operation) => isWrite(operation) && !takesBody(operation)],
};

const TYPES = ['accept', 'content-type'];
const HEADERS = [...TYPES, 'authorization'];

function textOf({ target, headers, body }: ServiceRequest, part: string): string {
  const name = part.replace('unexpected-', '');
  if (name === 'target') {
    return target;
  }
  return name === 'body' ? body.toString() : (headers[name] ?? '');
}

function withText(request: ServiceRequest, part: string, text: string): ServiceRequest {
  if (part === 'target') {
    return { ...request, target: text };
  }
  if (part !== 'body') {
    return withHeaders(request, { [part]: text || undefined });
  }
  const { 'content-type': type = JSON_TYPE } = request.headers;
  return { ...withHeaders(request, { 'content-type': type }), body: Buffer.from(text) };
}

/** Another text, or whether the text counts as one that is right. */
type Read = (text: string, right: string) => string | boolean;

const isFolded = (text: string, right: string) => text.toLowerCase() === right.toLowerCase();
const wordsOf = (text: string) => text.split(/[ /]/);

/** Texts are read otherwise than they were sent. An empty header is none. */
const READ: Record<string, [parts: string[], read: Read, of?: Choice]> = {
  'ignore-header': [HEADERS, () => ''],
  'assume-header': [['content-type', 'authorization'], (text) => text === ''],
  'only-first-word': [HEADERS, (text, right) => wordsOf(text)[0] === wordsOf(right)[0]],
  'only-last-word': [HEADERS, (text, right) => text.endsWith(wordsOf(right)[1]!)],
  'only-start': [['authorization'], (text, right) => text.length > 9 && right.startsWith(text)],
  'any-case': [['authorization'], isFolded],
  'exact-case': [HEADERS, (text, right) => (text !== right && isFolded(text, right) ? '' : text)],
  'first-of-list': [['accept', 'authorization'], (text) => text.replace(/,.*/, '')],
  'ignore-attributes': [TYPES, (text) => text.replaceAll(/;[^,]*/g, '')],
  'read-only-writes': [['authorization'], (text) => text.endsWith(READ_ONLY_TOKEN), isWrite],
  'any-host': [['host'], () => true],
  'slash-in-segment': [['target'], (text) => text.replaceAll(/%2f/gi, '/')],
  'cut-segment': [['target'], (text) => text.replaceAll(/(?<=\/[^/?]{40})[^/?]+/g, '')],
  'fold-segment': [['target'], (text) => text.replace(/^[^?]*/, (path) => path.toLowerCase())],
  'last-of-names': [['body'], (text) => JSON.stringify(jsonOf({ body: text })) ?? text],
  'any-bytes': [['body'], (text) => text.replaceAll('\uFFFD', '?')],
  'any-surrogate': [['body'], (text) => text.replaceAll(/\\ud[89a-f]../gi, '?')],
  'word-as-zero': [['body'], (text) => text.replaceAll(/:(NaN|-?Infinity)/g, ':0')],
  'assume-body': [['body'], (text) => text || '{}'],
};

/** Requests with such a text are refused with the status. */
const REFUSED_TEXTS: Record<string, [parts: string[], trait: RegExp, status: number]> = {
  'refuse-omitted': [['accept'], /^$/, 406],
  'refuse-token': [['unexpected-authorization'], /./, 401],
  'refuse-quoted': [['content-type'], /"/, 415],
  'refuse-attribute': [TYPES, /;\s*(?!charset)/, 500],
  'refuse-list': [TYPES, /,/, 500],
  'refuse-chunks': [['transfer-encoding'], /./, 400],
  'refuse-space': [['body'], /^[ \t\r\n]/, 400],
  'refuse-mark': [['body'], /^\uFEFF/, 500],
  'refuse-whole-float': [['body'], /:\d+\.0[,}]/, 400],
  'refuse-digits': [['body'], /\d{4301}/, 500],
  'refuse-surrogate': [['body'], /\\ud[89a-f]/i, 500],
  'refuse-unfinished': [['body'], /[^}\s]\s*$/, 500],
  'refuse-any': [['unexpected-body'], /./s, 500],
};

type Change = (response: ServiceResponse) => ServiceResponse;

/** Responses to methods that the operations of a path do not have. */
const METHODS: Record<string, [methods: string[], change: Change]> = {
  'method-unknown': [['PUT'], () => problem(404)],
  'method-done': [['HEAD'], (response) => withStatus(response, 200)],
  'method-allows-first': [
    ['PUT', 'OPTIONS'],
    (one) => withHeaders(one, { allow: one.headers['allow']?.split(',')[0] }),
  ],
  'method-with-body': [['HEAD'], (response) => ({ ...response, extra: '{}' })],
};

const perMethod = ([methods, change]: [methods: string[], change: Change]): Operator =>
  together(methods, (method) => (subject) => {
    const taken = subject.operations.filter((one) => one.method === method).map(({ path }) => path);
    const others = subject.operations.map((one) => ({
      ...one,
      method,
      operationId: method + one.path,
    }));
    const paths = new Map(others.map((one) => [one.path, one]));
    const operations = [...paths.values()].filter(({ path }) => !taken.includes(path));
    return perOperation(everywhere, () => showing(change))({ ...subject, operations });
  });

const perPart = (
  parts: string[],
  of: Choice,
  handleOf: (part: string, right: string) => Handle,
): Operator =>
  together(parts, (part) => {
    const [counts, right = ''] = PARTS[part]!;
    const isChosen: Choice = (operation) => of(operation) && counts(operation);
    return perOperation(isChosen, () => handleOf(part, right), part);
  });

export const protocol: Operators = {
  ...fromEach(READ, ([parts, read, of = everywhere]) =>
    perPart(parts, of, (part, right) => (next, request) => {
      const result = read(textOf(request, part), right);
      return next(
        result === false ? request : withText(request, part, result === true ? right : result),
      );
    }),
  ),
  ...fromEach(REFUSED_TEXTS, ([parts, trait, status]) =>
    perPart(parts, everywhere, (part) => async (next, request) => {
      if (trait.test(textOf(request, part))) {
        return problem(status);
      }
      return next(request);
    }),
  ),
  'ignore-unknown': perOperation(everywhere, ({ parameters }) => (next, one) => {
    const isKnown = ([name]: [string, string]) =>
      parameters.some((parameter) => parameter.name === name);
    return next(withQuery(one, queryOf(one).filter(isKnown)));
  }),
  'first-of-repeated': perOperation(takesQuery, () => (next, one) => {
    return next(withQuery(one, [...new Map(queryOf(one).toReversed())]));
  }),
  ...fromEach(METHODS, perMethod),
};
