/** The report on a terminal: tables first, few failures in full, lines that fit. */
import { describe, expect, it } from 'vitest';
import type { Failure, ReportedExchange, Report } from '../run/result.ts';
import { displayWidth } from './columns.ts';
import { failing, hostileReport, REPORT, reportOf, requirement } from './sample.test.fixture.ts';
import { renderSummary } from './terminal.ts';

const ESCAPE = String.fromCharCode(0x1b);
const COLOUR = new RegExp(`${ESCAPE}\\[\\d{1,2}m`, 'g');

function show(report: Report, { colour = false, width = 100 } = {}): string {
  return renderSummary(report, { colour, width });
}

it('a report begins with the findings, each with the request that shows it', () => {
  expect(show(REPORT, { width: 70 }).split('\n').slice(0, 14)).toEqual([
    '3 findings, in the order in which to fix them; 1 of them not counted',
    '',
    'It accepts what the contract forbids',
    '  1  createEdge: Expected 400, got 201 (2 requirements)',
    '     POST /edges {"a":1} → 201',
    '',
    'A law of resources does not hold',
    '  2  Not | found (createEdge) (1 requirement)',
    '     POST /edges {"a":1} → 201, 201 of known',
    '     known failure until 2999-12-31: a ticket',
    '  3  Not | found (createEdge) (1 requirement)',
    '     POST /edges {"a":1} → 201, 201 of flaky',
    '     flaky: the same case passed when it was tried again',
    '',
  ]);
});

it.each([40, 80])('the tables fit into %i columns', (width) => {
  const long = 'x'.repeat(100);
  const results = [failing({ cause: long }), { ...failing(), id: `${long}.a` }];
  const shown = show(reportOf(results), { width });
  const area = shown.slice(shown.indexOf('\narea')).split('\n\n')[0] ?? '';
  expect(Math.max(...area.split('\n').map(displayWidth))).toBeLessThanOrEqual(width);
  expect(area).toContain('…');
});

it('a long value is shown as its kind, and the outcome of a long request stays', () => {
  const body = JSON.stringify({ name: 'a'.repeat(4096), nested: '[]' });
  const request = { method: 'POST', url: 'http://a/b', headers: {}, body };
  const response = { status: 500, headers: {}, body: `${'['.repeat(900)}${']'.repeat(900)}` };
  const got = `500, "${'b'.repeat(300)}"`;
  const shown = show(reportOf([failing({ exchanges: [{ request, response }], got })]));
  expect(shown).toContain('POST http://a/b {"name":"a" × 4096,"nested":"[]"} → 500');
  expect(shown).toContain('      "name": "a" × 4096,');
  expect(shown).toContain('500, "b" × 300');
  expect(shown).toContain('[ × 900 ] × 900');
});

const exchangeOf = (body: string | null, status: number): ReportedExchange => ({
  request: { method: 'PUT', url: 'http://127.0.0.1:4010/b', headers: {}, body },
  response: { status, headers: {}, body: '' },
});

/** The lines of the first finding in the list. */
function firstFinding(changes: Partial<Failure>): string[] {
  const [, list = ''] = show(reportOf([failing(changes)]), { width: 60 }).split('\n  1  ');
  const [lines = ''] = list.split('\n\n');
  return lines.split('\n').map((line) => line.trim());
}

it.each<[Failure['kind'], string | null, string]>([
  ['refuses-valid', null, 'PUT /b → 422, it needs an active account of somebody e…'],
  ['refuses-valid', 'x'.repeat(99), `PUT /b ${'x'.repeat(41)}… → 422`],
  ['response', 'x'.repeat(99), `PUT /b ${'x'.repeat(19)}… → 422, it needs an active …`],
])('a line of %s with the body %s keeps its status', (kind, body, line) => {
  const got = '422, it needs an active account of somebody else who pays';
  expect(firstFinding({ kind, got, exchanges: [exchangeOf(body, 422)] })[1]).toBe(line);
});

it('only a law has an expected value beside the other one: the title has other rules', () => {
  const changes = {
    got: 'at /a: 1',
    expected: 'at /a: it must be string',
    exchanges: [exchangeOf(null, 200)],
  };
  expect(firstFinding({ ...changes, kind: 'response' })).toContain('PUT /b → 200, at /a: 1');
  expect(firstFinding({ ...changes, kind: 'law', expected: 'at /a: 2' })).toContain(
    'PUT /b → 200, at /a: 1 in place of 2',
  );
});

it('a title has two lines if one has no room', () => {
  const [first, second] = firstFinding({ kind: 'response', cause: 'is wrong in a way '.repeat(5) });
  expect(first).toBe('createEdge: is wrong in a way is wrong in a way is');
  expect(second).toBe('wrong in a way is wrong in a way is wr… (1 requirement)');
});

