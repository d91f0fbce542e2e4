/**
 * HTTP below the operations: texts of requests that are read otherwise or refused, and methods that no operation has.
 */
import { READ_ONLY_TOKEN, type ServiceRequest, type ServiceResponse, TOKEN } from '../service.ts';
import { jsonOf, problem, queryOf, withHeaders, withQuery } from './messages.ts';
import { type Choice, everywhere, fromEach, type Handle, isWrite, type Operator, type Operators } from './operator.ts';
import { perOperation, showing, together } from './operator.ts';
import { withStatus } from './responses.ts';

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
  if (name === 'target') return target;
  return name === 'body' ? body.toString() : (headers[name] ?? '');
}

function withText(request: ServiceRequest, part: string, text: string): ServiceRequest {
  if (part === 'target') return { ...request, target: text };
  if (part !== 'body') return withHeaders(request, { [part]: text || undefined });
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
const REFUSED: Record<string, [parts: string[], trait: RegExp, status: number]> = {
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
    const others = subject.operations.map((one) => ({ ...one, method, operationId: method + one.path }));
    const paths = new Map(others.map((one) => [one.path, one]));
    const operations = [...paths.values()].filter(({ path }) => !taken.includes(path));
    return perOperation(everywhere, () => showing(change))({ ...subject, operations });
  });

const perPart = (parts: string[], of: Choice, handleOf: (part: string, right: string) => Handle): Operator =>
  together(parts, (part) => {
    const [counts, right = ''] = PARTS[part]!;
    const isChosen: Choice = (operation) => of(operation) && counts(operation);
    return perOperation(isChosen, () => handleOf(part, right), part);
  });

export const protocol: Operators = {
  ...fromEach(READ, ([parts, read, of = everywhere]) =>
    perPart(parts, of, (part, right) => (next, request) => {
      const result = read(textOf(request, part), right);
      return next(result === false ? request : withText(request, part, result === true ? right : result));
    }),
  ),
  ...fromEach(REFUSED, ([parts, trait, status]) =>
    perPart(parts, everywhere, (part) => async (next, request) => {
      return trait.test(textOf(request, part)) ? problem(status) : next(request);
    }),
  ),
  'ignore-unknown': perOperation(everywhere, ({ parameters }) => (next, one) => {
    const isKnown = ([name]: [string, string]) => parameters.some((parameter) => parameter.name === name);
    return next(withQuery(one, queryOf(one).filter(isKnown)));
  }),
  'first-of-repeated': perOperation(takesQuery, () => (next, one) => {
    return next(withQuery(one, [...new Map(queryOf(one).toReversed())]));
  }),
  ...fromEach(METHODS, perMethod),
};
