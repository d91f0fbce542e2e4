/**
 * Mutants that read a valid request wrongly because it is written in an unusual way: JSON, queries,
 * paths, credentials and header fields in other spellings and places.
 */
import { isObject } from '../../engine/contract/pointers.ts';
import { jsonOf, pathOf, problem, withHeaders, withJson } from '../messages.ts';
import { READ_ONLY_TOKEN, type ServiceRequest, type ServiceResponse, TOKEN } from '../service.ts';
import {
  anyOperation,
  type FieldFilter,
  type Handle,
  isWrite,
  type MakeResourceHandle,
  type Operator,
  type OperationFilter,
  type Operators,
  perField,
  perOperation,
  perResource,
  perRow,
} from './operator.ts';
import { type Field, hasType, isFreeText, isProperty } from './subject.ts';
import { editAt, onText, someAt } from './values.ts';

// JSON, at one field.

interface Misreading {
  /** The part of the JSON text of a body that is misread. */
  trait: RegExp;
  fits: FieldFilter;
  /** The value as the mutant keeps it; undefined refuses the body. */
  change?: (value: unknown) => unknown;
}

const isNumber: FieldFilter = (field) => hasType(field, 'integer', 'number');

const ESCAPED_LETTER = /\\u00[4-7]/i;
const ESCAPED_PAIR = /\\ud[89ab]..\\ud[c-f]/i;
const PAIR = /[\u{10000}-\u{10ffff}]/gu;

/** Bodies that one field is misread in. */
const MISREAD: Record<string, Misreading> = {
  'keep-solidus': {
    trait: /\\\//,
    fits: isFreeText,
    change: onText((text) => text.replaceAll('/', '\\/')),
  },
  'keep-escape': {
    trait: ESCAPED_LETTER,
    fits: isFreeText,
    change: onText((text) => text.replaceAll(/[a-z]/g, '?')),
  },
  'split-pair': {
    trait: ESCAPED_PAIR,
    fits: isFreeText,
    change: onText((text) => text.replaceAll(PAIR, '\ufffd\ufffd')),
  },
  'exponent-as-zero': { trait: /\d[eE][-+]?\d/, fits: isNumber, change: () => 0 },
  'refuse-exponent': { trait: /\d[eE][-+]?\d/, fits: isNumber },
  'refuse-plus-exponent': { trait: /\d[eE]\+\d/, fits: isNumber },
  'refuse-fraction': { trait: /\d\.0+[,}\s]/, fits: isNumber },
  'refuse-minus-zero': { trait: /[:\s]-0/, fits: isNumber },
  'refuse-line-breaks': { trait: /[{,]\s*\n/, fits: (field) => hasType(field, 'object') },
};

const misreading = ({ trait, fits, change }: Misreading): Operator =>
  perField('requestFields', fits, (field) => async (next, request) => {
    const json = jsonOf(request);
    const isSent = someAt(json, field.path, () => true);
    if (!isSent || !trait.test(request.body.toString())) {
      return next(request);
    }
    if (change) {
      return next(withJson(request, editAt(json, field.path, change)));
    }
    return refusalAt(field);
  });

function refusalAt({ path }: Field): ServiceResponse {
  const pointer = `/${path.join('/')}`;
  const errors = [{ pointer, code: 'type', detail: 'It is refused.' }];
  return problem(400, { code: 'invalid_request', errors });
}

/** Whether the first member of an object is the last one by name. */
function isUnsorted(value: unknown): boolean {
  const names = Object.keys(isObject(value) ? value : {});
  return names.length > 1 && names[0] === names.toSorted().at(-1);
}

/** Loses the last member of an object whose members come in another order. */
const losingUnsorted: Operator = perField(
  'requestFields',
  (field) => hasType(field, 'object') && isProperty(field),
  (field) => (next, request) => {
    const json = jsonOf(request);
    if (!someAt(json, field.path, isUnsorted)) {
      return next(request);
    }
    const withoutLast = (value: unknown): unknown => {
      const members = Object.entries(isObject(value) ? value : {});
      return Object.fromEntries(members.slice(0, -1));
    };
    return next(withJson(request, editAt(json, field.path, withoutLast)));
  },
);

/** A member with an escaped name and a simple value, before another one. */
const ESCAPED_MEMBER = /"(?:\\u[\da-f]{4})+"\s*:\s*(?:\d+|null|"[^"]*")\s*,/gi;

/** Takes a member for nothing if its name is escaped. */
const ignoringEscapedNames: Operator = perOperation(
  ({ requestBody }) => requestBody !== null,
  () => (next, request) => {
    const text = request.body.toString().replaceAll(ESCAPED_MEMBER, '');
    return next({ ...request, body: Buffer.from(text) });
  },
);

// Targets.

/** The target as the mutant reads it; a number refuses the request with this status. */
type ReadTarget = (path: string, query: string) => string | number;

const takesQuery: OperationFilter = ({ parameters }) =>
  parameters.some((one) => one.in === 'query');
const hasParameter: OperationFilter = ({ path }) => path.includes('{');

const joined = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

interface TargetReading {
  fits: OperationFilter;
  read: ReadTarget;
}

