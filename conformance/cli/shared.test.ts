/**
 * A shared service that knows only some things: no false alarm, no deadlock, and sources of
 * somebody else stay.
 */
import { expect, it } from 'vitest';
import type { Service } from '../self-test/service.ts';
import { implementation } from './testing/services.ts';
import {
  EVENT_TYPES,
  type Foreign,
  known,
  sharedService,
  subscriptions,
} from './testing/shared-service.ts';
import { only, reportOf, suite } from './testing/suite.ts';

const SOME: Foreign = {
  sub_a: [],
  sub_b: ['beta_done.v0', 'own.v3'],
  sub_c: ['alpha.v0', 'alpha.v1', 'gamma.v10'],
};
/** They need new names, or more sources than there are event types. */
const UNTRIED = [
  'sources.case',
  'sources.ids-begin-alike',
  'sources.ids-are-text',
  'sources.longest-subscription',
  'sources.longest-type',
  'sources.pages.default',
];

/** A run that names all subscriptions; it leaves the sources as they were. */
async function runAgainst(foreign: Foreign, line: string, change = (service: Service) => service) {
  const { service, sources } = await sharedService(foreign);
  await using served = await implementation(change(service));
  const finished = await reportOf(`${served.url} ${subscriptions(foreign)} ${line}`);
  expect(await sources()).toEqual(foreign);
  return { ...finished, requests: served.requests };
}

interface Knowledge {
  what: string;
  foreign: Foreign;
  types: string[];
  /** Requirements that are also skipped. */
  alsoSkipped?: string[];
  /** Whether many others are skipped, too. */
  isAlmostFull?: true;
}

const KNOWLEDGE: Knowledge[] = [
  { what: 'three subscriptions', foreign: SOME, types: EVENT_TYPES },
  {
    what: 'two subscriptions and three event types',
    foreign: { sub_a: ['gamma.v10'], sub_b: [] },
    types: EVENT_TYPES.slice(0, 3),
    alsoSkipped: ['sources.noticed'],
  },
  {
    what: 'one that is almost full',
    foreign: { one: EVENT_TYPES.slice(0, 5) },
    types: EVENT_TYPES,
    alsoSkipped: ['sources.empty', 'sources.isolation'],
    isAlmostFull: true,
  },
];

it.each(KNOWLEDGE)('a run with $what finds no error and never waits for itself', async (one) => {
  const { foreign, types, alsoSkipped = [], isAlmostFull } = one;
  const few = only(
    'sources.',
    'edges.read-your-write',
    'createEdge.201',
    'createEdge.body.hostports.uniqueItems',
  );
  const line = `${known(types)} ${few} --runs 2 --concurrency 8 --min-tried 0`;
  const { code, report, requests } = await runAgainst(foreign, line);
  const { requirements } = report;
  const wrong = requirements.filter(({ status }) => status === 'fail' || status === 'error');
  expect(wrong).toEqual([]);
  expect([code, report.left_behind['sources']]).toEqual([0, 0]);
  const skipped = requirements
    .filter(({ status, reason = '' }) => status === 'skip' && !NEEDS_TOKEN.test(reason))
    .map(({ id }) => id);
  const due = [...UNTRIED, ...alsoSkipped].toSorted();
  expect(skipped.toSorted()).toEqual(isAlmostFull ? expect.arrayContaining(due) : due);
  const used = requests
    .filter(({ method }) => method === 'POST')
    .flatMap(({ target }) => SHORT_SUBSCRIPTION.exec(target)?.[1] ?? []);
  expect(used.filter((id) => !Object.hasOwn(foreign, id))).toEqual([]);
});

const NEEDS_TOKEN = /^needs --(read-only-)?token:/;
/** Longer ones are about the limit of their length. */
const SHORT_SUBSCRIPTION = /^\/event_subscriptions\/(\w{1,20})\//;

it.each([
  ['does what it refuses', (status: number) => (status < 300 ? 400 : status)],
  ['forgets to refuse', (status: number) => (status < 400 ? status : 201)],
])('a run against a service that %s cleans up', async (_, change) => {
  const changed = (service: Service): Service => {
    return async (request) => {
      const response = await service(request);
      if (request.method === 'POST') {
        return { ...response, status: change(response.status) };
      }
      return response;
    };
  };
  const { code } = await runAgainst(SOME, `${known()} --only sources. --runs 1`, changed);
  expect(code).toBe(1);
});

it.each([
  [
    `${known()} --subscription-id sub_a --subscription-id sub_a --only sources.isolation`,
    2,
    /^skip +sources\.isolation/m,
  ],
  [
    `${known()} --subscription-id sub_a --subscription-id sub_x`,
    2,
    /^--subscription-id sub_x is not known at .*: name a subscr/m,
  ],
  // D14: each subscription is there, without sources.
  ['--only sources.listed', 1, /^fail +sources\.listed/m],
])('a run with %s', async (line, exit, message) => {
  const { service } = await sharedService(SOME);
  await using served = await implementation(service);
  const { code, stdout } = await suite(`${served.url} ${line}`);
  expect(stdout).toMatch(message);
  expect(code).toBe(exit);
});
