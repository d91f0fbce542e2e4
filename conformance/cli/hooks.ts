/** The additions of a user to a run: the default export of the module that `--hooks` names (hooks-api.d.ts). */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChosenApi } from './choose-api.ts';
import { isObject } from '../engine/contract/pointers.ts';
import type { Contract } from '../engine/contract/load.ts';
import type { Level } from '../engine/contract/operations.ts';
import type { HttpApi } from '../engine/http/implementation.ts';
import { Nonconformity } from '../engine/http/nonconformity.ts';
import type { Api } from '../engine/requirements/api.ts';
import { validCall } from '../engine/requirements/calls.ts';
import { once, type Requirement, statedIn } from '../engine/requirements/requirement.ts';
import type { Hooks, Law, Service } from '../hooks-api.d.ts';
import { OptionError } from './options.ts';

const MEMBERS = ['beforeRequest', 'checkResponse', 'laws'];

async function loadHooks(file: string, cwd: string): Promise<Hooks> {
  const failed = (reason: string) => new OptionError(`--hooks ${file}: ${reason}`);
  const url = pathToFileURL(resolve(cwd, file)).href;
  const module = await import(url).catch((error: Error & { code?: string }) => {
    if (error.code !== 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw failed(error.message.split('\n')[0]!);
    }
    throw failed('this Node cannot load TypeScript: 22.18 and later can');
  });
  const hooks: unknown = module.default;
  if (!isObject(hooks)) {
    throw failed('its default export must be an object');
  }
  const unknown = Object.keys(hooks).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    throw failed(`${unknown} must be one of ${MEMBERS.join(', ')}`);
  }
  for (const name of ['beforeRequest', 'checkResponse']) {
    if (!/^(function|undefined)$/.test(typeof hooks[name])) {
      throw failed(`${name} must be a function`);
    }
  }
  for (const [name, law] of Object.entries(hooks['laws'] ?? {})) {
    const isLaw =
      isObject(law) && typeof law['sentence'] === 'string' && typeof law['check'] === 'function';
    if (!isLaw || !/^[\w.-]+$/.test(name)) {
      throw failed(`the law ${name} must have a sentence and a function check`);
    }
  }
  return hooks;
}

/** @throws OptionError for a module that cannot be used */
export async function withHooks(chosen: ChosenApi, file: string, cwd: string): Promise<ChosenApi> {
  const { beforeRequest: sign, checkResponse: check, laws = {} } = await loadHooks(file, cwd);
  const failed = (error: unknown): never => {
    throw new OptionError(`--hooks ${file}: beforeRequest failed: ${String(error)}`);
  };
  const own = statedIn(file, Object.entries(laws).map(requirementOf));
  const { api } = chosen;
  const checkResponse: HttpApi['checkResponse'] = async (call) => {
    const wrong = await check?.(call);
    if (wrong !== undefined) {
      throw new Nonconformity(wrong, { expected: `what ${file} asks for`, got: wrong });
    }
  };
  return {
    ...chosen,
    api: {
      ...api,
      laws: (contract: Contract, level: Level) => [...(api as Api).laws!(contract, level), ...own],
    },
    createImplementation: (given) => {
      const made = chosen.createImplementation(given);
      return { ...made, api: { ...made.api, checkResponse } };
    },
    sign: sign && (async (request) => Promise.resolve(request).then(sign).catch(failed)),
  };
}

function requirementOf([name, { sentence, check }]: [string, Law]): Requirement {
  const tryIt = once('as it is', async (session) => {
    const service: Service = {
      call: (operationId, input) => session.call(operationId, input),
      valid: (operationId) => validCall(session, operationId),
    };
    const wrong = await check(service);
    if (wrong !== undefined) {
      throw new Nonconformity(wrong, { expected: sentence, got: wrong });
    }
  });
  return {
    id: `own.${name}`,
    level: 'core',
    origin: '--hooks',
    clause: '',
    sentence,
    properties: () => [tryIt],
  };
}
