/** Request lines that are none, or hardly. */
import type { Kind } from '../case.ts';
import { EDGES, HEADERS } from '../requests.ts';

const LINES: Record<string, string> = {
  'no words': '\r\n\r\n\r\n',
  garbage: 'GARBAGE\r\n\r\n',
  'random bytes': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'no target': 'GET  HTTP/1.1\r\n',
  'no version': `GET ${EDGES}\r\n`,
  'lower-case method': `get ${EDGES} HTTP/1.1\r\n`,
  'unknown method': `FETCH ${EDGES} HTTP/1.1\r\n`,
  'a method of 10,000 letters': `${'G'.repeat(10_000)} / HTTP/1.1\r\n`,
  'version 0.9': `GET ${EDGES} HTTP/0.9\r\n`,
  'version 1.2': `GET ${EDGES} HTTP/1.2\r\n`,
  'version 2.0': `GET ${EDGES} HTTP/2.0\r\n`,
  'version 9.9': `GET ${EDGES} HTTP/9.9\r\n`,
  'version in words': `GET ${EDGES} HTTP/one\r\n`,
  'preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a space before': ` GET ${EDGES} HTTP/1.1\r\n`,
  'a tab between': `GET\t${EDGES} HTTP/1.1\r\n`,
  'a NUL in the target': `GET /edges/\0https HTTP/1.1\r\n`,
  'bytes beyond ASCII in the target': `GET /edges/\xff\xfe HTTP/1.1\r\n`,
  'a space in the target': `GET /edges/ https HTTP/1.1\r\n`,
  'a bare line feed': `GET ${EDGES} HTTP/1.1\n`,
  'a bare carriage return': `GET ${EDGES} HTTP/1.1\r`,
  'a target of 100,000 characters': `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n`,
  'a path out of the root': 'GET /../../../etc/passwd HTTP/1.1\r\n',
  'an encoded path out of the root': 'GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n',
  'half an escape': 'GET /edges/https/%E0%A4%A HTTP/1.1\r\n',
  'an escaped NUL': 'GET /edges/https/%00 HTTP/1.1\r\n',
  'an escaped line break': 'GET /edges/https/a%0d%0aX:%20y HTTP/1.1\r\n',
  '__proto__ as an id': 'GET /edges/https/__proto__x%7F HTTP/1.1\r\n',
  'the asterisk': 'GET * HTTP/1.1\r\n',
  'an authority': 'GET example.com:80 HTTP/1.1\r\n',
  'another scheme': 'GET ftp://example.com/ HTTP/1.1\r\n',
  CONNECT: 'CONNECT example.com:80 HTTP/1.1\r\n',
  TRACE: `TRACE ${EDGES} HTTP/1.1\r\n`,
  'a query of 1,000 parameters': `GET ${EDGES}?${Array.from({ length: 1000 }, (_, n) => `a${n}`).join('&')} HTTP/1.1\r\n`,
  'a query with names of built-ins': `GET ${EDGES}?__proto__[a]=1&constructor=2&toString=3 HTTP/1.1\r\n`,
};

export const lines: Kind = {
  name: 'request lines',
  cases: Object.entries(LINES).map(([name, line]) => ({ name, send: `${line}${HEADERS}\r\n` })),
};
