/** A token that may only read (D28): what its requirements have in common. A service need not have one. */
import type { Session } from '../engine/http/session.ts';

export const FORBIDDEN = '/components/responses/Forbidden';

/** Headers that send it in place of the token that goes out with every request. */
export function asReader({ implementation }: Session): Record<string, string> {
  return { authorization: `Bearer ${implementation.readOnlyToken}` };
}
