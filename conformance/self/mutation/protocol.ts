/** HTTP below the operations: tokens, methods, headers, texts of JSON, and requests that are right and refused. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { READ_ONLY_TOKEN, TOKEN } from '../tokens.ts';
import { jsonOf, problem, queryOf, sending, withHeaders, withQuery } from './messages.ts';
import { instead, type Operator, type Operators, perOperation } from './operator.ts';
import { isAt } from './subject.ts';

type Choice = (operation: Operation) => boolean;

const everywhere: Choice = () => true;
const isWrite: Choice = ({ method }) => method !== 'GET';
const negotiates: Choice = ({ responses }) => '406' in responses;
const takesBody: Choice = ({ requestBody }) => requestBody !== null;
const isBodiless: Choice = (operation) => isWrite(operation) && !takesBody(operation);
const takesQuery: Choice = ({ parameters }) => parameters.some((one) => one.in === 'query');
const hasKey: Choice = ({ path }) => path.includes('{');

const textOf = ({ body }: ServiceRequest) => body.toString();
const headerOf = ({ headers }: ServiceRequest, name: string) => headers[name] ?? '';

type Read = (request: ServiceRequest, operation: Operation) => ServiceRequest;

const header =
  (name: string, change: (value: string) => string | undefined): Read =>
  (one) =>
    name in one.headers ? withHeaders(one, { [name]: change(headerOf(one, name)) }) : one;

const text =
  (change: (text: string) => string): Read =>
  (one) => ({ ...one, body: Buffer.from(change(textOf(one))) });

const segments =
  (change: (segment: string) => string): Read =>
  (one) => ({ ...one, target: one.target.replaceAll(/(?<=\/)[^/?]{20,}|[^/?]*[A-Z%][^/?]*/g, change) });

const pairs =
  (isKept: (name: string, index: number, names: string[], operation: Operation) => boolean): Read =>
  (one, operation) => {
    const all = queryOf(one);
    const names = all.map(([name]) => name);
    const kept = all.filter(([name], index) => isKept(name, index, names, operation));
    return withQuery(one, kept);
  };

const isKnown = (name: string, { parameters }: Operation) => parameters.some((one) => one.name === name);

/** Requests are read otherwise than they were sent. */
const READ: Record<string, [of: Choice, read: Read]> = {
  'ignore-accept': [negotiates, header('accept', () => undefined)],
  'ignore-weights': [negotiates, header('accept', (accept) => accept.replaceAll(/;\s*q=[\d.]+/g, ''))],
  'ignore-content-type': [takesBody, (one) => withHeaders(one, { 'content-type': 'application/json' })],
  'any-json-type': [takesBody, header('content-type', (type) => type.replace(/^.*json$/, 'application/json'))],
  'ignore-charset': [takesBody, header('content-type', (type) => type.replace(/;.*/, ''))],
  'any-host': [everywhere, header('host', () => 'localhost')],
  'ignore-parameter': [takesQuery, pairs((name, _, __, operation) => !isKnown(name, operation))],
  'ignore-unknown': [everywhere, pairs((name, _, __, operation) => isKnown(name, operation))],
  'first-of-repeated': [takesQuery, pairs((name, index, names) => names.indexOf(name) === index)],
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

const CODES = {
  400: 'malformed_request',
  401: 'unauthorized',
  406: 'not_acceptable',
  415: 'unsupported_media_type',
  500: 'internal_error',
};

/** Requests that are right, or wrong in another way, are refused with this status. */
const REFUSED: Record<string, [of: Choice, when: (request: ServiceRequest) => boolean, status: keyof typeof CODES]> = {
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
    (operation) =>
      instead(operation, (next, one) =>
        next(withHeaders(one, { authorization: read(headerOf(one, 'authorization')) || undefined })),
      ),
    true,
  );

/** One mutant for each path and method that it does not have: its response is changed. */
const perPath = (method: string, change: (response: ServiceResponse) => ServiceResponse): Operator => {
  return ({ operations }) =>
    [...new Set(operations.map(({ path }) => path))].flatMap((path) => {
      const own = operations.filter((one) => one.path === path);
      if (own.some((one) => one.method === method)) return [];
      const level = own.some((one) => one.level === 'core') ? 'core' : 'extended';
      return [
        {
          ...{ at: path.slice(1), level },
          mutate: (next) => async (request) => {
            const response = await next(request);
            return request.method === method && isAt(path, request) ? change(response) : response;
          },
        },
      ];
    });
};

const firstMethod = ({ headers }: ServiceResponse) => (headers['allow'] ?? '').split(',')[0]!.trim();

function fromEach<T>(rows: Record<string, T>, operator: (row: T) => Operator): Operators {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, operator(row)]));
}

export const protocol: Operators = {
  ...fromEach(READ, ([of, read]) => perOperation(of, (one) => instead(one, (next, sent) => next(read(sent, one))))),
  ...fromEach(REFUSED, ([of, when, status]) => {
    const refusal = problem(status, CODES[status]);
    return perOperation(of, (one) => instead(one, async (next, sent) => (when(sent) ? refusal : next(sent))));
  }),
  ...fromEach(TOKENS, ([isTaken, of]) =>
    readingToken((sent) => (isTaken(sent, sent.replace(/^\S* ?/, '')) ? `Bearer ${TOKEN}` : sent), of),
  ),
  'scheme-case': readingToken((sent) => (sent.startsWith('bearer ') ? '' : sent)),
  'token-refused': readingToken(() => ''),
  'method-404': perPath('PUT', () => problem(404, 'not_found')),
  'method-without-allow': perPath('PUT', (response) => withHeaders(response, { allow: undefined })),
  'options-without-allow': perPath('OPTIONS', (response) => withHeaders(response, { allow: undefined })),
  'options-allow-first': perPath('OPTIONS', (response) => withHeaders(response, { allow: firstMethod(response) })),
  'head-405': perPath('HEAD', (response) => ({ ...response, status: 405 })),
  'head-200': perPath('HEAD', (response) => ({ ...response, status: 200 })),
  'head-with-body': perPath('HEAD', (response) => ({ ...response, extra: '{}' })),
};
