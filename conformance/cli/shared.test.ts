/** A shared service that knows only some things: no false alarm, no deadlock, and sources of somebody else stay. */
import { expect, it } from 'vitest';
import type { Service } from '../self-test/service.ts';
import { EVENT_TYPES, type Foreign, known, pickyService, subscriptions } from './picky.ts';
import { implementation } from './services.ts';
import { only, reportOf, suite } from './suite.ts';

const SOME: Foreign = {
  sub_a: [],
  sub_b: ['beta_done.v0', 'own.v3'],
  sub_c: ['alpha.v0', 'alpha.v1', 'gamma.v10'],
};
/** Names of their own, or more sources than there are event types. */
const UNTRIED = [
  'sources.case',
  'sources.longest-subscription',
  'sources.longest-type',
  'sources.pages.default',
];

/** A run that names all subscriptions; it leaves the sources as they were. */
async function runAgainst(foreign: Foreign, line: string, change = (service: Service) => service) {
  const { service, sources } = await pickyService(foreign);
  await using served = await implementation(change(service));
  const finished = await reportOf(`${served.url} ${subscriptions(foreign)} ${line}`);
  expect(await sources()).toEqual(foreign);
  return { ...finished, requests: served.requests };
}

it.each<[string, Foreign, string[], skipped?: string[]]>([
  ['three subscriptions', SOME, EVENT_TYPES],
  [
    'two subscriptions and three event types',
    { sub_a: ['gamma.v10'], sub_b: [] },
    EVENT_TYPES.slice(0, 3),
  ],
  [
    'one that is almost full',
    { one: EVENT_TYPES.slice(0, 5) },
    EVENT_TYPES,
    ['sources.empty', 'sources.isolation'],
  ],
])(
  'a run with %s finds no error and never waits for itself',
  async (_, foreign, types, skipped) => {
    const few = only(
      'sources.',
      'edges.read-your-write',
      'createEdge.201',
      'createEdge.body.hostports.uniqueItems',
    );
    const line = `${known(types)} ${few} --runs 2 --concurrency 8 --min-tried 0`;
    const { code, report, requests } = await runAgainst(foreign, line);
    expect(
      report.requirements.filter(({ status }) => status === 'fail' || status === 'error'),
    ).toEqual([]);
    expect([code, report.left_behind['sources']]).toEqual([0, 0]);
    const results = report.requirements.filter(({ status }) => status === 'skip');
    const ids = results
      .filter(({ reason }) => !/^needs --(read-only-)?token:/.test(reason!))
      .map(({ id }) => id);
    if (skipped === undefined) {
      expect(ids.toSorted()).toEqual(UNTRIED);
    } else {
      expect(ids).toEqual(expect.arrayContaining([...UNTRIED, ...skipped]));
    }
    const posts = requests.filter(({ method }) => method === 'POST');
    const used = posts.flatMap(
      ({ target }) => /^\/event_subscriptions\/(\w{1,20})\//.exec(target)?.[1] ?? [],
    );
    expect(used.filter((id) => !Object.hasOwn(foreign, id))).toEqual([]);
  },
);

it.each([
  ['does what it refuses', (status: number) => (status < 300 ? 400 : status)],
  ['forgets to refuse', (status: number) => (status < 400 ? status : 201)],
])('a run against a service that %s cleans up', async (_, change) => {
  const { code } = await runAgainst(
    SOME,
    `${known()} --only sources. --runs 1`,
    (service) => async (request) => {
      const response = await service(request);
      if (request.method === 'POST') {
        return { ...response, status: change(response.status) };
      }
      return response;
    },
  );
  expect(code).toBe(1);
});

it.each([
  [
    '--subscription-id sub_a --subscription-id sub_a --only sources.isolation',
    2,
    /^skip +sources\.isolation/m,
  ],
  [
    '--subscription-id sub_a --subscription-id sub_x',
    2,
    /^--subscription-id sub_x is not known at .*: name a subscr/m,
  ],
  // D14: each subscription is there, without sources.
  ['--only sources.listed', 1, /^fail +sources\.listed/m],
])('a run with %s', async (line, exit, message) => {
  const { service } = await pickyService(SOME);
  await using served = await implementation(service);
  const { code, stdout } = await suite(`${served.url} ${line} ${exit === 2 ? known() : ''}`);
  expect(stdout).toMatch(message);
  expect(code).toBe(exit);
});
