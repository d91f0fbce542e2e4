/** Bearer tokens (D28, RFC 6750), checked before the body is read. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { HttpError } from '../problem.ts';
import { contextOf, type RequestContext } from '../request/context.ts';

export interface Token {
  text: string;
  /** It permits GET, and no change. */
  readOnly: boolean;
}

/** The sender of a valid token. */
export interface Principal {
  readOnly: boolean;
  /** The name under which requests are counted. */
  name: string;
  /** Names the token in the log. */
  fingerprint: string;
}

export interface Tokens {
  /** Undefined for a token that is not valid. */
  principalOf(sent: string): Principal | undefined;
  /** From now on these are valid, and no others. */
  replace(tokens: readonly Token[]): void;
}

/** RFC 6750, section 2.1. */
export const TOKEN_FORM = /^[A-Za-z0-9._~+/-]+=*$/;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** The same in words. */
export const TOKEN_CHARACTERS =
  'the characters A-Z a-z 0-9 . _ ~ + / -, and = at its end (RFC 6750)';

export function createTokens(tokens: readonly Token[]): Tokens {
  return new PaddedTokens(tokens);
}

/**
 * Tokens are padded to a multiple of it: times of comparisons show these hundreds of bytes of the
 * longest one only.
 */
const STEP = 256;

interface KnownToken {
  bytes: Buffer;
  principal: Principal;
}

class PaddedTokens implements Tokens {
  /** The rate limit shows names in headers: a token must not be recognizable by its name. */
  readonly #key = randomBytes(32);
  #known: readonly KnownToken[] = [];
  /** For the token of a request, as long as the known ones. */
  #sent = Buffer.alloc(0);

  constructor(tokens: readonly Token[]) {
    this.replace(tokens);
  }

  replace(tokens: readonly Token[]): void {
    const longest = Math.max(1, ...tokens.map(({ text }) => text.length));
    const length = STEP * Math.ceil(longest / STEP);
    this.#sent = Buffer.alloc(length);
    this.#known = tokens.map(({ text, readOnly }) => ({
      bytes: writePadded(text, Buffer.alloc(length)),
      principal: { readOnly, name: this.#nameOf(text), fingerprint: fingerprintOf(text) },
    }));
  }

  principalOf(sent: string): Principal | undefined {
    if (sent.length > this.#sent.length) {
      return undefined;
    }
    writePadded(sent, this.#sent);
    let found: Principal | undefined;
    // Every token is compared, so that the time does not reveal which of them it is.
    for (const { bytes, principal } of this.#known) {
      if (timingSafeEqual(bytes, this.#sent)) {
        found = principal;
      }
    }
    return found;
  }

  #nameOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex');
  }
}

/** @param text of ASCII, without NUL, so that no two texts are padded to the same bytes */
function writePadded(text: string, into: Buffer): Buffer {
  const length = into.write(text, 'latin1');
  return into.fill(0, length);
}

const FINGERPRINT_LENGTH = 8;

/** Tells tokens apart, and is too short to show one: `printf %s TOKEN | sha256sum | cut -c 1-8`. */
function fingerprintOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, FINGERPRINT_LENGTH);
}

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** @param tokens undefined: the service is open and the header is ignored */
export function requireBearer(tokens: Tokens | undefined): RequestHandler {
  return (req, res, next) => {
    // OPTIONS shows the methods of a path, which the contract does, too (D29).
    if (tokens !== undefined && req.method !== 'OPTIONS') {
      requirePermission(req, tokens, contextOf(res));
    }
    next();
  };
}

/** @throws HttpError `unauthorized`, `forbidden` */
function requirePermission(req: Request, tokens: Tokens, context: RequestContext): void {
  if (req.headers.authorization === undefined) {
    throw refusal('unauthorized', 'Send a bearer token in the Authorization header.');
  }
  const sent = sentToken(req);
  const principal = sent === undefined ? undefined : tokens.principalOf(sent);
  if (principal === undefined) {
    // Shows that a token is still in use after it was replaced.
    context.token = sent === undefined ? undefined : fingerprintOf(sent);
    throw refusal('unauthorized', 'The bearer token is not valid.', 'invalid_token');
  }
  context.token = principal.fingerprint;
  if (principal.readOnly && !READING.includes(req.method)) {
    throw refusal('forbidden', 'This token is read-only.', 'insufficient_scope');
  }
}

/** Undefined if the request has no valid token. */
export function principalOf(req: Request, tokens: Tokens): Principal | undefined {
  const sent = sentToken(req);
  if (sent === undefined) {
    return undefined;
  }
  return tokens.principalOf(sent);
}

function sentToken({ headers }: Request): string | undefined {
  const [, sent] = BEARER.exec(headers.authorization ?? '') ?? [];
  return sent;
}

function refusal(code: 'unauthorized' | 'forbidden', detail: string, error?: string): HttpError {
  const reason = error === undefined ? '' : `, error="${error}"`;
  return new HttpError(code, detail, { 'WWW-Authenticate': `Bearer realm="edge-api"${reason}` });
}
