/**
 * At most so many requests a minute from one client (D32), counted in this process alone. Responses say what is left by the
 * `RateLimit` headers of the IETF draft; a request beyond it gets 429 with `Retry-After`.
 *
 * A client is its token, where that is valid; all else is counted by address. So whoever guesses tokens does not get a new
 * count with each guess, and users of one token share theirs wherever they are.
 */
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';
import { tokenOf } from './bearer.ts';
import type { Tokens } from './tokens.ts';

const WINDOW_MS = 60_000;

/** Whoever watches the process asks often, and must not be told that it is busy when it is well. */
const EXEMPT = ['/livez', '/readyz'];

/**
 * @param perMinute undefined: without limit
 * @param tokens undefined: the service runs open, and clients are counted by address
 */
export async function limitRate(perMinute: number | undefined, tokens: Tokens | undefined): Promise<RequestHandler> {
  if (perMinute === undefined) return (_req, _res, next) => next();
  // Loaded by those only who use it.
  const { ipKeyGenerator, rateLimit } = await import('express-rate-limit');
  const clientOf = (req: Request): string => {
    const sent = tokenOf(req);
    const principal = sent === undefined ? undefined : tokens?.principalOf(sent);
    return principal === undefined ? `address ${ipKeyGenerator(req.ip ?? '')}` : `token ${principal.name}`;
  };
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'per-minute',
    skip: (req) => EXEMPT.includes(req.path),
    keyGenerator: clientOf,
    handler: (_req, _res, next) =>
      next(
        new ApiError(
          'too_many_requests',
          `A client may send ${perMinute} requests a minute. Wait as Retry-After says.`,
        ),
      ),
    // It would write to stderr when a client sends X-Forwarded-For of its own, which is not believed.
    validate: false,
  });
}
