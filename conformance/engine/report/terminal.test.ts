/** The report on a terminal: tables first, few failures in full, lines that fit. */
import { describe, expect, it } from 'vitest';
import type { Exchange, Report } from '../run/result.ts';
import { displayWidth } from './columns.ts';
import { failing, hostileReport, REPORT, reportOf } from './sample.test.fixture.ts';
import { renderSummary } from './terminal.ts';

const ESCAPE = String.fromCharCode(0x1b);
const COLOUR = new RegExp(`${ESCAPE}\\[\\d{1,2}m`, 'g');

function show(report: Report, { colour = false, width = 100 } = {}): string {
  return renderSummary(report, { colour, width });
}

it('a report begins with a line for each area and each cause', () => {
  expect(show(REPORT).split('\n').slice(0, 9)).toEqual([
    'area        passed  broken  others  most often',
    'createEdge       0       4       0  Expected 400, got 201 (2)',
    'getEdge          1       0       3',
    '',
    'broken  cause',
    '     2  Expected 400, got 201',
    '     1  Not | found',
    '     1  Flaky: Not | found',
    '',
  ]);
});

it.each([20, 60, 100])(
  'evidence fits into %i columns, and what is copied is not broken',
  (width) => {
    const result = failing();
    const [evidence = ''] = show(reportOf([result]), { width }).split('show it with curl');
    const block = evidence.slice(evidence.indexOf('✗')).split('\n');
    expect(Math.max(...block.map(displayWidth))).toBeLessThanOrEqual(width);
    expect(show(REPORT, { colour: true, width })).toContain(`\n${result.failure.curl}\n`);
  },
);

it('a report has its own colours and no other escape sequence', () => {
  const hostile = hostileReport('\u001b[31m');
  const coloured = show(hostile, { colour: true });
  expect(coloured).toContain('\u001b[');
  expect(coloured.replaceAll(COLOUR, '')).toBe(show(hostile));
});

describe('of many causes', () => {
  /** So many lines that no two causes fit. */
  const curl = 'line\n'.repeat(299);
  const causes = ['one', 'two', 'three'].map((cause) => failing({ cause, curl, message: cause }));

  it('the first one is shown in full, however long it is', () => {
    expect(show(reportOf(causes))).toContain('\n  one\n');
  });

  it('those that do not fit are counted', () => {
    const shown = show(reportOf(causes));
    expect(shown).not.toContain('\n  two\n');
    expect(shown).toContain('2 more causes: --report DIR writes a page that shows each of them');
  });
});

it('of many steps, the first five and the last five before the failure are shown', () => {
  const exchanges = Array.from({ length: 14 }, (_, index): Exchange => {
    const request = { method: 'GET', url: `http://a/${index + 1}`, headers: {}, body: null };
    return { request, response: { status: 200, headers: {}, body: '' } };
  });
  const shown = show(reportOf([failing({ exchanges })]));
  const steps = shown.match(/^ {4}(GET|…) .*/gm) ?? [];
  expect(steps.map((step) => step.trim())).toEqual([
    ...[1, 2, 3, 4, 5].map((number) => `GET http://a/${number} → 200`),
    '… 3 more steps: report.json has them',
    ...[9, 10, 11, 12, 13].map((number) => `GET http://a/${number} → 200`),
    // The last one is shown whole.
    'GET http://a/14',
  ]);
});
