/**
 * The states of items that a member shows, such as `state`, and the actions that lead from one to
 * the next, such as `POST /tickets/{id}/close`.
 */
import { memberOf } from '../contract/by-name.ts';
import { itemShown } from '../contract/envelopes.ts';
import { isActionOn } from '../contract/item-actions.ts';
import { writesOfItem } from '../contract/item-requests.ts';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { membersSent } from '../contract/nouns.ts';
import {
  type Operation,
  operationOn,
  operationsOf,
  pathParameters,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import type { CallInput } from '../http/call.ts';
import { existedBefore } from '../http/existing-items.ts';
import type { Implementation } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { membersIn, shownBy } from '../http/shown-item.ts';
import { withRequired } from '../requirements/calls.ts';
import { ownCallOf } from './own-calls.ts';

/** A kind of item with states. */
export interface StatefulItem {
  read: Operation;
  /** Each member that may be its state, with all its values. */
  states: ReadonlyMap<string, readonly string[]>;
  /** Operations that need nothing but an item. */
  actions: readonly Operation[];
  /** Operations that change or remove an item. */
  changes: readonly Operation[];
}

/** The item at a path; undefined if nothing reads it, or if it shows no state. */
export function statefulItemAt(contract: Contract, path: string): StatefulItem | undefined {
  const read = operationOn(contract, 'GET', path);
  const states =
    read &&
    supported(
      () => statesShownBy(contract, read),
      () => new Map<string, readonly string[]>(),
    );
  if (read === undefined || states === undefined || states.size === 0) {
    return undefined;
  }
  const all = operationsOf(contract).filter(({ unsupported }) => unsupported === undefined);
  const actions = all.filter((one) => isActionOn(path, one));
  const changes = all.filter((one) => one.path === path && one.method !== 'GET');
  return { read, states, actions, changes };
}

/** Members of a few texts that no request sets. */
function statesShownBy(
  contract: Contract,
  read: Operation,
): ReadonlyMap<string, readonly string[]> {
  const sent = new Set(
    writesOfItem(contract, read).flatMap((write) => membersSent(contract, write)),
  );
  const states = new Map<string, readonly string[]>();
  for (const [name, { choices }] of itemShown(contract, read)) {
    const isText = choices?.every((one) => typeof one === 'string') === true;
    if (isText && !sent.has(name)) {
      states.set(name, choices as readonly string[]);
    }
  }
  return states;
}

type Path = NonNullable<CallInput['path']>;

/** What a read shows of the item; undefined if it refuses. */
export async function look(session: Session, { read }: StatefulItem, path: Path): Promise<unknown> {
  const { implementation } = session;
  const names = pathParameters(read).map(({ name }) => name);
  const own = membersIn(path, names) as Path;
  const input = withRequired(implementation, read, { path: own });
  const { status, json } = await session.call(read.operationId, input);
  return status < 300 ? shownBy(implementation.contract, read, json) : undefined;
}

/** The state that a read shows; undefined if it shows none. */
export async function stateOf(
  session: Session,
  item: StatefulItem,
  member: string,
  path: Path,
): Promise<string | undefined> {
  const shown = await look(session, item, path);
  const state = isObject(shown) ? memberOf(shown, member) : undefined;
  return typeof state === 'string' ? state : undefined;
}

/** The actions that bring a new item into each state, as far as they are known. */
export type Ways = ReadonlyMap<string, readonly Operation[]>;

/** Known in a run. By operation of the read, and member. */
const known = new WeakMap<Implementation, Map<string, Promise<Ways>>>();

/** A walk sends at most so many actions. */
const MOST_ACTIONS = 24;

/** How each state is reached, breadth-first. It is looked for once in a run. */
export async function waysToStates(
  session: Session,
  item: StatefulItem,
  member: string,
): Promise<Ways> {
  const { implementation } = session;
  const all = known.get(implementation) ?? new Map<string, Promise<Ways>>();
  known.set(implementation, all);
  const key = `${item.read.operationId} ${member}`;
  const earlier = all.get(key);
  // The case in which it was looked for may have been broken off.
  const found = await earlier?.catch(() => undefined);
  if (found !== undefined) {
    return found;
  }
  const walk = new Walk(session, item, member).run();
  all.set(key, walk);
  return walk;
}

class Walk {
  readonly #session: Session;
  readonly #item: StatefulItem;
  readonly #member: string;
  readonly #ways = new Map<string, readonly Operation[]>();
  /** Actions that have led to a state: they lead there from other ones, too. */
  readonly #done = new Set<Operation>();
  #sent = 0;

  constructor(session: Session, item: StatefulItem, member: string) {
    this.#session = session;
    this.#item = item;
    this.#member = member;
  }

  async run(): Promise<Ways> {
    const path = await newItem(this.#session, this.#item);
    const first = await stateOf(this.#session, this.#item, this.#member, path);
    if (first === undefined) {
      throw new NotPossible(`${this.#item.read.operationId} does not show \`${this.#member}\``);
    }
    this.#ways.set(first, []);
    let there: Path | undefined = path;
    // A map shows what is added while it is walked.
    for (const way of this.#ways.values()) {
      await this.#goOn(way, there);
      there = undefined;
    }
    return this.#ways;
  }

  /** Tries each action on items in one state. @param given an item that is there already */
  async #goOn(way: readonly Operation[], given: Path | undefined): Promise<void> {
    let path = given;
    for (const action of this.#item.actions) {
      if (this.#done.has(action) || this.#sent >= MOST_ACTIONS) {
        continue;
      }
      path ??= await itemBehind(this.#session, this.#item, way);
      if (path === undefined) {
        return;
      }
      this.#sent += 1;
      if (!(await act(this.#session, action, path))) {
        continue;
      }
      const state = await stateOf(this.#session, this.#item, this.#member, path);
      if (state !== undefined) {
        this.#done.add(action);
      }
      if (state !== undefined && !this.#ways.has(state)) {
        this.#ways.set(state, [...way, action]);
      }
      path = undefined;
    }
  }
}

/** The path of a new item. @throws NotPossible, Blocked */
async function newItem(session: Session, { read, actions, changes }: StatefulItem): Promise<Path> {
  const { implementation } = session;
  const { path = {} } = await ownCallOf(session, read, [...changes, ...actions]);
  if (existedBefore(implementation, read, path)) {
    throw new NotPossible('the service gave an item that was there before the run');
  }
  return path;
}

/** A new item after these actions; undefined if one of them is refused. */
async function itemBehind(
  session: Session,
  item: StatefulItem,
  way: readonly Operation[],
): Promise<Path | undefined> {
  const path = await newItem(session, item);
  return (await bring(session, way, path)) ? path : undefined;
}

/** Whether each of the actions on the item is accepted. */
export async function bring(
  session: Session,
  way: readonly Operation[],
  path: Path,
): Promise<boolean> {
  for (const action of way) {
    if (!(await act(session, action, path))) {
      return false;
    }
  }
  return true;
}

/** Whether the action is accepted. One that the survey leaves out is not sent. */
async function act(session: Session, action: Operation, path: Path): Promise<boolean> {
  const { implementation } = session;
  const { operationId } = action;
  const surveyed = implementation.survey[operationId];
  if (surveyed === undefined || surveyed.isLeftOut) {
    return false;
  }
  const names = pathParameters(action).map(({ name }) => name);
  const own = membersIn(path, names) as Path;
  const input = withRequired(implementation, action, { path: own });
  const { status } = await session.call(operationId, input);
  return status < 300;
}
