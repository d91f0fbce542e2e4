/** Bearer tokens (D28, RFC 6750), checked before the body is read. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { HttpError } from '../problem.ts';

export interface Token {
  text: string;
  /** It permits GET, and no change. */
  readOnly: boolean;
}

/** The sender of a valid token: permissions, and the name under which requests are counted. */
export type Principal = { readOnly: boolean; name: string };

export interface Tokens {
  /** Undefined for a token that is not valid. */
  principalOf(sent: string): Principal | undefined;
  /** From now on these are valid, and no others. */
  replace(tokens: readonly Token[]): void;
}

/** RFC 6750, section 2.1. */
const TOKEN = '[A-Za-z0-9._~+/-]+=*';
export const TOKEN_FORM = new RegExp(`^${TOKEN}$`);
const BEARER = new RegExp(`^Bearer +(${TOKEN}) *$`, 'i');

/** Tokens are padded to a multiple of it: times of comparisons show these hundreds of bytes of the longest one only. */
const STEP = 256;

export function createTokens(tokens: readonly Token[]): Tokens {
  // The rate limit shows names in headers: a token must not be recognizable by its name.
  const key = randomBytes(32);
  const prepare = (list: readonly Token[]) => {
    const length = STEP * Math.ceil(Math.max(1, ...list.map(({ text }) => text.length)) / STEP);
    const known = list.map(({ text, readOnly }) => ({
      bytes: padded(text, Buffer.alloc(length)),
      principal: { readOnly, name: createHmac('sha256', key).update(text).digest('hex') },
    }));
    return { known, room: Buffer.alloc(length) };
  };
  let { known, room } = prepare(tokens);
  return {
    principalOf: (sent) => {
      if (sent.length > room.length) {
        return undefined;
      }
      padded(sent, room);
      let found: Principal | undefined;
      // Every one is compared, so that the time does not reveal which of them it is.
      for (const { bytes, principal } of known) {
        if (timingSafeEqual(bytes, room)) {
          found = principal;
        }
      }
      return found;
    },
    replace: (list) => {
      ({ known, room } = prepare(list));
    },
  };
}

/** @param text of ASCII, without NUL, so that no two texts are padded to the same bytes */
function padded(text: string, into: Buffer): Buffer {
  into.fill(0, into.write(text, 'latin1'));
  return into;
}

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** @param tokens undefined: the service is open and the header is ignored */
export function requireBearer(tokens: Tokens | undefined): RequestHandler {
  return (req, _res, next) => {
    // OPTIONS shows the methods of a path, which the contract does, too (D29).
    if (tokens === undefined || req.method === 'OPTIONS') {
      return next();
    }
    if (req.headers.authorization === undefined) {
      throw refusal('unauthorized', 'Send a bearer token in the Authorization header.');
    }
    const principal = principalOf(req, tokens);
    if (principal === undefined) {
      throw refusal('unauthorized', 'The bearer token is not valid.', 'invalid_token');
    }
    if (principal.readOnly && !READING.includes(req.method)) {
      throw refusal('forbidden', 'This token is read-only.', 'insufficient_scope');
    }
    next();
  };
}

/** Undefined where the request has no valid token. */
export function principalOf(req: Request, tokens: Tokens): Principal | undefined {
  const sent = BEARER.exec(req.headers.authorization ?? '')?.[1];
  return sent === undefined ? undefined : tokens.principalOf(sent);
}

function refusal(code: 'unauthorized' | 'forbidden', detail: string, error?: string): HttpError {
  const reason = error === undefined ? '' : `, error="${error}"`;
  return new HttpError(code, detail, { 'WWW-Authenticate': `Bearer realm="edge-api"${reason}` });
}
