/**
 * Caches that do not look at credentials or keep a page for a while, paths that need no
 * credentials, and places with too little room.
 */
import { expect, test } from 'vitest';
import { isBroken } from '../engine/run/verdict.ts';
import { createIndependentService } from './independent/index.ts';
import type { Service, ServiceRequest, ServiceResponse } from './service.ts';
import { run } from './test-bed.ts';

const TOKENS = { token: 'conformance-right-token', readOnlyToken: undefined };

async function brokenBy(
  around: (next: Service) => Service,
  only: readonly string[],
): Promise<string[]> {
  const service = around(createIndependentService(TOKENS));
  const { token } = TOKENS;
  const options = { seed: 1, level: 'extended', token, only } as const;
  const { requirements } = await run(service, options);
  const tried = requirements.filter(({ id }) => only.includes(id));
  expect(tried.map(({ id }) => id)).toEqual(expect.arrayContaining([...only]));
  expect(tried.map(({ status }) => status)).not.toContain('skip');
  return tried.filter(isBroken).map(({ id }) => id);
}

/** Keeps what reads get until the next change, for all who ask. */
function cache(isKept: (request: ServiceRequest) => boolean): (next: Service) => Service {
  return (next) => {
    const kept = new Map<string, ServiceResponse>();
    return async (request) => {
      if (request.method !== 'GET') {
        kept.clear();
        return next(request);
      }
      const response = kept.get(request.target) ?? (await next(request));
      if (response.status === 200 && isKept(request)) {
        kept.set(request.target, response);
      }
      return response;
    };
  };
}

/** Keeps pages behind the first one for a second, also if something is changed. */
function cacheOfPages(next: Service): Service {
  const kept = new Map<string, { response: ServiceResponse; until: number }>();
  return async (request) => {
    const known = kept.get(request.target);
    if (known !== undefined && known.until > Date.now()) {
      return known.response;
    }
    const response = await next(request);
    if (request.method === 'GET' && request.target.includes('cursor=')) {
      kept.set(request.target, { response, until: Date.now() + 1_000 });
    }
    return response;
  };
}

/** Serves paths with a slash at their end, and looks for no credentials there. */
const openBehindSlash =
  (methods: readonly string[]) =>
  (next: Service): Service =>
  (request) => {
    const { method, target, headers } = request;
    if (!methods.includes(method) || !target.endsWith('/')) {
      return next(request);
    }
    const authorization = `Bearer ${TOKENS.token}`;
    return next({
      ...request,
      target: target.slice(0, -1),
      headers: { ...headers, authorization },
    });
  };

/** Serves them to those who have credentials. */
const slashIgnored =
  (next: Service): Service =>
  (request) =>
    next({ ...request, target: request.target.replace(/\/$/, '') });

/** As a single-page application is served: any other path has the page. */
const pageAtOtherPaths =
  (next: Service): Service =>
  async (request) => {
    const response = await next(request);
    const isElsewhere = request.method === 'GET' && /\/$|\.json$|;/.test(request.target);
    if (!isElsewhere) {
      return response;
    }
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Edges</p>' };
  };

const SUBSCRIPTION = /^\/event_subscriptions\/[^/?]+\/sources/;

/** Accepts more sources than it keeps: the first one is removed. */
const roomFor =
  (most: number) =>
  (next: Service): Service => {
    const types = new Map<string, string[]>();
    return async (request) => {
      const response = await next(request);
      const [sources] = SUBSCRIPTION.exec(request.target) ?? [];
      if (sources === undefined || request.method !== 'POST' || response.status !== 201) {
        return response;
      }
      const { type } = JSON.parse(String(request.body)) as { type: string };
      const all = [...(types.get(sources) ?? []), type];
      types.set(sources, all);
      if (all.length > most) {
        const target = `${sources}/${all.shift()}`;
        await next({ ...request, method: 'DELETE', target, body: Buffer.alloc(0) });
      }
      return response;
    };
  };

test.each([
  ['keeps reads for anybody', cache(() => true), 'getRoute.401'],
  [
    'keeps later pages for anybody',
    cache(({ target }) => target.includes('cursor=')),
    'listEdges.401.next-page',
  ],
  ['is open at a path with a slash', openBehindSlash(['GET']), 'getEdge.401'],
  ['removes at a path with a slash', openBehindSlash(['DELETE']), 'deleteRoute.401'],
  ['keeps later pages for a second', cacheOfPages, 'edges.noticed'],
  ['keeps 200 sources', roomFor(200), 'sources.pages.default'],
] as const)('a service that %s is found', async (_, around, id) => {
  expect(await brokenBy(around, [id])).toEqual([id]);
});

test.each([
  ['a plain service', (next: Service) => next],
  ['a service that ignores slashes', slashIgnored],
  ['a service that has a page at other paths', pageAtOtherPaths],
])('%s passes', async (_, around) => {
  const ids = ['getEdge.401', 'deleteRoute.401', 'edges.noticed', 'sources.pages.default'];
  expect(await brokenBy(around, ids)).toEqual([]);
});
