/**
 * Chooses the API of a contract: that of this package is known in detail, any other one by its
 * contract alone.
 */
import { createImplementation } from '../api/implementation.ts';
import { EDGE_API, isEdgeContract } from '../api/index.ts';
import { invalidTestData } from '../api/test-data.ts';
import type { ChosenApi } from './chosen-api.ts';
import { valueAsSent } from './credentials.ts';
import { callDataOf, readData } from './data-file.ts';
import { withHooks } from './hooks.ts';
import type { Options } from './options.ts';
import {
  type Credentials,
  credentialsOf,
  mostUsed,
  schemesInUse,
} from '../engine/contract/credentials.ts';
import type { Contract } from '../engine/contract/load.ts';
import { serverPathOf, serverVariablesOf } from '../engine/contract/servers.ts';
import type { ImplementationOptions } from '../engine/http/implementation.ts';
import type { OtherUser } from '../engine/http/other-user.ts';
import { plainImplementation } from '../engine/http/plain-implementation.ts';
import { PLAIN_CALLS, plainApi } from '../engine/laws/plain-api.ts';
import { matchesGlob } from '../engine/run/id-patterns.ts';
import { OptionError } from '../engine/run/known-failures.ts';

/**
 * @throws OptionError for options that the contract gives no meaning, and for hooks that cannot be
 * used
 */
export async function apiFor(
  contract: Contract,
  options: Options,
  cwd: string,
): Promise<ChosenApi> {
  const chosen = isEdgeContract(contract) ? edgeApi(contract, options) : anyApi(contract, options);
  if (options.hooks === undefined) {
    return chosen;
  }
  return withHooks(chosen, options.hooks, cwd);
}

/**
 * @throws OptionError for the first of the options that is given: it has a meaning for other
 * contracts only
 */
function refuse(options: Record<string, string | undefined>, others: string): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined);
  if (given !== undefined) {
    throw new OptionError(`--${given} has a meaning for ${others}`);
  }
}

function edgeApi(contract: Contract, options: Options): ChosenApi {
  const [scheme] = Object.keys(options.auth);
  const [variable] = Object.keys(options.serverVariables);
  const others = {
    data: options.data,
    auth: scheme,
    'other-token': options.otherToken,
    'server-variable': variable,
  };
  refuse(others, '--contract only');
  const { subscriptionIds, eventTypes, hostportDomain, certificateAuthorityIds } = options;
  const testData = { subscriptionIds, eventTypes, hostportDomain, certificateAuthorityIds };
  const [invalid] = invalidTestData(testData, contract);
  if (invalid !== undefined) {
    throw new OptionError(invalid);
  }
  const now = Date.now().toString(36);
  const random = Math.random().toString(36).slice(2, 8);
  const namespace = `conformance-${now}-${random}`;
  return {
    api: EDGE_API,
    createImplementation: (given: ImplementationOptions) =>
      createImplementation({ ...given, testData, namespace }),
    accept: 'application/json, application/problem+json',
    credentials: BEARER,
    basesOf: (url: string) => [url],
  };
}

function anyApi(contract: Contract, options: Options): ChosenApi {
  const own = {
    origin: options.origin === 'all' ? undefined : options.origin,
    'read-only-token': options.readOnlyToken,
    'subscription-id': options.subscriptionIds[0],
    'event-type': options.eventTypes[0],
    'hostport-domain': options.hostportDomain,
    'certificate-authority-id': options.certificateAuthorityIds[0],
  };
  refuse(own, `the contract of this package only, not for --contract ${options.contract ?? ''}`);
  const credentials = credentialsIn(contract, options);
  expectServerVariables(contract, options);
  const data = readData(contract, options);
  const otherUser = otherUserOf(contract, options, credentials);
  return {
    api: plainApi({ bodies: data.bodies, hasOtherUser: otherUser !== undefined }),
    createImplementation: (given: ImplementationOptions) =>
      plainImplementation(
        { ...given, otherUser },
        {
          ...PLAIN_CALLS,
          callData: callDataOf(data),
          mayChangeLent: (operationId) => matchesGlob(options.allow, operationId),
        },
      ),
    accept: 'application/json, application/*+json;q=0.9, */*;q=0.5',
    credentials,
    basesOf: (url: string) => {
      if (new URL(url).pathname !== '/') {
        return [url];
      }
      // The URL may name the server alone, or everything before the paths.
      const withPath = url + serverPathOf(contract, options.serverVariables);
      return [...new Set([withPath, url])];
    },
  };
}

/**
 * The places to which the token goes. @throws OptionError if the contract does not take the one of
 * the user
 */
function credentialsIn(contract: Contract, { token }: Options): Credentials {
  const found = mostUsed(contract) ?? BEARER;
  if (typeof found !== 'string') {
    return found;
  }
  if (token !== undefined) {
    throw new OptionError(`--token cannot be used: ${found}`);
  }
  return BEARER;
}

/**
 * The other user, whose token goes to the same place. @throws OptionError beside a certificate
 */
function otherUserOf(
  contract: Contract,
  { otherToken, tls }: Options,
  credentials: Credentials,
): OtherUser | undefined {
  if (otherToken === undefined) {
    return undefined;
  }
  if (tls.cert !== undefined) {
    throw new OptionError('--other-token cannot be given with --cert, which names the first user');
  }
  const all = [...schemesInUse(contract)].map((name) => credentialsOf(contract, name));
  const places = all.filter((one) => typeof one !== 'string');
  const others = places.filter(({ of }) => of !== credentials.of);
  return { credentials, value: valueAsSent(credentials, otherToken), others };
}

/** @throws OptionError for a variable or a value that the first server does not have */
function expectServerVariables(contract: Contract, { serverVariables }: Options): void {
  const variables = serverVariablesOf(contract);
  for (const [name, value] of Object.entries(serverVariables)) {
    const { enum: allowed = [value] } = variables[name] ?? { enum: [] };
    if (!allowed.includes(value)) {
      throw new OptionError(
        `--server-variable ${name}: the first server of the contract has no such variable or value`,
      );
    }
  }
}

const BEARER: Credentials = { in: 'header', name: 'authorization', scheme: 'Bearer' };
