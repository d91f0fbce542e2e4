/**
 * The law of states that refuse a request with a documented 409, as in "The ticket is closed.":
 * actions such as `POST /tickets/{id}/close` bring new items into these states.
 */
import { setTimeout } from 'node:timers/promises';
import { memberOf } from '../contract/by-name.ts';
import { escapeRegExp } from '../contract/escape-reg-exp.ts';
import { itemPathOf } from '../contract/item-paths.ts';
import { membersSetByClients } from '../contract/item-requests.ts';
import type { Contract } from '../contract/load.ts';
import { nounBefore, singular } from '../contract/nouns.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { refusingStates } from '../contract/refusing-states.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { existedBefore } from '../http/existing-items.ts';
import { expectRefusal } from '../http/expect-response.ts';
import { expectSame, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { membersIn } from '../http/shown-item.ts';
import { once, type Requirement, requirementOf, statedIn } from '../requirements/requirement.ts';
import {
  bring,
  look,
  type StatefulItem,
  statefulItemAt,
  stateOf,
  waysToStates,
} from './item-states.ts';
import { ownCallOf } from './own-calls.ts';

/** An operation, and the states of an item in its path that refuse it. */
interface Refusing {
  operation: Operation;
  item: StatefulItem;
  /** The member that shows the state. */
  member: string;
  refusing: readonly string[];
  /** The members of the item that clients set. */
  members: readonly string[];
}

export function refusingStateLaws(contract: Contract): Requirement[] {
  const requirements: Requirement[] = [];
  for (const operation of operationsOf(contract)) {
    const refusing = refusingOf(contract, operation);
    if (refusing !== undefined) {
      requirements.push(refusingStateLaw(refusing));
    }
  }
  return statedIn('engine/laws/refusing-states.ts', requirements);
}

function refusingStateLaw(one: Refusing): Requirement {
  const { operation, item, refusing } = one;
  const states = refusing.map((state) => `\`${state}\``).join(' or ');
  const requirement = requirementOf(operation, 'in-state', {
    stated: operation,
    sentence:
      `${operation.operationId} gets its documented 409 where the item is ${states}, and ` +
      'changes nothing there.',
    properties: () => [once('in each state', (session) => tryRefusing(session, one))],
  });
  const others = [item.read, ...item.actions].map(({ operationId }) => operationId);
  return { ...requirement, others };
}

/** Undefined if the 409 of an operation names no states, or those of two members. */
function refusingOf(contract: Contract, operation: Operation): Refusing | undefined {
  const { method, path, responses, unsupported } = operation;
  const conflict = responses['409'];
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (isSafe || conflict === undefined || unsupported !== undefined || '202' in responses) {
    return undefined;
  }
  const words = wordsAt(contract, conflict.pointer);
  const nearest = itemPathOf(operation);
  const found: Refusing[] = [];
  for (const [end, key] of keysIn(path)) {
    const owner = path.slice(0, end);
    const item = statefulItemAt(contract, owner);
    const noun = nounOfItem(owner, key);
    for (const [member, choices] of noun === undefined ? [] : (item?.states ?? [])) {
      const stated = { noun: noun ?? '', isNearest: owner === nearest, choices };
      const refusing = refusingStates(words, stated);
      if (item !== undefined && refusing.length > 0) {
        const members = membersSetByClients(contract, item.read);
        found.push({ operation, item, member, refusing, members });
      }
    }
  }
  const [first, ...others] = found;
  return others.length === 0 ? first : undefined;
}

/** The end of each key of a path, and its name. */
const keysIn = (path: string): [end: number, key: string][] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => [
    match.index + match[0].length,
    match[1] ?? '',
  ]);

/** `ticket`, or `support ticket`, of `/support-tickets/{id}`, as a regular expression. */
function nounOfItem(path: string, key: string): string | undefined {
  const words = nounBefore(path, key)?.toLowerCase().split(/[-_]/) ?? [];
  const last = words.pop();
  if (last === undefined || !/^[a-z]+$/.test(last)) {
    return undefined;
  }
  const before = words.map((word) => `${escapeRegExp(word)} `).join('');
  return `(?:${before})?${singular(last)}`;
}

