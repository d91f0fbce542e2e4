/** The credentials that a user gave, compared with those that operations ask for. */
import { memberOf } from '../contract/by-name.ts';
import {
  type Credentials,
  credentialsOf,
  isMutualTls,
  otherHttpScheme,
  schemeInWords,
  schemesInUse,
} from '../contract/credentials.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { cookiesOf } from './call.ts';
import type { Client } from './client.ts';
import type { Implementation } from './implementation.ts';

/** The value that goes out with every request in the place of these credentials. */
export function givenFor(client: Client, credentials: Credentials): string | undefined {
  const { in: place, name, scheme, of = '' } = credentials;
  if (place === 'query') {
    return memberOf(client.query, name);
  }
  if (place === 'cookie') {
    const start = `${name}=`;
    const cookie = cookiesOf(client.headers['cookie']).find((one) => one.startsWith(start));
    return cookie?.slice(start.length);
  }
  const value = memberOf(memberOf(client.given, of), name) ?? memberOf(client.headers, name);
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
    if (typeof credentials === 'string') {
      const [word = ''] = (client.headers['authorization'] ?? '').split(' ', 1);
      return word.toLowerCase() === otherHttpScheme(contract, name);
    }
    return givenFor(client, credentials) !== undefined;
  };
  if (security.length === 0 || security.some((names) => names.every(isGiven))) {
    return undefined;
  }
  const ways = waysInWords(contract, security);
  const unusable = security.map((names) => names.map((name) => whyUnusable(contract, name)));
  const reasons = unusable.map((way) => way.find((reason) => reason !== undefined));
  const [reason] = reasons;
  if (reason !== undefined && !reasons.includes(undefined)) {
    const option = '--header sends a field as it is';
    return `${operationId} asks for credentials (${ways}), but ${reason}: ${option}`;
  }
  const options = optionsFor(contract, security);
  return `${operationId} asks for credentials (${ways}): give them with ${options}`;
}

type Ways = Operation['security'];

/** Such as `apiKey in the header X-Api-Key or session in the cookie sid`. */
export function waysInWords(contract: Contract, ways: Ways): string {
  const words = ways.map((names) => names.map((name) => schemeInWords(contract, name)));
  return [...new Set(words.map((way) => way.join(' and ')))].join(' or ');
}

/** The options that take these credentials. */
export function optionsFor(contract: Contract, ways: Ways): string {
  const isOne = schemesInUse(contract).size === 1;
  const options = ways.flat().map((name) => {
    if (isMutualTls(contract, name)) {
      return '--cert and --key';
    }
    if (typeof credentialsOf(contract, name) === 'string') {
      return '--header';
    }
    return isOne ? '--token (better as CONFORMANCE_TOKEN)' : `--auth ${name}=VALUE`;
  });
  return [...new Set(options)].join(' or ');
}

/** Why the suite can make no credentials for the security scheme of this name. */
function whyUnusable(contract: Contract, name: string): string | undefined {
  const credentials = credentialsOf(contract, name);
  if (typeof credentials !== 'string' || isMutualTls(contract, name)) {
    return undefined;
  }
  return credentials;
}
