/**
 * The law of members that count items which belong to another one, such as the `device_count` of a
 * site: a new one adds one to it, and its removal takes one away.
 */
import { memberOf } from '../contract/by-name.ts';
import { itemShown } from '../contract/envelopes.ts';
import { itemPathOf, withoutSlash } from '../contract/item-paths.ts';
import { writesOfItem } from '../contract/item-requests.ts';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { membersSent, nounOf, singular } from '../contract/nouns.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type Shape, texts } from '../contract/shape.ts';
import { mayBeKept } from '../contract/undoing.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { succeed } from '../http/expect-response.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { operationAt, pathValuesOf } from '../http/operation-of.ts';
import { sleep } from '../http/rate.ts';
import type { Session } from '../http/session.ts';
import { shownBy } from '../http/shown-item.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import { once, type Requirement, requirementOf, statedIn } from '../requirements/requirement.ts';
import { type Belonging, belongingTo, makeFor } from './belonging.ts';

/** A member of an item that counts others. Its `owner` is the GET of the item. */
interface Count extends Belonging {
  /** The name of the member. */
  counting: string;
  /** Whether its words say that removed items do not count. */
  isWithoutRemoved: boolean;
}

export function countLaws(contract: Contract): Requirement[] {
  const reads = operationsOf(contract).filter(isRead);
  const counts = reads.flatMap((read) =>
    supported(
      () => countsIn(contract, read),
      () => [],
    ),
  );
  return statedIn('engine/laws/counts.ts', counts.map(countLaw));
}

const isRead = (operation: Operation): boolean =>
  operation.method === 'GET' &&
  operation.unsupported === undefined &&
  operation.path.includes('{') &&
  withoutSlash(operation.path) === itemPathOf(operation);

function countLaw(count: Count): Requirement {
  const { owner, maker, counting } = count;
  const requirement = requirementOf(owner, `counts.${counting}`, {
    stated: owner,
    sentence:
      `\`${counting}\` grows by one with what ${maker.operationId} makes, and is as before ` +
      'once that is removed.',
    properties: () => [once('one more', (session) => tryCount(session, count))],
  });
  return { ...requirement, others: [maker.operationId] };
}

function countsIn(contract: Contract, read: Operation): Count[] {
  const numbers = [...itemShown(contract, read)].filter(([, { types }]) => types.has('integer'));
  const counts = numbers.flatMap(([counting, shape]) => {
    const belonging = countedBy(contract, read, counting, shape);
    if (belonging === undefined) {
      return [];
    }
    return [{ ...belonging, counting, isWithoutRemoved: leavesOutRemoved(shape) }];
  });
  if (counts.length === 0) {
    return [];
  }
  // A member that a request sets counts nothing.
  const writes = writesOfItem(contract, read);
  const sent = writes.flatMap((write) => membersSent(contract, write));
  return counts.filter(({ counting }) => !sent.includes(counting));
}

function countedBy(
  contract: Contract,
  read: Operation,
  counting: string,
  shape: Shape,
): Belonging | undefined {
  const noun = nounCountedBy(counting);
  if (noun === undefined || OF_EVENTS.test(noun) || !isPlainCount(shape, noun)) {
    return undefined;
  }
  for (const maker of operationsOf(contract)) {
    const isMaker =
      maker.method === 'POST' && '201' in maker.responses && maker.unsupported === undefined;
    const isOfNoun = singular(nounOf(maker) ?? '') === noun;
    const mayCountLater = mayWait(contract, maker, leavesOutRemoved(shape));
    if (isMaker && isOfNoun && !isOfSeveral(contract, maker) && !mayCountLater) {
      const belonging = belongingTo(contract, read, maker);
      if (belonging !== undefined) {
        return belonging;
      }
    }
  }
  return undefined;
}

