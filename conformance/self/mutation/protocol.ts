/** HTTP below the operations: tokens, methods, headers, texts of JSON, and requests that are right and refused. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { READ_ONLY_TOKEN, TOKEN } from '../tokens.ts';
import { jsonOf, problem, queryOf, sending, type Status, withHeaders, withQuery } from './messages.ts';
import { type Choice, everywhere, fromEach, isAt, isWrite, type Operator, type Operators } from './operator.ts';
import { perOperation } from './operator.ts';

const negotiates: Choice = ({ responses }) => '406' in responses;
const takesBody: Choice = ({ requestBody }) => requestBody !== null;
const isBodiless: Choice = (operation) => isWrite(operation) && !takesBody(operation);
const takesQuery: Choice = ({ parameters }) => parameters.some((one) => one.in === 'query');
const hasKey: Choice = ({ path }) => path.includes('{');

const textOf = ({ body }: ServiceRequest) => body.toString();
const headerOf = ({ headers }: ServiceRequest, name: string) => headers[name] ?? '';

type Read = (request: ServiceRequest, operation: Operation) => ServiceRequest;

function header(name: string, change: (value: string) => string | undefined): Read {
  return (one) => (name in one.headers ? withHeaders(one, { [name]: change(headerOf(one, name)) }) : one);
}

function text(change: (text: string) => string): Read {
  return (one) => ({ ...one, body: Buffer.from(change(textOf(one))) });
}

function segments(change: (segment: string) => string): Read {
  return (one) => ({ ...one, target: one.target.replaceAll(/(?<=\/)[^/?]{20,}|[^/?]*[A-Z%][^/?]*/g, change) });
}

type Pair = [name: string, value: string];

function pairs(isKept: (pair: Pair, operation: Operation, all: Pair[]) => boolean): Read {
  return (one, operation) => {
    const all = queryOf(one);
    const kept = all.filter((pair) => isKept(pair, operation, all));
    return withQuery(one, kept);
  };
}

const isKnown = ([name]: Pair, { parameters }: Operation) => parameters.some((one) => one.name === name);
const isFirst = (pair: Pair, _: Operation, all: Pair[]) => pair === all.find(([name]) => name === pair[0]);

/** Requests are read otherwise than they were sent. */
const READ: Record<string, [of: Choice, read: Read]> = {
  'ignore-accept': [negotiates, header('accept', () => undefined)],
  'ignore-weights': [negotiates, header('accept', (accept) => accept.replaceAll(/;\s*q=[\d.]+/g, ''))],
  'ignore-content-type': [takesBody, (one) => withHeaders(one, { 'content-type': 'application/json' })],
  'any-json-type': [takesBody, header('content-type', (type) => type.replace(/^.*json$/, 'application/json'))],
  'ignore-charset': [takesBody, header('content-type', (type) => type.replace(/;.*/, ''))],
  'any-host': [everywhere, header('host', () => 'localhost')],
  'ignore-parameter': [takesQuery, pairs((pair, operation) => !isKnown(pair, operation))],
  'ignore-unknown': [everywhere, pairs(isKnown)],
  'first-of-repeated': [takesQuery, pairs(isFirst)],
  'slash-in-segment': [hasKey, (one) => ({ ...one, target: one.target.replaceAll(/%2f/gi, '/') })],
  'cut-segment': [hasKey, segments((segment) => segment.slice(0, 40))],
  'fold-segment': [hasKey, segments((segment) => segment.toLowerCase())],
  'last-of-names': [takesBody, (one) => (jsonOf(one) === undefined ? one : sending(one, jsonOf(one)))],
  'any-bytes': [takesBody, text((body) => body)],
  'replace-surrogates': [takesBody, text((body) => body.replaceAll(/\\ud[89a-f]../gi, String.raw`\ufffd`))],
  'not-a-number-as-zero': [takesBody, text((body) => body.replaceAll(/:(NaN|-?Infinity)/g, ':0'))],
  'chunks-unread': [takesBody, (one) => ('transfer-encoding' in one.headers ? text(() => '')(one, null!) : one)],
  'no-body-as-object': [
    takesBody,
    (one) => (one.body.length === 0 ? withHeaders(sending(one, {}), { 'content-type': 'application/json' }) : one),
  ],
};

