import type { Request } from 'express';
import { expect, it } from 'vitest';
import type { Operation } from '../../contract.ts';
import { negotiate } from './media-types.ts';

/** The media ranges that Express gets to choose from. */
function rangesFor(accept: string): string | undefined {
  const req = { headers: { accept }, accepts: () => 'application/json' } as unknown as Request;
  negotiate({ hasContent: true } as Operation, req);
  return req.headers.accept;
}

it.each([
  ['text/html;a="x, application/json;q=1"', 'text/html'],
  ['text/html;a="\\", */*";q=0.5, */*;q=0', 'text/html;q=0.5,*/*;q=0'],
  ['text/html;a="x;q=0", application/json;v=1;q=0.1', 'text/html,application/json;q=0.1'],
])('commas and semicolons in quotes separate nothing: %s', (accept, ranges) => {
  expect(rangesFor(accept)).toBe(ranges);
});
