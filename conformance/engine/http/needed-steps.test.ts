/** The steps that lead to a server error of the survey, without those that it does not need. */
import { expect, test } from 'vitest';
import type { RecordedExchange } from './exchange.ts';
import { neededSteps } from './needed-steps.ts';
import { serviceOf } from './service.test.fixture.ts';

const PATHS = `
  /sets: {post: {responses: {'201': {description: It.}}}}
  /sets/{set}/items: {post: {responses: {'201': {description: It.}}}}
  /sets/{set}/items/{item}: {get: {responses: {'200': {description: It.}}}}
`;

function exchange(method: string, path: string, status: number, body = ''): RecordedExchange {
  const request = { method, url: `http://service.test${path}`, headers: {}, body: null };
  return { request, response: { status, headers: {}, body } };
}

test('what made the item and its parents is kept, and nothing else', () => {
  const { implementation } = serviceOf(PATHS, () => ({ status: 200 }));
  const all = [
    exchange('POST', '/sets', 201, '{"id":"other"}'),
    exchange('POST', '/sets', 400, '{"id":"abc"}'),
    exchange('POST', '/sets', 201, '{"id":"abc"}'),
    exchange('GET', '/sets/abc/items/x1', 404),
    exchange('POST', '/sets/abc/items', 201, '{"id":"item-7"}'),
    exchange('GET', '/sets/abc/items/item-7', 500),
  ];
  const steps = neededSteps(all, implementation);
  expect(steps).toEqual([all[2], all[4], all[5]]);
});
