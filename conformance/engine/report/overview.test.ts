/** Groups and areas: which failure a reader sees first. */
import { expect, it } from 'vitest';
import { overviewOf } from './overview.ts';
import { failing, reportOf, requirement } from './sample.test.fixture.ts';

const flaky = (cause: string) => failing({ cause }, 'createEdge.race');

it('the largest group comes first, and flaky failures last, however many they are', () => {
  const requirements = [
    ...Array.from({ length: 3 }, () => flaky('two')),
    failing({ cause: 'one' }),
    failing({ cause: 'two' }),
    failing({ cause: 'two' }),
  ];
  const { groups } = overviewOf(reportOf(requirements));
  const rows = groups.map(({ cause, others }) => [cause, others.length + 1]);
  expect(rows).toEqual([
    ['two', 2],
    ['one', 1],
    ['Flaky: two', 3],
  ]);
});

it('a group is shown by its failure with the fewest steps', () => {
  const { exchanges } = failing({}, 'createEdge.unique').failure;
  const long = failing({ exchanges: [...exchanges, ...exchanges] });
  const short = failing({ exchanges });
  const [group] = overviewOf(reportOf([long, short])).groups;
  expect(group).toMatchObject({ example: short, others: [long] });
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
