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
  return { lost: urls(lost.flat()), recent: urls(recent.flat()) };
}

const SENT = { wasSent: true };

test('requests are suspects if they were sent before the first one was lost', () => {
  const suspects = new Suspects();
  const before = performance.now();
  suspects.lost(before, stepsTo('a'), SENT);
  suspects.lost(before, stepsTo('b'), SENT);
  suspects.lost(performance.now() + 1, stepsTo('c'), SENT);
  expect(urlsOf(suspects).lost).toEqual(['a', 'b']);
});

test('a service that responds has not stopped', () => {
  const suspects = new Suspects();
  suspects.lost(performance.now(), stepsTo('a'), SENT);
  suspects.responded(stepsTo('b'));
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
      suspects.responded(stepsTo(String(index)));
    }
    expect(urlsOf(suspects).recent).toEqual(urls);
  },
);

test('a request that never reached the service has not stopped it', () => {
  const suspects = new Suspects();
  suspects.lost(performance.now(), stepsTo('a'), { wasSent: false });
  expect([suspects.areThere, urlsOf(suspects).lost]).toEqual([true, []]);
});

test('a suspect comes with the requests that lead to it, and not with later ones', () => {
  const suspects = new Suspects();
  const exchanges = ['a', 'b'].map(exchangeOf);
  suspects.responded(exchanges, exchanges[1]);
  exchanges.push(exchangeOf('c'));
  expect(urlsOf(suspects).recent).toEqual(['a', 'b']);
});