it('the operations of a finding are listed as far as there is room', () => {
  const results = Array.from({ length: 9 }, (_, index) => {
    const operation = `operation${index}`;
    return { ...failing({ kind: 'response', operation }), id: `${operation}.a` };
  });
  const shown = show(reportOf(results), { width: 60 });
  expect(shown).toContain('\n     operations: operation0, operation1 and 7 more\n');
});

it('operations that never succeeded are named by reason, and those beyond the first, too', () => {
  const operations = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const shownFor = (reasons: readonly string[]) => {
    const never = operations.map((operation, at) => ({ operation, reason: reasons[at] ?? 'x' }));
    return show(reportOf([failing()], { never_succeeded: never }));
  };
  expect(shownFor([])).toContain('\nNever succeeded: a, b, c, d, e, f, g: x\n');
  expect(shownFor(['1', '2', '3', '4', '5', '6', '7'])).toContain(
    '\nNever succeeded: e: 5\nNever succeeded: 2 more operations: f, g\n',
  );
});

it('a contract without origins has neither origins nor levels in its report', () => {
  const plain = [{ ...failing(), origin: 'unstated' }];
  const { target } = REPORT;
  const extended = plain.map((one) => ({ ...one, level: 'extended' as const }));
  const shown = show(reportOf(extended, { target: { ...target, level: 'extended' } }));
  expect(shown).toContain('\nChecked by: with a token\n');
  expect(shown).toContain('\n  createEdge.short\n');
  expect(shown).not.toMatch(/unstated|extended/);
});

it('a contract without levels that is checked by one of them says so', () => {
  const plain = [{ ...failing(), origin: 'unstated' }];
  const { target } = REPORT;
  const shown = show(reportOf(plain, { target: { ...target, level: 'core' } }));
  expect(shown).toContain('\nChecked by: level core, with a token\n');
});

it('findings that do not count are counted, and say why', () => {
  const report = reportOf([failing(), requirement('createEdge.known')]);
  const shown = show(report);
  expect(shown).toMatch(/^2 findings, in the order in which to fix them; 1 of them not counted\n/);
  expect(shown).toContain('\n     known failure until 2999-12-31: a ticket\n');
  const both = [requirement('createEdge.known'), failing({ cause_id: 'law:createEdge:not-found' })];
  expect(show(reportOf(both))).not.toMatch(/not counted|\n {5}known failure/);
});

it('all that is wrong with a response is shown', () => {
  const violations = ['one', 'two', 'three'].map((message) => ({
    message: `The ${message} is wrong.`,
    expected: 'a',
    got: 'b',
  }));
  const shown = show(reportOf([failing({ violations })]));
  expect(shown).toMatch(/also wrong in this response\n.*The two is wrong.*\n.*The three is wrong/);
});

it('the path of the page is shown, in place of the advice to write one', () => {
  const curl = 'line\n'.repeat(299);
  const causes = ['one', 'two'].map((what) => {
    return { ...failing({ curl, cause_id: `law:a:${what}` }), id: `createEdge.${what}` };
  });
  const report = reportOf(causes);
  const terminal = { colour: false, width: 100 };
  expect(renderSummary(report, terminal)).toContain('--report DIR writes a page');
  const shown = renderSummary(report, terminal, 'reports/report.html');
  expect(shown).not.toContain('--report DIR');
  expect(shown).toContain('1 more finding in full: reports/report.html');
  expect(shown).toContain('\nReport: reports/report.html\n');
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
  const causes = ['one', 'two', 'three'].map((message) => {
    const failed = failing({ cause_id: `law:a:${message}`, curl, message });
    return { ...failed, id: `createEdge.${message}` };
  });

  it('the first one is shown in full, however long it is', () => {
    expect(show(reportOf(causes))).toContain('\n  one\n');
  });

  it('those that do not fit are counted', () => {
    const shown = show(reportOf(causes));
    expect(shown).not.toContain('\n  two\n');
    expect(shown).toContain('2 more findings in full: --report DIR writes a page that');
  });
});

it.each([
  [[], 'give the run more time with --max-time'],
  [REPORT.never_succeeded, 'give what the operations need'],
])('a run that is not complete says what it needs: %#', (never, advice) => {
  const incomplete = { verdict: 'incomplete', never_succeeded: never } as const;
  expect(show(reportOf([], incomplete))).toContain(`Exit code 2: not all was tried: ${advice}`);
});

it('the status of the response is shown once', () => {
  const shown = show(reportOf([failing({ kind: 'response', got: '201, {"a":1}' })]));
  expect(shown).toContain('→ 201, {"a":1}');
});

it('of many steps, the first five and the last five before the failure are shown', () => {
  const exchanges = Array.from({ length: 14 }, (_, index): ReportedExchange => {
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
