/** The credentials that a user gave, compared with those that operations ask for. */
import { type Credentials, credentialsOf, isMutualTls } from '../contract/credentials.ts';
import type { Operation } from '../contract/operations.ts';
import { cookiesOf } from './call.ts';
import type { Client } from './client.ts';
import type { Implementation } from './implementation.ts';

/** The value that goes out with every request in the place of these credentials. */
export function givenFor(client: Client, credentials: Credentials): string | undefined {
  const { in: place, name, scheme, of = '' } = credentials;
  if (place === 'query') {
    return client.query[name];
  }
  if (place === 'cookie') {
    const start = `${name}=`;
    const cookie = cookiesOf(client.headers['cookie']).find((one) => one.startsWith(start));
    return cookie?.slice(start.length);
  }
  const value = client.given?.[of]?.[name] ?? client.headers[name];
  // A token is not a password, and a password is not a token.
  const other = scheme === 'Basic' ? 'Bearer ' : 'Basic ';
  if (scheme !== undefined && value?.startsWith(other)) {
    return undefined;
  }
  return value;
}

/**
 * Why the operation may refuse every call; undefined if the user gave the credentials of one of its
 * ways in, or if it asks for none.
 */
export function withoutCredentials(
  { contract, client }: Implementation,
  { operationId, security }: Operation,
): string | undefined {
  const isGiven = (name: string): boolean => {
    if (isMutualTls(contract, name)) {
      return client.network.tls?.cert !== undefined;
    }
    const credentials = credentialsOf(contract, name);
    return typeof credentials !== 'string' && givenFor(client, credentials) !== undefined;
  };
  if (security.length === 0 || security.some((names) => names.every(isGiven))) {
    return undefined;
  }
  const ways = security.map((names) => names.join(' and ')).join(' or ');
  const options = '--token, --auth, --cert or --header';
  return `${operationId} asks for credentials (${ways}): give them with ${options}`;
}
