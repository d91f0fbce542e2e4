/**
 * Runs of every requirement where the tests beside this file try a few: against hostile, shared and unusual services.
 */
import { describe, expect, it } from 'vitest';
import { createIndependentService } from '../self/independent/index.ts';
import type { Service } from '../self/service.ts';
import { EVENT_TYPES, type Foreign, KNOWN, pickyService, runAgainst } from './picky.ts';
import { only, suite } from './suite.ts';
import { coreService, faulty, implementation, withJson } from './services.ts';

const json = { 'content-type': 'application/json' };
const writes = (method: string) => method === 'POST' || method === 'PATCH' || method === 'DELETE';

describe('a broken server shows it with little work', () => {
  it.each([
    ['200 without a body', { status: 200, headers: {}, body: '' }],
    ['200 and {}', { status: 200, headers: json, body: '{}' }],
    ['500', { status: 500, headers: {}, body: '' }],
  ])('%s', async (_, response) => {
    await using hostile = await implementation(() => Promise.resolve(response));
    const { code, stdout } = await suite([hostile.url, '--runs', '1']);
    expect(stdout).toMatch(/^\d+ broken: /m);
    expect(code).toBe(1);
    expect(hostile.requests.length).toBeLessThan(20_000);
  });

  it('that is silent to writes: the run gives up in time', async () => {
    const inner = coreService();
    await using hostile = await implementation((request) =>
      writes(request.method) ? new Promise(() => {}) : inner(request),
    );
    const { code, stdout } = await suite([hostile.url, '--timeout-ms', '1000']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\d+ requirements: \d+ failed, \d+ in error/m);
    expect(hostile.requests.filter(({ method }) => writes(method)).length).toBeLessThan(120);
  });

  it('that closes the connection at writes', async () => {
    const inner = coreService();
    await using hostile = await implementation((request) =>
      writes(request.method) ? Promise.reject(new Error('closed')) : inner(request),
    );
    const { code, stdout } = await suite([hostile.url, '--runs', '2']);
    expect(code).toBe(1);
    expect(stdout).toContain('No response came: the connection was closed without a response.');
  });

  it('whose pages do not end', async () => {
    let pages = 0;
    const endless: Service = faulty((response, { method, target: path, headers }) =>
      method === 'GET' && /\/sources(\?|$)/.test(path) && response.status < 300
        ? withJson(response, (list) => ({
            ...list,
            uri: `http://${headers['host']}${path.split('?', 1)[0]}?cursor=${pages++}`,
          }))
        : response,
    );
    await using hostile = await implementation((request) =>
      endless({ ...request, target: request.target.replace(/\?.*/, '') }),
    );
    const { code } = await suite([hostile.url, ...only('sources.'), '--runs', '2']);
    expect(code).toBe(1);
    expect(hostile.requests.length).toBeLessThan(40_000);
  });
});

describe('a shared service is left as it was', () => {
  const SOME: Foreign = {
    sub_a: [],
    sub_b: ['beta_done.v0', 'foreign_only.v3'],
    sub_c: ['alpha_created.v0', 'alpha_deleted.v0', 'gamma.v10'],
  };

  it.each<[string, Foreign]>([
    ['of three', SOME],
    ['that is the only one, full of others', { only_one: EVENT_TYPES.slice(0, 5) }],
    ['of two', { sub_a: ['alpha_created.v0'], sub_b: [] }],
  ])('with a subscription %s', async (_, foreign) => {
    const { code, report, before, after } = await runAgainst(foreign, []);
    expect(report.requirements.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
    expect(code).toBe(0);
    expect(before).toEqual(foreign);
    expect(after).toEqual(before);
    expect(report.left_behind.sources).toBe(0);
  });

  it('although it forgets to refuse what is there', async () => {
    const { service, sources } = await pickyService(SOME);
    const before = await sources();
    await using served = await implementation(async (request) => {
      const response = await service(request);
      return request.method === 'POST' && response.status >= 400 ? { ...response, status: 201 } : response;
    });
    const subscriptions = Object.keys(SOME).flatMap((id) => ['--subscription-id', id]);
    const { code } = await suite([served.url, ...subscriptions, ...KNOWN, '--runs', '5']);
    expect(code).toBe(1);
    expect(await sources()).toEqual(before);
  });
});

it('the same seed sends the same bodies again', async () => {
  const args = ['--runs', '5', '--concurrency', '1', ...only('createEdge.', 'edges.'), '--seed'];
  const bodies = async (seed: string) => {
    await using served = await implementation();
    await suite([served.url, ...args, seed]);
    return served.requests.filter(({ method }) => method === 'POST').map(({ body }) => body.toString('base64'));
  };
  const first = await bodies('3');
  expect(first.length).toBeGreaterThan(100);
  expect(await bodies('3')).toEqual(first);
  expect(await bodies('4')).not.toEqual(first);
});

it('a base URL with a prefix is kept in every request', async () => {
  let inner: Service | undefined;
  await using service = await implementation((request) => {
    const prefix = '/api/v0';
    inner ??= coreService({ publicUrl: `http://${request.headers['host']}${prefix}` });
    if (!request.target.startsWith(`${prefix}/`)) return Promise.resolve({ status: 418, headers: {}, body: '' });
    return inner({ ...request, target: request.target.slice(prefix.length) });
  });
  const { code } = await suite([`${service.url}/api/v0/`, '--runs', '3']);
  expect(code).toBe(0);
  expect(
    service.requests.filter(({ target: path }) => !path.startsWith('/api/v0/') || path.startsWith('/api/v0//')),
  ).toEqual([]);
});

it('no edge is left behind where edges can be deleted', async () => {
  await using service = await implementation(createIndependentService());
  const { code, stdout } = await suite([
    service.url,
    '--runs',
    '2',
    ...only('createEdge', 'createRoute.body.oauth', 'edges.race'),
  ]);
  expect(stdout).not.toMatch(/Left behind/);
  expect(code).toBe(0);
  expect(
    ((await (await fetch(`${service.url}/edges/https`)).json()) as { https_edges: unknown[] }).https_edges,
  ).toEqual([]);
});
