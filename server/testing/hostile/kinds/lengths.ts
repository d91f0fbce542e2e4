/** Lengths of bodies that are wrong, or said in two ways: the means of request smuggling. */
import type { Kind } from '../case.ts';
import { EDGES, framed, GET, JSON_HEADERS } from '../requests.ts';

/** A request that would be served, were it taken for one. */
const HIDDEN = `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}Content-Length: 2\r\n\r\n{}`;
const BAD = '{"x":1}';

const CASES: Record<string, string> = {
  'a huge length': framed('Content-Length: 99999999999\r\n', BAD),
  'a length beyond 64 bits': framed('Content-Length: 99999999999999999999999\r\n', BAD),
  'a length of 10,000 digits': framed(`Content-Length: ${'9'.repeat(10_000)}\r\n`, BAD),
  'a negative length': framed('Content-Length: -1\r\n', BAD),
  'a positive length': framed('Content-Length: +7\r\n', BAD),
  'a hexadecimal length': framed('Content-Length: 0x7\r\n', BAD),
  'a fraction': framed('Content-Length: 7.0\r\n', BAD),
  'a length in words': framed('Content-Length: seven\r\n', BAD),
  'an empty length': framed('Content-Length: \r\n', BAD),
  'a list of lengths': framed('Content-Length: 7, 7\r\n', BAD),
  'two lengths alike': framed('Content-Length: 7\r\nContent-Length: 7\r\n', BAD),
  'two lengths': framed(`Content-Length: 7\r\nContent-Length: ${7 + HIDDEN.length}\r\n`, BAD + HIDDEN),
  'two lengths, the other way': framed(`Content-Length: ${7 + HIDDEN.length}\r\nContent-Length: 7\r\n`, BAD + HIDDEN),
  'CL.TE': framed(`Content-Length: ${5 + HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${HIDDEN}`),
  'TE.CL': framed(
    'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
    `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  ),
  'TE.TE, the second unknown': framed('Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n', `0\r\n\r\n${HIDDEN}`),
  'TE.TE, the first unknown': framed(
    'Transfer-Encoding: cow\r\nTransfer-Encoding: chunked\r\n',
    `7\r\n${BAD}\r\n0\r\n\r\n`,
  ),
  xchunked: framed('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${HIDDEN}`),
  identity: framed('Transfer-Encoding: identity\r\n', `0\r\n\r\n${HIDDEN}`),
  'chunked twice': framed('Transfer-Encoding: chunked, chunked\r\n', `7\r\n${BAD}\r\n0\r\n\r\n`),
  'chunked before gzip': framed('Transfer-Encoding: chunked, gzip\r\n', `0\r\n\r\n${HIDDEN}`),
  'a space before the colon': framed('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${HIDDEN}`),
  'a tab before chunked': framed('Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${HIDDEN}`),
  'a vertical tab before chunked': framed('Transfer-Encoding: \x0bchunked\r\nContent-Length: 7\r\n', `${BAD}${HIDDEN}`),
  'chunked in quotes': framed('Transfer-Encoding: "chunked"\r\n', `0\r\n\r\n${HIDDEN}`),
  'behind a folded line': framed('X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 7\r\n', BAD),
  'behind a bare line feed': framed('X: a\nTransfer-Encoding: chunked\r\nContent-Length: 7\r\n', BAD),
  'chunked in HTTP/1.0': framed('Transfer-Encoding: chunked\r\n', `0\r\n\r\n${HIDDEN}`).replace('HTTP/1.1', 'HTTP/1.0'),
  'less than announced': framed('Content-Length: 100\r\n', BAD),
  'more than announced': framed('Content-Length: 7\r\n', `${BAD}garbage`),
  'a body of GET that hides a request': GET.replace(
    '\r\n\r\n',
    `\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ),
};

export const lengths: Kind = {
  name: 'lengths, smuggling',
  cases: Object.entries(CASES).map(([name, send]) => ({ name, send })),
};
