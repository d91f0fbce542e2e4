import { describe, expect, it } from 'vitest';
import { groupsOf } from './groups.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { overview } from './overview.ts';
import type { RequirementResult, Status } from '../run/result.ts';
import { FAILURES } from './sample-failures.ts';
import { sampleReport, sampleResult } from './sample.ts';
import { renderSummary } from './terminal.ts';

function failing(id: string, cause: string, status: Status = 'fail'): RequirementResult {
  return sampleResult(id, { status, failure: { ...FAILURES['createEdge.hostports.unique']!, cause } });
}

const RESULTS = [
  failing('createEdge.400', 'Another one'),
  failing('createEdge.401', 'No problem'),
  failing('createEdge.402', 'No problem'),
  sampleResult('createEdge.201', { status: 'pass' }),
  sampleResult('createEdge.429', { status: 'skip', reason: 'needs a token' }),
  failing('sources.a', 'Not | found'),
  failing('sources.b', 'Not | found', 'flaky'),
  sampleResult('getEdge.200', { status: 'pass' }),
];

const REPORT = sampleReport({ requirements: RESULTS });
const PLAIN = { colour: false, width: 100 };

describe('the overview', () => {
  it('counts by area, with the most frequent cause', () => {
    expect(overview(RESULTS)).toEqual([
      { area: 'createEdge', passed: 1, broken: 3, others: 1, cause: { message: 'No problem', number: 2 } },
      { area: 'sources', passed: 0, broken: 2, others: 0, cause: { message: 'Not | found', number: 2 } },
      { area: 'getEdge', passed: 1, broken: 0, others: 0, cause: undefined },
    ]);
  });

  it('is not for a run in which nothing is broken', () => {
    const requirements = RESULTS.filter(({ status }) => status === 'pass');
    expect(overview(requirements)).toEqual([]);
    expect(renderSummary(sampleReport({ requirements }), PLAIN)).not.toContain('most often');
  });

  it('is what a terminal shows first, one line for each area and for each cause', () => {
    const first = [
      'area        passed  broken  others  most often',
      'createEdge       1       3       1  No problem (2)',
      'sources          0       2       0  Not | found (2)',
      'getEdge          1       0       0',
      '',
      'broken  cause',
      '     2  No problem',
      '     1  Another one',
      '     1  Not | found',
      '     1  Flaky: Not | found',
      '',
    ];
    expect(renderSummary(REPORT, PLAIN).split('\n').slice(0, first.length)).toEqual(first);
  });

  it('is a table in Markdown, which no message can break', () => {
    expect(renderMarkdown(REPORT)).toMatch(/^\| `sources` \| 0 \| 2 \| 0 \| Not \\+\| found \(2\) \|$/m);
  });
});

describe('failures of one cause', () => {
  it('are one group, the largest first, and apart from what is flaky', () => {
    expect(groupsOf(REPORT).map(({ example, others }) => [example.id, ...others.map(({ id }) => id)])).toEqual([
      ['createEdge.401', 'createEdge.402'],
      ['createEdge.400'],
      ['sources.a'],
      ['sources.b'],
    ]);
  });

  it('have one example in full, and the others in a list', () => {
    const { curl } = FAILURES['createEdge.hostports.unique']!;
    const terminal = renderSummary(REPORT, PLAIN);
    expect(terminal.split(curl)).toHaveLength(5);
    expect(terminal).toContain('  1 other of the same cause: No problem\n    ✗ createEdge.402\n');
    const markdown = renderMarkdown(REPORT);
    expect(markdown.split(curl)).toHaveLength(5);
    expect(markdown).toContain('1 other of the same cause, No problem:');
    const html = renderHtml(REPORT);
    expect(html.split('<article')).toHaveLength(5);
    expect(html).toContain('open><summary>1 other of the same cause</summary>');
    expect(renderJunit(REPORT)).toContain('The same cause as createEdge.401, which is shown in full.');
  });
});
