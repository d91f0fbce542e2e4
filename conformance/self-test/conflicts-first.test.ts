/** Services that look for conflicts before they look at all of a request. */
import { expect, test } from 'vitest';
import { isBroken } from '../engine/run/verdict.ts';
import { createIndependentService } from './independent/index.ts';
import { jsonOf, membersOf, withHeaders, withJson } from './messages.ts';
import { OPEN, type Service, type ServiceRequest } from './service.ts';
import { run } from './test-bed.ts';

/** Makes of a request the part of it that is looked at first. */
type Part = (request: ServiceRequest) => ServiceRequest;

async function isBrokenBy(part: Part, id: string): Promise<boolean> {
  const next = createIndependentService(OPEN);
  const service: Service = async (request) => {
    const response = await next(request);
    if (response.status === 409 || response.status < 400) {
      return response;
    }
    const early = await next(part(request));
    return early.status === 409 ? early : response;
  };
  const { requirements } = await run(service, { seed: 1, level: 'extended', only: [id] });
  const tried = requirements.filter((one) => one.id === id);
  expect(tried).toHaveLength(1);
  return tried.some(isBroken);
}

const withoutQuery: Part = (request) => {
  const [target = ''] = request.target.split('?', 1);
  return { ...request, target };
};

const withoutUnknown: Part = (request) => {
  const { x: _, ...known } = membersOf(jsonOf(request));
  return withJson(request, known);
};

const asJson: Part = (request) => withHeaders(request, { 'content-type': 'application/json' });

const forAny: Part = (request) => withHeaders(request, { accept: '*/*' });

const PARTS = {
  query: withoutQuery,
  'unknown properties': withoutUnknown,
  'Content-Type': asJson,
  Accept: forAny,
};

const IDS = ['edges', 'routes', 'sources'].map((kind) => `${kind}.conflict-only-if-valid`);

test.each(Object.entries(PARTS))(
  'a service that looks at the %s last is found',
  async (_, part) => {
    for (const id of IDS) {
      expect(await isBrokenBy(part, id)).toBe(true);
    }
  },
);

/** A conflict that only one of the operations finds first. */
const onlyIn =
  (method: string): Part =>
  (request) =>
    request.method === method ? withoutQuery(request) : request;

test.each([
  ['POST', 'routes'],
  ['PATCH', 'routes'],
  ['POST', 'sources'],
  ['PATCH', 'sources'],
])('a service that looks at the query of a %s last is found by %s', async (method, kind) => {
  expect(await isBrokenBy(onlyIn(method), `${kind}.conflict-only-if-valid`)).toBe(true);
});

test.each(IDS)('a service that looks for conflicts last passes %s', async (id) => {
  expect(await isBrokenBy((request) => request, id)).toBe(false);
});
