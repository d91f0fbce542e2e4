/**
 * At most so many requests a minute from one client (D32), counted in this process alone. Responses say what is left in the
 * `RateLimit` headers of the IETF draft; a request beyond the limit gets 429 with `Retry-After`.
 *
 * A client is its token, where that is valid; all others are counted by address. So guesses of tokens share one count, and
 * so do the users of one token, wherever they are.
 */
import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from '../../domain/api-error.ts';
import { principalOf, type Tokens } from './tokens.ts';

/** Probes come often, and a refusal would look like a failure of the service. */
const EXEMPT = ['/livez', '/readyz'];

/** @param tokens undefined: the service is open, and clients are counted by address */
export function limitRate(perMinute: number, tokens: Tokens | undefined): RequestHandler {
  const detail = `A client may send ${perMinute} requests a minute. Wait as Retry-After says.`;
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'per-minute',
    skip: (req) => EXEMPT.includes(req.path),
    keyGenerator: (req) => {
      const principal = tokens && principalOf(req, tokens);
      return principal === undefined ? `address ${ipKeyGenerator(req.ip ?? '')}` : `token ${principal.name}`;
    },
    handler: (_req, _res, next) => next(new ApiError('too_many_requests', detail)),
    // It would write to stderr when a client sends its own X-Forwarded-For, which is not trusted.
    validate: false,
  });
}