/** Requests that are right, or wrong in another way, are refused with this status. */
const REFUSED: Record<string, [of: Choice, when: (request: ServiceRequest) => boolean, status: Status]> = {
  'charset-refused': [takesBody, (one) => headerOf(one, 'content-type').includes('charset'), 415],
  'quoted-charset-refused': [takesBody, (one) => headerOf(one, 'content-type').includes('charset="'), 415],
  'type-parameter-500': [takesBody, (one) => /;\s*(?!charset)/.test(headerOf(one, 'content-type')), 500],
  'two-types-500': [takesBody, (one) => headerOf(one, 'content-type').includes(','), 500],
  'no-accept-refused': [negotiates, (one) => !('accept' in one.headers), 406],
  'token-on-open-refused': [everywhere, (one) => 'authorization' in one.headers, 401],
  'white-space-refused': [takesBody, (one) => /^[ \t\r\n]/.test(textOf(one)), 400],
  'byte-order-mark-500': [takesBody, ({ body }) => body[0] === 0xef, 500],
  'whole-float-refused': [takesBody, (one) => /:\d+\.0[,}]/.test(textOf(one)), 400],
  'many-digits-500': [takesBody, (one) => /\d{4301}/.test(textOf(one)), 500],
  'surrogate-500': [takesBody, (one) => /\\ud[89a-f]/i.test(textOf(one)), 500],
  'not-json-500': [takesBody, (one) => jsonOf(one) === undefined, 500],
  'unexpected-body-500': [isBodiless, ({ body }) => body.length > 0, 500],
};

/** Another token counts than the one that was sent. */
const TOKENS: Record<string, [isTaken: (sent: string, token: string) => boolean, of?: Choice]> = {
  'no-token': [(sent) => sent === ''],
  'any-token': [(sent, token) => isBearer(sent) && token !== READ_ONLY_TOKEN],
  'token-case': [(sent, token) => isBearer(sent) && token.toLowerCase() === TOKEN.toLowerCase()],
  'token-prefix': [(sent, token) => isBearer(sent) && token.length > 3 && TOKEN.startsWith(token)],
  'any-scheme': [(_, token) => token === TOKEN],
  'first-token': [(sent) => sent.startsWith(`Bearer ${TOKEN},`)],
  'read-only-writes': [(_, token) => token === READ_ONLY_TOKEN, isWrite],
};

const isBearer = (sent: string) => /^bearer /i.test(sent);

const readingToken = (read: (sent: string) => string, of = everywhere): Operator =>
  perOperation(
    of,
    () => (next, one) => next(withHeaders(one, { authorization: read(headerOf(one, 'authorization')) || undefined })),
    true,
  );

type Change = (response: ServiceResponse) => ServiceResponse;

/** One mutant for each path that has no such method: its response is changed. */
function perPath([method, change]: [method: string, change: Change]): Operator {
  return ({ operations }) => {
    const lacksIt = (path: string) => !operations.some((one) => one.path === path && one.method === method);
    return [...new Set(operations.map(({ path }) => path))].filter(lacksIt).map((path) => ({
      at: path.slice(1),
      level: operations.some((one) => one.path === path && one.level === 'core') ? 'core' : 'extended',
      mutate: (next) => async (request) => {
        const response = await next(request);
        return request.method === method && isAt(path, request) ? change(response) : response;
      },
    }));
  };
}

function allowing(edit: (allow: string) => string | undefined): Change {
  return (one) => withHeaders(one, { allow: edit(one.headers['allow'] ?? '') });
}

/** Responses to methods that no operation has. */
const METHODS: Record<string, [method: string, change: Change]> = {
  'method-404': ['PUT', () => problem(404)],
  'method-without-allow': ['PUT', allowing(() => undefined)],
  'options-without-allow': ['OPTIONS', allowing(() => undefined)],
  'options-allow-first': ['OPTIONS', allowing((allow) => allow.split(',')[0]!.trim())],
  'head-405': ['HEAD', (response) => ({ ...response, status: 405 })],
  'head-200': ['HEAD', (response) => ({ ...response, status: 200 })],
  'head-with-body': ['HEAD', (response) => ({ ...response, extra: '{}' })],
};

export const protocol: Operators = {
  ...fromEach(READ, ([of, read]) => perOperation(of, (operation) => (next, one) => next(read(one, operation)))),
  ...fromEach(REFUSED, ([of, when, status]) =>
    perOperation(of, () => async (next, one) => (when(one) ? problem(status) : next(one))),
  ),
  ...fromEach(TOKENS, ([isTaken, of]) =>
    readingToken((sent) => (isTaken(sent, sent.replace(/^\S* ?/, '')) ? `Bearer ${TOKEN}` : sent), of),
  ),
  'scheme-case': readingToken((sent) => (sent.startsWith('bearer ') ? '' : sent)),
  'token-refused': readingToken(() => ''),
  ...fromEach(METHODS, perPath),
};
