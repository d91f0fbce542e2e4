/** Findings and areas: what a reader sees of them. */
import { expect, it } from 'vitest';
import type { Finding } from '../run/result.ts';
import { byKind, isWarning, overviewOf } from './overview.ts';
import { failing, reportOf, requirement } from './sample.test.fixture.ts';

it('a group has the results of its finding, and the failure of its example', () => {
  const { exchanges } = failing({}, 'createEdge.unique').failure;
  const long = { ...failing({ exchanges: [...exchanges, ...exchanges] }), id: 'createEdge.long' };
  const short = failing({ exchanges });
  const [group] = overviewOf(reportOf([long, short])).groups;
  expect(group).toMatchObject({ example: short, failure: short.failure, others: [long] });
});

it('a finding of no requirement has its own failure, and one of the contract has none', () => {
  const { failure } = failing();
  const base = { operations: ['a'], requirements: [], times: 1 };
  const findings: Finding[] = [
    { ...base, id: 'server-error:a:500', kind: 'server-error', title: 'a: responds 500', failure },
    { ...base, id: 'contract:a:example', kind: 'contract', title: 'a: wrong', notes: ['Wrong.'] },
  ];
  const { groups, inFull } = overviewOf(reportOf([], { findings }));
  expect(groups.map((group) => group.failure)).toEqual([failure, undefined]);
  expect(inFull).toHaveLength(1);
  expect(byKind(groups).map(({ kind }) => kind)).toEqual(['server-error', 'contract']);
});

it('a warning that a finding has is not repeated as a fact', () => {
  const note = { id: 'contract:a:example', kind: 'contract', title: 'a: wrong' } as const;
  const finding = { ...note, operations: ['a'], requirements: [], times: 1, notes: ['Wrong.'] };
  const report = reportOf([], { findings: [finding], warnings: ['Wrong.', 'Slow.'] });
  const warnings = overviewOf(report).facts.filter(({ name }) => name === 'Warning');
  expect(warnings.map(({ value }) => value)).toEqual(['Slow.']);
});

it('an operation that never succeeded is a warning with a request and the response', () => {
  const refusal = { request: 'POST /a {"b":1}', response: '400 {"error":"no c"}' };
  const never_succeeded = [
    { operation: 'addA', reason: 'addA needs data', refusal },
    { operation: 'getA', reason: 'it was not reached' },
  ];
  const warnings = overviewOf(reportOf([], { never_succeeded })).facts.filter(isWarning);
  expect(warnings.filter(({ name }) => name === 'Never succeeded')).toEqual([
    {
      name: 'Never succeeded',
      value: 'addA: addA needs data; for example POST /a {"b":1} → 400 {"error":"no c"}',
    },
    { name: 'Never succeeded', value: 'getA: it was not reached' },
  ]);
});

it('what is left behind is counted by its kind, or by the operation that made it', () => {
  const left_behind = { edges: 1, sources: 0, 'POST /pets': 1432, 'PUT /flags/{name}': 1 };
  const report = reportOf([], { left_behind, may_have_been_made: {} });
  const left = overviewOf(report).facts.find(({ name }) => name === 'Left behind');
  expect(left?.value).toBe('1 edge, 1,432 made by POST /pets, 1 made by PUT /flags/{name}');
});

it('an area names its most frequent cause, and counts what was not checked', () => {
  const requirements = [
    failing({ cause: 'one' }),
    failing({ cause: 'two' }),
    failing({ cause: 'two' }),
    { ...requirement('getEdge.200'), id: 'createEdge.200' },
    { ...requirement('getEdge.skipped'), id: 'createEdge.skipped' },
  ];
  const [area] = overviewOf(reportOf(requirements)).areas;
  const cause = { message: 'two', number: 2 };
  expect(area).toMatchObject({ name: 'createEdge', passed: 1, broken: 3, others: 1, cause });
});

it('a result in error is shown in full if it has evidence', () => {
  const withEvidence = requirement('getEdge.refused');
  const { failure: _, ...without } = withEvidence;
  const { groups, inFull } = overviewOf(reportOf([withEvidence, without]));
  expect([groups, inFull.map(({ example }) => example)]).toEqual([[], [withEvidence]]);
});
