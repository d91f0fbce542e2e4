/**
 * Operations that a run leaves out unless the user allows them: they stop, reset, empty or
 * reconfigure the service, or change the credentials in use.
 */
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { withoutSlash } from './names.ts';

interface Harm {
  /** A word of the path, the id or the summary. */
  words: RegExp;
  /** The harm that it does, in words for the user. */
  does: string;
}

const HARMS: readonly Harm[] = [
  {
    words: /^(shut ?down|restart|reboot|halt|stop|abort|poweroff|quit|kill|terminate|exit)$/,
    does: 'may stop or restart the service',
  },
  {
    words: /^(delete|remove|destroy|erase|clear|empty|drop|prune|wipe|purge|flush|truncate)$/,
    does: 'may remove what others have',
  },
  {
    words: /^(reset|vacuum|cleanup|uninstall)$/,
    does: 'may remove what others have',
  },
  {
    words: /^(maintenance|reload|reconfigure|reinitialize|upgrade|downgrade|migrate)$/,
    does: 'may reconfigure the service',
  },
  {
    words: /^(import|save|persist|restore|rollback)$/,
    does: 'may change all that is there',
  },
  {
    words: /^(password|passwd|logout|signout|revoke|deactivate)$/,
    does: 'may change the credentials in use',
  },
];

/** Words that say that a GET does something. */
const HARMFUL_READS = /^(shut ?down|restart|reboot|halt|quit|kill|terminate|logout|signout)$/;

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

export const isSafe = ({ method }: Operation): boolean => SAFE.has(method);

/**
 * Why a run leaves the operation out; undefined if it is tried. If the path has parameters, they
 * decide: the survey calls an operation that may do harm only for resources that the run made
 * (`harmIn`).
 */
export function whyLeftOut(contract: Contract, operation: Operation): string | undefined {
  if (operation.path.includes('{')) {
    return undefined;
  }
  const harm = harmIn(contract, operation);
  const isHarmless = isSafe(operation) || operation.method === 'POST';
  if (harm !== undefined || isHarmless || isCreation(contract, operation)) {
    return harm;
  }
  if (operation.method === 'DELETE') {
    return 'it removes what the run did not make';
  }
  return 'it changes what the run did not make';
}

/** The harm that the words of the operation name; undefined if they name none. */
export function harmIn(contract: Contract, operation: Operation): string | undefined {
  const words = wordsOf(contract, operation);
  if (isSafe(operation)) {
    const isHarmful = words.some((word) => HARMFUL_READS.test(word));
    if (!isHarmful) {
      return undefined;
    }
    return 'it may stop the service or end the session';
  }
  const harm = HARMS.find((one) => words.some((word) => one.words.test(word)));
  if (harm) {
    const makesItems = operation.method === 'POST' && hasItems(contract, operation);
    return makesItems ? undefined : `it ${harm.does}`;
  }
  if (isSwitch(contract, operation)) {
    return 'it may switch a mode of the service';
  }
  const last = wordsIn(operation.path).at(-1) ?? '';
  if (SETTINGS.test(last) && !hasItems(contract, operation)) {
    return 'it may reconfigure the service';
  }
  return undefined;
}

const MAKING = /^(create|add|insert|upsert|register)$/;

/** A POST; or a PUT at a collection that says that it makes an item. */
export function isCreation(contract: Contract, operation: Operation): boolean {
  const { method, path } = operation;
  if (method !== 'PUT' || withoutSlash(path).endsWith('}') || !hasItems(contract, operation)) {
    return method === 'POST';
  }
  return wordsOf(contract, operation).some((word) => MAKING.test(word));
}

/** Whether a word of a text says that it does harm. */
export const isHarmful = (text: string): boolean =>
  wordsIn(text).some((word) => HARMS.some(({ words }) => words.test(word)));

/** What begins something, and what ends it. */
const SWITCHES: Readonly<Record<string, string>> = {
  start: 'stop',
  begin: 'end',
  enable: 'disable',
  activate: 'deactivate',
  pause: 'resume',
};

/** Such as `/recordings/start` beside `/recordings/stop`. */
function isSwitch(contract: Contract, { path }: Operation): boolean {
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  const off = SWITCHES[path.slice(parent.length)];
  return off !== undefined && operationsOf(contract).some((one) => one.path === parent + off);
}

const SETTINGS = /^(settings?|config(uration)?s?|preferences)$/;

/** Whether the contract has paths of items below the path of the operation. */
export const hasItems = (contract: Contract, { path }: Operation): boolean =>
  operationsOf(contract).some((one) => one.path.startsWith(`${withoutSlash(path)}/{`));

/** `resetAll-users` has three words. */
function wordsIn(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** The words of the path and of the id, and the verb with which the summary begins. */
function wordsOf(contract: Contract, { path, operationId, pointer }: Operation): string[] {
  const words = [...wordsIn(path.replaceAll(/\{[^{}]*\}/g, '')), ...wordsIn(operationId)];
  const { summary } = objectAt(contract.document, pointer);
  const [first = '', second = ''] = typeof summary === 'string' ? wordsIn(summary) : [];
  const verb = first.replace(/s$/, '');
  return [...words, ...pairsOf(words), verb, `${verb} ${second}`];
}

/** Each word with the next one: `shut down` is written in two words, too. */
const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`);
