/**
 * Paths and queries of what exists with one thing changed, HEAD beside GET, and other methods.
 */
import { expect, test } from 'vitest';
import { brokenBy } from './broken-by.test.fixture.ts';
import { createIndependentService, type IndependentServiceOptions } from './independent/index.ts';
import { problem, withHeaders } from './messages.ts';
import { OPEN, type Service, type ServiceRequest, type ServiceResponse } from './service.ts';
import { run } from './test-bed.ts';

/** A service that stands between the wire and the independent one. */
type Around = (next: Service, request: ServiceRequest) => Promise<ServiceResponse>;

/** The requirements that fail, of a service with this one around it. */
function brokenAround(
  around: Around,
  id: string,
  options: IndependentServiceOptions = {},
): Promise<string[]> {
  const next = createIndependentService({ ...OPEN, ...options });
  return brokenBy((request) => around(next, request), id);
}

/** Understands targets as the change says. */
const reading =
  (change: (target: string) => string): Around =>
  (next, request) =>
    next({ ...request, target: change(request.target) });

const changing =
  (change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse): Around =>
  async (next, request) =>
    change(await next(request), request);

const ALTERED = 'getEdge.path.edge_id.altered';
const SPELLINGS = 'listEdges.query.spellings';
const HEAD = 'getEdge.head.responses';
const TOGETHER = 'createRoute.errors-together';

const asFound: Around = (next, request) => next(request);

/** Compatible characters are one, such as a wide letter and the letter. */
const normalized = (target: string) => encodeURI(decodeURI(target).normalize('NFKC'));

const isHead = ({ method }: ServiceRequest): boolean => method === 'HEAD';

test.each([
  ['drops a format', ALTERED, reading((target) => target.replace(/\.json$/, ''))],
  ['drops a letter', ALTERED, reading((target) => target.replace(/x$/, ''))],
  ['drops an encoded dot', ALTERED, reading((target) => target.replace(/%2E$/, ''))],
  ['trims spaces', ALTERED, reading((target) => target.replace(/%20$|\/%20/, ''))],
  ['normalizes letters', ALTERED, reading(normalized)],
  ['takes the first of a list', ALTERED, reading((target) => target.replace(/,.*/, ''))],
  ['ends at an encoded number sign', ALTERED, reading((target) => target.replace(/%23.*/, ''))],
  ['splits at semicolons', SPELLINGS, reading((target) => target.replaceAll(';', '&'))],
  ['ignores the case of names', SPELLINGS, reading((target) => target.replace('LIMIT', 'limit'))],
  [
    'drops what has an encoded name',
    SPELLINGS,
    reading((target) => target.replace(/&%6c[^=]*=2|%6c[^=]*=1&/, '')),
  ],
  ['decodes twice', SPELLINGS, reading((target) => target.replaceAll('%25', '%'))],
])('a service that %s is found by %s', async (_, id, around) => {
  expect(await brokenAround(around, id)).toEqual([id]);
});

test.each([
  ['encoded names', /%6c/i],
  ['encoded values', /=%31/],
])('a service that refuses %s in a query is found', async (_, refused) => {
  const errors = [{ parameter: 'limit', code: 'type', detail: 'It is refused.' }];
  const refusal = problem(400, { code: 'invalid_request', errors });
  const around: Around = async (next, request) =>
    refused.test(request.target) ? refusal : next(request);
  expect(await brokenAround(around, SPELLINGS)).toEqual([SPELLINGS]);
});

test.each([
  [
    'has another status',
    changing((response, request) => ({
      ...response,
      status: isHead(request) && response.status === 404 ? 200 : response.status,
    })),
  ],
  [
    'has another type',
    changing((response, request) => {
      if (isHead(request)) {
        return withHeaders(response, { 'content-type': 'text/html' });
      }
      return response;
    }),
  ],
  [
    'has another length',
    changing((response, request) => {
      if (isHead(request)) {
        return withHeaders(response, { 'content-length': '0' });
      }
      return response;
    }),
  ],
])('a HEAD that %s is found', async (_, around) => {
  expect(await brokenAround(around, HEAD)).toEqual([HEAD]);
});

