/**
 * Services that keep the contract and differ from most where it leaves a choice, each by its name. The suite must pass
 * them all.
 */
import { createIndependentService } from '../independent/index.ts';
import type { Service, ServiceResponse } from '../service.ts';
import type { Tokens } from '../tokens.ts';

export const SERVICES: Record<string, (tokens: Tokens) => Service> = {
  independent: createIndependentService,
  '503 with Retry-After in 1 of 300 responses': (tokens) => sometimesUnavailable(createIndependentService(tokens)),
  'a connection that breaks in 1 of 300 requests': (tokens) => sometimesCutOff(createIndependentService(tokens)),
  'ids 0, 1, 2, …': (tokens) => {
    let next = 0;
    return createIndependentService({ ...tokens, newId: () => String(next++) });
  },
  'pages of up to 100 items': (tokens) => createIndependentService({ ...tokens, mostItems: 100 }),
  'OPTIONS with 200': (tokens) => optionsWith200(createIndependentService(tokens)),
  'the rest of a request is checked before its resource': (tokens) =>
    createIndependentService({ ...tokens, order: 'resource last' }),
  'only the first error': (tokens) => naming('the first', createIndependentService(tokens)),
  'only the last error': (tokens) => naming('the last', createIndependentService(tokens)),
};

/** One in so many responses is lost, at random places: a request that is sent again must not meet the same gap. */
const ONE_IN = 300;

/** The same for each service: a run of a fixed seed must not pass or fail by chance. */
function numbers(): () => number {
  let state = 1;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** As the contract documents it: the change may have been made or not. */
function sometimesUnavailable(inner: Service): Service {
  const next = numbers();
  return async (request) => {
    if (next() >= 1 / ONE_IN) return inner(request);
    if (next() < 0.5) await inner(request);
    return unavailable(request.method);
  };
}

function sometimesCutOff(inner: Service): Service {
  const next = numbers();
  return async (request) => {
    if (next() >= 1 / ONE_IN) return inner(request);
    if (next() < 0.5) await inner(request);
    throw new Error('the connection is closed without a response');
  };
}

export function unavailable(method: string): ServiceResponse {
  const problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    code: 'service_unavailable',
    detail: 'Try again soon.',
    request_id: `r${Math.random()}`,
  };
  return {
    status: 503,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
    body: method === 'HEAD' ? '' : JSON.stringify(problem),
  };
}

/** The contract asks for `Allow` and leaves the status open. */
function optionsWith200(inner: Service): Service {
  return async (request) => {
    const response = await inner(request);
    if (request.method !== 'OPTIONS') return response;
    return { status: 200, headers: { ...response.headers, 'content-type': 'text/plain' }, body: 'OK' };
  };
}

/** One error of a request, where a service should name all. */
function naming(which: 'the first' | 'the last', inner: Service): Service {
  return async (request) => {
    const response = await inner(request);
    if (response.status !== 400 || request.method === 'HEAD') return response;
    const { errors, ...problem } = JSON.parse(response.body.toString()) as { errors?: unknown[] };
    if (errors === undefined) return response;
    const one = which === 'the first' ? errors.slice(0, 1) : errors.slice(-1);
    const { 'content-length': _, ...headers } = response.headers;
    return { ...response, headers, body: JSON.stringify({ ...problem, errors: one }) };
  };
}
