/**
 * The settings of all workers, in this thread and in others: each makes it of the same
 * options.
 */
import type { Contract } from '../engine/contract/load.ts';
import type { Level } from '../engine/contract/operations.ts';
import type { Client } from '../engine/http/client.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { curlScript } from '../engine/report/curl.ts';
import type { Api } from '../engine/requirements/api.ts';
import { chosenOperations } from './chosen-operations.ts';
import type { ChosenApi } from './chosen-api.ts';
import type { Options } from './options.ts';
import { replayCommand } from './replay-command.ts';

export interface Settings extends Options {
  api: Api;
  /**
   * The beginnings of the ids of the requirements that `--path`, `--method` and `--tag` choose;
   * empty for all.
   */
  within: string[];
  script: typeof curlScript;
  replayCommand(name: string): string;
}

/** @throws OptionError for options that choose no operation */
export function settingsFor(options: Options, contract: Contract, { api }: ChosenApi): Settings {
  return {
    ...options,
    api,
    within: chosenOperations(contract, options),
    script: curlScript,
    replayCommand: (name) => replayCommand(options, name),
  };
}

interface Surroundings {
  contract: Contract;
  client: Client;
  level: Level;
  /** The number of the worker; by default 0, the first one. */
  job?: number;
}

export function implementationFor(
  { createImplementation }: ChosenApi,
  { origin, token, readOnlyToken }: Options,
  surroundings: Surroundings,
): Implementation {
  return createImplementation({ ...surroundings, origin, token, readOnlyToken });
}
