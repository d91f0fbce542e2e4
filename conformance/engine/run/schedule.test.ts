/** Results of requirements become those of a run, which may stop early. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import type { Requirement } from '../requirements/requirement.ts';
import type { RunOptions } from './run-options.ts';
import { tryAll } from './schedule.ts';
import { Stops } from './stops.ts';
import { select } from './select.ts';

const failure = () => new Nonconformity('It is wrong.', { expected: 'a', got: 'b' });

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
