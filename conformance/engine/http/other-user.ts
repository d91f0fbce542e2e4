/** The credentials of a second user, who must not reach what the first one makes. */
import type { Credentials } from '../contract/credentials.ts';
import type { Operation } from '../contract/operations.ts';
import { type Sending, withCookies } from './call.ts';

export interface OtherUser {
  /** The place for the value in a request. */
  credentials: Credentials;
  /** The whole value, such as `Bearer 0123`. */
  value: string;
  /** The places of the other schemes of the contract: nothing is sent there. */
  others: readonly Credentials[];
}

/**
 * Why the requests of the other user would not count as theirs; undefined if the operation accepts
 * their credentials alone.
 */
export function withoutOtherUser(
  otherUser: OtherUser | undefined,
  { operationId, security }: Operation,
): string | undefined {
  const scheme = otherUser?.credentials.of;
  const isEnough = security.some(([first, ...more]) => first === scheme && more.length === 0);
  if (scheme !== undefined && isEnough) {
    return undefined;
  }
  return `${operationId} does not ask for the credentials that --other-token has, and no others`;
}

/** The request with the credentials of the other user, in place of those of every request. */
export function asSentBy({ credentials, value, others }: OtherUser, sending: Sending): Sending {
  const without = others.reduce((sent, place) => withValue(sent, place, ''), sending);
  return withValue(without, credentials, value);
}

/** @param value an empty one takes away what goes out with every request */
function withValue(sending: Sending, { in: place, name }: Credentials, value: string): Sending {
  const { target, headers = {} } = sending;
  if (place === 'query') {
    const mark = target.includes('?') ? '&' : '?';
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    return { ...sending, target: `${target}${mark}${pair}` };
  }
  if (place === 'header') {
    return { ...sending, headers: { ...headers, [name]: value } };
  }
  const cookie = withCookies(headers['cookie'], [`${name}=${value}`]);
  return { ...sending, headers: { ...headers, cookie } };
}
