/** HTTP: methods, media types, encodings, queries. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { before, instead, type Mutate } from '../mutate/mutate.ts';
import { answering, html, problem, withoutHeader } from '../mutate/response.ts';
import { jsonIn, queryOf, sending, withHeaders, withoutHeader as without, withQuery } from '../mutate/request.ts';
import { acceptedBody } from '../mutate/operation.ts';
import { idOf, type Operator, perOperation, type Variant } from './operator.ts';

const takesBody = ({ requestBody }: Operation) => requestBody !== null;
const showsBody = ({ method }: Operation) => method !== 'DELETE';

/** One mutant for each path: what it does with a method. */
function perPath(
  name: string,
  description: string,
  handle: (next: Service, request: ServiceRequest) => Promise<ServiceResponse> | ServiceResponse,
  of: (methods: string[]) => boolean = () => true,
): Operator {
  return {
    name,
    description,
    variants: ({ operations }) =>
      [...new Set(operations.map(({ path }) => path))].flatMap((path): Variant[] => {
        const own = operations.filter((operation) => operation.path === path);
        if (!of(own.map(({ method }) => method))) return [];
        const { level } = own.find((operation) => operation.level === 'core') ?? own[0]!;
        return [
          { at: path.slice(1), level, mutate: onPath(path, (next, request) => Promise.resolve(handle(next, request))) },
        ];
      }),
  };
}

function onPath(
  template: string,
  handle: (next: Service, request: ServiceRequest) => Promise<ServiceResponse>,
): Mutate {
  const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
  return (next) => (request) =>
    pattern.test(request.target.split('?', 1)[0]!) ? handle(next, request) : next(request);
}

/** Changes the response to a method that a path does not have. */
const on405 = (name: string, description: string, change: (response: ServiceResponse) => ServiceResponse) =>
  perPath(name, description, async (next, request) => {
    const response = await next(request);
    return response.status === 405 ? change(response) : response;
  });

/** Changes the response to one method. */
const onMethod = (
  method: string,
  name: string,
  description: string,
  change: (response: ServiceResponse) => ServiceResponse,
) =>
  perPath(
    name,
    description,
    async (next, request) => {
      const response = await next(request);
      return request.method === method && response.status < 300 ? change(response) : response;
    },
    (methods) => method !== 'HEAD' || methods.includes('GET'),
  );

const allowOf = ({ headers }: ServiceResponse) => (headers['allow'] ?? '').split(',').map((one) => one.trim());

/** Requests that a service must refuse are changed so that it does not. */
const lenient = (
  name: string,
  description: string,
  of: (operation: Operation) => boolean,
  change: (request: ServiceRequest, operation: Operation) => ServiceRequest,
) =>
  perOperation(name, description, of, (operation) => before(idOf(operation), (request) => change(request, operation)));

/** Requests that a service must accept are refused. */
const strict = (
  name: string,
  description: string,
  of: (operation: Operation) => boolean,
  when: (request: ServiceRequest) => boolean,
  refusal: ServiceResponse,
) =>
  perOperation(name, description, of, (operation) =>
    instead(idOf(operation), async (next, request) => (when(request) ? refusal : next(request))),
  );

const contentType = ({ headers }: ServiceRequest) => headers['content-type'] ?? '';
const bodyText = ({ body }: ServiceRequest) => body.toString();
const failing = (name: string, description: string, when: (request: ServiceRequest) => boolean) =>
  strict(name, description, takesBody, when, problem(500, 'internal_error'));

