/** The verdict of a run follows from its results. */
import { expect, test } from 'vitest';
import type { Finding, RequirementResult, Status } from './result.ts';
import { countByStatus, verdictOf, warningsFor } from './verdict.ts';

const resultOf = (id: string, status: Status, more: Partial<RequirementResult> = {}) =>
  ({ id, status, ...more }) as RequirementResult;

const results = (...statuses: Status[]) =>
  statuses.map((status, index) => resultOf(`r${index}`, status));

const reachOf = (chosen: number, ...never: string[]) => ({
  chosen,
  neverSucceeded: never.map((operation) => ({ operation, reason: 'it failed' })),
});
const CIRCUMSTANCES = {
  known: [],
  findings: [],
  share: 0,
  reached: reachOf(0),
  halted: undefined,
  endedBy: undefined,
};

const findingOf = (...requirements: string[]): Finding => ({
  id: 'law:a:x',
  kind: 'law',
  title: requirements.join('+'),
  operations: ['a'],
  requirements,
  times: 1,
});

test.each<[Status[], string, string | undefined]>([
  [['pass', 'skip', 'disabled'], 'conformant', undefined],
  [['pass', 'error'], 'inconclusive', '1 could not be tried: r1'],
  [['skip', 'disabled'], 'inconclusive', 'nothing was verified'],
  [[], 'inconclusive', 'the contract has no operation that could be tried'],
])('the statuses %j are %s: %s', (statuses, verdict, reason) => {
  const decision = verdictOf(results(...statuses), CIRCUMSTANCES);
  expect(decision.verdict).toBe(verdict);
  expect(decision.reason?.slice(0, reason?.length)).toBe(reason);
});

test.each<[Partial<Finding>[], string]>([
  [[{}], '1 finding: r0'],
  [[{ flaky: true }], '1 finding: r0 (flaky)'],
  [[{ title: 'a' }, { title: 'b' }], '2 findings: a; b'],
  [[{}, {}, {}, {}, {}], '5 findings: r0; r0; r0; and 2 more'],
  [[{ requirements: [], title: 'a' }], '1 finding: a'],
])('the findings %j are not conformant: %s', (changes, reason) => {
  const findings = changes.map((change) => ({ ...findingOf('r0'), ...change }));
  const decision = verdictOf(results('fail', 'error'), { ...CIRCUMSTANCES, findings });
  expect(decision).toEqual({ verdict: 'nonconformant', reason });
});

test('findings of the contract and accepted ones do not count, unless they are expired', () => {
  const accepted = { cause: 'law:a:x', reason: 'known', expires: '2999-01-01', expired: false };
  const verdictFor = (change: Partial<Finding>) => {
    const findings = [{ ...findingOf('r0'), ...change }];
    return verdictOf(results('pass', 'pass'), { ...CIRCUMSTANCES, findings });
  };
  expect(verdictFor({ kind: 'contract' }).verdict).toBe('conformant');
  expect(verdictFor({ accepted }).verdict).toBe('conformant');
  expect(verdictFor({ accepted: { ...accepted, expired: true } }).reason).toBe(
    '1 finding: r0 (accepted, but expired on 2999-01-01)',
  );
});

test.each([{ halted: 'it stopped' }, { endedBy: 'it stopped' }])(
  'a run that ended early, by %j, reports what was found',
  (ended) => {
    const circumstances = { ...CIRCUMSTANCES, ...ended };
    const verdict = ended.halted === undefined ? 'incomplete' : 'inconclusive';
    expect(verdictOf(results('pass'), circumstances)).toEqual({ verdict, reason: 'it stopped' });
    const found = { ...circumstances, findings: [findingOf('r0')] };
    expect(verdictOf(results('fail'), found).verdict).toBe('nonconformant');
  },
);

test.each([
  [1, reachOf(2), 'conformant'],
  [1, reachOf(2, 'read'), 'incomplete'],
  [0.5, reachOf(2, 'read'), 'conformant'],
  [0.51, reachOf(2, 'read'), 'incomplete'],
  [0, reachOf(2, 'read', 'make'), 'conformant'],
])('if a share of %d must succeed, %j is %s', (share, reached, verdict) => {
  const circumstances = { ...CIRCUMSTANCES, share, reached };
  expect(verdictOf(results('pass'), circumstances).verdict).toBe(verdict);
});

test('an operation that never succeeded is named, with its reason', () => {
  const circumstances = { ...CIRCUMSTANCES, share: 1, reached: reachOf(3, 'read', 'make') };
  expect(verdictOf(results('pass'), circumstances).reason).toBe(
    'never succeeded: read: it failed and 1 more ' +
      '(1 of 3 operations did; --min-tried says what is enough)',
  );
});

test('a known failure is excused until it expires, and is reported once it passes', () => {
  const known = { id: 'a', reason: 'known', expires: '2026-01-01', expired: false };
  const circumstances = { ...CIRCUMSTANCES, known: [known], findings: [findingOf('a')] };
  const { id: _, ...known_failure } = known;
  const verdictFor = (status: Status, more: Partial<RequirementResult> = {}) =>
    verdictOf([resultOf('a', status, more), resultOf('b', 'pass')], circumstances);
  expect(verdictFor('fail', { known_failure }).verdict).toBe('conformant');
  const expired = { known_failure: { ...known_failure, expired: true } };
  expect(verdictFor('fail', expired).reason).toBe(
    '1 finding: a (a is known, but expired on 2026-01-01)',
  );
  const stale = 'a is listed as a known failure, but it passes: remove it';
  expect(verdictFor('pass').reason).toBe(`1 finding: a; ${stale}`);
  const none = { ...circumstances, findings: [] };
  expect(verdictOf([resultOf('a', 'pass')], none)).toEqual({
    verdict: 'nonconformant',
    reason: stale,
  });
});

test('results are counted by status', () => {
  expect(countByStatus(results('pass', 'pass', 'error'))).toEqual({
    pass: 2,
    fail: 0,
    flaky: 0,
    skip: 0,
    blocked: 0,
    disabled: 0,
    error: 1,
  });
});

test('a service that is not stable is worth a warning from the fourth time on', () => {
  const retries = { rate_limited: 9, unavailable: 2, connection_lost: 1, cases: 0 };
  expect(warningsFor(retries)).toEqual([]);
  expect(warningsFor({ ...retries, connection_lost: 2, cases: 1 })).toEqual([
    'The service is not stable: 2 responses were 503 and 2 connections ended ' +
      'before their response; 1 cases were tried again from their start.',
  ]);
});
