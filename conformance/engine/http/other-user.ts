/** The credentials of a second user, who must not reach what the first one makes. */
import type { Credentials } from '../contract/credentials.ts';
import { type Sending, withCookies } from './call.ts';

export interface OtherUser {
  /** The place for the value in a request. */
  credentials: Credentials;
  /** The whole value, such as `Bearer 0123`. */
  value: string;
}

/** The request with the credentials of the other user, in place of those of every request. */
export function asSentBy({ credentials, value }: OtherUser, sending: Sending): Sending {
  const { in: place, name } = credentials;
  const { target, headers = {} } = sending;
  switch (place) {
    case 'query': {
      const [path = '', query = ''] = target.split(/\?(.*)/s, 2);
      const pairs = new URLSearchParams(query);
      pairs.set(name, value);
      return { ...sending, target: `${path}?${pairs}` };
    }
    case 'cookie': {
      const cookie = withCookies(headers['cookie'], [`${name}=${value}`]);
      return { ...sending, headers: { ...headers, cookie } };
    }
    default:
      return { ...sending, headers: { ...headers, [name]: value } };
  }
}
