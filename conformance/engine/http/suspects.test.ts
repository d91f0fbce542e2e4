/** Requests that may be the reason why a service stopped. */
import { expect, test } from 'vitest';
import type { RecordedExchange } from './exchange.ts';
import { Suspects } from './suspects.ts';

function exchangeOf(url: string): RecordedExchange {
  return { request: { method: 'GET', url, headers: {}, body: null }, response: null };
}

const stepsTo = (url: string): RecordedExchange[] => [exchangeOf(url)];

function urlsOf({ all: { lost, recent } }: Suspects) {
  const urls = (exchanges: readonly RecordedExchange[]) => exchanges.map((one) => one.request.url);
  return { lost: urls(lost.flat()), recent: urls(recent) };
}

test('requests are suspects if they were sent before the first one was lost', () => {
  const suspects = new Suspects();
  const before = performance.now();
  suspects.lost(before, stepsTo('a'));
  suspects.lost(before, stepsTo('b'));
  suspects.lost(performance.now() + 1, stepsTo('c'));
  expect(urlsOf(suspects).lost).toEqual(['a', 'b']);
});

test('a service that responds has not stopped', () => {
  const suspects = new Suspects();
  suspects.lost(performance.now(), stepsTo('a'));
  suspects.responded(exchangeOf('b'));
  expect([suspects.areThere, urlsOf(suspects).lost]).toEqual([false, []]);
});

test.each([
  [3, ['2', '1', '0']],
  [20, Array.from({ length: 16 }, (_, index) => String(19 - index))],
])(
  'of %i requests with a response, the last ones are suspects, the newest first',
  (count, urls) => {
    const suspects = new Suspects();
    for (let index = 0; index < count; index++) {
      suspects.responded(exchangeOf(String(index)));
    }
    expect(urlsOf(suspects).recent).toEqual(urls);
  },
);
