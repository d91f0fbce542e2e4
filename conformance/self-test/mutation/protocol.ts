/**
 * Mutants that read the texts of HTTP wrongly, refuse valid ones, or respond wrongly to methods.
 */
import type { Operation } from '../../engine/contract/operations.ts';
import { jsonOf, problem, type QueryPair, queryOf, withHeaders, withQuery } from '../messages.ts';
import { READ_ONLY_TOKEN, type ServiceRequest, type ServiceResponse, TOKEN } from '../service.ts';
import {
  anyOperation,
  changingResponse,
  combined,
  type Handle,
  isWrite,
  type Operator,
  type OperationFilter,
  type Operators,
  perOperation,
  perRow,
} from './operator.ts';
import { withStatus } from './responses.ts';

/** A text of a request that a service reads. */
type Part =
  | 'accept'
  | 'content-type'
  | 'authorization'
  | 'host'
  | 'transfer-encoding'
  | 'target'
  | 'body'
  | 'unexpected-authorization'
  | 'unexpected-body';

interface PartRule {
  /** The operations that read the part. */
  counts: OperationFilter;
  /** A text that is right for each of them. */
  right?: string;
}

const JSON_TYPE = 'application/json';

const takesBody: OperationFilter = ({ requestBody }) => requestBody !== null;
const takesNoBody: OperationFilter = (operation) => isWrite(operation) && !takesBody(operation);
const takesQuery: OperationFilter = ({ parameters }) =>
  parameters.some((one) => one.in === 'query');

const PARTS: Record<Part, PartRule> = {
  accept: { counts: ({ responses }) => '406' in responses, right: JSON_TYPE },
  'content-type': { counts: takesBody, right: JSON_TYPE },
  authorization: { counts: anyOperation, right: `Bearer ${TOKEN}` },
  host: { counts: anyOperation, right: 'localhost' },
  'transfer-encoding': { counts: takesBody },
  target: { counts: ({ path }) => path.includes('{') },
  body: { counts: takesBody },
  'unexpected-authorization': { counts: anyOperation },
  'unexpected-body': { counts: takesNoBody },
};

/** The text of a part; empty if the request has none. */
function textOf({ target, headers, body }: ServiceRequest, part: Part): string {
  const name = part.replace('unexpected-', '');
  if (name === 'target') {
    return target;
  }
  if (name === 'body') {
    return body.toString();
  }
  return headers[name] ?? '';
}

/** The request with another text; an empty header field is removed. */
function withText(request: ServiceRequest, part: Part, text: string): ServiceRequest {
  if (part === 'target') {
    return { ...request, target: text };
  }
  if (part !== 'body') {
    return withHeaders(request, { [part]: text || undefined });
  }
  const { 'content-type': type = JSON_TYPE } = request.headers;
  return { ...withHeaders(request, { 'content-type': type }), body: Buffer.from(text) };
}

/** One mutant for each part, and each operation that reads it and that `fits`. */
const perPart = (
  parts: readonly Part[],
  fits: OperationFilter,
  handleOf: (part: Part, right: string) => Handle,
): Operator =>
  combined(parts, (part) => {
    const { counts, right = '' } = PARTS[part];
    const isChosen: OperationFilter = (operation) => fits(operation) && counts(operation);
    return perOperation(isChosen, () => handleOf(part, right), part);
  });

/** The text as the mutant reads it; undefined if it reads the text as it was sent. */
type Read = (text: string, right: string) => string | undefined;

/** Reads the right text in place of a text that passes the test. */
const accepting =
  (test: (text: string, right: string) => boolean): Read =>
  (text, right) =>
    test(text, right) ? right : undefined;

const isFolded = (text: string, right: string) => text.toLowerCase() === right.toLowerCase();

const onlyExact: Read = (text, right) => (text !== right && isFolded(text, right) ? '' : text);

const wordsOf = (text: string) => text.split(/[ /]/);

function hasSameFirstWord(text: string, right: string): boolean {
  return wordsOf(text)[0] === wordsOf(right)[0];
}