/** Fields that a service may leave out of HEAD (RFC 9110, 9.3.2). */
const optional = changing((response, request) => {
  const headers = { 'cache-control': 'no-store', vary: 'Accept' };
  const leftOut = { 'content-length': undefined, 'content-type': undefined };
  if (isHead(request)) {
    return withHeaders(response, leftOut);
  }
  return withHeaders(response, headers);
});

/** The same media type in another spelling. */
const typeAlone = changing((response, request) => {
  const { 'content-type': type } = response.headers;
  const isChanged = isHead(request) && type !== undefined;
  return isChanged ? withHeaders(response, { 'content-type': type.split(';')[0] }) : response;
});

/** Two GETs that say the same, and a HEAD between them that does not, again and again. */
function newAges(): Around {
  let reads = 0;
  return async (next, request) => {
    const response = await next(request);
    reads++;
    const isPair = reads % 4 === 1 || reads % 4 === 3;
    return withHeaders(response, { 'cache-control': `max-age=${isPair ? 1 : reads}` });
  };
}

const refusingContent: Around = async (next, request) => {
  const isRefused = request.method === 'GET' && request.body.length > 0;
  return isRefused ? problem(400, { code: 'malformed_request' }) : next(request);
};

test.each([
  ['a service that refuses GET with content', TOGETHER, refusingContent],
  ['a plain service', ALTERED, asFound],
  [
    'a service that ignores what follows `;`',
    ALTERED,
    reading((target) => target.replace(/;[^/?]*/, '')),
  ],
  ['a plain service', SPELLINGS, asFound],
  [
    'a service that ignores empty parts',
    SPELLINGS,
    reading((target) => target.replace(/[?&]+$/, '')),
  ],
  ['a plain service', HEAD, asFound],
  ['a service that leaves fields out of HEAD', HEAD, optional],
  ['a service that leaves fields out of HEAD', 'getEdge.head', optional],
  ['a service whose HEAD has the media type alone', HEAD, typeAlone],
  ['a service with a new age in each response', HEAD, newAges()],
])('%s passes %s', async (_, id, around) => {
  expect(await brokenAround(around, id)).toEqual([]);
});

const EDGE_PATH = /^\/edges\/https\/[^/]+$/;

/** Somebody else makes an edge right after a read has found none. */
const besideAnother: Around = async (next, request) => {
  const response = await next(request);
  const isAbsent = response.status === 404 && EDGE_PATH.test(request.target);
  if (request.method === 'GET' && isAbsent) {
    const headers = { 'content-type': 'application/json' };
    await next({ method: 'POST', target: '/edges/https', headers, body: Buffer.from('{}') });
  }
  return response;
};

test.each([0, 1])('an id that the service gives next is not changed, from %i on', async (from) => {
  let count = from;
  const newId = (): string => {
    const letter = count % 2 === 0 ? 'X' : 'x';
    const id = `${letter}-${Math.floor(count / 2)}`;
    count++;
    return id;
  };
  expect(await brokenAround(besideAnother, 'deleteEdge.path.edge_id.altered', { newId })).toEqual(
    [],
  );
});

test('a read that is not JSON is no change by a refused request', async () => {
  const next = createIndependentService(OPEN);
  let reads = 0;
  const service: Service = async (request) => {
    const response = await next(request);
    const isList = request.method === 'GET' && request.target.endsWith('/sources');
    reads += isList ? 1 : 0;
    return isList && reads % 2 === 0 ? { ...response, body: '{' } : response;
  };
  const only = ['createEventSource.415.charset'];
  const { requirements } = await run(service, { seed: 1, only });
  expect(requirements.map(({ status }) => status)).toEqual(['pass']);
  expect(reads).toBeGreaterThan(3);
});