const ENCODED_NAME = /(?:^|&)[^=&]*%/;
const ENCODED_DIGIT = /=[^&]*%3\d/;
const AROUND_TEXT = /(?:%20|%09|\+)+(?=\/|$)|(?<=\/)(?:%20|\+)+/g;
const PARAMETER_OF_PATH = /(?<=\/)[^/]*$/;

/** Segments and queries that are read in another way than they were sent. */
const TARGETS: Record<string, TargetReading> = {
  'raw-query-name': {
    fits: takesQuery,
    read: (path, query) => (ENCODED_NAME.test(query) ? 400 : joined(path, query)),
  },
  'raw-query-value': {
    fits: takesQuery,
    read: (path, query) => (ENCODED_DIGIT.test(query) ? 400 : joined(path, query)),
  },
  'semicolon-separates': {
    fits: takesQuery,
    read: (path, query) => joined(path, query.replaceAll(';', '&')),
  },
  'plus-is-nothing': {
    fits: takesQuery,
    read: (path, query) => joined(path, query.replaceAll('+', '')),
  },
  'drop-format-suffix': {
    fits: hasParameter,
    read: (path, query) => joined(path.replace(/\.json$/, ''), query),
  },
  'trim-segment': {
    fits: hasParameter,
    read: (path, query) => joined(path.replaceAll(AROUND_TEXT, ''), query),
  },
  'cut-at-encoded': {
    fits: hasParameter,
    read: (path, query) => joined(path.replace(/%(?:3[bf]|23|2c).*$/i, ''), query),
  },
  'cut-at-dot': {
    fits: ({ path }) => path.endsWith('_id}'),
    read: (path, query) =>
      joined(
        path.replace(PARAMETER_OF_PATH, (segment) => segment.replace(/\.+$/, '')),
        query,
      ),
  },
  'ignore-zeros': {
    fits: hasParameter,
    read: (path, query) => joined(path.replaceAll(/(?<=\/)0+(?=[^/])/g, ''), query),
  },
};

/** The path of what exists, with a character more, names what exists. */
function ignoringOne(without: (path: string) => string): MakeResourceHandle {
  return (created) => (next, request) => {
    const path = pathOf(request);
    const shorter = without(path);
    if (created.has(path) || !created.has(shorter)) {
      return next(request);
    }
    return next({ ...request, target: request.target.replace(path, () => shorter) });
  };
}

const LAST = /[^/]$/;
const INNER_X = /x(?=[^/x]+$)/;

const EMPTY_QUERY = /\?&*$/;

const readingTarget = ({ fits, read }: TargetReading): Operator =>
  perOperation(fits, () => async (next, request) => {
    const path = pathOf(request);
    const target = read(path, request.target.slice(path.length + 1));
    if (typeof target === 'number') {
      return problem(target);
    }
    return next({ ...request, target });
  });

const failingAtEmptyQuery: Handle = async (next, request) => {
  if (EMPTY_QUERY.test(request.target)) {
    return problem(500);
  }
  return next(request);
};

// Credentials.

interface CredentialReading {
  fits: OperationFilter;
  /** The value of `Authorization` that the mutant takes from the request. */
  read: (request: ServiceRequest) => string | undefined;
}

/** The request with a full token, if a text of it has the token. */
const elsewhere = (textOf: (request: ServiceRequest) => string) => (request: ServiceRequest) =>
  textOf(request).includes(TOKEN) ? `Bearer ${TOKEN}` : undefined;

const isReader = ({ headers }: ServiceRequest, form: RegExp): boolean =>
  form.test((headers['authorization'] ?? '').replace(READ_ONLY_TOKEN, ''));

/** A token that may only read, in a spelling of the scheme that is taken for the other token. */
const writer = (form: RegExp) => (request: ServiceRequest) => {
  if (isReader(request, form) && request.headers['authorization']?.endsWith(READ_ONLY_TOKEN)) {
    return `Bearer ${TOKEN}`;
  }
  return undefined;
};

const CREDENTIALS: Record<string, CredentialReading> = {
  'token-in-query': {
    fits: anyOperation,
    read: elsewhere(({ target }) => target.slice(target.indexOf('?') + 1)),
  },
  'token-in-cookie': {
    fits: anyOperation,
    read: elsewhere(({ headers }) => headers['cookie'] ?? ''),
  },
  'token-in-field': {
    fits: anyOperation,
    read: elsewhere(({ headers }) => headers['x-api-key'] ?? ''),
  },
  'token-for-proxy': {
    fits: anyOperation,
    read: elsewhere(({ headers }) => headers['proxy-authorization'] ?? ''),
  },
  'ignore-padding': {
    fits: anyOperation,
    read: ({ headers }) => headers['authorization']?.replace(/=+$/, ''),
  },
  'lower-case-writes': { fits: isWrite, read: writer(/^bearer /) },
  'upper-case-writes': { fits: isWrite, read: writer(/^BEARER /) },
  'two-spaces-write': { fits: isWrite, read: writer(/^Bearer {2,}/) },
};