function hasSameLastWord(text: string, right: string): boolean {
  const [, lastWord = ''] = wordsOf(right);
  return text.endsWith(lastWord);
}

/** Shorter beginnings of a token are the name of its scheme alone. */
const SHORTEST_START = 10;

const isStart = (text: string, right: string) =>
  text.length >= SHORTEST_START && right.startsWith(text);

/** JSON in which the last one of equal names counts. */
const withLastNames: Read = (text) => JSON.stringify(jsonOf({ body: text })) ?? text;

interface TextReading {
  parts: readonly Part[];
  read: Read;
  /** The operations that get a mutant; by default, all that read the part. */
  fits?: OperationFilter;
}

const MEDIA_TYPES: readonly Part[] = ['accept', 'content-type'];
const HEADERS: readonly Part[] = [...MEDIA_TYPES, 'authorization'];

/** The part of a segment after its first 40 characters. */
const END_OF_LONG_SEGMENT = /(?<=\/[^/?]{40})[^/?]+/g;
const SURROGATE = /\\ud[89a-f]../gi;
const WORD_AS_NUMBER = /:(NaN|-?Infinity)/g;

/**
 * Texts that are read in another way than they were sent. An empty header field counts as omitted.
 */
const READ: Record<string, TextReading> = {
  'ignore-header': { parts: HEADERS, read: () => '' },
  'assume-header': {
    parts: ['content-type', 'authorization'],
    read: accepting((text) => text === ''),
  },
  'only-first-word': { parts: HEADERS, read: accepting(hasSameFirstWord) },
  'only-last-word': { parts: HEADERS, read: accepting(hasSameLastWord) },
  'only-start': { parts: ['authorization'], read: accepting(isStart) },
  'any-case': { parts: ['authorization'], read: accepting(isFolded) },
  'exact-case': { parts: HEADERS, read: onlyExact },
  'first-of-list': {
    parts: ['accept', 'authorization'],
    read: (text) => text.replace(/,.*/, ''),
  },
  'ignore-attributes': { parts: MEDIA_TYPES, read: (text) => text.replaceAll(/;[^,]*/g, '') },
  'read-only-writes': {
    parts: ['authorization'],
    read: accepting((text) => text.endsWith(READ_ONLY_TOKEN)),
    fits: isWrite,
  },
  'any-host': { parts: ['host'], read: accepting(() => true) },
  'slash-in-segment': { parts: ['target'], read: (text) => text.replaceAll(/%2f/gi, '/') },
  'cut-segment': { parts: ['target'], read: (text) => text.replaceAll(END_OF_LONG_SEGMENT, '') },
  'fold-segment': {
    parts: ['target'],
    read: (text) => text.replace(/^[^?]*/, (path) => path.toLowerCase()),
  },
  'last-of-names': { parts: ['body'], read: withLastNames },
  'any-bytes': { parts: ['body'], read: (text) => text.replaceAll('\uFFFD', '?') },
  'any-surrogate': { parts: ['body'], read: (text) => text.replaceAll(SURROGATE, '?') },
  'word-as-zero': { parts: ['body'], read: (text) => text.replaceAll(WORD_AS_NUMBER, ':0') },
  'assume-body': { parts: ['body'], read: (text) => text || '{}' },
};

const readingText = ({ parts, read, fits = anyOperation }: TextReading): Operator =>
  perPart(parts, fits, (part, right) => (next, request) => {
    const text = read(textOf(request, part), right);
    return next(text === undefined ? request : withText(request, part, text));
  });

interface TextRefusal {
  parts: readonly Part[];
  /** The texts that are refused. */
  trait: RegExp;
  status: number;
}

