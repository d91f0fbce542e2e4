/** HAR 1.2, as browsers read it: a page for each failure, without times, and without bytes that are no request. */
import { STATUS_CODES } from 'node:http';
import type { Har } from 'har-format';
import { BYTES } from '../http/session.ts';
import type { Exchange, Report } from '../run/result.ts';

const NO_TIME = { send: 0, wait: 0, receive: 0 };

type Headers = Exchange['request']['headers'];

export function renderHar({ suite, started_at: startedDateTime, requirements }: Report): string {
  const pages: Har['log']['pages'] = [];
  const entries: Har['log']['entries'] = [];
  for (const { id, sentence, failure } of requirements) {
    if (!failure) {
      continue;
    }
    pages.push({ startedDateTime, id, title: `${id}: ${sentence}`, pageTimings: {} });
    const sent = failure.exchanges.filter(({ request }) => request.method !== BYTES);
    for (const exchange of sent) {
      const messages = { request: requestOf(exchange), response: responseOf(exchange) };
      const times = { startedDateTime, time: 0, timings: NO_TIME };
      entries.push({ pageref: id, ...times, ...messages, cache: {} });
    }
  }
  const har: Har = { log: { version: '1.2', creator: suite, pages, entries } };
  return `${JSON.stringify(har, null, 2)}\n`;
}

function requestOf({ request: { method, url, headers, body } }: Exchange) {
  const queryString = URL.canParse(url) ? pairs([...new URL(url).searchParams]) : [];
  const postData =
    body === null ? {} : { postData: { mimeType: headers['content-type'] ?? '', text: body } };
  return { method, url, queryString, ...head(headers, body), ...postData };
}

/** Status 0: no response came. */
function responseOf({ response, error = '' }: Exchange) {
  const { status, headers, body } = response ?? { status: 0, headers: {} as Headers, body: '' };
  const statusText = response ? (STATUS_CODES[status] ?? '') : error;
  const content = {
    size: Buffer.byteLength(body),
    mimeType: headers['content-type'] ?? '',
    text: body,
  };
  return {
    status,
    statusText,
    ...head(headers, body),
    content,
    redirectURL: headers['location'] ?? '',
  };
}

function head(headers: Headers, body: string | null) {
  const bodySize = Buffer.byteLength(body ?? '');
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(headers)),
    headersSize: -1,
    bodySize,
  };
}

const pairs = (entries: readonly [string, string][]) =>
  entries.map(([name, value]) => ({ name, value }));
