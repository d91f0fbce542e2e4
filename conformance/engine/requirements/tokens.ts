/** Why requirements about tokens cannot be tried; undefined where they can. */
import type { Implementation } from '../http/implementation.ts';

export function withoutToken({ token }: Implementation): string | undefined {
  return token === undefined ? 'needs --token: without one, no service is asked to refuse' : undefined;
}

export function withoutReadOnlyToken({ readOnlyToken }: Implementation): string | undefined {
  return readOnlyToken === undefined ? 'needs --read-only-token: a service need not have such tokens' : undefined;
}
