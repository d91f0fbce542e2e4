import { Refusal } from './problem.ts';

export interface Tokens {
  token?: string | undefined;
  readOnlyToken?: string | undefined;
}

/** What a request may do. */
export type Grant = 'anything' | 'reading';

/** RFC 6750: without credentials the challenge gives no error code. */
export function authorize(header: string | undefined, { token, readOnlyToken }: Tokens): Grant {
  if (token === undefined) return 'anything';
  const sent = /^bearer +(.*)$/is.exec(header ?? '')?.[1];
  if (sent === token) return 'anything';
  if (sent !== undefined && sent === readOnlyToken) return 'reading';
  throw new Refusal(
    'unauthorized',
    'These credentials do not open this service.',
    challenge(header === undefined ? '' : ', error="invalid_token"'),
  );
}

/** Asked once it is clear what a request wants: where nothing is, there is nothing to forbid. */
export function requirePermitted(grant: Grant, method: string): void {
  if (grant === 'anything' || method === 'GET') return;
  throw new Refusal('forbidden', 'These credentials are for looking only.', challenge(', error="insufficient_scope"'));
}

function challenge(error: string): { headers: Record<string, string> } {
  return { headers: { 'www-authenticate': `Bearer realm="independent"${error}` } };
}
