/**
 * Operations that a run leaves out unless the user allows them: they stop, reset, empty or
 * reconfigure the service, or change the credentials in use.
 */
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { withoutSlash } from '../contract/item-paths.ts';
import { namedActions, namedParts } from './named-actions.ts';
import { namingParameter } from './naming-parameter.ts';

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
    words: /^(reset|vacuum|cleanup|uninstall|compact|compaction)$/,
    does: 'may remove what others have',
  },
  {
    words: /^(maintenance|reload|reconfigure|reinitialize|upgrade|downgrade|migrate)$/,
    does: 'may reconfigure the service',
  },
  {
    words: /^(reindex|rebuild|rebalance|failover|switchover|factory (defaults?|settings?))$/,
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

export const isSafe = ({ method }: Pick<Operation, 'method'>): boolean => SAFE.has(method);

/**
 * Why a run leaves the operation out; undefined if it is tried. If the path has parameters, or if
 * one of the query names an item, they decide: the survey calls an operation that may do harm only
 * for resources that the run made (`harmIn`).
 */
export function whyLeftOut(contract: Contract, operation: Operation): string | undefined {
  const named = isSafe(operation) ? undefined : namingParameter(contract, operation);
  if (operation.path.includes('{') || named !== undefined) {
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
  const harm = readsAnArea(operation) ? undefined : harmNamedBy(words);
  if (harm !== undefined) {
    const makesItems = operation.method === 'POST' && hasItems(contract, operation);
    if (makesItems) {
      return undefined;
    }
    return harm;
  }
  if (hasItems(contract, operation)) {
    return undefined;
  }
  return harmWithoutItems(contract, operation, words);
}

/** The verb of a call that only reads, such as `/maintenance/status` by POST. */
const READS = /^(status|get|list|show|describe|info|health|check|hash|hashkv)$/;

/** Whether a call of RPC reads something of an area whose name alone sounds like harm. */
function readsAnArea({ path }: Operation): boolean {
  const areas = wordsIn(path.slice(0, path.lastIndexOf('/')));
  return areas.includes('maintenance') && READS.test(wordsIn(path).at(-1) ?? '');
}

/** Of an operation at a path that has no items. */
function harmWithoutItems(
  contract: Contract,
  operation: Operation,
  words: readonly string[],
): string | undefined {
  const { path } = operation;
  const named = harmOfActions(namedActions(contract, operation));
  if (named !== undefined) {
    return named;
  }
  const parts = namedParts(contract, operation);
  if (parts.some((part) => wordsIn(part).some((word) => REMOVES.test(word)))) {
    return 'it may remove what others have';
  }
  if (SHUTS_DOWN.test(summaryOf(contract, operation))) {
    return 'it may stop or restart the service';
  }
  if (words.some((word) => RENEWS.test(word)) && words.some((word) => CREDENTIALS.test(word))) {
    return 'it may change the credentials in use';
  }
  const [action = ''] = wordsIn(path.slice(path.lastIndexOf('/')).split('.').at(-1) ?? '');
  if (isSwitch(contract, operation) || MODES.test(action)) {
    return 'it may switch a mode of the service';
  }
  const ofPath = wordsIn(path);
  const isOfCluster = ofPath.some((word) => CLUSTERS.test(word));
  if (isOfCluster && !READS.test(ofPath.at(-1) ?? '') && !MAKING_ITEMS.test(action)) {
    return 'it may reconfigure the service';
  }
  if ([ofPath.at(-1) ?? '', ofPath.slice(-2).join(' ')].some((word) => SETTINGS.test(word))) {
    return 'it may reconfigure the service';
  }
  const makes = wordsIn(summaryOf(contract, operation)).slice(0, 3).some(isMaking);
  if (CHANGES.has(action) && !makes && namesItem(contract, operation)) {
    return 'it may change what the run did not make';
  }
  return undefined;
}

/** Of actions that a value of the call names. */
function harmOfActions(actions: readonly string[]): string | undefined {
  for (const action of actions) {
    const words = wordsIn(action);
    const harm = harmNamedBy([...words, ...pairsOf(words)]);
    if (harm !== undefined) {
      return harm;
    }
  }
  return undefined;
}

function harmNamedBy(words: readonly string[]): string | undefined {
  const harm = HARMS.find((one) => words.some((word) => one.words.test(word)));
  return harm && `it ${harm.does}`;
}

/** A part of a body that is a removal. */
const REMOVES = /^(delete|remove|destroy|erase|drop|purge|wipe|truncate)$/;

/** What the nodes of a service are together: another member of it may stop it. */
const CLUSTERS = /^(cluster|quorum|raft)$/;

const MAKING_ITEMS = /^create$/;

/** As in "Shuts the node down" and "Take all workers offline". */
const SHUTS_DOWN =
  /\b(shut|bring|take|turn|power|switch)(s|es|ing)?\b.{0,40}\b(down|off|offline)\b/i;

/** With a credential: `rotate-token`. */
const RENEWS = /^(rotate|regenerate|reissue|renew|change|set|update|replace|invalidate|expire)$/;

const CREDENTIALS =
  /^(tokens?|(api|access|signing) keys?|apikeys?|secrets?|credentials?|passphrase|mfa|otp)$/;

/** The verb of a path, such as `/system/suspend` and `/node/disable`. */
const MODES = /^(enable|disable|suspend|freeze|unfreeze|drain|cordon|quiesce|hibernate|pause)$/;

/** The verb of a call that names in its body what it changes, such as `/rpc/renameUser`. */
const CHANGES: ReadonlySet<string> = new Set([
  'update',
  'rename',
  'edit',
  'modify',
  'change',
  'set',
  'replace',
  'overwrite',
  'move',
  'merge',
  'assign',
  'unassign',
  'grant',
  'block',
  'unblock',
  'ban',
  'unban',
  'lock',
  'unlock',
  'archive',
  'cancel',
  'approve',
  'reject',
  'transfer',
]);

/** Such as `id`, `userId` and `user_ids`. */
const NAMES_ITEM = /^(ids?|uuids?|guids?|keys?|login|username)$|(Ids?|_ids?|ID|Uuid|_uuid)$/;

/** Whether the body or a query parameter names an item. */
function namesItem(contract: Contract, { requestBody, parameters }: Operation): boolean {
  const ofQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const body = requestBody?.pointer;
  const shape =
    body === undefined
      ? undefined
      : supported(
          () => shapeOf(asRequest(contract), body),
          () => undefined,
        );
  const names = [...ofQuery, ...(shape?.properties.keys() ?? [])];
  return names.some((name) => NAMES_ITEM.test(name));
}

function summaryOf(contract: Contract, { pointer }: Operation): string {
  const { summary } = objectAt(contract.document, pointer);
  if (typeof summary === 'string') {
    return summary;
  }
  return '';
}

const MAKING = /^(create|add|insert|upsert|register)$/;

/** `creates` and `create` */
const isMaking = (word: string): boolean => MAKING.test(word.replace(/s$/, ''));

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

const SETTINGS = /^(settings?|config(uration)?s?|preferences|mode|log ?level)$/;

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
function wordsOf(contract: Contract, operation: Operation): string[] {
  const { path, operationId } = operation;
  const words = [...wordsIn(path.replaceAll(/\{[^{}]*\}/g, '')), ...wordsIn(operationId)];
  const [first = '', second = ''] = wordsIn(summaryOf(contract, operation));
  const verb = first.replace(/s$/, '');
  return [...words, ...pairsOf(words), verb, `${verb} ${second}`];
}

/** Each word with the next one: `shut down` is written in two words, too. */
const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`);
