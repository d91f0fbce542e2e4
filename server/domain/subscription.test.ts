import { expect, test } from 'vitest';
import { Links } from './links.ts';
import { addType, listSources, replaceType } from './subscription.ts';

const LINKS = new Links('http://localhost');
const URI = 'http://localhost/event_subscriptions/sub_1/sources';
const SUBSCRIPTION = { id: 'sub_1', types: ['a.v0', 'b.v0', 'c.v0'] };

function pageAt(cursor: string | undefined, limit = 2) {
  const { sources, uri } = listSources(SUBSCRIPTION, { limit, cursor }, LINKS);
  return { types: sources.map(({ type }) => type), uri };
}

test('a page begins behind its cursor, and leads to the next one (D16)', () => {
  const next = `${URI}?limit=2&cursor=b.v0`;
  expect(pageAt(undefined)).toEqual({ types: ['a.v0', 'b.v0'], uri: next });
  expect(pageAt('b.v0')).toEqual({ types: ['c.v0'], uri: null });
  expect(pageAt('c.v0')).toEqual({ types: [], uri: null });
});

test('any text is a cursor, also one that is not a source of the subscription', () => {
  expect(pageAt('a.v1').types).toEqual(['b.v0', 'c.v0']);
  expect(pageAt('').types).toEqual(['a.v0', 'b.v0']);
});

test('a page that ends with the last source has no next page', () => {
  expect(pageAt(undefined, 3)).toEqual({ types: SUBSCRIPTION.types, uri: null });
});

test('types stay in the order of ASCII when one is added or replaced (D16)', () => {
  expect(addType(SUBSCRIPTION, 'Z.v0').types).toEqual(['Z.v0', 'a.v0', 'b.v0', 'c.v0']);
  expect(replaceType(SUBSCRIPTION, 'a.v0', 'd.v0').types).toEqual(['b.v0', 'c.v0', 'd.v0']);
});
