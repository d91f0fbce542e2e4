import { expect, test } from 'vitest';
import { PathTree } from './path-tree.ts';

const tree = new PathTree<string>();
for (const template of [
  '/edges',
  '/edges/{id}',
  '/edges/{edge_id}/routes',
  '/edges/new/routes/{id}',
  '/edges/{edge_id}/routes/{id}/x',
])
  tree.add(template, template);

test.for([
  ['/edges', '/edges', {}],
  ['/edges/a', '/edges/{id}', { id: 'a' }],
  ['/edges/a%2Fb%20c', '/edges/{id}', { id: 'a/b c' }],
  ['/edges/new', '/edges/{id}', { id: 'new' }],
  ['/edges/new/routes', '/edges/{edge_id}/routes', { edge_id: 'new' }],
  ['/edges/new/routes/r', '/edges/new/routes/{id}', { id: 'r' }],
  ['/edges/new/routes/r/x', '/edges/{edge_id}/routes/{id}/x', { edge_id: 'new', id: 'r' }],
  ['/edges/__proto__', '/edges/{id}', { id: '__proto__' }],
] as const)('%s', ([path, value, params]) => {
  expect(tree.find(path)).toEqual({ value, params });
});

test.for(['/', '/edges/', '//edges', '/Edges', '/edges/a/routes/', '/edges/a/b', '/edges/a/routes/r', '/edge%73'])(
  '%s is none',
  (path) => {
    expect(tree.find(path)).toBeUndefined();
  },
);

test('what cannot be decoded is told', () => {
  expect(() => tree.find('/edges/%zz')).toThrow(URIError);
});
