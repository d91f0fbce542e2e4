/** HTTP below the operations: tokens, methods, and requests that are right and refused. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { READ_ONLY_TOKEN, TOKEN } from '../tokens.ts';
import { jsonOf, problem, withHeaders } from './messages.ts';
import { instead, type Operator, type Operators, perOperation } from './operator.ts';
import { isAt } from './subject.ts';

const everywhere = () => true;
const isWrite = ({ method }: Operation) => method !== 'GET';
const negotiates = ({ responses }: Operation) => '406' in responses;
const takesBody = ({ requestBody }: Operation) => requestBody !== null;

/** Another header counts than the one that was sent. */
const readingToken = (
  read: (sent: string) => string | undefined,
  of: (one: Operation) => boolean = everywhere,
): Operator =>
  perOperation(
    of,
    (operation) =>
      instead(operation, (next, request) =>
        next(withHeaders(request, { authorization: read(request.headers['authorization'] ?? '') || undefined })),
      ),
    true,
  );

/** A header that is wrong is taken for the right one. */
const accepting = (isTaken: (sent: string, token: string) => boolean, of?: (one: Operation) => boolean): Operator =>
  readingToken((sent) => (isTaken(sent, sent.replace(/^\S* ?/, '')) ? `Bearer ${TOKEN}` : sent), of);

const isBearer = (sent: string) => /^bearer /i.test(sent);

/** A request that is right is refused. */
const refusing = (
  of: (one: Operation) => boolean,
  when: (request: ServiceRequest) => boolean,
  refusal: ServiceResponse,
): Operator =>
  perOperation(of, (one) => instead(one, async (next, request) => (when(request) ? refusal : next(request))));

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
const contentType = ({ headers }: ServiceRequest) => headers['content-type'] ?? '';
const textOf = ({ body }: ServiceRequest) => body.toString();

export const protocol: Operators = {
  'no-token': accepting((sent) => sent === ''),
  'any-token': accepting((sent, token) => isBearer(sent) && token !== READ_ONLY_TOKEN),
  'token-case': accepting((sent, token) => isBearer(sent) && token.toLowerCase() === TOKEN.toLowerCase()),
  'token-prefix': accepting((sent, token) => isBearer(sent) && token.length > 3 && TOKEN.startsWith(token)),
  'any-scheme': accepting((_, token) => token === TOKEN),
  'read-only-writes': accepting((_, token) => token === READ_ONLY_TOKEN, isWrite),
  'scheme-case': readingToken((sent) => (sent.startsWith('bearer ') ? '' : sent)),
  'token-refused': readingToken(() => ''),
  'method-404': perPath('PUT', () => problem(404, 'not_found')),
  'method-without-allow': perPath('PUT', (response) => withHeaders(response, { allow: undefined })),
  'options-without-allow': perPath('OPTIONS', (response) => withHeaders(response, { allow: undefined })),
  'options-allow-first': perPath('OPTIONS', (response) => withHeaders(response, { allow: firstMethod(response) })),
  'head-405': perPath('HEAD', (response) => ({ ...response, status: 405 })),
  'head-with-body': perPath('HEAD', (response) => ({ ...response, extra: '{}' })),
  'charset-refused': refusing(
    takesBody,
    (one) => contentType(one).includes('charset'),
    problem(415, 'unsupported_media_type'),
  ),
  'no-accept-refused': refusing(negotiates, (one) => !('accept' in one.headers), problem(406, 'not_acceptable')),
  'not-json-500': refusing(takesBody, (one) => jsonOf(one) === undefined, problem(500, 'internal_error')),
  'surrogate-500': refusing(takesBody, (one) => /\\ud[89a-f]/i.test(textOf(one)), problem(500, 'internal_error')),
};
