/** Which credentials go out with every request, and what cannot be called without others. */
import { type Credentials, credentialsOf, type Operation } from '../contract/operations.ts';
import type { Client } from './client.ts';
import type { Implementation } from './implementation.ts';

/** What goes out with every request in the place of these credentials. */
export function givenFor(client: Client, { in: place, name }: Credentials): string | undefined {
  if (place === 'query') return client.query[name];
  if (place === 'header') return client.headers[name];
  const start = `${name}=`;
  const pairs = (client.headers['cookie'] ?? '').split('; ');
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** Why the operation may refuse every call; undefined where one of its ways in is given, or none is asked for. */
export function withoutCredentials({ contract, client }: Implementation, { operationId, security }: Operation) {
  const isGiven = (name: string) => {
    const credentials = credentialsOf(contract, name);
    return typeof credentials !== 'string' && givenFor(client, credentials) !== undefined;
  };
  if (security.length === 0 || security.some((names) => names.every(isGiven))) return undefined;
  const ways = security.map((names) => names.join(' and ')).join(' or ');
  return `${operationId} asks for credentials (${ways}): give them with --token or --header`;
}
