/** The targets under which the URIs of responses are reached. */
import { expect, it } from 'vitest';
import { serviceOf } from '../http/service.test.fixture.ts';
import { reachable } from './uris.ts';

const PATHS = `
  /things: {get: {operationId: listThings, responses: {200: {description: x}}}}
  /things/{id}: {get: {operationId: getThing, responses: {200: {description: x}}}}
`;

it.each([
  [
    'at the address under test is the URI',
    'http://service.test/r/a?b=c',
    'http://service.test/r/a?b=c',
  ],
  ['on another host has no base of the URI', 'https://a.example/v1/things/1?b=c', '/things/1?b=c'],
  [
    'without a path of the contract is the whole path',
    'https://a.example/r/L2V2',
    'http://service.test/r/L2V2',
  ],
  ['without a path is the root', 'https://a.example', 'http://service.test/'],
])('a URI %s as a target', (_, uri, target) => {
  const { session } = serviceOf(PATHS, () => ({ status: 200 }));
  expect(reachable(session, uri)).toBe(target);
});
