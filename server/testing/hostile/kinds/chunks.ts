/** Chunked bodies that are broken, or that cost more than they carry. */
import type { Kind } from '../case.ts';
import { framed } from '../requests.ts';
import { flood } from '../wire.ts';

const chunked = (body: string) => framed('Transfer-Encoding: chunked\r\n', body);
const BAD = '7\r\n{"x":1}\r\n';
const ENDLESS = 64 * 1024 * 1024;
const endless =
  (head: string, piece: string) =>
  ({ port }: { port: number }) =>
    flood(port, chunked(head), Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length))), ENDLESS).then((one) => [
      one,
    ]);

export const chunks: Kind = {
  name: 'chunks',
  cases: [
    { name: 'a trailer', send: chunked(`${BAD}0\r\nX-Trailer: a\r\n\r\n`) },
    {
      name: 'a trailer that frames',
      send: chunked(`${BAD}0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`),
    },
    { name: 'a trailer with a token', send: chunked(`${BAD}0\r\nAuthorization: Bearer x\r\nHost: b\r\n\r\n`) },
    { name: 'a trailer of 1 MiB', send: chunked(`${BAD}0\r\nX: ${'a'.repeat(1024 * 1024)}\r\n\r\n`) },
    { name: 'trailers without an end', send: endless(`${BAD}0\r\n`, 'X-A: b\r\n') },
    { name: 'a size that is none', send: chunked('zz\r\n{}\r\n0\r\n\r\n') },
    { name: 'a negative size', send: chunked('-2\r\n{}\r\n0\r\n\r\n') },
    { name: 'an empty size', send: chunked('\r\n{}\r\n0\r\n\r\n') },
    { name: 'a size beyond 64 bits', send: chunked('fffffffffffffffff\r\n{}\r\n0\r\n\r\n') },
    { name: 'the largest size', send: chunked('ffffffffffffffff\r\n{}\r\n0\r\n\r\n') },
    { name: 'a size with 0x', send: chunked('0x2\r\n{}\r\n0\r\n\r\n') },
    { name: 'a size of 100,000 zeros', send: chunked(`${'0'.repeat(100_000)}7\r\n{"x":1}\r\n0\r\n\r\n`) },
    { name: 'a size that is too small', send: chunked('2\r\n{"x":1}\r\n0\r\n\r\n') },
    { name: 'a size that is too large', send: chunked('f\r\n{"x":1}\r\n0\r\n\r\n') },
    { name: 'no line break behind a chunk', send: chunked('7\r\n{"x":1}0\r\n\r\n') },
    { name: 'bare line feeds', send: chunked('7\n{"x":1}\n0\n\n') },
    { name: 'no last chunk', send: chunked(BAD) },
    { name: 'an extension', send: chunked('7;a=b;c="d"\r\n{"x":1}\r\n0\r\n\r\n') },
    { name: 'an extension of 1 MiB', send: chunked(`7;${'a'.repeat(1024 * 1024)}\r\n{"x":1}\r\n0\r\n\r\n`) },
    { name: 'an extension without an end', send: endless('7;', 'a') },
    {
      name: 'extensions on each chunk',
      send: chunked(`${`1;${'a'.repeat(100)}\r\n \r\n`.repeat(5000)}${BAD}0\r\n\r\n`),
    },
    { name: 'an extension with a line feed', send: chunked('7;a\nb\r\n{"x":1}\r\n0\r\n\r\n') },
    { name: '1 MiB in chunks of one byte', send: chunked(`${'1\r\n \r\n'.repeat(1024 * 1024 - 7)}${BAD}0\r\n\r\n`) },
    { name: 'chunks of one byte without an end', send: endless('', '1\r\n \r\n') },
  ],
};
