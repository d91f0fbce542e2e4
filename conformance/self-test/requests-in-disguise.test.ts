/** Requests that say one thing and are read as another one, by services that read them wrongly. */
import { expect, test } from 'vitest';
import { isBroken } from '../engine/run/verdict.ts';
import { createIndependentService } from './independent/index.ts';
import { OPEN, type Service, type ServiceRequest } from './service.ts';
import { run } from './test-bed.ts';

/** Makes of a request the one that a service reads. */
type Reading = (request: ServiceRequest) => ServiceRequest;

/** Whether the requirement fails if requests are read so. */
async function isBrokenBy(reading: Reading, id: string): Promise<boolean> {
  const next = createIndependentService(OPEN);
  const service: Service = (request) => next(reading(request));
  const { requirements } = await run(service, { seed: 1, level: 'extended', only: [id] });
  const tried = requirements.filter((one) => one.id === id);
  expect(tried).toHaveLength(1);
  return tried.some(isBroken);
}

const withoutCoding: Reading = ({ headers, ...request }) => {
  const { 'content-encoding': _, ...others } = headers;
  return { ...request, headers: others };
};

test.each(['createEdge', 'updateEdge', 'createRoute', 'updateRoute', 'createEventSource'])(
  'a service that ignores the coding of the body of %s is found',
  async (operationId) => {
    const id = `${operationId}.415`;
    expect(await isBrokenBy(withoutCoding, id)).toBe(true);
  },
);

/** Takes the method that a field names, in place of POST. */
const overriddenBy =
  (field: string): Reading =>
  (request) => {
    const named = request.headers[field];
    if (request.method !== 'POST' || named === undefined) {
      return request;
    }
    return { ...request, method: named };
  };

/** Takes the method that the query names, in place of POST. */
const overriddenInQuery: Reading = (request) => {
  const [target = '', named] = request.target.split('?_method=');
  if (request.method !== 'POST' || named === undefined) {
    return request;
  }
  return { ...request, target, method: named };
};

/** Takes the method that a form names, in place of POST. */
const overriddenInForm: Reading = (request) => {
  const [, named] = request.body.toString().split('_method=');
  if (request.method !== 'POST' || named === undefined) {
    return request;
  }
  return { ...request, method: named, body: Buffer.alloc(0) };
};

const ITEMS = ['edges.https.edge_id', 'event_subscriptions.subscription_id.sources.type'];

test.each([
  ['X-HTTP-Method-Override', overriddenBy('x-http-method-override')],
  ['X-HTTP-Method', overriddenBy('x-http-method')],
  ['X-Method-Override', overriddenBy('x-method-override')],
  ['the query', overriddenInQuery],
  ['a form', overriddenInForm],
])('a service that takes the method from %s is found', async (_, reading) => {
  for (const path of ITEMS) {
    const id = `protocol.405.${path}`;
    expect(await isBrokenBy(reading, id)).toBe(true);
  }
});

/** An encoded character with lower-case digits, such as `%5f`. */
const LOWER_CASE = /%(?=[0-9a-f]{2})([0-9a-f]*[a-f])/g;

/** Keeps such characters as they are. */
const keepsLowerCase: Reading = (request) => ({
  ...request,
  target: request.target.replaceAll(LOWER_CASE, '%25$1'),
});

test.each(['getEdge', 'updateEdge', 'deleteEdge', 'getRoute', 'getEventSource'])(
  'a service that decodes upper-case digits alone in the path of %s is found',
  async (operationId) => {
    const id = `${operationId}.path.decoding`;
    expect(await isBrokenBy(keepsLowerCase, id)).toBe(true);
  },
);

test.each([
  'createEdge.415',
  'updateEventSource.415',
  ...ITEMS.map((path) => `protocol.405.${path}`),
  'protocol.405.edges.https',
  'getEdge.path.decoding',
  'updateEventSource.path.decoding',
])('a service that reads requests as they are passes %s', async (id) => {
  expect(await isBrokenBy((request) => request, id)).toBe(false);
});
