/** Services in which what was removed, or what stands beside, changes what is made. */
import { expect, test } from 'vitest';
import { brokenBy } from './broken-by.test.fixture.ts';
import { createIndependentService } from './independent/index.ts';
import { problem } from './messages.ts';
import type { Service, ServiceRequest, ServiceResponse } from './service.ts';

/** Makes a service that stands between the wire and the independent one. */
type Around = (next: Service) => Service;

type Json = Record<string, any>;

const bodyOf = ({ body }: ServiceRequest): Json => JSON.parse(body.toString() || '{}') as Json;
const shownIn = ({ body }: ServiceResponse): Json => JSON.parse(String(body)) as Json;
const withBody = (request: ServiceRequest, json: Json): ServiceRequest => {
  const body = Buffer.from(JSON.stringify(json));
  const headers = { ...request.headers, 'content-length': String(body.length) };
  return { ...request, headers, body };
};

const isCreation = ({ method, target }: ServiceRequest): boolean =>
  method === 'POST' && target.endsWith('/routes');

/** A request that is sent as valid JSON. */
const isWritten = ({ body, headers }: ServiceRequest): boolean => {
  const isJson = headers['content-type'] === 'application/json';
  return isJson && body.toString().startsWith('{"') && body.toString().endsWith('}');
};

/** The bytes of routes that were ever made on an edge count, also of those that were removed. */
const countingRemoved: Around = (next) => {
  const bytes = new Map<string, number>();
  return async (request) => {
    if (!isCreation(request)) {
      return next(request);
    }
    const count = (bytes.get(request.target) ?? 0) + request.body.length;
    bytes.set(request.target, count);
    if (count > 3 * 1024 * 1024) {
      return problem(409, { code: 'conflict' });
    }
    return next(request);
  };
};

/** A new route has the metadata of a removed one with its match, unless it has its own. */
const rememberingMetadata: Around = (next) => {
  const shown = new Map<string, Json>();
  const removed = new Map<string, Json>();
  return async (request) => {
    let sent = request;
    if (isCreation(request) && isWritten(request)) {
      const body = bodyOf(request);
      const before = removed.get(`${request.target} ${body['match']}`);
      sent = withBody(request, { metadata: before?.['metadata'], ...body });
    }
    const response = await next(sent);
    if (isCreation(request) && response.status === 201) {
      shown.set(`${request.target}/${shownIn(response)['id']}`, shownIn(response));
    }
    const was = shown.get(request.target);
    if (request.method === 'DELETE' && was !== undefined) {
      removed.set(`${request.target.replace(/\/[^/]*$/, '')} ${was['match']}`, was);
    }
    return response;
  };
};

/** The number of buckets is as large as a short window, unless the request has it. */
const bucketsOfWindow: Around = (next) => (request) => {
  if (!isWritten(request)) {
    return next(request);
  }
  const body = bodyOf(request);
  const { circuit_breaker: breaker } = body;
  const window = Number(breaker?.rolling_window);
  if (window > 0 && window < 10) {
    body['circuit_breaker'] = { num_buckets: window, ...breaker };
    return next(withBody(request, body));
  }
  return next(request);
};

/** A change of the policies keeps the order of those that a route has already. */
const keepingOrder: Around = (next) => async (request) => {
  const ids = isWritten(request) ? bodyOf(request)['ip_restriction']?.ip_policy_ids : undefined;
  if (request.method !== 'PATCH' || !Array.isArray(ids)) {
    return next(request);
  }
  const read = await next({ ...request, method: 'GET', body: Buffer.alloc(0) });
  const had: unknown[] = (shownIn(read)['ip_restriction']?.ip_policies ?? []).map(
    ({ id }: Json) => id,
  );
  const place = (id: unknown) => (had.includes(id) ? had.indexOf(id) : had.length);
  const body = bodyOf(request);
  body['ip_restriction'].ip_policy_ids = ids.toSorted((a, b) => place(a) - place(b));
  return next(withBody(request, body));
};

/** Versions of event types are numbers. */
const versionsAsNumbers: Around = (next) => (request) => {
  const asNumber = (text: string) => text.replace(/9007199254740993/, '9007199254740992');
  const body = Buffer.from(asNumber(request.body.toString('latin1')), 'latin1');
  return next({ ...request, target: asNumber(request.target), body });
};

const CASES: [string, string, Around][] = [
  ['counts the size of removed routes', 'routes.size', countingRemoved],
  ['gives a new route the metadata of a removed one', 'routes.model', rememberingMetadata],
  ['derives a default', 'routes.defaults.circuit-breaker', bucketsOfWindow],
  ['keeps the order of a list', 'routes.module.ip_restriction', keepingOrder],
  ['compares versions as numbers', 'sources.longest-type', versionsAsNumbers],
];

test.each(CASES)('a service that %s is found by %s', async (_, id, around) => {
  expect(await brokenBy(around(createIndependentService()), id)).toContain(id);
});

test.each(CASES.map(([, id]) => id))('a service without an error keeps %s', async (id) => {
  expect(await brokenBy(createIndependentService(), id)).toEqual([]);
});
