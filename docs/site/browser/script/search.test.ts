/** Finds what readers look for in the real pages, best first. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageContent } from '../../page/document.ts';
import { find, indexOf, isOneEditAway, plainText } from './search.ts';

const index = indexOf(pageContent(join(import.meta.dirname, '..', '..', '..', '..')).pages);
const titlesOf = (query: string): string[] =>
  find(index, query).hits.map(({ entry }) => entry.title);
const kindsOf = (query: string): string[] => find(index, query).hits.map(({ entry }) => entry.kind);

it.each([
  ['num_buckets', 'circuit_breaker'],
  ['error_threshold_percentage', 'circuit_breaker'],
])('%s is found in the schema, then in the operations that take it', (property, module) => {
  const { hits } = find(index, property);
  const found = hits.map(({ entry, name }) => [entry.title, name?.path]);
  expect(found.slice(0, 4)).toEqual([
    ['EndpointCircuitBreaker', property],
    ['EndpointCircuitBreakerMutate', property],
    ['Create a route', `${module}.${property}`],
    ['Update a route', `${module}.${property}`],
  ]);
});

it.each([
  ['createRoute', 'Create a route'],
  ['retry', 'Retries'],
  ['page size', 'Pagination'],
  ['rate limit', 'Protect the server: Limit the rate'],
  ['min_version', 'EndpointTLSTermination'],
  ['first request', 'First request'],
  ['401', 'Authentication'],
  ['bearer', 'Authentication'],
  ['null', 'Updating safely'],
  ['request id', 'Problem'],
  ['circuit breaker', 'EndpointCircuitBreaker'],
  ['concurrency', 'Updating safely'],
  ['cors', 'Protect the server: Pages of other origins'],
  ['conflict', 'Errors'],
  ['curl', 'First request'],
  ['d24', 'D24: Circuit breaker ranges, and the meaning of two fields'],
])('the first hit of %s is %s', (query, title) => {
  expect(titlesOf(query)[0]).toBe(title);
});

it.each(['rate limit', 'rate limt', 'retries'])('the changelog comes last for %s', (query) => {
  expect(titlesOf(query).slice(0, 8).join()).not.toContain('Changelog');
});

it.each(['rate limit', 'page size', 'min_version', 'byte', 'cursor'])(
  'no decision record comes before a section in the hits of %s',
  (query) => {
    const kinds = kindsOf(query);
    expect(kinds).toContain('section');
    const firstRecord = kinds.indexOf('record');
    expect(firstRecord === -1 ? [] : kinds.slice(firstRecord)).not.toContain('section');
  },
);

it.each([
  ['pagintion', 'pagination'],
  ['num_bukets', 'num_buckets'],
  ['retreis', 'retries'],
  ['autentication', 'authentication'],
  ['hosstports', 'hostports'],
])('%s finds what %s finds', (misspelt, word) => {
  expect(titlesOf(misspelt)[0]).toBe(titlesOf(word)[0]);
});

it.each([
  ['abcd', 'abxd', true],
  ['abcd', 'abd', true],
  ['abd', 'abcd', true],
  ['abcd', 'acbd', true],
  ['abcd', 'acxd', false],
  ['abcd', 'ab', false],
])('%s and %s: one edit away is %s', (one, other, expected) => {
  expect(isOneEditAway(one, other)).toBe(expected);
});

it('nothing is found for nothing, nor for a word that no text has', () => {
  expect([titlesOf(''), titlesOf('xyzzyqwert')]).toEqual([[], []]);
});

it('texts have no signs of Markdown and nothing that the page hides', () => {
  const texts = index.entries.map(({ entry }) => entry.text);
  expect(texts.filter((text) => /\]\(|<span|\*\*|^#/.test(text))).toEqual([]);
  expect(plainText('## A\n\n| `a` | [b](c.md) |\n| --- | --- |\n| **d** | e |')).toBe(
    'A a · b d · e',
  );
});
