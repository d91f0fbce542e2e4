/** A token that may only read (D28): what its requirements have in common. A service need not have one. */
import type { Session } from '../engine/http/session.ts';
import type { Implementation } from '../engine/http/implementation.ts';

export const FORBIDDEN = '/components/responses/Forbidden';

/** Why nothing of it can be tried. */
export function withoutReadOnlyToken({ readOnlyToken }: Implementation): string | undefined {
  return readOnlyToken === undefined ? 'needs --read-only-token: a service need not have such tokens' : undefined;
}

/** Headers that send it in place of the token that goes out with every request. */
export function asReader({ implementation }: Session): Record<string, string> {
  return { authorization: `Bearer ${implementation.readOnlyToken}` };
}
