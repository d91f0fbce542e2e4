/** The service under test: how to reach it, what it is known to have, what it is held to, and what its API adds. */
import type { Hints } from '../contract/hints.ts';
import { allLinks, LOCATION, SHOWN } from '../contract/inferred.ts';
import { isScalar } from '../contract/json-numbers.ts';
import type { Contract } from '../contract/load.ts';
import { type Level, type Operation, operationsOf, type Response } from '../contract/operations.ts';
import { type Credentials, credentialsOf, isMutualTls } from '../contract/credentials.ts';
import { valueAt } from '../contract/pointers.ts';
import { type CallInput, cookiesOf, requestTargetOf, type Sending } from './call.ts';
import type { Client } from './client.ts';
import { NotPossible } from './nonconformity.ts';
import { PRECONDITION_STATUSES } from './preconditions.ts';
import type { HttpResponse } from './response.ts';

/** An API that adds state of its own extends this interface (see `conformance/api/implementation.ts`). */
export interface Implementation {
  contract: Contract;
  client: Client;
  /** Additions of the API to its contract. */
  api: HttpApi;
  operations: Map<string, Operation>;
  level: Level;
  /** `source`: held to what the source document states, and nothing that was decided beyond it. */
  origin: 'source' | 'all';
  token: string | undefined;
  /** Permits no change; only beside `token`. */
  readOnlyToken: string | undefined;
  /** Which worker of the run this is for; by default the first one, 0, which alone has what a user lends. */
  job?: number;
  /** Known and realistic values, from which values are generated. */
  hints: Hints;
  /** Made and not removable at this level: how many of each kind. */
  leftBehind: Record<string, number>;
  /** Perhaps made as well, since no response said whether. */
  perhapsMade: Record<string, number>;
  /** How many calls of an operation were successes, by its id; an operation without one is not there. */
  succeeded: Record<string, number>;
  /** Path templates that were filled with examples of the contract, of which the service may know nothing. */
  stated: Set<string>;
  /** Set once nothing more is to be sent, but to clean up: why. */
  halted?: string | undefined;
}

type Given = 'contract' | 'client' | 'level' | 'origin' | 'token' | 'readOnlyToken' | 'job';
export type ImplementationOptions = Pick<Implementation, Given>;

export function implementationOf(options: ImplementationOptions, api: HttpApi, hints: Hints) {
  const operations = new Map(
    operationsOf(options.contract).map((operation) => [operation.operationId, operation]),
  );
  return {
    ...options,
    api,
    operations,
    hints,
    leftBehind: {},
    perhapsMade: {},
    succeeded: {},
    stated: new Set<string>(),
  };
}

/** The additions of an API to the sending of requests. `engine/requirements/api.ts` has its other additions. */
export interface HttpApi {
  /** Follows what a case makes, to remove it. */
  track(session: { readonly implementation: Implementation }): Tracker;
  /** Looks at a response before it is checked. @throws NotPossible where it says nothing */
  look?(implementation: Implementation, operation: Operation, response: HttpResponse): void;
  /** A check of a user. @throws Nonconformity */
  checkResponse?(call: {
    operationId: string;
    input: CallInput;
    response: HttpResponse;
  }): Promise<void>;
  /** The form of errors beyond what the contract documents, such as problem details. @throws Nonconformity */
  expectError?(implementation: Implementation, response: HttpResponse, refused: Refused): void;
  /** A shell variable for a path segment that the run made up; undefined for segments that must stay as they are. */
  variableFor?(segment: string, implementation: Implementation): string | undefined;
}

export interface Tracker {
  /** @param response undefined: none came, and the service may have done it all the same */
  observe(operation: Operation, input: CallInput, response: HttpResponse | undefined): void;
  /** The requests that remove what was made, for a script of the case. */
  removals(): Sending[];
  /** Removes what was made, as far as the API can; what stays is counted. Errors do not count: the case is over. */
  cleanUp(failed: boolean): Promise<void>;
}

export interface Refused {
  operation?: Operation;
  /** The response that the contract documents for the status; undefined where the operation does not document it. */
  documented?: Response | undefined;
  /** The call that was sent: the errors that it has are the ones that may be reported. */
  input?: CallInput;
  /** The kinds of error that fit, in the words of the API; by default those of the status. */
  codes?: readonly string[];
}

/** The operation with this method at the path of another one, where the level has it. */
export function operationBeside(
  { operations, level }: Implementation,
  { path }: Operation,
  method: string,
) {
  const found = [...operations.values()].find((one) => one.path === path && one.method === method);
  if (found?.level === 'core' || level === 'extended') {
    return found;
  }
  return undefined;
}

/** The value that goes out with every request in the place of these credentials. */
export function givenFor(
  client: Client,
  { in: place, name, scheme, of = '' }: Credentials,
): string | undefined {
  if (place === 'query') {
    return client.query[name];
  }
  const value = client.given?.[of]?.[name] ?? client.headers[name];
  // A token is no password, and a password no token.
  const isOther =
    scheme !== undefined && value?.startsWith(scheme === 'Basic' ? 'Bearer ' : 'Basic ');
  if (place === 'header') {
    return isOther ? undefined : value;
  }
  const start = `${name}=`;
  const cookie = cookiesOf(client.headers['cookie']).find((one) => one.startsWith(start));
  return cookie?.slice(start.length);
}

