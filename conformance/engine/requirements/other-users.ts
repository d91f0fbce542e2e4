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
import { nounOf } from '../contract/nouns.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
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
import { hasRandomName, marksIn, showsAny } from './marks.ts';
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
  const isDue = isKnown && isGuarded(operation) && path.includes('{') && !mayMake;
  return isDue && !(method === 'POST' && FROM_OTHERS.test(nounOf(operation) ?? ''));
}

/** What other users send to somebody, such as `/documents/{id}/access-requests`. */
const FROM_OTHERS =
  /request|report|join|accept|redeem|appl(y|ication)|invit|subscri|follow|like|vote|review/i;

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
  const marks = marksIn(session, own.json, input);
  if (marks.size === 0) {
    throw new NotPossible(`${operationId} shows nothing by which its item is known`);
  }
  const response = await session.asOtherUser(() => session.call(operationId, input));
  if (response.status < 300) {
    const isShown = showsAny(response.json, marks);
    expectThat(!isShown, REACHED, { expected: REFUSAL, got: response.status });
  }
  await expectKnownUser(session);
  if (response.status >= 300) {
    expectRefused(operation, response);
  }
}

async function tryChange(session: Session, operation: Operation): Promise<void> {
  const { operationId, method } = operation;
  const input = await ownCall(session, operation);
  const item = readOf(session, operation, input);
  const first = await setBy(session, item);
  const before = await setBy(session, item);
  const marks = marksIn(session, before.json, input);
  await expectOwn(session, operation, item, marks);
  const response = await session.asOtherUser(() => session.call(operationId, input));
  const after = await setBy(session, item);
  const isMade = method === 'POST' && response.status === 201;
  // A member that differs each time changes by itself.
  const names = Object.keys(before.set).filter((name) =>
    isDeepStrictEqual(first.set[name], before.set[name]),
  );
  const steady = ({ status, set }: ShownItem) => ({ status, ...membersIn(set, names) });
  const isChanged = isMade || !isDeepStrictEqual(steady(after), steady(before));
  if (response.status < 300) {
    const isReached = isChanged || showsAny(response.json, marks);
    expectThat(!isReached, REACHED, { expected: REFUSAL, got: response.status });
    throw new NotPossible(`${operationId} responds with ${response.status}, and changes nothing`);
  }
  const what = 'A request of another user was refused, and changed the item';
  expectSame(what, steady(after), steady(before));
  await expectKnownUser(session);
  expectRefused(operation, response);
}

/**
 * A change goes out only if the path can name nothing else: the other user may have something of
 * the same number or name, which nobody may change.
 * @throws NotPossible
 */
async function expectOwn(
  session: Session,
  { operationId, method }: Operation,
  { read, input }: ItemRead,
  marks: ReadonlySet<string>,
): Promise<void> {
  const seen = await session.asOtherUser(() => session.call(read.operationId, input));
  const isSeen = seen.status < 300 && showsAny(seen.json, marks);
  if (isSeen && method === 'POST') {
    throw new NotPossible(`${read.operationId} shows others the item: they may add to it`);
  }
  if (isSeen) {
    return;
  }
  const another = await validCall(session, operationId);
  if (!hasRandomName(session, operationId, input, another)) {
    throw new NotPossible('the other user may have something that has the same name');
  }
}

/** The read of an item. */
interface ItemRead {
  read: Operation;
  input: CallInput;
  /** The members that clients set. */
  names: readonly string[];
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
  const names = membersSetByClients(implementation.contract, read);
  return { read, input: withRequired(implementation, read, { path }), names };
}

/** What the user sees to whom the item belongs. */
interface ShownItem {
  status: number;
  json: unknown;
  /** The members that clients set. */
  set: Record<string, unknown>;
}

async function setBy(session: Session, { read, input, names }: ItemRead): Promise<ShownItem> {
  const { contract } = session.implementation;
  const { status, json } = await session.call(read.operationId, input);
  const item = status < 300 ? shownBy(contract, read, json) : undefined;
  return { status, json, set: membersIn(item, names) };
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
