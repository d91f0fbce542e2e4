/**
 * HAR 1.2, as browsers read it: a page for each failure, with its exchanges. It has no times, and
 * nothing of exchanges whose bytes were not meant to be a request.
 */
import { STATUS_CODES } from 'node:http';
import type { Entry, Har, Page, Request, Response } from 'har-format';
import { BYTES } from '../http/exchange.ts';
import type { ReportedExchange, Report } from '../run/result.ts';

export function renderHar({
  suite,
  started_at: startedAt,
  requirements,
  findings,
}: Report): string {
  const pages: Page[] = [];
  const entries: Entry[] = [];
  const alone = findings.map(({ id, title, failure }) => ({ id, sentence: title, failure }));
  for (const { id, sentence, failure } of [...requirements, ...alone]) {
    if (failure === undefined) {
      continue;
    }
    pages.push({
      startedDateTime: startedAt,
      id,
      title: `${id}: ${sentence}`,
      pageTimings: {},
    });
    const requests = failure.exchanges.filter(({ request }) => request.method !== BYTES);
    entries.push(...requests.map((exchange) => entryOf(exchange, id, startedAt)));
  }
  const har: Har = { log: { version: '1.2', creator: suite, pages, entries } };
  return `${JSON.stringify(har, null, 2)}\n`;
}

function entryOf(exchange: ReportedExchange, pageref: string, startedDateTime: string): Entry {
  return {
    pageref,
    startedDateTime,
    time: 0,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}

function requestOf({ request: { method, url, headers, body } }: ReportedExchange): Request {
  const queryString = URL.canParse(url) ? namedValues(new URL(url).searchParams) : [];
  const request: Request = { method, url, queryString, ...headOf(headers, body ?? '') };
  if (body !== null) {
    request.postData = { mimeType: headers['content-type'] ?? '', text: body };
  }
  return request;
}

function responseOf({ response, error = '' }: ReportedExchange): Response {
  if (response === null) {
    return responseWith(0, error, {}, '');
  }
  const { status, headers, body } = response;
  return responseWith(status, STATUS_CODES[status] ?? '', headers, body);
}

type Headers = ReportedExchange['request']['headers'];

/** @param status 0 if no response came */
function responseWith(
  status: number,
  statusText: string,
  headers: Headers,
  body: string,
): Response {
  const content = {
    size: Buffer.byteLength(body),
    mimeType: headers['content-type'] ?? '',
    text: body,
  };
  const redirectURL = headers['location'] ?? '';
  return { status, statusText, ...headOf(headers, body), content, redirectURL };
}

/** The members that requests and responses share. */
function headOf(headers: Headers, body: string) {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: namedValues(Object.entries(headers)),
    headersSize: -1,
    bodySize: Buffer.byteLength(body),
  };
}

function namedValues(entries: Iterable<[name: string, value: string]>) {
  return Array.from(entries, ([name, value]) => ({ name, value }));
}
