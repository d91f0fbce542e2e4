/** Bodies in bytes that are no UTF-8, and in codings that swell. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Kind } from '../case.ts';
import { framed, JSON_HEADERS, post } from '../requests.ts';

const around = (...bytes: number[]) =>
  post(Buffer.concat([Buffer.from('{"description":"'), Buffer.from(bytes), Buffer.from('"}')]));

const BYTES: Record<string, Buffer> = {
  'an overlong slash': around(0xc0, 0xaf),
  'an overlong NUL': around(0xc0, 0x80),
  'overlong in three bytes': around(0xe0, 0x80, 0xaf),
  'overlong in four bytes': around(0xf0, 0x80, 0x80, 0xaf),
  'a surrogate': around(0xed, 0xa0, 0x80),
  'a pair of surrogates': around(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
  'an escaped surrogate': post(String.raw`{"description":"\ud800"}`),
  'an escaped surrogate in a name': post(String.raw`{"\udfff":1}`),
  'cut off after one byte': around(0xc3),
  'cut off after three bytes': around(0xf0, 0x9f, 0x98),
  'a continuation alone': around(0x80),
  'beyond Unicode': around(0xf4, 0x90, 0x80, 0x80),
  'five bytes': around(0xf8, 0x88, 0x80, 0x80, 0x80),
  '0xff': around(0xff),
  'Latin-1': post(Buffer.from('{"description":"é"}', 'latin1')),
  'UTF-16': post(Buffer.from('{"description":"a"}', 'utf16le')),
  'UTF-16 with a mark': post(Buffer.from('\ufeff{"description":"a"}', 'utf16le')),
  'two byte order marks': post('\ufeff\ufeff{}'),
  'a byte order mark alone': post('\ufeff'),
  'a byte order mark within': post('{\ufeff}'),
  NULs: post('\0\0\0\0'),
  'a NUL behind': post('{}\0'),
  'control characters in a text': post('{"description":"\u0001\n"}'),
};

const coded = (coding: string, bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `POST /edges/https HTTP/1.1\r\n${JSON_HEADERS}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    ),
    bytes,
  ]);

/** Made when they are needed: they take a moment. */
const swelling =
  (make: () => Buffer) =>
  async ({ port }: { port: number }) => {
    const { exchange } = await import('../wire.ts');
    return [await exchange(port, [make()])];
  };
const spaces = () => Buffer.alloc(64 * 1024 * 1024, ' ');

export const encodings: Kind = {
  name: 'encodings',
  cases: [
    ...Object.entries(BYTES).map(([name, send]) => ({ name, send })),
    {
      name: 'a byte order mark before',
      send: post('\ufeff{}', '/event_subscriptions/steady/sources/steady.v0', 'PATCH'),
      mayBeServed: true,
    },
    { name: '64 MiB in 64 KiB of gzip', send: swelling(() => coded('gzip', gzipSync(spaces()))) },
    { name: '64 MiB in 64 KiB of deflate', send: swelling(() => coded('deflate', deflateSync(spaces()))) },
    {
      name: '64 MiB in 100 bytes of Brotli',
      send: swelling(() =>
        coded('br', brotliCompressSync(spaces(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
      ),
    },
    { name: 'gzip of gzip', send: coded('gzip, gzip', gzipSync(gzipSync('{}'))) },
    { name: 'gzip that breaks off', send: coded('gzip', gzipSync('{"description":"a"}').subarray(0, 20)) },
    {
      name: 'gzip with a wrong sum',
      send: coded('gzip', Buffer.concat([gzipSync('{}').subarray(0, -8), Buffer.alloc(8)])),
    },
    { name: 'no gzip', send: coded('gzip', Buffer.from('{}')) },
    {
      name: 'empty blocks of deflate',
      send: coded(
        'deflate',
        Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.alloc(500_000, Buffer.from([0, 0, 0, 0xff, 0xff]))]),
      ),
    },
    { name: 'no Brotli', send: coded('br', Buffer.from('{"description":"a"}')) },
    { name: 'an unknown coding', send: coded('zstd', Buffer.from('{}')) },
    { name: 'a coding that is none', send: coded('__proto__', Buffer.from('{}')) },
    {
      name: 'chunked with gzip',
      send: framed('Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', '2\r\n\x1f\x8b\r\n0\r\n\r\n'),
    },
    {
      name: 'another charset',
      send: framed('Content-Length: 2\r\n', '{}').replace('application/json', 'application/json; charset=utf-7'),
    },
    ...Array.from({ length: 50 }, (_, n) => ({
      name: `media type ${n}`,
      send: post('{"x":1}').toString().replace('application/json', `application/json; p=${n}`),
    })),
  ],
};