const BETWEEN_WORDS = /(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/;
const COUNT_LAST = /^(.+) count$/;
const COUNT_FIRST = /^(number|num|count) (of )?(.+)$/;

/** `device_count`, `devicesCount` and `number_of_devices` count devices: `device`. */
function nounCountedBy(name: string): string | undefined {
  const words = name.split(BETWEEN_WORDS).join(' ').toLowerCase();
  const noun = COUNT_LAST.exec(words)?.[1] ?? COUNT_FIRST.exec(words)?.[3];
  return noun === undefined ? undefined : singular(noun);
}

/** They are often counted by jobs, hours later. */
const OF_EVENTS = /^(view|visit|hit|impression|download|click)$/;

/** "The number of line items in the order." Other words may say that some do not count. */
const NUMBER_OF = new RegExp(
  '^(?:the )?(?:total )?(?:number|count) of (?:all )?(?:the |its )?([a-z -]+?)' +
    '(?: (?:in|of|on|at|for|inside|within) (?:the|this|a|an|its) [a-z-]+)?[.]?$',
  'i',
);

/** Whether a description, if there is one, says that all are counted, and no more. */
function isPlainCount(shape: Shape, noun: string): boolean {
  return texts(shape, 'description').every((text) => {
    const all = text.trim().replaceAll(SPACES, ' ').replace(WITHOUT_REMOVED, '');
    const [, counted] = NUMBER_OF.exec(all) ?? [];
    return counted !== undefined && singular(counted) === noun;
  });
}

const SPACES = /\s+/g;

/** A last sentence such as "Deleted tickets do not count." or "Removed ones are not counted." */
const WITHOUT_REMOVED = new RegExp(
  ' (?:soft-)?(?:deleted|removed) [a-z-]+ ' +
    "(?:(?:do not|don't) count|(?:are not|aren't) (?:counted|included)|are excluded)[.]?$",
  'i',
);

const leavesOutRemoved = (shape: Shape): boolean =>
  texts(shape, 'description').some((text) =>
    WITHOUT_REMOVED.test(text.trim().replaceAll(SPACES, ' ')),
  );

/** Members with which one item counts as several: a cart has as many items as their sum. */
const OF_SEVERAL = /^(quantity|qty|amount|count|units?)$/i;

const isOfSeveral = (contract: Contract, maker: Operation): boolean =>
  membersSent(contract, maker).some((name) => OF_SEVERAL.test(name));

/** States in which an item may not count yet, and members that say so. */
const NOT_YET = new RegExp(
  '\\b(pending|draft|hidden|review|queued|unpublished|invit\\w*|moderat\\w*|once|' +
    'accepts?|approv\\w*)\\b',
  'i',
);
const OF_STATE = /(approved|published|confirmed|verified|active|enabled|accepted|status|state)$/i;

/**
 * Whether what is made may be in such a state, and not count.
 * @param isStated whether the contract says which items do not count: then the others do
 */
function mayWait(contract: Contract, maker: Operation, isStated: boolean): boolean {
  if (isStated) {
    return NOT_YET.test(wordsAt(contract, maker.pointer));
  }
  const ofMembers = [...itemShown(contract, maker)].some(([name, shape]) => {
    const words = [...(shape.choices ?? []), ...texts(shape, 'description')];
    const isOpenState = OF_STATE.test(name) && shape.choices === undefined;
    return isOpenState || NOT_YET.test(words.join(' '));
  });
  return ofMembers || NOT_YET.test(wordsAt(contract, maker.pointer));
}

/** Members of an item that stays as a mark of what it was. */
const OF_REMOVED = /^(is_?)?(deleted|removed|archived|trashed)(_?(at|on|by))?$/i;

async function tryCount(session: Session, count: Count): Promise<void> {
  const { implementation } = session;
  const { owner, maker } = count;
  const input = await validCall(session, owner.operationId);
  if (implementation.survey[owner.operationId]?.recipe?.path.isOwn !== true) {
    throw new NotPossible(`others may change what ${owner.operationId} shows`);
  }
  expectNew(session, count);
  const before = await countOf(session, count, input);
  const { json } = await makeFor(session, count, input);
  if (!isObject(json)) {
    throw new NotPossible(`${maker.operationId} shows no single item`);
  }
  const why = `${maker.operationId} has made one more.`;
  await expectCount(session, count, input, { expected: before + 1, why });
  const removal = removalOfLast(session, count);
  if (removal === undefined) {
    return;
  }
  const { operation, path } = removal;
  const { status } = await session.call(operation.operationId, { path });
  // What was accepted is done later.
  if (status < 300 && status !== 202) {
    const due = { expected: before, why: `${operation.operationId} has removed the new item.` };
    await expectCount(session, count, input, due);
  }
}

/** @throws NotPossible if what is made may be there already, such as a member that is a user */
function expectNew({ implementation }: Session, { maker, member }: Count): void {
  const { body } = implementation.survey[maker.operationId]?.recipe ?? {};
  const others = body?.shown.filter((name) => name !== member) ?? [];
  if (others.length > 0) {
    throw new NotPossible(
      `the body of ${maker.operationId} names other items: the new one may be there already`,
    );
  }
}

async function countOf(session: Session, count: Count, { path = {} }: CallInput): Promise<number> {
  const { owner, counting } = count;
  const input = withRequired(session.implementation, owner, { path });
  const { json } = await succeed(session, owner.operationId, input, 'It exists.');
  const item = shownBy(session.implementation.contract, owner, json);
  const value = memberOf(Object(item), counting);
  if (!Number.isInteger(value)) {
    throw new NotPossible(`${owner.operationId} shows no \`${counting}\``);
  }
  return Number(value);
}

/** How long it is waited for a count, from one look to the next: some are made aside. */
const WAITS_MS = [100, 300, 900, 1_800];

/** What a count is due to be, and why. */
interface DueCount {
  expected: number;
  why: string;
}

async function expectCount(
  session: Session,
  count: Count,
  input: CallInput,
  { expected, why }: DueCount,
): Promise<void> {
  let got = await countOf(session, count, input);
  for (const ms of WAITS_MS) {
    if (got !== expected) {
      await sleep(ms);
      got = await countOf(session, count, input);
    }
  }
  const what = `\`${count.counting}\` is not the number of items. ${why}`;
  expectThat(got === expected, what, { expected, got });
}

/** A DELETE with such a word does not make an item a deleted one. */
const SETS_ASIDE = /\b(archiv|deactivat|disabl)/i;

/** The removal of an item: its operation, and the values of its path. */
interface Removal {
  operation: Operation;
  path: Record<string, string>;
}

/** How the item that was made last is removed; undefined if it may be kept somewhere. */
function removalOfLast(session: Session, count: Count): Removal | undefined {
  const { maker, isWithoutRemoved } = count;
  const { contract, client } = session.implementation;
  const [last] = session.removals;
  if (last === undefined) {
    return undefined;
  }
  const url = client.urlOf(last.target);
  const operation = operationAt(contract, client, { method: last.method, url });
  const isOfMade = operation !== undefined && nounOf(operation) === nounOf(maker);
  const hasMark = [...itemShown(contract, maker).keys()].some((name) => OF_REMOVED.test(name));
  if (!isOfMade || url.includes('?')) {
    return undefined;
  }
  const mayCount = hasMark || mayBeKept(contract, operation);
  const isOtherwiseKept = SETS_ASIDE.test(wordsAt(contract, operation.pointer));
  if (mayCount && (!isWithoutRemoved || isOtherwiseKept)) {
    return undefined;
  }
  return { operation, path: pathValuesOf(operation, url) };
}
