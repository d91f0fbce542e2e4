/** Floods of headers, and headers that are none. */
import type { Kind } from '../case.ts';
import { EDGES, HEADERS } from '../requests.ts';
import { flood } from '../wire.ts';

const START = `GET ${EDGES} HTTP/1.1\r\n${HEADERS}`;
const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join('');

/** More than any sender gets through. */
const ENDLESS = 64 * 1024 * 1024;

export const headers: Kind = {
  name: 'headers',
  cases: [
    { name: '1,000 headers', send: `${START}${many(1000, (n) => `X-${n}: a\r\n`)}\r\n`, mayBeServed: true },
    { name: '100,000 headers', send: `${START}${many(100_000, (n) => `X-${n}: a\r\n`)}\r\n` },
    { name: '3,000 headers of one letter', send: `${START}${'a:\r\n'.repeat(3000)}\r\n`, mayBeServed: true },
    { name: 'a header of 1 MiB', send: `${START}X: ${'a'.repeat(1024 * 1024)}\r\n\r\n` },
    { name: 'a name of 1 MiB', send: `${START}${'a'.repeat(1024 * 1024)}: a\r\n\r\n` },
    {
      name: 'headers without an end',
      send: ({ port }) => flood(port, START, Buffer.from('X-A: b\r\n'.repeat(8192)), ENDLESS).then((one) => [one]),
    },
    {
      name: 'a header without an end',
      send: ({ port }) => flood(port, `${START}X: `, Buffer.alloc(65_536, 97), ENDLESS).then((one) => [one]),
    },
    { name: '10,000 cookies', send: `${START}Cookie: ${'a=b; '.repeat(10_000)}\r\n\r\n` },
    { name: 'no Host', send: `GET ${EDGES} HTTP/1.1\r\n\r\n` },
    { name: 'two Hosts', send: `${START}Host: example.com\r\n\r\n` },
    { name: 'a Host that is none', send: `GET ${EDGES} HTTP/1.1\r\n${HEADERS.replace('127.0.0.1', 'a b/c')}\r\n` },
    ...['[::::]', 'a:99999', '..'].map((host) => ({
      name: `Host: ${host}`,
      send: `GET ${EDGES} HTTP/1.1\r\n${HEADERS.replace('127.0.0.1', host)}\r\n`,
    })),
    { name: 'two tokens', send: `${START}Authorization: Bearer x\r\n\r\n` },
    { name: 'no name', send: `${START}: a\r\n\r\n` },
    { name: 'no colon', send: `${START}X\r\n\r\n` },
    { name: 'a space before the colon', send: `${START}X : a\r\n\r\n` },
    { name: 'a folded line', send: `${START}X: a\r\n b\r\n\r\n` },
    { name: 'a NUL', send: `${START}X: a\0b\r\n\r\n` },
    { name: 'a bare carriage return', send: `${START}X: a\rb\r\n\r\n` },
    {
      name: 'a token that is none',
      send: `GET ${EDGES} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${'x'.repeat(10_000)}\r\n\r\n`,
    },
    {
      name: 'a token with white space',
      send: `GET ${EDGES} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer${' '.repeat(15_000)}\x7f\r\n\r\n`,
    },
    { name: '5,000 media types to choose from', send: `${START}Accept: ${'a/b,'.repeat(3500)}x/y\r\n\r\n` },
    { name: 'media types that nearly end', send: `${START}Accept: ${'a/b;q='.repeat(2500)}\r\n\r\n` },
    { name: 'an expectation that nobody knows', send: `${START}Expect: the-unexpected\r\n\r\n`, mayBeServed: true },
    {
      name: 'an upgrade that nobody asked for',
      send: `${START}Connection: Upgrade\r\nUpgrade: h2c, websocket\r\n\r\n`,
      mayBeServed: true,
    },
    {
      name: 'names of built-ins',
      send: `${START}__proto__: a\r\nconstructor: b\r\ntoString: c\r\n\r\n`,
      mayBeServed: true,
    },
  ],
};
