/**
 * Limits the requests a minute of a client (D32), counted in this process. `RateLimit` headers are
 * an IETF draft.
 */
import type { Request, RequestHandler } from 'express';
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
    keyGenerator: (req) => clientOf(req, tokens),
    handler: (_req, _res, next) => next(new ApiError('too_many_requests', detail)),
    // It would write to stderr when a client sends its own X-Forwarded-For, which is not trusted.
    validate: false,
  });
}

/** Guesses of tokens share the count of their address. */
function clientOf(req: Request, tokens: Tokens | undefined): string {
  const principal = tokens && principalOf(req, tokens);
  if (principal === undefined) {
    return `address ${ipKeyGenerator(req.ip ?? '')}`;
  }
  return `token ${principal.name}`;
}
