/** Results of requirements become those of a run, which may stop early. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import type { Session } from '../http/session.ts';
import type { Requirement } from '../requirements/requirement.ts';
import type { RunOptions } from './run-options.ts';
import { tryAll } from './schedule.ts';
import { Stops } from './stops.ts';
import { select } from './select.ts';

const failure = () => new Nonconformity('It is wrong.', { expected: 'a', got: 'b' });

const unavailable = () => new NoResponse('unavailable', 'the service is unavailable (503)');
/** The tries of a failed case, and of fresh ones, that pass. */
const PASSES = Array<'pass'>(5).fill('pass');

/** A requirement whose case ends like this each time: it passes, or throws the error. */
function requirementOf(id: string, ...ends: ('pass' | Error)[]): Requirement & { tried: number } {
  const requirement = {
    id,
    level: 'core' as const,
    origin: 'D01',
    clause: '',
    sentence: 'X.',
    tried: 0,
    properties: () => [{ label: 'one', values: fc.constant(1), once: true, check }],
  };
  async function check(): Promise<void> {
    const end = ends[Math.min(requirement.tried++, ends.length - 1)];
    if (end instanceof Error) {
      throw end;
    }
  }
  return requirement;
}

const OPTIONS = {
  seed: 1,
  runs: 1,
  concurrency: 1,
  bail: false,
  survey: false,
  only: [],
  within: [],
  skip: [],
  allow: [],
  replay: undefined,
  knownFailures: [],
  accept: [],
  kinds: [],
  maxSeconds: undefined,
  minTried: 1,
  suite: { name: 'a', version: '1' },
  startedAt: 0,
  others: () => [],
  bringBack: undefined,
  replayCommand: String,
  script: () => '',
};
const PROGRESS = { started: () => {}, surveyed: () => {}, trying: () => {}, finished: () => {} };

async function outcomeOf(requirements: Requirement[], more: Partial<RunOptions> = {}) {
  const { implementation } = serviceOf('  /a: {}', () => ({ status: 200 }));
  const { signal } = new AbortController();
  const options: RunOptions = { ...OPTIONS, signal, api: { laws: () => requirements }, ...more };
  const watchers = { progress: PROGRESS, stops: new Stops(implementation, options) };
  return tryAll(select(implementation, options), implementation, options, watchers);
}

const statusesOf = async (requirements: Requirement[], more: Partial<RunOptions> = {}) => {
  const { results, stop } = await outcomeOf(requirements, more);
  return requirements.map(({ id }) => results.get(id)?.status ?? stop?.status);
};

test.each([
  ['passes', ['pass'], 'pass', 1],
  ['fails each time', [failure()], 'fail', 2],
  ['fails once', [failure(), 'pass'], 'flaky', 6],
  [
    'passes when it is tried again, and fails with a fresh case',
    [failure(), 'pass', 'pass', 'pass', failure()],
    'fail',
    5,
  ],
  ['fails twice', [failure(), failure(), 'pass'], 'fail', 2],
  ['fails, passes, and fails again', [failure(), 'pass', failure()], 'fail', 3],
  ['fails, and then is not possible', [failure(), new NotPossible('none')], 'fail', 2],
  ['gets 503 each time', [unavailable()], 'fail', 2],
  ['gets 503 once', [unavailable(), 'pass'], 'pass', 7],
  [
    'gets 503 once in each of its tries',
    [unavailable(), ...PASSES, unavailable(), ...PASSES, unavailable(), 'pass'],
    'skip',
    18,
  ],
  ['is not possible', [new NotPossible('none')], 'skip', 1],
  ['ends in an error of the suite', [new TypeError('x')], 'error', 1],
] as const)('a requirement that %s has its status', async (_, ends, status, times) => {
  const requirement = requirementOf('a', ...ends);
  expect(await statusesOf([requirement])).toEqual([status]);
  expect(requirement.tried).toBe(times);
});

test('a run with --bail stops at the first failure that is not excused', async () => {
  const broken = [requirementOf('a', failure()), requirementOf('b', failure())];
  expect(await statusesOf(broken, { bail: true })).toEqual(['fail', 'disabled']);
  const known = { id: 'a', reason: 'known', expires: '2999-01-01', expired: false };
  const again = [requirementOf('a', failure()), requirementOf('b', failure())];
  const statuses = await statusesOf(again, { bail: true, knownFailures: [known] });
  expect(statuses).toEqual(['fail', 'fail']);
});

test('a failure that is known says so', async () => {
  const known = { id: 'a', reason: 'known', expires: '2999-01-01', expired: false };
  const { results } = await outcomeOf([requirementOf('a', failure())], { knownFailures: [known] });
  const { id: _, ...expected } = known;
  expect(results.get('a')?.known_failure).toEqual(expected);
});

test('a requirement that is skipped is not tried', async () => {
  const requirement = requirementOf('a', failure());
  const skip = [{ pattern: 'a', reason: 'later' }];
  const { results } = await outcomeOf([requirement], { skip });
  expect(results.get('a')).toMatchObject({ status: 'disabled', reason: 'later' });
  expect(requirement.tried).toBe(0);
});

