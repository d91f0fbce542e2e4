/** A finding that a read shows has the change that went before it. */
import { describe, expect, it } from 'vitest';
import type { Failure, ReportedExchange } from '../run/result.ts';
import { explain } from './explain.ts';
import { renderHtml } from './html.ts';
import { overviewOf } from './overview.ts';
import { failing, REPORT, reportOf } from './sample.test.fixture.ts';
import { renderSummary } from './terminal.ts';

const ITEM = `${REPORT.target.url}/edges/e1`;
const JSON_ONLY = { 'content-type': 'application/json' };
const BODY = JSON.stringify({ title: 'a'.repeat(90), note: 'new' });

function exchange(method: string, status: number, body: string | null = null): ReportedExchange {
  const headers = body === null ? {} : JSON_ONLY;
  const request = { method, url: ITEM, headers, body };
  return { request, response: { status, headers: {}, body: '' } };
}

const PUT = exchange('PUT', 200, BODY);
const GET = exchange('GET', 200);
const READ: Partial<Failure> = {
  kind: 'law',
  expected: 'at /note: new',
  got: 'at /note: old',
  exchanges: [exchange('POST', 201, '{}'), PUT, GET],
};

const width = 80;

/** The lines of the first finding behind its title. */
function firstLines(changes: Partial<Failure>): string[] {
  const text = renderSummary(reportOf([failing(changes)]), { colour: false, width });
  const lines = text.split('\n').map((line) => line.trim());
  const title = lines.findIndex((line) => line.startsWith('1  '));
  return lines.slice(title + 1, lines.indexOf('', title));
}

describe('the list of findings', () => {
  it('has the change and the read, with the member that differs', () => {
    expect(firstLines(READ)).toEqual([
      'PUT /edges/e1 {"note":"new", …} → 200',
      'GET /edges/e1 → 200, at /note: old in place of new',
    ]);
  });

  it('has the change before the one that stops the service', () => {
    const last = exchange('DELETE', 0);
    const stop: Partial<Failure> = {
      kind: 'stopped',
      exchanges: [PUT, { ...last, response: null }],
    };
    const [first = '', second] = firstLines(stop);
    expect(first).toMatch(/^PUT .* → 200$/);
    expect(second).toBe('DELETE /edges/e1 → no response');
  });

  it('has the status of a service that stays unavailable', () => {
    const lost = { ...exchange('POST', 0, '{}'), response: null };
    const error = 'the service is unavailable (503), 3 times';
    const [first] = firstLines({ kind: 'server-error', exchanges: [{ ...lost, error }] });
    expect(first).toBe('POST /edges/e1 {} → 503');
  });

  it('has the whole body of the change where there is room for it', () => {
    const put = exchange('PUT', 200, '{"a":1,"note":"new"}');
    const [first] = firstLines({ ...READ, exchanges: [put, GET] });
    expect(first).toBe('PUT /edges/e1 {"a":1,"note":"new"} → 200');
  });

  it('has the removal of what is still there', () => {
    const removed = [exchange('DELETE', 204), GET];
    const lines = firstLines({ kind: 'accepts-invalid', got: '200', exchanges: removed });
    expect(lines).toEqual(['DELETE /edges/e1 → 204', 'GET /edges/e1 → 200']);
  });

  it('has no change before a read that shows an error of its own', () => {
    expect(firstLines({ ...READ, kind: 'response' })).toHaveLength(1);
    expect(firstLines({ ...READ, exchanges: [GET, PUT] })).toHaveLength(1);
  });
});

it('the page and the text for an issue show the change', () => {
  const report = reportOf([failing(READ)]);
  const page = renderHtml(report);
  expect(page).toContain('PUT /edges/e1');
  expect(page.match(/<details open><summary>(PUT|GET|POST)/g)).toHaveLength(2);
  const [group] = overviewOf(report).groups;
  expect(group && explain(group)).toContain('2. `PUT http://127.0.0.1:4010/edges/e1 → 200`, sent');
});