/** Valid texts that are refused. */
const REFUSED_TEXTS: Record<string, TextRefusal> = {
  'refuse-omitted': { parts: ['accept'], trait: /^$/, status: 406 },
  'refuse-token': { parts: ['unexpected-authorization'], trait: /./, status: 401 },
  'refuse-quoted': { parts: ['content-type'], trait: /"/, status: 415 },
  'refuse-attribute': { parts: MEDIA_TYPES, trait: /;\s*(?!charset)/, status: 500 },
  'refuse-list': { parts: MEDIA_TYPES, trait: /,/, status: 500 },
  'refuse-chunks': { parts: ['transfer-encoding'], trait: /./, status: 400 },
  'refuse-space': { parts: ['body'], trait: /^[ \t\r\n]/, status: 400 },
  'refuse-mark': { parts: ['body'], trait: /^\uFEFF/, status: 500 },
  'refuse-whole-float': { parts: ['body'], trait: /:\d+\.0[,}]/, status: 400 },
  'refuse-digits': { parts: ['body'], trait: /\d{4301}/, status: 500 },
  'refuse-surrogate': { parts: ['body'], trait: /\\ud[89a-f]/i, status: 500 },
  'refuse-unfinished': { parts: ['body'], trait: /[^}\s]\s*$/, status: 500 },
  'refuse-any': { parts: ['unexpected-body'], trait: /./s, status: 500 },
};

const refusingText = ({ parts, trait, status }: TextRefusal): Operator =>
  perPart(parts, anyOperation, (part) => async (next, request) => {
    if (trait.test(textOf(request, part))) {
      return problem(status);
    }
    return next(request);
  });

interface MethodChange {
  methods: readonly string[];
  change: (response: ServiceResponse) => ServiceResponse;
}

function allowingFirst(response: ServiceResponse): ServiceResponse {
  const [first] = response.headers['allow']?.split(',') ?? [];
  return withHeaders(response, { allow: first });
}

/** Also a method that no path has. */
function allowingMore(response: ServiceResponse): ServiceResponse {
  const { allow } = response.headers;
  if (allow === undefined) {
    return response;
  }
  return withHeaders(response, { allow: `${allow}, PUT` });
}

/** Responses to methods that the operations of a path do not have. */
const METHODS: Record<string, MethodChange> = {
  'method-unknown': { methods: ['PUT'], change: () => problem(404) },
  'method-done': { methods: ['HEAD'], change: (response) => withStatus(response, 200) },
  'method-allows-first': { methods: ['PUT', 'OPTIONS'], change: allowingFirst },
  'method-allows-more': { methods: ['OPTIONS'], change: allowingMore },
  'method-with-body': {
    methods: ['HEAD'],
    change: (response) => ({ ...response, extra: '{}' }),
  },
};

const changingMethod = ({ methods, change }: MethodChange): Operator =>
  combined(methods, (method) => (subject) => {
    const operations = undocumented(subject.operations, method);
    const operator = perOperation(anyOperation, () => changingResponse(change));
    return operator({ ...subject, operations });
  });

/** An operation with this method on each path that documents none. */
function undocumented(operations: readonly Operation[], method: string): Operation[] {
  const withMethod = operations.filter((one) => one.method === method);
  const documented = withMethod.map(({ path }) => path);
  const made = new Map<string, Operation>();
  for (const operation of operations) {
    const { path } = operation;
    if (!documented.includes(path)) {
      made.set(path, { ...operation, method, operationId: method + path });
    }
  }
  return [...made.values()];
}

const withoutUnknownParameters =
  ({ parameters }: Operation): Handle =>
  (next, request) => {
    const isKnown = ([name]: QueryPair) => parameters.some((parameter) => parameter.name === name);
    return next(withQuery(request, queryOf(request).filter(isKnown)));
  };

/** The first value of a parameter counts. */
const withoutRepeated: Handle = (next, request) => {
  const firstValues = new Map(queryOf(request).toReversed());
  return next(withQuery(request, [...firstValues]));
};

export const protocolOperators: Operators = {
  ...perRow(READ, readingText),
  ...perRow(REFUSED_TEXTS, refusingText),
  'ignore-unknown': perOperation(anyOperation, withoutUnknownParameters),
  'first-of-repeated': perOperation(takesQuery, () => withoutRepeated),
  ...perRow(METHODS, changingMethod),
};