export const protocol: Operator[] = [
  on405('405-as-404', 'A method that a path does not have responds with 404.', () => problem(404, 'not_found')),
  on405('405-as-501', 'A method that a path does not have responds with 501.', (response) => ({
    ...response,
    status: 501,
  })),
  on405('405-as-html', 'A method that a path does not have responds with a page in HTML.', ({ headers }) =>
    answering(html(405, 'No'), { allow: headers['allow']! }),
  ),
  on405('405-without-allow', 'A 405 has no Allow.', (response) => withoutHeader(response, 'allow')),
  on405('405-allow-empty', 'A 405 has an empty Allow.', (response) => answering(response, { allow: '' })),
  on405('405-allow-more', 'A 405 allows PUT.', (response) =>
    answering(response, { allow: [...allowOf(response), 'PUT'].join(', ') }),
  ),
  on405('405-allow-first', 'A 405 allows only one of the methods of the path.', (response) =>
    answering(response, { allow: allowOf(response)[1]! }),
  ),
  on405('405-without-code', 'A 405 has the code of another status.', () =>
    answering(problem(405, 'not_found'), { allow: 'GET' }),
  ),
  onMethod('OPTIONS', 'options-405', 'OPTIONS is refused.', ({ headers }) =>
    answering(problem(405, 'method_not_allowed'), headers),
  ),
  onMethod('OPTIONS', 'options-without-allow', 'OPTIONS has no Allow.', (response) => withoutHeader(response, 'allow')),
  onMethod('OPTIONS', 'options-allow-first', 'OPTIONS allows only one of the methods of the path.', (response) =>
    answering(response, { allow: allowOf(response)[1]! }),
  ),
  {
    ...perPath('options-needs-token', 'OPTIONS needs a token.', (next, request) =>
      request.method === 'OPTIONS' && request.headers['authorization'] === undefined
        ? answering(problem(401, 'unauthorized'), { 'www-authenticate': 'Bearer' })
        : next(request),
    ),
  },
  perPath(
    'put-as-patch',
    'PUT does what PATCH does.',
    (next, request) => next(request.method === 'PUT' ? { ...request, method: 'PATCH' } : request),
    (methods) => methods.includes('PATCH'),
  ),
  perPath('unknown-method-as-get', 'A method that no path has does what GET does.', (next, request) =>
    next(
      ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT'].includes(request.method)
        ? request
        : { ...request, method: 'GET' },
    ),
  ),
  onMethod('HEAD', 'head-405', 'HEAD is refused.', () => ({ status: 405, headers: { allow: 'GET' }, body: '' })),
  onMethod('HEAD', 'head-204', 'HEAD responds with 204.', (response) => ({ ...response, status: 204 })),
  onMethod('HEAD', 'head-other-type', 'HEAD has another Content-Type than GET.', (response) =>
    answering(response, { 'content-type': 'text/plain' }),
  ),
  perPath(
    'head-of-unknown',
    'HEAD of what does not exist responds with 200.',
    async (next, request) => {
      const response = await next(request);
      return request.method === 'HEAD' && response.status === 404 ? { ...response, status: 200 } : response;
    },
    (methods) => methods.includes('GET'),
  ),
  lenient('media-type-ignored', 'A body is read whatever its media type.', takesBody, (request) =>
    withHeaders(request, { 'content-type': 'application/json' }),
  ),
  lenient('charset-ignored', 'A body is read whatever its charset.', takesBody, (request) =>
    contentType(request).includes('charset') ? withHeaders(request, { 'content-type': 'application/json' }) : request,
  ),
  lenient('coding-ignored', 'The header Content-Encoding is ignored.', takesBody, (request) =>
    without(request, 'content-encoding'),
  ),
  lenient('accept-ignored', 'The header Accept is ignored.', showsBody, (request) => without(request, 'accept')),
  lenient(
    'query-ignored',
    'Unknown parameters in a query are ignored.',
    () => true,
    (request, { parameters }) =>
      withQuery(
        request,
        queryOf(request).filter(([name]) => parameters.some((one) => one.in === 'query' && one.name === name)),
      ),
  ),
  lenient(
    'first-of-repeated',
    'Of a parameter that is given twice, the first is taken.',
    ({ parameters }) => parameters.some((one) => one.in === 'query'),
    (request) =>
      withQuery(
        request,
        queryOf(request).filter(([name], index, pairs) => pairs.findIndex(([one]) => one === name) === index),
      ),
  ),
  lenient('first-of-names', 'Of a name that stands twice in a body, the last is taken.', takesBody, (request) => {
    const body = jsonIn(request);
    return body === undefined ? request : sending(request, body);
  }),
  lenient('no-body-as-object', 'A body that is missing is taken for an empty object.', takesBody, (request) =>
    request.body.length === 0 ? withHeaders(sending(request, {}), { 'content-type': 'application/json' }) : request,
  ),
  lenient('utf-8-ignored', 'Bytes that are not UTF-8 are replaced.', takesBody, (request) => ({
    ...request,
    body: Buffer.from(request.body.toString()),
  })),
  lenient('surrogates-replaced', 'Lone surrogates are replaced.', takesBody, (request) => {
    const text = bodyText(request);
    return /\\ud[89a-f]/i.test(text) && jsonIn(request) !== undefined
      ? sending(
          request,
          JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)),
        )
      : request;
  }),
  lenient('body-unlimited', 'A body of more than 1 MiB is read.', takesBody, (request, operation) =>
    request.body.length > 1_048_576 ? sending(request, acceptedBody(idOf(operation))) : request,
  ),
  lenient(
    'not-json-accepted',
    'A body that is not JSON is taken for an empty object.',
    takesBody,
    (request, operation) =>
      request.body.length > 0 && jsonIn(request) === undefined
        ? sending(request, acceptedBody(idOf(operation)))
        : request,
  ),
  strict(
    'charset-refused',
    'JSON with a charset is refused.',
    takesBody,
    (request) => contentType(request).includes('charset'),
    problem(415, 'unsupported_media_type'),
  ),
  strict(
    'media-type-case',
    'A media type in upper case is refused.',
    takesBody,
    (request) => /[A-Z]/.test(contentType(request)),
    problem(415, 'unsupported_media_type'),
  ),
  strict(
    'wildcard-refused',
    'Accept: */* is refused.',
    showsBody,
    ({ headers }) => headers['accept'] === '*/*',
    problem(406, 'not_acceptable'),
  ),
  strict(
    'accept-list-refused',
    'An Accept with several media types is refused.',
    showsBody,
    ({ headers }) => (headers['accept'] ?? '').includes(','),
    problem(406, 'not_acceptable'),
  ),
  strict(
    'no-accept-refused',
    'A request without Accept is refused.',
    showsBody,
    ({ headers }) => headers['accept'] === undefined,
    problem(406, 'not_acceptable'),
  ),
  strict(
    'large-body-refused',
    'A body of 1 MiB is refused.',
    takesBody,
    ({ body }) => body.length === 1_048_576,
    problem(413, 'content_too_large'),
  ),
  strict(
    'half-body-refused',
    'A body of more than half a MiB is refused.',
    takesBody,
    ({ body }) => body.length > 524_288 && body.length <= 1_048_576,
    problem(413, 'content_too_large'),
  ),
  strict(
    'white-space-refused',
    'JSON with white space before it is refused.',
    takesBody,
    (request) => /^\s/.test(bodyText(request)),
    problem(400, 'malformed_request'),
  ),
  strict(
    'escapes-refused',
    'JSON with escapes is refused.',
    takesBody,
    (request) => bodyText(request).includes('\\u'),
    problem(400, 'malformed_request'),
  ),
  failing(
    'not-json-500',
    'A body that is not JSON responds with 500.',
    (request) => request.body.length > 0 && jsonIn(request) === undefined,
  ),
  failing('no-body-500', 'A body that is missing responds with 500.', ({ body }) => body.length === 0),
  failing('no-object-500', 'A body that is no object responds with 500.', (request) =>
    /^\s*(\[|"|\d|null|true)/.test(bodyText(request)),
  ),
  failing('surrogate-500', 'A lone surrogate responds with 500.', (request) => /\\ud[89a-f]/i.test(bodyText(request))),
  failing('nul-500', 'A NUL in a text responds with 500.', (request) => bodyText(request).includes('\\u0000')),
  strict(
    'percent-500',
    'A percent-encoded path responds with 500.',
    ({ path }) => path.includes('{'),
    ({ target }) => target.split('?', 1)[0]!.includes('%'),
    problem(500, 'internal_error'),
  ),
];
