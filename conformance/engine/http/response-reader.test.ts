import { describe, expect, test } from 'vitest';
import type { RawResponse } from './response.ts';
import { ResponseReader } from './response-reader.ts';

/** What comes of the text, in pieces of so many bytes, and then the end of the connection. */
function read(text: string, method = 'GET', piece = text.length): [RawResponse | undefined, ResponseReader] {
  const reader = new ResponseReader(method);
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += piece) {
    const response = reader.read(bytes.subarray(at, at + piece));
    if (response) return [response, reader];
  }
  return [reader.end(), reader];
}

function parse(text: string, method?: string, piece?: number) {
  const [response] = read(text, method, piece);
  return response && { ...response, body: response.body.toString() };
}

const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab';
const CHUNKS = 'HTTP/1.1 400\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nX: 1\r\n\r\n';
const OPEN = 'HTTP/1.0 200 OK\r\nX: 1\r\nx: 2\r\n\r\nall';

describe('a response', () => {
  test.each([1, 2, 3, 1_000])('ends by its length, by its chunks, or with the connection, in pieces of %i', (piece) => {
    expect(parse(LENGTH, 'GET', piece)).toEqual({ status: 200, headers: { 'content-length': '2' }, body: 'ab' });
    expect(parse(CHUNKS, 'GET', piece)?.body).toBe('abc');
    expect(parse(OPEN, 'GET', piece)).toEqual({ status: 200, headers: { x: '1, 2' }, body: 'all' });
  });

  test('comes after interim ones, and has no body after HEAD', () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n';
    expect(parse(`${interim}HTTP/1.1 204 No Content\r\n\r\n`)).toEqual({ status: 204, headers: {}, body: '' });
    expect(parse('HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n', 'HEAD')?.body).toBe('');
  });

  test('shows a body that is not to be there', () => {
    expect(parse(LENGTH, 'HEAD')?.body).toBe('ab');
    expect(parse(LENGTH.replace('\r\n', '\r\nConnection: close\r\n'), 'HEAD', 1)?.body).toBe('ab');
    expect(parse('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\nab', 'DELETE', 1)?.body).toBe('ab');
  });

  test.each([
    [LENGTH, true],
    [CHUNKS, true],
    [LENGTH.replace('\r\n', '\r\nConnection: close\r\n'), false],
    [LENGTH.replace('1.1', '1.0'), false],
    [LENGTH.replace('1.1', '1.0').replace('\r\n', '\r\nConnection: Keep-Alive\r\n'), true],
    [OPEN, false],
    [`${LENGTH}c`, false],
  ])('leaves its connection open, or not: %j', (text, keepsAlive) => {
    expect(read(text)[1].keepsAlive).toBe(keepsAlive);
  });

  test.each([
    '',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n',
  ])('that is not whole is none: %j', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  test.each([
    ['HTTP/1.1 200 OK\r\n', 'garbled'],
    ['hello\r\n\r\n', 'garbled'],
    ['HTTP/2.0 200 OK\r\n\r\n', 'garbled'],
    ['HTTP/1.1 200 OK\r\n: x\r\n\r\n', 'garbled'],
    ['HTTP/1.1 200 OK\r\na b: x\r\n\r\n', 'garbled'],
    ['HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n', 'garbled'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab', 'garbled'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n', 'garbled'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'garbled'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n', 'garbled'],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'garbled'],
    [`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}`, 'endless'],
    [`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(9_000_000)}`, 'endless'],
  ])('that is none of HTTP is refused: %#', (text, kind) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ kind }) as Error);
  });
});
