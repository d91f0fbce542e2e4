import { expect, test } from 'vitest';
import { CLAUSE, type Requirement } from '../requirements/requirement.ts';
import { breadthFirst } from './breadth-first.ts';

const requirement = (id: string, more: Partial<Requirement> = {}): Requirement => ({
  id,
  level: 'core',
  origin: 'unstated',
  clause: '',
  sentence: '',
  properties: () => [],
  ...more,
});

test('each operation comes once, then what looks for errors of the service', () => {
  const clause = { weight: CLAUSE };
  const forErrors = { ...clause, isForErrors: true };
  const order = breadthFirst([
    requirement('a.200'),
    requirement('a.body.x', clause),
    requirement('a.body.unusual', forErrors),
    requirement('b.200'),
    requirement('b.echo.spelling', { weight: 0.01 }),
    requirement('b.query.y', clause),
    requirement('b.methods', forErrors),
  ]);
  expect(order.map(({ id }) => id)).toEqual([
    'a.200',
    'b.200',
    'a.body.unusual',
    'b.methods',
    'a.body.x',
    'b.query.y',
    'b.echo.spelling',
  ]);
});
