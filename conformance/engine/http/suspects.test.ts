/** Requests that may be the reason why a service stopped. */
import { expect, test } from 'vitest';
import type { RecordedExchange } from './exchange.ts';
import { Suspects } from './suspects.ts';

function stepsTo(url: string): RecordedExchange[] {
  return [{ request: { method: 'GET', url, headers: {}, body: null }, response: null, error: 'x' }];
}

const urlsOf = ({ all }: Suspects) => all.map(([first]) => first?.request.url);

test('requests are suspects if they were sent before the first one was lost', () => {
  const suspects = new Suspects();
  const before = performance.now();
  suspects.lost(before, stepsTo('a'));
  suspects.lost(before, stepsTo('b'));
  suspects.lost(performance.now() + 1, stepsTo('c'));
  expect(urlsOf(suspects)).toEqual(['a', 'b']);
});

test('a service that responds has not stopped', () => {
  const suspects = new Suspects();
  suspects.lost(performance.now(), stepsTo('a'));
  suspects.responded();
  expect(urlsOf(suspects)).toEqual([]);
});
