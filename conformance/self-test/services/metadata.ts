/** Kinds whose responses say more, or less, about themselves in header fields. */
import { createHash } from 'node:crypto';
import { type Json, jsonOf, withHeaders } from '../messages.ts';
import { changingResponse } from '../mutation/operator.ts';
import { changingHeaders, type Group } from './kind.ts';

/** RFC 9110, 13. */
const conditional = changingResponse((response, { method, headers }) => {
  if (method !== 'GET' || response.status !== 200) {
    return response;
  }
  const digest = createHash('sha256').update(response.body).digest('hex');
  const etag = `"${digest}"`;
  if (headers['if-match'] === '"conformance"') {
    return { status: 412, headers: { etag }, body: '' };
  }
  const isKnown = ['*', etag].includes(headers['if-none-match'] ?? '');
  if (isKnown) {
    return { status: 304, headers: { etag }, body: '' };
  }
  return withHeaders(response, { etag });
});

/** RFC 9110, 14: one range of bytes, by which a response is cut. */
const ranges = changingResponse((response, { method, headers }) => {
  if (method !== 'GET' || response.status !== 200) {
    return response;
  }
  const offering = withHeaders(response, { 'accept-ranges': 'bytes' });
  const [, first] = /^bytes=(\d+)-\d*$/.exec(headers['range'] ?? '') ?? [];
  if (first === undefined || 'if-range' in headers) {
    return offering;
  }
  const bytes = Buffer.from(response.body);
  if (Number(first) >= bytes.length) {
    return { status: 416, headers: { 'content-range': `bytes */${bytes.length}` }, body: '' };
  }
  const range = `bytes ${first}-${bytes.length - 1}/${bytes.length}`;
  const part = withHeaders(offering, { 'content-range': range });
  return { ...part, status: 206, body: bytes.subarray(Number(first)) };
});

const withoutDate = changingResponse((response) => ({ ...response, hasNoDate: true }));

/** Fields that no contract names. */
const noise = changingHeaders(() => ({
  'content-language': 'en',
  'server-timing': 'app;dur=1.5, db',
  'set-cookie': 'trace=1; Path=/; HttpOnly',
  vary: '*',
  warning: '199 - "for nobody"',
}));

const withLocation = changingHeaders((response): NodeJS.Dict<string> => {
  if (response.status !== 201) {
    return {};
  }
  const { uri } = Object(jsonOf(response)) as Json;
  return { location: String(uri) };
});

export const METADATA: Group = {
  'ETag and conditions': conditional,
  'ranges of bytes': ranges,
  'no Date': withoutDate,
  'fields that nobody knows': noise,
  'Location beside 201': withLocation,
};
