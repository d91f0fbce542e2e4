/**
 * The law of members that count items which belong to another one, such as the `device_count` of a
 * site: a new one adds one to it, and its removal takes one away.
 */
import { memberOf } from '../contract/by-name.ts';
import { envelopeOf } from '../contract/envelopes.ts';
import { itemPathOf, LAST_KEY, withoutSlash } from '../contract/item-paths.ts';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { membersSent, nounOf, singular } from '../contract/nouns.ts';
import {
  type Operation,
  operationOn,
  operationsOf,
  schemaOfSuccess,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type Shape, shapeOf, texts } from '../contract/shape.ts';
import { isAboutRemoved } from '../contract/undoing.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput, Sending } from '../http/call.ts';
import { succeed } from '../http/expect-response.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { operationAt } from '../http/operation-of.ts';
import { sleep } from '../http/rate.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import { once, type Requirement, requirementOf, statedIn } from '../requirements/requirement.ts';
import { type Belonging, belongingTo, makeFor } from './belonging.ts';

/** A member of an item that counts others. Its `owner` is the GET of the item. */
interface Count extends Belonging {
  /** The name of the member. */
  counting: string;
  /** The member of the response that has the item; undefined: the response is the item. */
  envelope: string | undefined;
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
  const schema = schemaOfSuccess(read);
  if (schema === undefined) {
    return [];
  }
  const [envelope, inside] = envelopeOf(contract, read) ?? [];
  const { properties } = inside ?? shapeOf(contract, schema);
  const sent = membersOfRequests(contract, read);
  const shown = [...properties].filter(([name, { types }]) => {
    return types.has('integer') && !sent.includes(name);
  });
  return shown.flatMap(([counting, shape]) => {
    const belonging = countedBy(contract, read, counting, shape);
    return belonging === undefined ? [] : [{ ...belonging, counting, envelope }];
  });
}

/** The members that a request can set: they count nothing. */
function membersOfRequests(contract: Contract, read: Operation): string[] {
  const [, collection = ''] = LAST_KEY.exec(read.path) ?? [];
  const writes = [
    operationOn(contract, 'POST', collection),
    operationOn(contract, 'PUT', read.path),
    operationOn(contract, 'PATCH', read.path),
  ];
  const known = writes.filter((write) => write !== undefined);
  return known.flatMap((write) => membersSent(contract, write));
}

function countedBy(
  contract: Contract,
  read: Operation,
  counting: string,
  shape: Shape,
): Belonging | undefined {
  const noun = nounCountedBy(counting);
  if (noun === undefined || !isPlainCount(shape, noun)) {
    return undefined;
  }
  for (const maker of operationsOf(contract)) {
    const isMaker =
      maker.method === 'POST' && '201' in maker.responses && maker.unsupported === undefined;
    if (isMaker && singular(nounOf(maker) ?? '') === noun && !mayWait(contract, maker)) {
      const belonging = belongingTo(contract, read, maker);
      if (belonging !== undefined) {
        return belonging;
      }
    }
  }
  return undefined;
}

const BETWEEN_WORDS = /(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/;
const COUNT_LAST = /^(.+) (count|total)$/;
const COUNT_FIRST = /^(number|num|total|count) (of )?(.+)$/;

/** `device_count`, `devicesTotal` and `number_of_devices` count devices: `device`. */
function nounCountedBy(name: string): string | undefined {
  const words = name.split(BETWEEN_WORDS).join(' ').toLowerCase();
  const noun = COUNT_LAST.exec(words)?.[1] ?? COUNT_FIRST.exec(words)?.[3];
  return noun === undefined ? undefined : singular(noun);
}

/** Words with which a count is one of some of the items, or is not exact. */
const OF_SOME = new RegExp(
  '\\b(that|which|who|whose|with|without|if|only|since|last|recent|unique|distinct|approximate|' +
    'estimated|cached|per|times?)\\b',
  'i',
);

/** Whether a description, if there is one, says that all are counted: "Number of devices". */
function isPlainCount(shape: Shape, noun: string): boolean {
  const ofNoun = new RegExp(`\\b(number|count|total) of (all )?(the |its )?${noun}`, 'i');
  return texts(shape, 'description').every((text) => {
    const spelled = text.replaceAll(/[-_]/g, '');
    return ofNoun.test(spelled) && !OF_SOME.test(spelled);
  });
}

/** States in which an item may not count yet. */
const NOT_YET = /\b(pending|draft|hidden|review|queued|unpublished|invited|moderat\w*)\b/i;

/** Whether what is made may be in such a state. */
function mayWait(contract: Contract, maker: Operation): boolean {
  const schema = schemaOfSuccess(maker);
  if (schema === undefined) {
    return false;
  }
  const shapes = [...shapeOf(contract, schema).properties.values()];
  return shapes.some((shape) => {
    const words = [...(shape.choices ?? []), ...texts(shape, 'description')];
    return NOT_YET.test(words.join(' '));
  });
}

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
  const removal = removalOfLast(session, maker);
  if (removal === undefined) {
    return;
  }
  const { status } = await session.send(removal);
  // What was accepted is done later.
  if (status < 300 && status !== 202) {
    await expectCount(session, count, input, { expected: before, why: 'It was removed again.' });
  }
}

/** @throws NotPossible if what is made may be there already, such as a member that is a user */
function expectNew({ implementation }: Session, { maker, member }: Count): void {
  const { body } = implementation.survey[maker.operationId]?.recipe ?? {};
  const others = body?.shown.filter((name) => name !== member) ?? [];
  if (others.length > 0) {
    throw new NotPossible(`what ${maker.operationId} makes names others: it may be there already`);
  }
}

async function countOf(session: Session, count: Count, { path = {} }: CallInput): Promise<number> {
  const { owner, counting, envelope } = count;
  const input = withRequired(session.implementation, owner, { path });
  const { json } = await succeed(session, owner.operationId, input, 'It exists.');
  const item = envelope === undefined ? json : memberOf(Object(json), envelope);
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
  const what = `\`${count.counting}\` does not count all. ${why}`;
  expectThat(got === expected, what, { expected, got });
}

/** Words of a DELETE that keeps the item, so that it may still count. */
const KEEPS = /\b(soft|archiv|restor|recover|trash|deactivat|disabl)/i;

/** The request that removes the item that was made last; undefined if it may be kept somewhere. */
function removalOfLast(session: Session, maker: Operation): Sending | undefined {
  const { contract, client } = session.implementation;
  const [removal] = session.removals;
  if (removal === undefined) {
    return undefined;
  }
  const { method, target } = removal;
  const operation = operationAt(contract, client, { method, url: client.urlOf(target) });
  const isOfMade = operation !== undefined && nounOf(operation) === nounOf(maker);
  if (!isOfMade || KEEPS.test(wordsAt(contract, operation.pointer))) {
    return undefined;
  }
  const item = itemPathOf(operation);
  const comesBack = operationsOf(contract).some(
    (one) => one.path.startsWith(item) && isAboutRemoved(contract, one),
  );
  if (comesBack) {
    return undefined;
  }
  return removal;
}
