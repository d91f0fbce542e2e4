/** An id of a requirement that was released stays, or a committed table says what became of it, and why. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from './engine/contract/load.ts';
import { requirementsOf } from './api/index.ts';

const released = join(import.meta.dirname, '..', 'docs', 'released');
const today = new Set(requirementsOf(loadContract()).map(({ id }) => id));
const before = readFileSync(join(released, 'requirement-ids-0.3.0.txt'), 'utf8').trim().split('\n');
const changed = readFileSync(join(released, 'requirement-ids.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, now, reason] = /^\| `([^`]+)` \| (`[^`]+`|gone) \| (.+) \|$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, now: now!.replaceAll('`', ''), reason: reason! }];
  });

test('every id of 0.3.0 is there, or in the table', () => {
  const known = new Set([...today, ...changed.map(({ id }) => id)]);
  expect(before.filter((id) => !known.has(id))).toEqual([]);
});

test('the table names ids of 0.3.0 that are gone, once each, with what takes their place', () => {
  const ids = changed.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids.filter((id) => today.has(id) || !before.includes(id))).toEqual([]);
  expect(changed.map(({ now }) => now).filter((now) => now !== 'gone' && !today.has(now))).toEqual([]);
});

test('each row has a reason in words', () => {
  for (const { id, reason } of changed) expect(reason, id).toMatch(/\w+ \w+/);
});