test('a run that is aborted tries nothing more', async () => {
  const abort = AbortSignal.abort('SIGINT');
  const requirement = requirementOf('a', 'pass');
  const { results } = await outcomeOf([requirement], { signal: abort });
  expect([results.size, requirement.tried]).toEqual([0, 0]);
});

test('a service that is not brought back after a requirement was tried alone is gone', async () => {
  let isArmed = false;
  let isDown = false;
  const { implementation } = serviceOf('  /a: {}', ({ target }) => {
    if (isDown) {
      throw new NoResponse('refused', 'nobody listens');
    }
    if (target === '/arm') {
      isArmed = true;
    }
    if (target === '/fire' && isArmed) {
      isDown = true;
      throw new NoResponse('closed', 'the connection ended');
    }
    return { status: 200 };
  });
  // Neither of the two requests stops it by itself.
  const requirement = {
    ...requirementOf('a'),
    properties: () => [
      {
        label: 'one',
        values: fc.constant(1),
        once: true,
        async check(_: unknown, session: Session) {
          await session.send({ method: 'POST', target: '/arm' });
          await session.send({ method: 'POST', target: '/fire' });
        },
      },
    ],
  };
  const starts = [undefined, 'nothing starts it.'];
  const bringBack = async (): Promise<string | undefined> => {
    const why = starts.shift();
    isArmed = false;
    isDown = why !== undefined;
    return why;
  };
  const { signal } = new AbortController();
  const api = { laws: () => [requirement] };
  const options: RunOptions = { ...OPTIONS, signal, api, bringBack };
  const stops = new Stops(implementation, options);
  const selected = select(implementation, options);
  await tryAll(selected, implementation, options, { progress: PROGRESS, stops });
  expect(starts).toEqual([]);
  expect([implementation.isGone, implementation.halted]).toEqual([
    true,
    expect.stringContaining('nothing starts it.'),
  ]);
});

test('a service that stops late is due to the last request that got a response', async () => {
  let isArmed = false;
  let isDown = false;
  const { implementation } = serviceOf('  /a: {}', ({ target }) => {
    if (isDown) {
      throw new NoResponse('refused', 'nobody listens');
    }
    isDown = target === '/fire' && isArmed;
    isArmed ||= target === '/arm';
    return { status: 200 };
  });
  const sending = (id: string, ...targets: string[]) => ({
    ...requirementOf(id),
    properties: () => [
      {
        label: 'one',
        values: fc.constant(1),
        once: true,
        async check(_: unknown, session: Session) {
          for (const target of targets) {
            await session.send({ method: 'POST', target });
          }
        },
      },
    ],
  });
  // The requirement that stops it passes; the next one meets a service that is gone.
  const laws = [sending('a', '/arm', '/fire'), sending('b', '/other')];
  const bringBack = async (): Promise<undefined> => {
    isArmed = false;
    isDown = false;
  };
  const { signal } = new AbortController();
  const options: RunOptions = { ...OPTIONS, signal, api: { laws: () => laws }, bringBack };
  const stops = new Stops(implementation, options);
  const selected = select(implementation, options);
  const { results } = await tryAll(selected, implementation, options, {
    progress: PROGRESS,
    stops,
  });
  const [stop] = stops.all;
  const urls = stop?.failure.exchanges.map(({ request }) => new URL(request.url).pathname);
  expect([urls, stop?.notes]).toEqual([['/arm', '/fire'], []]);
  expect([...results.values()].map(({ id, status }) => [id, status])).toEqual([
    ['a', 'pass'],
    ['b', 'pass'],
  ]);
});

test.each([
  ['at requests at once', 1, true],
  ['each time', 0, undefined],
])('a service that fails %s is shown as such', async (_, most, atOnce) => {
  let underWay = 0;
  const { implementation } = serviceOf(
    '  /a: {get: {responses: {200: {description: A.}}}}',
    async () => {
      underWay++;
      await sleep(20);
      const status = underWay > most ? 500 : 200;
      underWay--;
      return { status };
    },
  );
  const check = async (_value: unknown, session: Session) => {
    const { status } = await session.send({ method: 'GET', target: '/a' });
    if (status === 500) {
      throw new Nonconformity('It fails.', { expected: '200', got: '500', kind: 'status' });
    }
  };
  const requirements = ['a', 'b', 'c'].map((id) => ({
    ...requirementOf(id),
    properties: () => [{ label: 'one', values: fc.constant(1), once: true, check }],
  }));
  const { signal } = new AbortController();
  const api = { laws: () => requirements };
  const options: RunOptions = { ...OPTIONS, signal, api, concurrency: 3 };
  const stops = new Stops(implementation, options);
  const selected = select(implementation, options);
  const { results } = await tryAll(selected, implementation, options, {
    progress: PROGRESS,
    stops,
  });
  const failures = [...results.values()].flatMap((one) => one.failure ?? []);
  expect(failures.map(({ kind }) => kind)).toContain('server-error');
  expect(new Set(failures.map(({ at_once: one }) => one))).toEqual(new Set([atOnce]));
});
