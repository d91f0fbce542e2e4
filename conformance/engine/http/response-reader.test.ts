import { describe, expect, test } from 'vitest';
import type { RawResponse } from './response.ts';
import { NO_METHOD, ResponseReader } from './response-reader.ts';

/** Reads the text in pieces of so many bytes, and then the end of the connection. */
function read(text: string, method = 'GET', piece = text.length) {
  const reader = new ResponseReader(method);
  const bytes = Buffer.from(text, 'latin1');
  let response: RawResponse | undefined;
  for (let at = 0; at < bytes.length && !response; at += piece) {
    response = reader.read(bytes.subarray(at, at + piece));
  }
  response ??= reader.end();
  return {
    keepsAlive: reader.keepsAlive,
    response: response && { ...response, body: response.body.toString() },
  };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n`;
const LENGTH = `${OK}Content-Length: 2\r\n\r\nab`;
const CLOSED = LENGTH.replace('\r\n', '\r\nConnection: close\r\n');
const OLD = LENGTH.replace('1.1', '1.0');
const CHUNKS = `${CHUNKED}\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nX: 1\r\n\r\n`;
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n';
const OPEN = 'HTTP/1.0 200 OK\r\nX: 1\r\nx: 2\r\n\r\nall';

describe('a response', () => {
  test.each([1, 2, 3, 1_000])(
    'ends by its length, by its chunks, or with the connection, in pieces of %i',
    (piece) => {
      const expected = { status: 200, headers: { 'content-length': '2' }, body: 'ab' };
      expect(read(LENGTH, 'GET', piece).response).toEqual(expected);
      expect(read(CHUNKS, 'GET', piece).response?.body).toBe('abc');
      expect(read(OPEN, 'GET', piece).response).toEqual({
        status: 200,
        headers: { x: '1, 2' },
        body: 'all',
      });
    },
  );

  test.each([
    ['GET', 1, `HTTP/1.1 100 Continue\r\n\r\n${EARLY_HINTS}HTTP/1.1 204\r\n\r\n`, ''],
    ['HEAD', 1, 'HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n', ''],
    ['HEAD', 100, LENGTH, 'ab'],
    ['HEAD', 1, CLOSED, 'ab'],
    ['DELETE', 1, 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\nab', 'ab'],
  ])(
    'to %s comes after interim ones, and shows a body that must not be there, in pieces of %i: %j',
    (...given) => {
      const [method, piece, text, body] = given;
      expect(read(text, method, piece).response?.body).toBe(body);
    },
  );

  const kept = [LENGTH, CHUNKS, OLD.replace('\r\n', '\r\nConnection: Keep-Alive\r\n')];
  test.each([...kept, CLOSED, OLD, `${OK}\r\nall`, `${LENGTH}c`])(
    'leaves its connection open, or not: %j',
    (text) => {
      expect(read(text).keepsAlive).toBe(kept.includes(text));
    },
  );

  const parts = [
    '',
    LENGTH.replace('ab', 'a'),
    `${CHUNKED}\r\n5\r\nab`,
    `${CHUNKED}\r\n2\r\nab\r\n0\r\n`,
  ];
  test.each(parts)('is missing until it is whole: %j', (text) =>
    expect(read(text).response).toBeUndefined(),
  );

  test.each([
    OK,
    'hello\r\n\r\n',
    'HTTP/2.0 200 OK\r\n\r\n',
    `${OK}: x\r\n\r\n`,
    `${OK}a b: x\r\n\r\n`,
    `${OK}x: a\0b\r\n\r\n`,
    `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nab`,
    `${CHUNKED}\r\nzz\r\n`,
    `${CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n`,
    `${CHUNKED}\r\n2\r\nabc\r\n`,
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  ])('that is not HTTP is refused: %j', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'garbled' }) as Error);
  });

  test.each([1, 1_000])(
    'without a status line counts as none to mere bytes, in pieces of %i',
    (piece) => {
      expect(read('<p>hello</p>', NO_METHOD, piece).response).toBeUndefined();
      expect(read(LENGTH, NO_METHOD, piece).response?.body).toBe('ab');
      const garbled = expect.objectContaining({ kind: 'garbled' }) as Error;
      expect(() => read('HTTP/1.1 x\r\n\r\n', NO_METHOD, piece)).toThrow(garbled);
    },
  );

  test('without a status line that does not end is refused to mere bytes, too', () => {
    const endless = expect.objectContaining({ kind: 'endless' }) as Error;
    expect(() => read('a'.repeat(9_000_000), NO_METHOD)).toThrow(endless);
  });

  test('whose header fields do not end is refused', () => {
    const endless = expect.objectContaining({ kind: 'endless' }) as Error;
    expect(() => read(`${OK}x: ${'a'.repeat(20_000)}`)).toThrow(endless);
  });

  test('that is too long to be kept is read to its head', () => {
    const body = 'a'.repeat(9_000_000);
    const { response } = read(`${OK}Content-Type: text/plain\r\n\r\n${body}`);
    expect(response).toMatchObject({ status: 200, isPartial: true });
    const endless = expect.objectContaining({ kind: 'endless' }) as Error;
    expect(() => read(`${OK}\r\n${body}`)).toThrow(endless);
  });

  test('of a stream of events is there with its head, and needs no end', () => {
    const head = `${OK}Content-Type: text/event-stream\r\n\r\n`;
    expect(read(head).response).toMatchObject({ status: 200, isPartial: true });
  });

  test.each([
    ['text/csv', 'a,b', true],
    ['application/json', '{"a"', undefined],
  ])('of %s that does not end in time is partial: %s', (type, text, isPartial) => {
    const reader = new ResponseReader('GET');
    const head = `${OK}Content-Type: ${type}\r\nContent-Length: 9\r\n\r\n`;
    expect(reader.read(Buffer.from(head + text))).toBeUndefined();
    expect(reader.begun()?.isPartial).toBe(isPartial);
  });
});
