/** The service under test: how to reach it, what it is known to have, and what it is held to. */
import type { Contract } from '../contract/load.ts';
import type { Hints } from '../contract/hints.ts';
import { type Level, type Operation, operationsOf } from '../contract/operations.ts';
import type { HttpApi } from './api.ts';
import type { Client } from './client.ts';

/** An API that adds state of its own extends this interface (see `conformance/api/implementation.ts`). */
export interface Implementation {
  contract: Contract;
  client: Client;
  /** What the API adds to what its contract says. */
  api: HttpApi;
  operations: Map<string, Operation>;
  level: Level;
  /** `source`: held to what the source document states, and nothing that was decided beyond it. */
  origin: 'source' | 'all';
  token: string | undefined;
  /** Permits no change; only beside `token`. */
  readOnlyToken: string | undefined;
  /** What generated values must be made of. */
  hints: Hints;
  /** Made and not removable at this level: how many of each kind. */
  leftBehind: Record<string, number>;
  /** What may have been made besides, since no response said whether. */
  perhapsMade: Record<string, number>;
  /** Set once nothing more is to be sent, but to clean up: why. */
  halted?: string | undefined;
}

export type ImplementationOptions = Pick<
  Implementation,
  'contract' | 'client' | 'level' | 'origin' | 'token' | 'readOnlyToken'
>;

/** The members of the engine; an API adds its own. */
export function implementationOf(
  options: ImplementationOptions,
  api: HttpApi,
  hints: Hints,
): Pick<Implementation, keyof ImplementationOptions | 'api' | 'operations' | 'hints' | 'leftBehind' | 'perhapsMade'> {
  return {
    ...options,
    api,
    operations: new Map(operationsOf(options.contract).map((operation) => [operation.operationId, operation])),
    hints,
    leftBehind: {},
    perhapsMade: {},
  };
}
