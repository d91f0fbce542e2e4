/**
 * Adds the checks of a user to an API: the default export of the module that `--hooks` names
 * (hooks-api.d.ts).
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../engine/contract/pointers.ts';
import type { HttpApi } from '../engine/http/implementation.ts';
import { Nonconformity } from '../engine/http/nonconformity.ts';
import { validCall } from '../engine/requirements/calls.ts';
import { once, type Requirement, statedIn } from '../engine/requirements/requirement.ts';
import { OptionError } from '../engine/run/known-failures.ts';
import type { Hooks, Law, Service } from '../hooks-api.d.ts';
import type { ChosenApi } from './chosen-api.ts';

/** @throws OptionError for a module that cannot be used */
export async function withHooks(chosen: ChosenApi, file: string, cwd: string): Promise<ChosenApi> {
  const { beforeRequest, checkResponse, laws = {} } = await loadHooks(file, cwd);
  const own = statedIn(file, Object.entries(laws).map(requirementOf));
  const hooked: ChosenApi = {
    ...chosen,
    api: {
      ...chosen.api,
      laws: (contract, level) => [...(chosen.api.laws?.(contract, level) ?? []), ...own],
    },
  };
  if (checkResponse !== undefined) {
    hooked.createImplementation = (given) => {
      const implementation = chosen.createImplementation(given);
      const api = { ...implementation.api, checkResponse: checkOf(checkResponse, file) };
      return { ...implementation, api };
    };
  }
  if (beforeRequest !== undefined) {
    hooked.sign = signOf(beforeRequest, file);
  }
  return hooked;
}

function checkOf(
  check: NonNullable<Hooks['checkResponse']>,
  file: string,
): NonNullable<HttpApi['checkResponse']> {
  return async (call) => {
    const wrong = await check(call);
    if (wrong !== undefined) {
      throw new Nonconformity(wrong, { expected: `what ${file} asks for`, got: wrong });
    }
  };
}

function signOf(
  beforeRequest: NonNullable<Hooks['beforeRequest']>,
  file: string,
): NonNullable<ChosenApi['sign']> {
  return async (request) => {
    try {
      return await beforeRequest(request);
    } catch (error) {
      throw new OptionError(`--hooks ${file}: beforeRequest failed: ${String(error)}`);
    }
  };
}

function requirementOf([name, { sentence, check }]: [string, Law]): Requirement {
  const property = once('as it is', async (session) => {
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
    properties: () => [property],
  };
}

async function loadHooks(file: string, cwd: string): Promise<Hooks> {
  const url = pathToFileURL(resolve(cwd, file)).href;
  const module = await import(url).catch((error: Error & { code?: string }) => {
    throw new OptionError(`--hooks ${file}: ${whyNotLoaded(error)}`);
  });
  const hooks: unknown = module.default;
  const wrong = wrongIn(hooks);
  if (wrong !== undefined) {
    throw new OptionError(`--hooks ${file}: ${wrong}`);
  }
  return hooks as Hooks;
}

function whyNotLoaded({ code, message }: Error & { code?: string }): string {
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return 'this Node cannot load TypeScript: 22.18 and later can';
  }
  const [line = ''] = message.split('\n');
  return line;
}

const MEMBERS = ['beforeRequest', 'checkResponse', 'laws'];
const NAME_OF_LAW = /^[\w.-]+$/;

/** A sentence about the error in the default export; undefined if it can be used. */
function wrongIn(hooks: unknown): string | undefined {
  if (!isObject(hooks)) {
    return 'its default export must be an object';
  }
  const unknown = Object.keys(hooks).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    return `${unknown} must be one of ${MEMBERS.join(', ')}`;
  }
  for (const name of ['beforeRequest', 'checkResponse']) {
    if (hooks[name] !== undefined && typeof hooks[name] !== 'function') {
      return `${name} must be a function`;
    }
  }
  const wrongLaw = Object.entries(hooks['laws'] ?? {}).find(([name, law]) => !isLaw(name, law));
  if (wrongLaw !== undefined) {
    const [name] = wrongLaw;
    return `the law ${name} must have a sentence and a function check`;
  }
  return undefined;
}

function isLaw(name: string, law: unknown): boolean {
  if (!NAME_OF_LAW.test(name) || !isObject(law)) {
    return false;
  }
  return typeof law['sentence'] === 'string' && typeof law['check'] === 'function';
}
