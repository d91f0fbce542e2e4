/** A shared service that knows only some things: no false alarm, no deadlock, and sources of somebody else stay. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RequirementResult } from '../engine/run/result.ts';
import type { Service } from '../self/service.ts';
import { EVENT_TYPES, type Foreign, KNOWN, pickyService, subscriptions } from './picky.ts';
import { implementation } from './services.ts';
import { folderWith, only, reportOf, suite } from './suite.ts';

const SOME: Foreign = {
  sub_a: [],
  sub_b: ['beta_done.v0', 'foreign_only.v3'],
  sub_c: ['alpha_created.v0', 'alpha_deleted.v0', 'gamma.v10'],
};
/** Names of their own, or more sources than there are event types. */
const UNTRIED = ['sources.case', 'sources.longest-subscription', 'sources.longest-type', 'sources.pages.default'];

/** Those that are skipped for something else than a missing token. */
const skippedOf = (results: readonly RequirementResult[]) =>
  results.filter(({ status, reason }) => status === 'skip' && !/^needs --(read-only-)?token:/.test(reason!));

/** A run with all that the service knows; it checks that the sources are what they were. */
async function runAgainst(foreign: Foreign, line: string, change = (service: Service) => service) {
  const { service, sources } = await pickyService(foreign);
  await using served = await implementation(change(service));
  const finished = await reportOf(`${served.url} ${subscriptions(foreign)} ${line}`);
  expect(await sources()).toEqual(foreign);
  return { ...finished, requests: served.requests };
}

describe('a run with what the service knows', () => {
  it.each<[string, Foreign, string[]]>([
    ['three subscriptions', SOME, UNTRIED],
    ['two subscriptions', { sub_a: ['alpha_created.v0'], sub_b: [] }, UNTRIED],
    ['one that is almost full', { one: EVENT_TYPES.slice(0, 5) }, [...UNTRIED, 'sources.empty', 'sources.isolation']],
  ])('finds no error and never waits for itself with %s', async (_, foreign, skipped) => {
    const few = only('sources.', 'edges.read-your-write', 'createEdge.201', 'createEdge.body.hostports.uniqueItems');
    const { code, report, requests } = await runAgainst(foreign, `${KNOWN} ${few} --runs 2 --concurrency 8`);
    expect(report.requirements.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
    expect([code, report.left_behind['sources']]).toEqual([0, 0]);
    const ids = skippedOf(report.requirements).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(skipped));
    if (skipped === UNTRIED) expect(ids).toHaveLength(UNTRIED.length);
    for (const { reason } of skippedOf(report.requirements)) expect(reason).toMatch(/need|--/);
    const posts = requests.filter(({ method }) => method === 'POST');
    const used = new Set(posts.map(({ target }) => /^\/event_subscriptions\/(\w{1,20})\//.exec(target)?.[1]));
    expect([...used].filter((id) => id !== undefined && !Object.hasOwn(foreign, id))).toEqual([]);
  });

  it('tries all else with three event types', async () => {
    const types = EVENT_TYPES.slice(0, 3).map((type) => `--event-type ${type}`);
    const { report } = await runAgainst(
      { sub_a: ['gamma.v10'], sub_b: [] },
      `${types.join(' ')} --only sources. --runs 2`,
    );
    expect(
      skippedOf(report.requirements)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(UNTRIED);
  });

  it.each<[string, number, (status: number) => number]>([
    ['does what it refuses', 201, () => 400],
    ['forgets to refuse what is there', 400, () => 201],
  ])('cleans up after a service that %s', async (_, from, to) => {
    const { code } = await runAgainst(SOME, `${KNOWN} --only sources. --runs 1`, (service) => async (request) => {
      const response = await service(request);
      const isChanged = request.method === 'POST' && Math.floor(response.status / 100) === Math.floor(from / 100);
      return isChanged ? { ...response, status: to(response.status) } : response;
    });
    expect(code).toBe(1);
  });

  it('that is stopped cleans up and writes its report', async () => {
    const { service, sources } = await pickyService(SOME);
    const controller = new AbortController();
    await using served = await implementation((request) => {
      if (served.requests.filter(({ method }) => method === 'POST').length === 20)
        controller.abort('stopped by a test');
      return service(request);
    });
    using folder = folderWith();
    const line = `${served.url} ${subscriptions(SOME)} ${KNOWN} --only sources. --report ${folder.path}`;
    expect((await suite(line, { signal: controller.signal })).code).toBe(2);
    expect(await sources()).toEqual(SOME);
    expect(JSON.parse(readFileSync(folder.file('report.json'), 'utf8'))).toMatchObject({ reason: 'stopped by a test' });
  });
});

it.each([
  ['--subscription-id sub_a --subscription-id sub_a --only sources.isolation', 2, /^skip +sources\.isolation/m],
  ['--subscription-id sub_a --subscription-id sub_x', 2, /^--subscription-id sub_x is not known at .*: name a subscr/m],
  // D14: each subscription is there, without sources.
  ['--only sources.listed', 1, /^fail +sources\.listed/m],
])('a run with %s', async (line, exit, message) => {
  const { service } = await pickyService(SOME);
  await using served = await implementation(service);
  const { code, stdout } = await suite(`${served.url} ${line} ${exit === 2 ? KNOWN : ''}`);
  expect(stdout).toMatch(message);
  expect(code).toBe(exit);
});
