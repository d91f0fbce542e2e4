/** Services that ask for a token, and let others in, or say so in another way. */
import { type Mutant, mutantsOf, TOKEN } from '../mutant.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { answering, html, jsonOf, problem, showing, withoutHeader } from '../mutate/response.ts';
import { callOf, type OperationId, OPERATIONS } from '../mutate/operation.ts';
import { instead, type Mutate, refusing } from '../mutate/mutate.ts';
import { withHeaders } from '../mutate/request.ts';

const define = mutantsOf('authentication');

const mutant: typeof define = (...parts) => ({ ...define(...parts), needsToken: true });

/** What is right for others is right for the service, too. */
function admits(when: (header: string, request: ServiceRequest) => boolean): Mutate {
  return (next) => (request) =>
    next(
      when(request.headers['authorization'] ?? '', request)
        ? withHeaders(request, { authorization: `Bearer ${TOKEN}` })
        : request,
    );
}

/** The token of the header, where it has the form that is due. */
const tokenIn = (header: string) => /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';

const token = (fits: (sent: string) => boolean): Mutate =>
  admits((header) => tokenIn(header) !== '' && fits(tokenIn(header)));

/** Changes refusals of credentials. */
const refusal = (change: (response: ServiceResponse) => ServiceResponse): Mutate => refusing(401, change);

const of = (operation: OperationId) => `${operation}.401`;

export const authentication: Mutant[] = [
  ...OPERATIONS.map((operation) =>
    mutant(
      `open-${operation}`,
      of(operation),
      `${operation} asks for no token.`,
      admits((_, request) => callOf(request)?.operationId === operation),
    ),
  ),
  mutant(
    'no-challenge',
    of('getEdge'),
    'A 401 has no WWW-Authenticate.',
    refusal((response) => withoutHeader(response, 'www-authenticate')),
  ),
  mutant(
    'basic-challenge',
    of('createEdge'),
    'The challenge is that of another scheme.',
    refusal((response) => answering(response, { 'www-authenticate': 'Basic realm="edges"' })),
  ),
  mutant(
    '403',
    of('createEventSource'),
    'A wrong token is answered with 403.',
    refusal((response) => showing({ ...response, status: 403 }, { ...jsonOf(response), status: 403 })),
  ),
  mutant(
    '403-for-wrong',
    of('getEventSource'),
    'A wrong token is answered with 403, a missing one with 401.',
    (next) => async (request) => {
      const response = await next(request);
      return response.status === 401 && request.headers['authorization'] !== undefined
        ? problem(403, 'unauthorized')
        : response;
    },
  ),
  mutant(
    '404',
    of('getEdge'),
    'A missing token is answered with 404, as if there were nothing.',
    (next) => async (request) => {
      const response = await next(request);
      return response.status === 401 && callOf(request) ? problem(404, 'not_found') : response;
    },
  ),
  mutant('400', of('listEventSources'), 'A missing token is answered with 400.', (next) => async (request) => {
    const response = await next(request);
    return response.status === 401 && request.headers['authorization'] === undefined
      ? problem(400, 'malformed_request')
      : response;
  }),
  mutant(
    '500',
    of('deleteEventSource'),
    'A token without a scheme is answered with 500.',
    (next) => async (request) => {
      const response = await next(request);
      return response.status === 401 && !(request.headers['authorization'] ?? 'Bearer').startsWith('Bearer')
        ? problem(500, 'internal_error')
        : response;
    },
  ),
  mutant(
    'redirect',
    of('listEventSources'),
    'A missing token leads to a page to log in.',
    refusal(() => ({ status: 302, headers: { location: '/login' }, body: '' })),
  ),
  mutant(
    'html',
    of('updateEventSource'),
    'A 401 is a page in HTML.',
    refusal((response) => ({
      ...html(401, 'Unauthorized'),
      headers: { 'content-type': 'text/html', 'www-authenticate': response.headers['www-authenticate']! },
    })),
  ),
  mutant(
    'empty',
    of('getEventSource'),
    'A 401 has no body.',
    refusal((response) => ({
      ...response,
      headers: { 'www-authenticate': response.headers['www-authenticate']! },
      body: '',
    })),
  ),
  mutant(
    'code',
    of('createEdge'),
    'A 401 has another `code`.',
    refusal((response) => showing(response, { ...jsonOf(response), code: 'not_found' })),
  ),
  mutant(
    'any-token',
    of('createEdge'),
    'Any token will do.',
    token(() => true),
  ),
  mutant(
    'any-credentials',
    of('getEdge'),
    'Any credentials will do.',
    admits((header) => header !== ''),
  ),
  mutant(
    'any-scheme',
    of('createEventSource'),
    'The token counts under any scheme.',
    admits((header) => / /.test(header) && header.split(' ').at(-1) === TOKEN && header.split(' ').length === 2),
  ),
  mutant(
    'no-scheme',
    of('getEventSource'),
    'The token counts without a scheme.',
    admits((header) => header === TOKEN),
  ),
  mutant(
    'basic',
    of('deleteEventSource'),
    'The token counts as a password.',
    admits(
      (header) =>
        header.startsWith('Basic ') && Buffer.from(header.slice(6), 'base64').toString().endsWith(`:${TOKEN}`),
    ),
  ),
  mutant(
    'prefix',
    of('listEventSources'),
    'The beginning of the token will do.',
    token((sent) => TOKEN.startsWith(sent)),
  ),
  mutant(
    'begins-with',
    of('updateEventSource'),
    'What begins with the token will do.',
    token((sent) => sent.startsWith(TOKEN)),
  ),
  mutant(
    'ends-with',
    of('getEdge'),
    'What ends with the token will do.',
    token((sent) => sent.endsWith(TOKEN)),
  ),
  mutant(
    'contains',
    of('createEdge'),
    'What holds the token will do.',
    admits((header) => header.includes(TOKEN)),
  ),
  mutant(
    'first-word',
    of('createEventSource'),
    'What follows the token is ignored.',
    admits((header) => header.startsWith(`Bearer ${TOKEN} `)),
  ),
  mutant(
    'any-case',
    of('getEdge'),
    'The token is compared in any case.',
    token((sent) => sent.toLowerCase() === TOKEN.toLowerCase()),
  ),
  mutant(
    'length',
    of('getEventSource'),
    'All but the last character is compared.',
    token((sent) => sent.slice(0, TOKEN.length - 1) === TOKEN.slice(0, -1)),
  ),
  mutant(
    'empty-token',
    of('listEventSources'),
    'An empty token will do.',
    admits((header) => /^bearer *$/i.test(header)),
  ),
  mutant(
    'no-header',
    of('deleteEventSource'),
    'Without credentials everything is open.',
    admits((header) => header === ''),
  ),
  mutant(
    'writes-only',
    of('getEdge'),
    'Only requests that write are asked for a token.',
    admits((_, { method }) => method === 'GET'),
  ),
  mutant(
    'reads-only',
    of('createEdge'),
    'Only requests that read are asked for a token.',
    admits((_, { method }) => method !== 'GET'),
  ),
  mutant(
    'acts-first',
    'authentication.refused-changes-nothing',
    'An add is done before its token is looked at.',
    instead('createEventSource', async (next, request) => {
      const response = await next(request);
      if (response.status === 401) await next(withHeaders(request, { authorization: `Bearer ${TOKEN}` }));
      return response;
    }),
  ),
];
