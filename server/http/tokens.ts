/**
 * The bearer tokens that open the service, and what each of them permits. They can be replaced while it runs.
 *
 * Tokens are kept as keyed digests: of one length, so that comparing takes the same time for every token, and of no use to
 * whoever reads them in memory or, as they name a client to the rate limit, in a header.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Token {
  text: string;
  /** It permits GET, and no change. */
  readOnly: boolean;
}

/** What a valid token permits, and the name under which its requests are counted. */
export interface Grant {
  readOnly: boolean;
  name: string;
}

export interface Tokens {
  /** Undefined for a token that is not valid. */
  grantOf(sent: string): Grant | undefined;
  /** From now on these are valid, and no others. */
  replace(tokens: readonly Token[]): void;
}

/** RFC 6750, section 2.1: what a token is made of. */
export const TOKEN_FORM = /^[A-Za-z0-9._~+/-]+=*$/;

export function createTokens(tokens: readonly Token[]): Tokens {
  const key = randomBytes(32).toString('hex');
  // The key has one length, so that no other key and token make the same text; nobody sees the digest to extend it.
  const digest = (text: string): Buffer => hash('sha256', key + text, 'buffer');
  const known = (list: readonly Token[]) => list.map(({ text, readOnly }) => ({ digest: digest(text), readOnly }));
  let valid = known(tokens);
  return {
    grantOf: (sent) => {
      const asked = digest(sent);
      let found: (typeof valid)[number] | undefined;
      // Every one is compared, so that the time tells nothing about which of them it is.
      for (const one of valid) if (timingSafeEqual(one.digest, asked)) found = one;
      return found && { readOnly: found.readOnly, name: found.digest.toString('hex') };
    },
    replace: (list) => {
      valid = known(list);
    },
  };
}
