/**
 * What one user makes, another one does not reach (OWASP API Security Top 10, API1:2023): each
 * operation on an item refuses the other user, and the item stays as it is. The user of the suite
 * says that the API keeps its users apart, by giving credentials of two.
 */
import { isDeepStrictEqual } from 'node:util';
import { isGuarded } from '../contract/credentials.ts';
import { isOfItem, itemPathOf } from '../contract/item-paths.ts';
import { membersSetByClients } from '../contract/item-requests.ts';
import { type Contract, entry } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import type { CallInput } from '../http/call.ts';
import { succeed } from '../http/expect-response.ts';
import { type Implementation, isOffered } from '../http/implementation.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import { withoutOtherUser } from '../http/other-user.ts';
import { needsEntityTag, withEntityTag } from '../http/preconditions.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { membersIn, shownBy } from '../http/shown-item.ts';
import { validCall, withRequired } from './calls.ts';
import { once, type Requirement, requirementOf, statedIn } from './requirement.ts';

export function otherUserRequirements(contract: Contract): Requirement[] {
  const all = operationsOf(contract).filter(isOnItem).map(otherUserRequirement);
  return statedIn('engine/requirements/other-users.ts', all);
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Whether the operation needs credentials, and is about something that a path names. */
function isOnItem(operation: Operation): boolean {
  const { method, path, responses, unsupported } = operation;
  // The other user may make an item of their own that has the name.
  const mayMake = method === 'PUT' && ('201' in responses || '2XX' in responses);
  const isKnown = METHODS.has(method) && unsupported === undefined;
  return isKnown && isGuarded(operation) && path.includes('{') && !mayMake;
}

function otherUserRequirement(operation: Operation): Requirement {
  const { operationId, method } = operation;
  const attempt = method === 'GET' ? tryRead : tryChange;
  const stated = requirementOf(operation, 'other-user', {
    stated: operation,
    sentence: `${operationId} refuses a user to whom the item does not belong.`,
    properties: () => [once('a new item', (session) => attempt(session, operation))],
  });
  return { ...stated, skip: ({ otherUser }) => withoutOtherUser(otherUser, operation) };
}

const REACHED = 'Another user reaches what this one has made.';
const REFUSAL = 'a refusal, such as 403 or 404';

async function tryRead(session: Session, operation: Operation): Promise<void> {
  const { operationId } = operation;
  const input = await ownCall(session, operation);
  const own = await succeed(session, operationId, input, 'It belongs to this user.');
  if (!hasText(own.json)) {
    throw new NotPossible(`${operationId} shows nothing by which its item is known`);
  }
  await expectKnownUser(session);
  const response = await session.asOtherUser(() => session.call(operationId, input));
  if (response.status < 300) {
    const isSame = isSameItem(session, operation, own.json, response.json);
    expectThat(!isSame, REACHED, { expected: REFUSAL, got: response.status });
  } else {
    expectRefused(operation, response);
  }
}

/** Whether two responses show one item. The other user may have one that has the same name. */
function isSameItem(
  { implementation: { contract } }: Session,
  read: Operation,
  one: unknown,
  other: unknown,
): boolean {
  if (isDeepStrictEqual(one, other)) {
    return true;
  }
  const names = membersSetByClients(contract, read);
  const setIn = (json: unknown) => membersIn(shownBy(contract, read, json), names);
  return hasText(setIn(one)) && isDeepStrictEqual(setIn(one), setIn(other));
}

/** Whether there is any text that is not empty: a list of nothing has none. */
function hasText(json: unknown): boolean {
  if (typeof json === 'string') {
    return json !== '';
  }
  const parts = isObject(json) || Array.isArray(json) ? Object.values(json) : [];
  return parts.some(hasText);
}

async function tryChange(session: Session, operation: Operation): Promise<void> {
  const { operationId } = operation;
  const input = await ownCall(session, operation);
  const item = readOf(session, operation, input);
  await expectKnownUser(session);
  // Otherwise the path may name something of the other user, which nobody may change.
  await expectHidden(session, item);
  const before = await setBy(session, item);
  const response = await session.asOtherUser(() => session.call(operationId, input));
  const after = await setBy(session, item);
  const isMade = operation.method === 'POST' && response.status === 201;
  const isChanged = isMade || !isDeepStrictEqual(after, before);
  if (response.status < 300) {
    expectThat(!isChanged, REACHED, { expected: REFUSAL, got: response.status });
    throw new NotPossible(`${operationId} responds with ${response.status}, and changes nothing`);
  }
  expectSame('A request of another user was refused, and changed the item', after, before);
  expectRefused(operation, response);
}

/** The read of an item. */
interface ItemRead {
  read: Operation;
  input: CallInput;
}

/** @throws NotPossible if no read shows whose item it is */
function readOf({ implementation }: Session, operation: Operation, input: CallInput): ItemRead {
  const all = [...implementation.operations.values()];
  const item = itemPathOf(operation);
  const read = all.find((one) => one.method === 'GET' && isOfItem(one, item));
  if (read === undefined || !isOffered(implementation, read)) {
    throw new NotPossible(`no GET shows whether ${item} is that of the other user`);
  }
  const { path = {} } = input;
  return { read, input: withRequired(implementation, read, { path }) };
}

/** @throws NotPossible unless the other user cannot read the item */
async function expectHidden(session: Session, { read, input }: ItemRead): Promise<void> {
  const { status } = await session.asOtherUser(() => session.call(read.operationId, input));
  if (!REFUSALS.has(status)) {
    throw new NotPossible(`${read.operationId} does not refuse the other user (${status})`);
  }
}

/** What clients have set of an item, as its user reads it; its status if it cannot be read. */
async function setBy(session: Session, { read, input }: ItemRead): Promise<unknown> {
  const { contract } = session.implementation;
  const { status, json } = await session.call(read.operationId, input);
  if (status >= 300) {
    return { status };
  }
  return membersIn(shownBy(contract, read, json), membersSetByClients(contract, read));
}

/**
 * A whole valid call for a new item. An entity tag is read by the user to whom it belongs.
 * @throws NotPossible unless the run makes what the path names, and the operation was reached
 */
async function ownCall(session: Session, operation: Operation): Promise<CallInput> {
  const { operationId } = operation;
  const { isReached = false, recipe } = session.implementation.survey[operationId] ?? {};
  const { isOwn = false, fresh = [] } = recipe?.path ?? {};
  if (!isReached || !isOwn || fresh.length > 0) {
    throw new NotPossible(`the run makes nothing that ${operationId} can be called for`);
  }
  const input = await validCall(session, operationId);
  if (needsEntityTag(operation, input)) {
    return withEntityTag(session, operation, input);
  }
  return input;
}

const REFUSALS: ReadonlySet<number> = new Set([403, 404, 410]);

/** @throws NotPossible if the response does not say that the item is that of somebody else */
function expectRefused({ operationId }: Operation, { status }: HttpResponse): void {
  if (!REFUSALS.has(status)) {
    throw new NotPossible(`${operationId} responds to the other user with ${status}`);
  }
}

const knownUsers = new WeakMap<Implementation, Promise<string | undefined>>();

/**
 * A token that the service does not know is refused everywhere, which says nothing.
 * @throws NotPossible unless the other user can read something without a name in its path
 */
export async function expectKnownUser(session: Session): Promise<void> {
  const { implementation } = session;
  const outcome = entry(knownUsers, implementation, () => whyUnknown(session));
  // That the service stopped meanwhile says nothing of what comes later.
  outcome.catch(() => knownUsers.delete(implementation));
  const reason = await outcome;
  if (reason !== undefined) {
    throw new NotPossible(reason);
  }
}

async function whyUnknown(session: Session): Promise<string | undefined> {
  const { implementation } = session;
  const reads = [...implementation.operations.values()].filter(
    (one) =>
      one.method === 'GET' &&
      !one.path.includes('{') &&
      isGuarded(one) &&
      implementation.survey[one.operationId]?.isReached === true &&
      withoutOtherUser(implementation.otherUser, one) === undefined,
  );
  for (const read of reads) {
    const input = await validCall(session, read.operationId);
    const { status } = await session.asOtherUser(() => session.call(read.operationId, input));
    if (status < 300) {
      return undefined;
    }
  }
  return 'no GET accepts the token of the other user: the service may not know it';
}