/** Why the operation may refuse every call; undefined where one of its ways in is given, or none is asked for. */
export function withoutCredentials(
  { contract, client }: Implementation,
  { operationId, security }: Operation,
) {
  const isGiven = (name: string) => {
    const credentials = credentialsOf(contract, name);
    if (isMutualTls(contract, name)) {
      return client.network.tls?.cert !== undefined;
    }
    return typeof credentials !== 'string' && givenFor(client, credentials) !== undefined;
  };
  if (security.length === 0 || security.some((names) => names.every(isGiven))) {
    return undefined;
  }
  const ways = security.map((names) => names.join(' and ')).join(' or ');
  return `${operationId} asks for credentials (${ways}): give them with --token, --auth, --cert or --header`;
}

/** An implementation of an API that only its contract describes. */
export function plainImplementation(
  options: ImplementationOptions,
  more: Partial<HttpApi> = {},
): Implementation {
  return implementationOf(options, { ...PLAIN, ...more }, {}) as Implementation;
}

const PLAIN: HttpApi = {
  track: ({ implementation }) => trackLinks(implementation),
  look(implementation, operation, { status }) {
    const reason = status === 401 ? withoutCredentials(implementation, operation) : undefined;
    if (reason !== undefined) {
      throw new NotPossible(reason);
    }
    if ((status === 404 || status === 410) && implementation.stated.has(operation.path)) {
      throw new NotPossible(
        `the service has nothing at the example of ${operation.path}: --data names what it has`,
      );
    }
  },
};

/** Removes the resources that a link to a DELETE names. Others stay, and are counted. */
function trackLinks({ contract, client, leftBehind, perhapsMade }: Implementation): Tracker {
  const made = new Map<string, Sending>();
  const count = (counts: Record<string, number>) => {
    counts['resources'] = (counts['resources'] ?? 0) + 1;
  };
  const removals = () => [...made.values()].toReversed();
  return {
    observe(operation, input, response) {
      if (response === undefined && operation.method === 'POST') {
        count(perhapsMade);
      }
      if (response === undefined || response.status < 200 || response.status > 299) {
        return;
      }
      if (operation.method === 'DELETE') {
        made.delete(requestTargetOf(operation, { ...input, query: {} }));
      }
      if (operation.method !== 'POST') {
        return;
      }
      const removal = removalOf(contract, operation, input, response);
      if (removal) {
        made.set(removal.target, removal);
      } else if (response.status === 201) {
        count(leftBehind);
      }
    },
    removals,
    async cleanUp() {
      for (const removal of removals()) {
        if (!(await isRemoved(client, removal))) {
          count(leftBehind);
        }
      }
      made.clear();
    },
  };
}

/** Removes an item, with its entity tag if the service asks for it. */
async function isRemoved(client: Client, removal: Sending): Promise<boolean> {
  const send = (sending: Sending) => client.send(sending).catch(() => undefined);
  let response = await send(removal);
  if (response && PRECONDITION_STATUSES.includes(response.status)) {
    const read = await send({ method: 'GET', target: removal.target });
    const tag = read?.headers['etag'];
    if (tag !== undefined) {
      response = await send({ ...removal, headers: { ...removal.headers, 'if-match': tag } });
    }
  }
  return response !== undefined && (response.status < 300 || [404, 410].includes(response.status));
}

/** The last segment of the path in the `Location` of a response. */
export function endOf({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  const last = /([^/?#]+)\/?(?:[?#].*)?$/.exec(headers['location'] ?? '')?.[1];
  return last === undefined ? undefined : decodeURIComponent(last);
}

/** What a response shows to name an item: the first member of these names, `id`, or the end of its `Location`. */
export function keyIn(
  response: Pick<HttpResponse, 'headers'> & { json?: unknown },
  ...names: string[]
) {
  const members = [...names, 'id'].map(
    (name) => (Object(response.json) as Record<string, unknown>)[name],
  );
  const key = members.find((one) => isScalar(one) && typeof one !== 'boolean');
  return key === undefined ? endOf(response) : String(key);
}

function removalOf(
  contract: Contract,
  from: Operation,
  { path = {} }: CallInput,
  response: HttpResponse,
) {
  const link = allLinks(contract).find((one) => one.from === from && one.to.method === 'DELETE');
  if (!link) {
    return undefined;
  }
  const values: Record<string, string> = { ...path };
  for (const [name, expression] of Object.entries(link.parameters)) {
    const pointer = /^\$response\.body#(.*)$/.exec(String(expression))?.[1];
    const shown =
      expression === SHOWN ? keyIn(response, name) : expression === LOCATION && endOf(response);
    const value = pointer === undefined ? shown : valueAt(response.json, pointer);
    if (isScalar(value) && typeof value !== 'boolean') {
      values[name] = String(value);
    }
  }
  const isWhole = link.to.parameters.every((one) => one.in !== 'path' || one.name in values);
  if (isWhole) {
    return { method: 'DELETE', target: requestTargetOf(link.to, { path: values }) };
  }
  return undefined;
}
