/**
 * Chooses the API of a contract: that of this package is known in detail, any other one by its
 * contract alone.
 */
import fc from 'fast-check';
import { createImplementation } from '../api/implementation.ts';
import { EDGE_API, isEdgeContract } from '../api/index.ts';
import { invalidTestData } from '../api/test-data.ts';
import type { Contract } from '../engine/contract/load.ts';
import { isObject } from '../engine/contract/pointers.ts';
import { type Credentials, mostUsed } from '../engine/contract/credentials.ts';
import { type Operation, operationsOf } from '../engine/contract/operations.ts';
import { serverPathOf, serverVariablesOf } from '../engine/contract/servers.ts';
import type { Implementation, ImplementationOptions } from '../engine/http/implementation.ts';
import { plainImplementation } from '../engine/http/plain-implementation.ts';
import { byteLaws } from '../engine/laws/bytes.ts';
import { inferredLaws } from '../engine/laws/inferred.ts';
import { unreadLaws } from '../engine/laws/unread.ts';
import { instead, withRequired } from '../engine/requirements/calls.ts';
import { notFoundRequirements } from '../engine/requirements/not-found.ts';
import { acceptableBodies } from '../engine/requirements/statuses.ts';
import { OptionError } from '../engine/run/known-failures.ts';
import { matchesGlob } from '../engine/run/id-patterns.ts';
import type { ChosenApi } from './chosen-api.ts';
import { withHooks } from './hooks.ts';
import type { Options } from './options.ts';

/**
 * @throws OptionError for options that the contract gives no meaning, and for hooks that cannot be
 * used
 */
export async function apiFor(
  contract: Contract,
  options: Options,
  cwd: string,
): Promise<ChosenApi> {
  const chosen = isEdgeContract(contract)
    ? edgeApi(contract, options)
    : plainApi(contract, options);
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
  refuse({ data: options.data, auth: scheme, 'server-variable': variable }, '--contract only');
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

function plainApi(contract: Contract, options: Options): ChosenApi {
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
  const callData = {
    source: '--data',
    parameters: mapValues(data.parameters, inTurn),
    parametersOf: mapValues(data.parametersOf, (values) =>
      mapValues(Object(values) as Values, inTurn),
    ),
    bodies: mapValues(data.bodies, (value) => () => structuredClone(value)),
  };
  return {
    api: {
      laws: (one: Contract) => [
        ...notFoundRequirements(one),
        ...inferredLaws(one),
        ...unreadLaws(one),
        ...byteLaws(one),
      ],
      // A body of --data is known to work, and takes the place of generated ones.
      bodies: (operation: Operation, implementation: Implementation) => {
        if (Object.hasOwn(data.bodies, operation.operationId)) {
          return fc.constant(data.bodies[operation.operationId]);
        }
        const { body } = implementation.survey[operation.operationId]?.recipe ?? {};
        if (body?.kind === 'fixed') {
          return fc.constant(body.json);
        }
        return acceptableBodies(operation, {}, implementation);
      },
    },
    createImplementation: (given: ImplementationOptions) =>
      plainImplementation(given, {
        callData,
        instead,
        withRequired,
        mayChangeLent: (operationId) => matchesGlob(options.allow, operationId),
      }),
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

type Values = Record<string, unknown>;

/** Values of path parameters by name, those by operation and name, and bodies by operation. */
type Data = Record<'parameters' | 'parametersOf' | 'bodies', Values>;

/** A list has one for each call, and begins again. */
function inTurn(given: unknown): () => Promise<string> {
  const values = [given].flat();
  let calls = 0;
  return async () => String(values[calls++ % values.length]);
}

function mapValues<T>(
  values: Record<string, unknown>,
  make: (value: unknown) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
}

/**
 * The beginnings of the ids of requirements about the operations that `--path`, `--method` and
 * `--tag` choose; empty if none of these options is given.
 * @throws OptionError if they choose no operation
 */
export function chosenOperations(contract: Contract, { operations }: Options): string[] {
  const isOf = (globs: readonly string[], ...values: readonly string[]) =>
    globs.length === 0 ||
    globs.some((glob) => values.some((value) => expressionFor(glob).test(value)));
  if (Object.values(operations).every((globs) => globs.length === 0)) {
    return [];
  }
  const found = operationsOf(contract)
    .filter(({ path }) => isOf(operations.path, path))
    .filter(({ method }) => isOf(operations.method, method))
    .filter(({ tags }) => isOf(operations.tag, ...tags));
  if (found.length > 0) {
    return found.map(({ operationId }) => `${operationId}.`);
  }
  const given = Object.entries(operations).flatMap(([name, globs]) =>
    globs.map((glob) => `--${name} ${glob}`),
  );
  throw new OptionError(`the contract has no operation for ${given.join(' ')}`);
}

function expressionFor(glob: string): RegExp {
  const parts = glob.split(/(\*+)/).map((part) => {
    if (part.startsWith('*')) {
      return part === '*' ? '[^/]*' : '.*';
    }
    return part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`, 'i');
}

/**
 * Values that the service knows, for what neither links nor examples of the contract say.
 * @throws OptionError
 */
function readData(contract: Contract, { data: file, dataMap }: Options): Data {
  const operations = operationsOf(contract);
  const inPaths = operations.flatMap((operation) =>
    operation.parameters.filter((one) => one.in === 'path'),
  );
  const withBody = operations.filter(({ requestBody }) => requestBody);
  const names = {
    parameters: inPaths.map(({ name }) => name),
    bodies: withBody.map(({ operationId }) => operationId),
  };
  const known: Record<string, string[]> = names;
  const { parameters = {}, bodies = {}, credentials: _, ...rest } = dataMap;
  const isOwn = ([name, value]: [string, unknown]) =>
    isObject(value) && operations.some(({ operationId }) => operationId === name);
  const entries = Object.entries(Object(parameters) as Values);
  const own = entries.filter(isOwn);
  const shared = isObject(parameters)
    ? Object.fromEntries(entries.filter((one) => !isOwn(one)))
    : parameters;
  const given = { ...rest, parameters: shared, bodies };
  const kinds = [
    ...Object.entries(given),
    ...own.map(([, values]): [string, unknown] => ['parameters', values]),
  ];
  for (const [kind, values] of kinds) {
    if (known[kind] === undefined || !isObject(values)) {
      throw new OptionError(
        `--data ${file}: ${kind} must be parameters, bodies or credentials, and a map`,
      );
    }
    const unknown = Object.keys(values).find((name) => !known[kind]!.includes(name));
    if (unknown !== undefined) {
      throw new OptionError(`--data ${file}: no operation has ${unknown} among its ${kind}`);
    }
  }
  return { ...given, parametersOf: Object.fromEntries(own) } as Data;
}
