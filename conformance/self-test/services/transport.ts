/**
 * Kinds that use connections and content codings in another way, and kinds that fail now and then.
 */
import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { withHeaders } from '../messages.ts';
import { changingResponse, type Handle } from '../mutation/operator.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { changingHeaders, type Group, refusal } from './kind.ts';

const upper = (text: string) => text.toUpperCase();

const oddHeaders = changingResponse(({ status, headers, body }) => {
  const all = { ...headers };
  if (status !== 204 && body.length > 0) {
    all['content-length'] = String(Buffer.byteLength(body));
  }
  const odd: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) {
    odd[name.replace(/.$/, upper)] = value;
  }
  return { status, headers: odd, body };
});

/**
 * A list of content codings that has gzip, in any case, with a weight other than 0 (RFC 9110,
 * 8.4.1).
 */
const ACCEPTS_GZIP = /\bgzip\b(?!; *q=0(\.0*)?(,|$))/i;

const gzipped = changingResponse((response, { headers }) => {
  const isWanted = ACCEPTS_GZIP.test(headers['accept-encoding'] ?? '');
  if (!isWanted || response.body.length === 0) {
    return response;
  }
  const coded = withHeaders(response, { 'content-encoding': 'X-GZIP' });
  return { ...coded, body: gzipSync(response.body) };
});

export const TRANSPORT: Group = {
  'a connection for each request': changingHeaders(() => ({ connection: 'close' })),
  'Content-Length, and names of fields in odd case': oddHeaders,
  'gzip if it is accepted': gzipped,
};

const SHARE_OF_FAILURES = 1 / 300;

/**
 * Random numbers from 0 to 1, always the same: whether a run with a fixed seed passes must not
 * depend on chance.
 */
function repeatableRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Loses one in 300 responses, at random places.
 * @param carriedOut the share of those requests that have an effect
 */
function failing(respond: (request: ServiceRequest) => ServiceResponse, carriedOut = 0.5): Handle {
  const random = repeatableRandom();
  return async (next, request) => {
    if (random() >= SHARE_OF_FAILURES) {
      return next(request);
    }
    if (random() < carriedOut) {
      await next(request);
    }
    return respond(request);
  };
}

const delayed: Handle = async (next, request) => {
  await setTimeout(randomInt(5));
  return next(request);
};

/** 503 with `Retry-After`: a number of seconds, or a date. */
const unavailableForAWhile = failing((request) => {
  const retryAfter = randomInt(2) ? '0' : new Date().toUTCString();
  return refusal(503, request, { headers: { 'retry-after': retryAfter } });
});

const SHARE_OF_OUTAGES = 1 / 2500;
const OUTAGE_MS = 700;

/** A restart: 503 to all requests for a time. */
function restarting(): Handle {
  const random = repeatableRandom();
  let until = 0;
  return async (next, request) => {
    const now = performance.now();
    const isDue = random() < SHARE_OF_OUTAGES;
    if (isDue && now >= until) {
      until = now + OUTAGE_MS;
    }
    if (now < until) {
      return refusal(503, request, { headers: { 'retry-after': '1' } });
    }
    return next(request);
  };
}

/** A gateway does not know how long to wait. */
const unavailableAtAGateway = failing((request) => refusal(503, request));

const rateLimited = failing(
  (request) => refusal(429, request, { headers: { 'retry-after': '0' } }),
  0,
);

const breakingConnection = failing(() => {
  throw new Error('the connection is closed without a response');
});

export const FAILURES: Group = {
  'responses in any order': delayed,
  '503 with Retry-After in 1 of 300 responses': unavailableForAWhile,
  '503 to all requests for a time': restarting(),
  '503 without Retry-After in 1 of 300 responses': unavailableAtAGateway,
  '429 in 1 of 300 responses': rateLimited,
  'a connection that breaks in 1 of 300 requests': breakingConnection,
};
