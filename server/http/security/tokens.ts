/**
 * The bearer tokens that open the service, and what each of them permits. They can be replaced while it runs.
 *
 * Each token that is sent is compared with all that are valid, padded to one length, so that comparing takes the same time
 * whatever they have in common. That length tells of the longest token no more than how many hundreds of bytes it has.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Token {
  text: string;
  /** It permits GET, and no change. */
  readOnly: boolean;
}

/** Who sends a valid token: what they may do, and the name under which their requests are counted. */
export interface Principal {
  readOnly: boolean;
  name: string;
}

export interface Tokens {
  /** Undefined for a token that is not valid. */
  principalOf(sent: string): Principal | undefined;
  /** From now on these are valid, and no others. */
  replace(tokens: readonly Token[]): void;
}

/** RFC 6750, section 2.1: what a token is made of. */
export const TOKEN = '[A-Za-z0-9._~+/-]+=*';

export const TOKEN_FORM = new RegExp(`^${TOKEN}$`);

/** Tokens are padded to a multiple of it. */
const STEP = 256;

export function createTokens(tokens: readonly Token[]): Tokens {
  // Names show in headers of the rate limit: nobody is to tell a token by its name.
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
      if (sent.length > room.length) return undefined;
      padded(sent, room);
      let found: Principal | undefined;
      // Every one is compared, so that the time says nothing about which of them it is.
      for (const { bytes, principal } of known) if (timingSafeEqual(bytes, room)) found = principal;
      return found;
    },
    replace: (list) => {
      ({ known, room } = prepare(list));
    },
  };
}

/** @param text of ASCII, without NUL: no two texts look alike */
function padded(text: string, into: Buffer): Buffer {
  into.fill(0, into.write(text, 'latin1'));
  return into;
}
