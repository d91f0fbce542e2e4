/**
 * Valid credentials where the contract names no place for them, and nothing where they belong: the
 * request is one without credentials.
 */
import { type Credentials, credentialsOf, isGuarded } from '../contract/credentials.ts';
import type { Contract } from '../contract/load.ts';
import { documentedFor, type Operation, operationsOf } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { type CallInput, queryOf } from '../http/call.ts';
import { givenFor } from '../http/given-credentials.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { callToRefuse } from './calls.ts';
import { CLAUSE, each, type Requirement, requirementOf, statedIn } from './requirement.ts';
import { withoutOwnCredentials } from './statuses.ts';

/** Names under which some services take a secret as it is, beside the places of the contract. */
const PARAMETERS = ['token', 'api_key', 'apikey', 'key', 'auth', 'authorization'];
const COOKIES = ['token', 'access_token', 'api_key', 'auth', 'authorization', 'jwt', 'session'];
const FIELDS = [
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'x-token',
  'token',
];
/** Fields in which some take what belongs into `Authorization`. */
const AUTHORIZATION_FIELDS = [
  'authorization',
  'x-authorization',
  'x-original-authorization',
  'x-forwarded-authorization',
];

export function elsewhereRequirements(contract: Contract): Requirement[] {
  const guarded = operationsOf(contract).filter(
    (one) => one.unsupported === undefined && isDocumentedGuard(contract, one),
  );
  const all = guarded.map(elsewhereRequirement);
  return statedIn('engine/requirements/credentials-elsewhere.ts', all);
}

/** Whether the contract says what comes without credentials that the suite can send. */
function isDocumentedGuard(contract: Contract, operation: Operation): boolean {
  const usable = operation.security
    .flat()
    .some((name) => typeof credentialsOf(contract, name) !== 'string');
  return isGuarded(operation) && usable && documentedFor(operation, 401) !== undefined;
}

/** Puts a secret into other places of a request, which has none where it belongs. */
type Put = (call: CallInput, given: Given, isFree: IsFree) => CallInput;

/** Credentials that go out with every request. */
interface Given {
  credentials: Credentials;
  /** The whole value, and the part behind the scheme. */
  value: string;
  secret: string;
}

/** Whether the contract knows nothing under this name in this place. */
type IsFree = (place: Credentials['in'], name: string) => boolean;

const IN_COOKIES = 'in cookies';

const PLACES: Readonly<Record<string, Put>> = {
  'in the query': (call, { credentials, secret }, isFree) => {
    // RFC 6750, 2.3, has a parameter for bearer tokens, `access_token`: a service may know it.
    const more = credentials.scheme === undefined ? [credentials.name, 'access_token'] : [];
    const names = namesIn('query', [...PARAMETERS, ...more], isFree);
    const own = queryOf(call);
    return { ...call, query: [...own, ...names.map((name) => [name, secret] as [string, string])] };
  },
  'in other fields': (call, { secret }, isFree) => withFields(call, FIELDS, secret, isFree),
  'in fields like Authorization': (call, { credentials, value, secret }, isFree) => {
    const written = credentials.scheme === undefined ? `Bearer ${secret}` : value;
    return withFields(call, AUTHORIZATION_FIELDS, written, isFree);
  },
  [IN_COOKIES]: (call, { credentials, secret }, isFree) => {
    const names = namesIn('cookie', [...COOKIES, credentials.name], isFree);
    const own = call.headers?.['cookie'] ?? '';
    const cookies = [own, ...names.map((name) => `${name}=${secret}`)];
    const cookie = cookies.filter((one) => one !== '').join('; ');
    return { ...call, headers: { ...call.headers, cookie } };
  },
};

function namesIn(place: Credentials['in'], names: readonly string[], isFree: IsFree): string[] {
  return [...new Set(names)].filter((name) => isFree(place, name));
}

function withFields(
  call: CallInput,
  names: readonly string[],
  value: string,
  isFree: IsFree,
): CallInput {
  const fields = namesIn('header', names, isFree).map((name) => [name, value]);
  return { ...call, headers: { ...call.headers, ...Object.fromEntries(fields) } };
}

function elsewhereRequirement(operation: Operation): Requirement {
  const { operationId } = operation;
  const sentence =
    `${operationId} refuses valid credentials in the query, in another header field or in a ` +
    'cookie, as far as the contract names no such place.';
  const stated = requirementOf(operation, 'credentials.elsewhere', {
    stated: documentedFor(operation, 401) ?? operation,
    sentence,
    properties: (implementation) =>
      each(placesBeside(implementation, operation), (put, session) =>
        tryElsewhere(session, operation, put),
      ),
  });
  const skip: Requirement['skip'] = (implementation) => {
    const given = givenOf(implementation, operation);
    if (given) {
      return undefined;
    }
    return `needs the credentials of ${operationId}, in a text that is sent`;
  };
  return { ...stated, level: 'extended', weight: CLAUSE, skip };
}

/** The places but for cookies if a cookie has the credentials: it is sent beside all others. */
function placesBeside(implementation: Implementation, operation: Operation): Record<string, Put> {
  const isOwnCookie = givenOf(implementation, operation)?.credentials.in === 'cookie';
  const places = Object.entries(PLACES).filter(([name]) => !isOwnCookie || name !== IN_COOKIES);
  return Object.fromEntries(places);
}

/** The first credentials of the operation that the user gives. */
function givenOf({ contract, client }: Implementation, operation: Operation): Given | undefined {
  for (const name of operation.security.flat()) {
    const credentials = credentialsOf(contract, name);
    const value = typeof credentials === 'string' ? undefined : givenFor(client, credentials);
    if (typeof credentials !== 'string' && value !== undefined) {
      const { scheme = '' } = credentials;
      const secret = value.startsWith(`${scheme} `) ? value.slice(scheme.length + 1) : value;
      return { credentials, value, secret };
    }
  }
  return undefined;
}

/** Those that no scheme and no parameter of the operation has, and in which nothing is sent. */
function freePlaces({ contract, client }: Implementation, operation: Operation): IsFree {
  const schemes = Object.keys(objectAt(contract.document, '/components/securitySchemes'));
  const named = schemes
    .map((name) => credentialsOf(contract, name))
    .filter((one) => typeof one !== 'string');
  const taken = [...named, ...operation.parameters];
  return (place, name) => {
    const isTaken = taken.some(
      (one) => one.in === place && one.name.toLowerCase() === name.toLowerCase(),
    );
    return !isTaken && !(place === 'header' && name in client.headers);
  };
}

async function tryElsewhere(session: Session, operation: Operation, put: Put): Promise<void> {
  const { implementation } = session;
  const { operationId } = operation;
  const given = givenOf(implementation, operation);
  const valid = await callToRefuse(session, operationId);
  const bare = withoutOwnCredentials(implementation, operation, valid);
  if (given === undefined || bare === undefined) {
    throw new NotPossible(`${operationId} is called without credentials anyway`);
  }
  const without = await session.call(operationId, bare);
  if (without.status < 300) {
    throw new NotPossible(`${operationId} takes a request without credentials (${without.status})`);
  }
  const { status } = await session.call(
    operationId,
    put(bare, given, freePlaces(implementation, operation)),
  );
  expectThat(status >= 300, 'Credentials count in a place that the contract does not name.', {
    expected: `a refusal, such as ${without.status}`,
    got: status,
  });
}
