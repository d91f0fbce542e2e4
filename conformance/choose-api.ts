/** The knowledge of an API: that of this package is known in detail, any other one by its contract alone. */
import { createImplementation } from './api/implementation.ts';
import { EDGE_API, isEdgeContract } from './api/index.ts';
import { invalidTestData } from './api/test-data.ts';
import type { Contract } from './engine/contract/load.ts';
import { type Credentials, mostUsed, serverPathOf } from './engine/contract/operations.ts';
import { type ImplementationOptions, plainImplementation } from './engine/http/implementation.ts';
import { linkedLaws } from './engine/laws/linked/laws.ts';
import { notFoundRequirements } from './engine/requirements/not-found.ts';
import { OptionError, type Options } from './options.ts';

export type ChosenApi = ReturnType<typeof apiFor>;

/** @throws OptionError for options that the contract gives no meaning */
export function apiFor(contract: Contract, options: Options) {
  return isEdgeContract(contract) ? edgeApi(contract, options) : plainApi(contract, options);
}

function edgeApi(contract: Contract, options: Options) {
  const { subscriptionIds, eventTypes, hostportDomain, certificateAuthorityIds } = options;
  const testData = { subscriptionIds, eventTypes, hostportDomain, certificateAuthorityIds };
  const [invalid] = invalidTestData(testData, contract);
  if (invalid !== undefined) throw new OptionError(invalid);
  const namespace = `conformance-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  return {
    api: EDGE_API,
    createImplementation: (given: ImplementationOptions) => createImplementation({ ...given, testData, namespace }),
    /** The `Accept` of requests that have no other. */
    accept: 'application/json, application/problem+json',
    /** Where the token goes. */
    credentials: BEARER,
    /** The URLs at which the paths of the contract may begin, given the one of the user: the likeliest first. */
    basesOf: (url: string) => [url],
  };
}

function plainApi(contract: Contract, options: Options) {
  const own: [string, boolean][] = [
    ['origin', options.origin !== 'all'],
    ['read-only-token', options.readOnlyToken !== undefined],
    ['subscription-id', options.subscriptionIds.length > 0],
    ['event-type', options.eventTypes.length > 0],
    ['hostport-domain', options.hostportDomain !== undefined],
    ['certificate-authority-id', options.certificateAuthorityIds.length > 0],
  ];
  const [name] = own.find(([, given]) => given) ?? [];
  if (name !== undefined)
    throw new OptionError(
      `--${name} has a meaning for the contract of this package only, not for --contract ${options.contract ?? ''}`,
    );
  const found = mostUsed(contract) ?? BEARER;
  if (typeof found === 'string' && options.token !== undefined)
    throw new OptionError(`--token cannot be used: ${found}`);
  return {
    api: { laws: (one: Contract) => [...notFoundRequirements(one), ...linkedLaws(one)] },
    createImplementation: plainImplementation,
    accept: 'application/json, application/*+json;q=0.9, */*;q=0.5',
    credentials: typeof found === 'string' ? BEARER : found,
    // The URL may name the server alone, or everything before the paths.
    basesOf: (url: string) => [...new Set(new URL(url).pathname === '/' ? [url + serverPathOf(contract), url] : [url])],
  };
}

const BEARER: Credentials = { in: 'header', name: 'authorization', scheme: 'Bearer' };
