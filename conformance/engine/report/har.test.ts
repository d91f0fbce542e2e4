import type { Har } from 'har-format';
import { expect, it } from 'vitest';
import { BYTES } from '../http/exchange.ts';
import type { ReportedExchange } from '../run/result.ts';
import { renderHar } from './har.ts';
import { failing, REPORT, reportOf } from './sample.test.fixture.ts';

const { entries } = (JSON.parse(renderHar(REPORT)) as Har).log;

it('there is an entry for each exchange of a failure, also without a response', () => {
  const rows = entries.map(({ pageref, request, response }) => {
    return [pageref, request.method, response.status, response.statusText];
  });
  expect(rows.slice(0, 3)).toEqual([
    ['createEdge.unique', 'POST', 201, 'Created'],
    ['createEdge.unique', 'GET', 0, 'The connection was closed.'],
    ['createEdge.short', 'POST', 201, 'Created'],
  ]);
});

it('a request has a body only if one was sent', () => {
  const [first, second] = entries;
  expect(first?.request.postData).toEqual({ mimeType: 'application/json', text: '{}' });
  expect(second?.request).not.toHaveProperty('postData');
});

const exchangeOf = (method: string, body: string): ReportedExchange => ({
  request: { method, url: 'http://a/b?c=d', headers: {}, body },
  response: { status: 200, headers: {}, body },
});

it('sizes are in bytes', () => {
  const exchanges = [exchangeOf('POST', '"ü"')];
  const [entry] = (JSON.parse(renderHar(reportOf([failing({ exchanges })]))) as Har).log.entries;
  const { request, response } = entry ?? {};
  expect([request?.bodySize, response?.bodySize, response?.content.size]).toEqual([4, 4, 4]);
});

it('bytes that need not be a request are left out', () => {
  const exchanges = [exchangeOf(BYTES, 'GET'), exchangeOf('GET', '')];
  const { log } = JSON.parse(renderHar(reportOf([failing({ exchanges })]))) as Har;
  expect(log.entries.map(({ request }) => request.method)).toEqual(['GET']);
});