const readingCredentials = ({ fits, read }: CredentialReading): Operator =>
  perOperation(
    fits,
    () => (next, request) => {
      const authorization = read(request);
      if (authorization === undefined) {
        return next(request);
      }
      const [path = '', query = ''] = request.target.split('?');
      const others = query.split('&').filter((pair) => !pair.includes(TOKEN));
      const target = joined(path, others.join('&'));
      return next({ ...withHeaders(request, { authorization }), target });
    },
    'authorization',
  );

// Header fields.

interface FieldRefusal {
  trait: RegExp;
  /** The field that has it; undefined: any field. */
  name?: string;
  status: number;
}

const FIELDS: Record<string, FieldRefusal> = {
  'fail-bytes': { trait: /[\x80-\xff]/, status: 500 },
  'fail-quotes': { trait: /^"[^"]*$/, status: 500 },
  'fail-long-value': { trait: /^.{1500}/, status: 500 },
  'refuse-template': { trait: /\$\{/, status: 403 },
  'fail-empty-member': { name: 'accept', trait: /,\s*,/, status: 500 },
  'refuse-long-list': { name: 'accept', trait: /(?:[^,]*,){12}/, status: 406 },
  'refuse-weight-dot': { name: 'accept', trait: /q=1\.(?:,|$)/, status: 406 },
};

const refusingField = ({ trait, name, status }: FieldRefusal): Operator =>
  perOperation(anyOperation, () => async (next, { headers, ...request }) => {
    const fields = Object.entries(headers).filter(
      ([one]) => one !== 'authorization' && (name === undefined || one === name),
    );
    if (fields.some(([, value]) => trait.test(value))) {
      return problem(status);
    }
    return next({ ...request, headers });
  });

/** The range of all media types, without parameters. */
const ANY_RANGE = /(?:^|[\s,])\*\/\*(?:,|$)/;

/** `Accept` as the mutant reads it. */
const ACCEPT: Record<string, (text: string) => string> = {
  'split-quoted': (text) => (text.includes('"') ? text.replaceAll('"', '') : text),
  'any-weight': (text) => text.replaceAll(/;\s*q=0\.?(?=,|$)/gi, ''),
  'wildcard-wins': (text) => (ANY_RANGE.test(text) ? '*/*' : text),
  'small-is-zero': (text) => text.replaceAll(/q=0\.00[1-9]/gi, 'q=0'),
};

const readingAccept = (read: (text: string) => string): Operator =>
  perOperation(
    ({ responses }) => '406' in responses,
    () => (next, request) => {
      const { accept } = request.headers;
      return next(accept === undefined ? request : withHeaders(request, { accept: read(accept) }));
    },
  );

// HEAD.

/** The request as GET, and its response as the mutant shows it to HEAD. */
const HEADS: Record<string, Handle> = {
  'head-misses-query': async (next, request) => {
    const isPlain = pathOf(request) === request.target;
    return isPlain ? next(request) : problem(404);
  },
  'head-of-errors': async (next, request) => {
    const response = await next(request);
    if (response.status === 400) {
      return { ...response, status: 200 };
    }
    return response;
  },
  'head-without-token': (next, request) =>
    next(withHeaders(request, { authorization: `Bearer ${TOKEN}` })),
  'head-any-accept': (next, request) => next(withHeaders(request, { accept: undefined })),
  'head-other-length': async (next, request) => {
    const response = await next(request);
    return withHeaders(response, { 'content-length': '7' });
  },
  'head-other-error': async (next, request) => {
    const response = await next(request);
    const type = response.status >= 400 ? 'text/plain' : undefined;
    if (type === undefined) {
      return response;
    }
    return withHeaders(response, { 'content-type': type });
  },
};

/** HEAD of what GET does not find. */
const headOfNothing: Handle = async (next, request) => {
  const response = await next(request);
  if (response.status === 404) {
    return { ...response, status: 200 };
  }
  return response;
};

const changingHead =
  (handle: Handle, fits: OperationFilter = anyOperation): Operator =>
  (subject) => {
    const operations = subject.operations
      .filter((one) => one.method === 'GET' && fits(one))
      .map((one) => ({ ...one, method: 'HEAD' }));
    return perOperation(anyOperation, () => handle, 'authorization')({ ...subject, operations });
  };

export const spellingOperators: Operators = {
  ...perRow(MISREAD, misreading),
  'lose-unsorted': losingUnsorted,
  'ignore-escaped-name': ignoringEscapedNames,
  ...perRow(TARGETS, readingTarget),
  'ignore-last': perResource(
    ['read', 'update', 'remove'],
    ignoringOne((path) => path.replace(LAST, '')),
  ),
  'ignore-inner-letter': perResource(
    ['read', 'update', 'remove'],
    ignoringOne((path) => path.replace(INNER_X, '')),
  ),
  'fail-empty-query': perOperation(anyOperation, () => failingAtEmptyQuery),
  ...perRow(CREDENTIALS, readingCredentials),
  ...perRow(FIELDS, refusingField),
  ...perRow(ACCEPT, readingAccept),
  ...perRow(HEADS, (handle) => changingHead(handle)),
  'head-of-nothing': changingHead(headOfNothing, ({ path }) => path.endsWith('}')),
};
