/** Variables of a shell script, from the responses of a case. */
import { expect, test } from 'vitest';
import type { RecordedExchange } from '../http/exchange.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import { Variables } from './variables.ts';

const BASE = 'http://127.0.0.1';

function exchangeOf(method: string, path: string, shown: unknown): RecordedExchange {
  const request = { method, url: `${BASE}${path}`, headers: {}, body: null };
  return { request, response: { status: 200, headers: {}, body: JSON.stringify(shown) } };
}

function capturesOf(shown: unknown): readonly (readonly string[])[] {
  const { implementation } = serviceOf('  {}', () => ({ status: 200 }));
  const exchanges = [exchangeOf('POST', '/a', shown), exchangeOf('GET', '/a/abcdef', {})];
  return new Variables(BASE, exchanges, implementation, []).captures;
}

test('an id that a later request names is taken from the response', () => {
  const [first = []] = capturesOf({ id: 'abcdef' });
  expect(first.join()).toMatch(/^ID1=/);
});

test('an id that a later body names is taken from the response, of its own resource', () => {
  const { implementation } = serviceOf('  {}', () => ({ status: 200 }));
  const book = { id: 'bk_1234' };
  const body = '{"user_id":7,"member_id":7,"book_id":"bk_1234","pages":7}';
  const loan = exchangeOf('POST', '/loans', {});
  const exchanges = [
    exchangeOf('POST', '/members', { id: 7 }),
    exchangeOf('POST', '/books', book),
    { ...loan, request: { ...loan.request, body } },
  ];
  const variables = new Variables(BASE, exchanges, implementation, []);
  expect(variables.captures).toEqual([['ID1=$(pick id 1)'], ['ID2=$(pick id 1)'], []]);
  const named = `'{"user_id":7,"member_id":'"$ID1"',"book_id":"'"$ID2"'","pages":7}'`;
  expect(variables.body(body)).toBe(named);
  // Nothing that follows names it.
  const [alone = []] = new Variables(BASE, exchanges.slice(0, 1), implementation, []).captures;
  expect(alone).toEqual([]);
});

test('a name that the client has chosen is no variable, neither where it is sent nor later', () => {
  const { implementation } = serviceOf('  {}', () => ({ status: 200 }));
  const made = exchangeOf('POST', '/zones', { id: 'abcdef', name: 'abcdef' });
  const body = '{"name":"abcdef"}';
  const exchanges = [
    { ...made, request: { ...made.request, body } },
    exchangeOf('GET', '/zones/abcdef', {}),
  ];
  const variables = new Variables(BASE, exchanges, implementation, []);
  expect(variables.captures).toEqual([[], []]);
  expect(variables.body(body)).toBe(`'${body}'`);
  expect(variables.url(`${BASE}/zones/abcdef`)).toBe('"$BASE"/zones/abcdef');
});

test('a member is no id if it is an object, whatever its own members are called', () => {
  expect(capturesOf({ id: { toString: 1, valueOf: 2 } })).toEqual([[], []]);
});
