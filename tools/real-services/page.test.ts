import { expect, it } from 'vitest';
import { complaints, withRows } from './page.ts';
import type { Row } from './row.ts';
import { SERVICES } from './services/index.ts';
import { TOOLS } from './tools.ts';
import type { Harm } from './trial.ts';

const [service] = SERVICES;
const [suite, schemathesis] = TOOLS;

function rowWith(reached: number, harmed: Harm[]): Row {
  const counts = Object.fromEntries(
    Array.from({ length: reached }, (_, index) => [`GET /${index}`, { 200: 1 }]),
  );
  const outcome = { operations: 9, counts, requests: 9, seconds: 9, harmed, reports: '/none' };
  return {
    service: service!,
    outcomes: new Map([
      [suite!, outcome],
      [schemathesis!, outcome],
    ]),
  };
}

const harm = (thing: string): Harm => ({ thing, before: 'a', after: 'b' });

const PAGE = 'Text.\n\n| name | a |\n|---|---|\n| loopback | |\n| chroma | |\n\nMore.\n';

it('a row of the page is replaced', () => {
  const page = withRows(PAGE, [rowWith(3, [harm('a todo')])]);
  expect(page).toContain('\n| loopback | @loopback/example-todo 6.0.0 | 9 | 3 / 3 |');
  expect(page).toContain('| a todo / a todo |\n| chroma | |\n');
  expect(withRows(page, [rowWith(4, [])])).toContain('| 4 / 4 |');
});

it('fewer operations than on the page, or another harm, are complaints', () => {
  const page = withRows(PAGE, [rowWith(3, [harm('a todo')])]);
  expect(complaints(page, rowWith(3, [harm('a todo')]))).toEqual([]);
  expect(complaints(page, rowWith(4, []))).toEqual([]);
  expect(complaints(page, rowWith(2, [harm('a user')]))).toEqual([
    'harmed: a user is now b',
    '2 operations are reached, not 3',
  ]);
});

it('a page without a row of the service is an error', () => {
  expect(() => withRows('Text.\n', [rowWith(1, [])])).toThrow('no row of loopback');
});

it('no two services have the same name, and no two tools', () => {
  const names = [...SERVICES, ...TOOLS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