async function tryRefusing(session: Session, one: Refusing): Promise<void> {
  const { operation, item, member, refusing } = one;
  const ways = await waysToStates(session, item, member);
  const reached = refusing.filter((state) => ways.has(state));
  if (reached.length === 0) {
    throw new NotPossible(`no action is known that makes a new item ${refusing.join(' or ')}`);
  }
  const notTried: string[] = [];
  for (const state of reached) {
    const reason = await tryState(session, one, state, ways.get(state) ?? []);
    if (reason !== undefined) {
      notTried.push(reason);
    }
  }
  const [first] = notTried;
  if (first !== undefined && notTried.length === reached.length) {
    throw new NotPossible(`${operation.operationId} in no such state: ${first}`);
  }
}

/** A call to an item in a state that refuses it. */
interface InState {
  input: CallInput;
  before: unknown;
}

/** @returns why it says nothing */
async function tryState(
  session: Session,
  one: Refusing,
  state: string,
  way: readonly Operation[],
): Promise<string | undefined> {
  const call = await callInState(session, one, state, way);
  if (call === undefined) {
    return `an item does not become ${state} again`;
  }
  const response = await session.call(one.operation.operationId, call.input);
  if (response.status === 409) {
    await expectRefused(session, one, state, { ...call, response });
    return undefined;
  }
  if (response.status >= 300) {
    return `it is refused for another reason (${response.status})`;
  }
  return tryStaying(session, one, state, way);
}

/** Long enough to see most items that go from one state to the next by themselves. */
const STAYS_MS = 1_100;

/** Once more with an item that stays in its state. @returns why it says nothing */
async function tryStaying(
  session: Session,
  one: Refusing,
  state: string,
  way: readonly Operation[],
): Promise<string | undefined> {
  const { item, member, operation } = one;
  const call = await callInState(session, one, state, way);
  await setTimeout(STAYS_MS);
  const { path = {} } = call?.input ?? {};
  if (call === undefined || (await stateOf(session, item, member, path)) !== state) {
    return `an item does not stay ${state}`;
  }
  const response = await session.call(operation.operationId, call.input);
  await expectRefused(session, one, state, { ...call, response });
  return undefined;
}

/** Members such as `force`, with which a request may succeed in any state. */
const OVERRIDES = /force|overrid|ignore/i;

/** A valid call whose item is in the state; undefined if it is not. */
async function callInState(
  session: Session,
  { operation, item, member }: Refusing,
  state: string,
  way: readonly Operation[],
): Promise<InState | undefined> {
  const { read, actions, changes } = item;
  const { isLeftOut, reason } = session.implementation.survey[operation.operationId] ?? {};
  if (isLeftOut !== false) {
    throw new NotPossible(reason ?? `${operation.operationId} is left out`);
  }
  const call = await ownCallOf(session, operation, [...changes, ...actions]);
  const { path = {}, json } = call;
  if (isObject(json) && Object.keys(json).some((name) => OVERRIDES.test(name))) {
    throw new NotPossible(`a body of ${operation.operationId} may override the state`);
  }
  if (existedBefore(session.implementation, read, path)) {
    throw new NotPossible('the service gave an item that was there before the run');
  }
  if (!(await bring(session, way, path))) {
    return undefined;
  }
  const before = await look(session, item, path);
  if (!isObject(before) || memberOf(before, member) !== state) {
    return undefined;
  }
  return { input: withoutTag(call), before };
}

/** The call without the entity tag of the item before its actions: it gets the current one. */
function withoutTag(call: CallInput): CallInput {
  const headers = Object.entries(call.headers ?? {});
  const others = headers.filter(([name]) => name.toLowerCase() !== 'if-match');
  return { ...call, headers: Object.fromEntries(others) };
}

async function expectRefused(
  session: Session,
  { operation, item, member, members }: Refusing,
  state: string,
  { input, before, response }: InState & { response: HttpResponse },
): Promise<void> {
  const why = `The item is ${state}.`;
  expectRefusal(session.implementation, operation, response, { statuses: [409], why, input });
  const after = await look(session, item, input.path ?? {});
  const kept = [member, ...members];
  const what = 'A refused request changed the item';
  expectSame(what, membersIn(after, kept), membersIn(before, kept));
}
