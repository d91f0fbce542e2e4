import { expect, it } from 'vitest';
import { patternOf } from './offers.ts';

it.each([
  ['/edges/https/{edge_id}', 'http://a/edges/https/e1', { edge_id: 'e1' }],
  ['/edges/https/{edge_id}', 'https://a/api/v0/edges/https/e1', { edge_id: 'e1' }],
  ['/e/{edge_id}/routes/{route_id}', 'http://a/e/1/routes/2', { edge_id: '1', route_id: '2' }],
  ['/edges/https/{edge_id}', 'http://a/edges/https/e1/routes/r1', undefined],
  ['/edges/https/{edge_id}', 'http://a/edges/https?cursor=x', undefined],
])('%s of %s', (path, uri, expected) => {
  const groups = patternOf(path).exec(uri)?.groups;
  expect(groups && { ...groups }).toEqual(expected);
});
