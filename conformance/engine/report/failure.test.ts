/** The request that shows a finding, in one line. */
import { expect, test } from 'vitest';
import { exchangeInShort } from './failure.ts';

const BASE = 'http://a';

function lineOf(
  path: string,
  body: string | null = null,
  headers: Record<string, string> = {},
): string {
  const request = { method: 'POST', url: `${BASE}${path}`, headers, body };
  const response = { status: 500, headers: {}, body: '' };
  return exchangeInShort({ request, response }, BASE, 60);
}

test('a request that fits is shown as it is', () => {
  expect(lineOf('/tenants/5f0e9a9d-45c1-4ed0-a81f-0ee5aae64a02')).toBe(
    'POST /tenants/5f0e9a9d-45c1-4ed0-a81f-0ee5aae64a02 → 500',
  );
});

test('names in a long path make room for its end and the body', () => {
  const path = '/tenants/%2Fis_fruosl/databases/a81f0ee5aae64a02/attached_functions/one/detach?a=b';
  const line = lineOf(path, '{}');
  expect(line).toMatch(/^POST \/tenants\/…\/databases\/…\/attached_functions\/.*… → 500$/);
  expect(line.length).toBeLessThanOrEqual(60);
  expect(lineOf('/tenants/5f0e9a9d-45c1-4ed0-a81f-0ee5aae64a02/items', '{"a":[null]}')).toBe(
    'POST /tenants/…/items {"a":[null]} → 500',
  );
});

test('header fields that a request has for a reason are shown', () => {
  const json = { 'content-type': 'application/json' };
  expect(lineOf('/a', '{}', json)).toBe('POST /a {} → 500');
  expect(lineOf('/a', null, { 'accept-language': 'xx' })).toBe(
    'POST /a (accept-language: xx) → 500',
  );
  expect(lineOf('/a', 'b', { 'content-type': 'text/plain' })).toBe(
    'POST /a (content-type: text/plain) b → 500',
  );
  expect(lineOf('/a', null, { te: 'x', via: 'y', from: 'z' })).toBe(
    'POST /a (te: x, via: y, …) → 500',
  );
});
