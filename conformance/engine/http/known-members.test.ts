/** The members of a response that are compared, by its schema. */
import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { knownMembers } from './known-members.ts';

const contract = loadContract();
const EDGE = '/components/schemas/HTTPSEdge';
const ROUTE = '/components/schemas/HTTPSEdgeRoute';

const known = (schema: string, json: string): unknown =>
  knownMembers(contract, schema, JSON.parse(json));

test('members that the contract does not know are left out, at any depth and in lists', () => {
  const shown = known(
    EDGE,
    '{"id":"a","x":1,"tls_termination":{"enabled":true,"x":1},"routes":[{"match":"/","x":{}}]}',
  );
  expect(shown).toEqual({ id: 'a', tls_termination: { enabled: true }, routes: [{ match: '/' }] });
});

test('members with the names that every object has are left out, too', () => {
  expect(known(EDGE, '{"id":"a","__proto__":{"id":"b"},"toString":1,"constructor":null}')).toEqual({
    id: 'a',
  });
});

test('the names of a map are kept, whatever they are', () => {
  const shown = known(
    ROUTE,
    '{"request_headers":{"add":{"__proto__":"1","X-A":"2"},"x":1},"saml":null}',
  );
  expect(JSON.stringify(shown)).toBe(
    '{"request_headers":{"add":{"__proto__":"1","X-A":"2"}},"saml":null}',
  );
});

test('a value of another type than the schema states stays as it is', () => {
  expect(known(EDGE, '{"id":5,"routes":{"x":1},"tls_termination":"x"}')).toEqual({
    id: 5,
    routes: { x: 1 },
    tls_termination: 'x',
  });
  expect(known(EDGE, 'null')).toBe(null);
});
