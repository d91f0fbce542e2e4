import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { overview } from './overview.ts';
import type { RequirementResult } from '../run/result.ts';
import { FAILURES } from './sample-failures.ts';
import { sampleReport, sampleResult } from './sample.ts';
import { renderSummary } from './terminal.ts';

function failing(id: string, message: string, got = '{}'): RequirementResult {
  return sampleResult(id, { status: 'fail', failure: { ...FAILURES['createEdge.hostports.unique']!, message, got } });
}

const RESULTS = [
  failing('createEdge.400', 'Another one.'),
  failing('createEdge.401', 'No problem.'),
  failing('createEdge.402', 'No problem.'),
  sampleResult('createEdge.201', { status: 'pass' }),
  sampleResult('createEdge.429', { status: 'skip', reason: 'needs a token' }),
  failing('sources.a', 'Not | found.'),
  failing('sources.b', 'Not | found.'),
  sampleResult('getEdge.200', { status: 'pass' }),
];

describe('the overview', () => {
  it('counts by area, with the most frequent cause', () => {
    expect(overview(RESULTS)).toEqual([
      { area: 'createEdge', passed: 1, failed: 3, others: 1, cause: { message: 'No problem.', number: 2 } },
      { area: 'sources', passed: 0, failed: 2, others: 0, cause: { message: 'Not | found.', number: 2 } },
      { area: 'getEdge', passed: 1, failed: 0, others: 0, cause: undefined },
    ]);
  });

  it('tells the status that came, and not what was sent', () => {
    const refused = ['ab', 'a', 'b', 'c', 'd'].map((sent) =>
      failing(`getEdge.${sent}`, `${sent} is allowed. The status is another one.`, '404, {"error":"x"}'),
    );
    expect(overview(refused)[0]?.cause).toEqual({ message: 'The status is another one: 404', number: 5 });
  });

  it('is not for a few failures', () => {
    expect(overview(RESULTS.slice(1))).toEqual([]);
    expect(renderSummary(sampleReport({ requirements: RESULTS.slice(1) }), { colour: false })).not.toContain(
      'most often',
    );
  });

  it('stands in the summary of a terminal, one line each', () => {
    const text = renderSummary(sampleReport({ requirements: RESULTS }), { colour: false });
    expect(text).toContain(
      [
        'area        passed  failed  others  most often',
        'createEdge       1       3       1  No problem. (2)',
        'sources          0       2       0  Not | found. (2)',
        'getEdge          1       0       0',
        '',
      ].join('\n'),
    );
  });

  it('is a table in Markdown, which no message can break', () => {
    expect(renderMarkdown(sampleReport({ requirements: RESULTS }))).toMatch(
      /^\| `sources` \| 0 \| 2 \| 0 \| Not \\+\| found\\?\. \(2\) \|$/m,
    );
  });
});
