import { expect, test } from 'vitest';
import { isJson, mostSpecificKey, namedType } from './media-types.ts';

test.each([
  ['application/json; charset=utf-8', ['*/*', 'application/json'], 'application/json'],
  ['application/json', ['application/*', '*/*'], 'application/*'],
  [
    'application/problem+json',
    ['*/*', 'application/*+json', 'application/*'],
    'application/*+json',
  ],
  [
    'application/json;version=2',
    ['application/json;version=1', 'application/json'],
    'application/json',
  ],
  [
    'application/json; Version="1"',
    ['application/json', 'application/json;version=1'],
    'application/json;version=1',
  ],
  ['text/CSV', ['text/csv'], 'text/csv'],
  ['text/csv', ['text/html', 'application/*'], undefined],
  ['', ['application/json'], undefined],
])('of a response of %j, the most specific key of %j is %j', (message, keys, key) => {
  expect(mostSpecificKey(keys, message)).toBe(key);
  expect(mostSpecificKey(keys.toReversed(), message)).toBe(key);
});

test.each([
  ['application/json', true],
  ['text/json', true],
  ['application/vnd.api+json; profile=x', true],
  ['*/*', true],
  ['application/x-ndjson', false],
  ['application/json-seq', false],
  ['application/geo+json-seq', false],
  ['text/csv', false],
])('a body of %s is one JSON text: %s', (type, is) => {
  expect(isJson(type)).toBe(is);
});

test.each([
  ['application/*+json', 'application/json'],
  ['text/*', 'text/plain'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
])('a request names a type of the range %s: %s', (range, type) => {
  expect(namedType(range, 'application/json')).toBe(type);
});
