/**
 * Laws of conditional requests (RFC 9110, 13; RFC 6585, 3), as far as the contract documents them:
 * an entity tag tells two states of an item apart, a change for another state is not made, and what
 * a client has already is not sent again.
 */
import { isDeepStrictEqual } from 'node:util';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationOn, operationsOf, successOf } from '../contract/operations.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import { knownResponse } from '../http/known-members.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import { isEntityTag } from '../http/preconditions.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import { basedRequirement, once, type Requirement, statedIn } from '../requirements/requirement.ts';

export function conditionLaws(contract: Contract): Requirement[] {
  const requirements: Requirement[] = [];
  for (const operation of operationsOf(contract)) {
    if (operation.unsupported === undefined) {
      requirements.push(...lawsOf(contract, operation));
    }
  }
  return statedIn('engine/laws/conditions.ts', requirements);
}

/** The methods that change the item of their path. */
const CHANGES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

function lawsOf(contract: Contract, operation: Operation): Requirement[] {
  const { method, path } = operation;
  if (method === 'GET') {
    return unmodifiedLaws(operation);
  }
  const read = operationOn(contract, 'GET', path);
  if (read === undefined || !CHANGES.has(method)) {
    return [];
  }
  const change: Change = { operation, read };
  return [...tagLaws(change), ...otherTagLaws(change), ...missingTagLaws(contract, change)];
}

/** An operation that changes an item, and the one that reads it. */
interface Change {
  operation: Operation;
  read: Operation;
}

const ETAG = /^etag$/i;

/** Whether the success of the operation has an entity tag, as the contract documents it. */
function documentsTag(operation: Operation): boolean {
  const headers = supported(
    () => Object.keys(successOf(operation).headers),
    () => [],
  );
  return headers.some((name) => ETAG.test(name));
}

// An item that does not change.

/** A 304 may also be due for a date: then the contract has no entity tag and no such field. */
function unmodifiedLaws(operation: Operation): Requirement[] {
  const { operationId, origin, parameters, responses } = operation;
  const documented = responses['304'];
  const takesTag = parameters.some(({ in: place, name }) => {
    return place === 'header' && /^if-none-match$/i.test(name);
  });
  if (documented === undefined || (!takesTag && !documentsTag(operation))) {
    return [];
  }
  const { pointer } = documented;
  const stated = { origin, pointer };
  return [
    basedRequirement(operation, '304', {
      stated,
      sentence: `${operationId} returns 304 for the entity tag that it has sent, and for no other.`,
      properties: () => [
        once('its entity tag', (session) => tryUnmodified(session, operation)),
        once('another entity tag', (session) => tryOther(session, operation)),
      ],
    }),
  ];
}

const NOT_MODIFIED = 304;

async function tryUnmodified(session: Session, operation: Operation): Promise<void> {
  const { operationId } = operation;
  const call = await validCall(session, operationId);
  const first = await session.call(operationId, call);
  const tag = tagOf(operation, first);
  const { status, headers } = await session.call(operationId, withField(call, NONE_MATCH, tag));
  const isOther = headers['etag'] !== undefined && headers['etag'] !== tag;
  if (status < 300 && isOther) {
    throw new NotPossible(`what ${operationId} shows changes by itself`);
  }
  const what = 'A read with the current entity tag gets another status.';
  expectThat(status === NOT_MODIFIED, what, { expected: NOT_MODIFIED, got: status });
}

async function tryOther(session: Session, operation: Operation): Promise<void> {
  const { operationId } = operation;
  const call = await validCall(session, operationId);
  const first = await session.call(operationId, call);
  const other = otherTag(tagOf(operation, first));
  const response = await session.call(operationId, withField(call, NONE_MATCH, other));
  if (response.status >= 400) {
    throw new NotPossible(`${operationId} takes no entity tag but its own (${response.status})`);
  }
  const why = 'The entity tag in `If-None-Match` is another one.';
  expectSuccess(session.implementation, operation, response, why);
}

const MATCH = 'if-match';
const NONE_MATCH = 'if-none-match';

const withField = (call: CallInput, name: string, value: string): CallInput => ({
  ...call,
  headers: { ...call.headers, [name]: value },
});

/** @throws NotPossible if the response has none */
function tagOf({ operationId }: Operation, { headers, status }: HttpResponse): string {
  const tag = headers['etag'];
  if (tag === undefined || status >= 300) {
    throw new NotPossible(`${operationId} sends no \`ETag\` (${status})`);
  }
  return tag;
}

const WEAK = /^W\//;

/** The first letter or digit of an entity tag. */
const FIRST_CHARACTER = /[a-z\d]/i;

/** A tag of the same form. */
function otherTag(tag: string): string {
  const strong = tag.replace(WEAK, '');
  const other = strong.replace(FIRST_CHARACTER, (first) => (first === '7' ? '8' : '7'));
  if (other === strong) {
    return '"conformance-unknown"';
  }
  return tag.replace(strong, () => other);
}

// An item that changes.

/** The tag of the read is the one that is compared: the one of the change may be left out. */
function tagLaws({ operation, read }: Change): Requirement[] {
  const { operationId, method, origin } = operation;
  const isDocumented = method !== 'DELETE' && [operation, read].some(documentsTag);
  if (!isDocumented) {
    return [];
  }
  const { pointer } = documentsTag(read) ? successOf(read) : successOf(operation);
  return [
    basedRequirement(operation, 'etag', {
      stated: { origin, pointer },
      sentence: `The entity tag of an item is another one after ${operationId} has changed it.`,
      properties: () => [once('a change', (session) => tryTag(session, { operation, read }))],
    }),
  ];
}

async function tryTag(session: Session, change: Change): Promise<void> {
  const { operation, read } = change;
  const { before, after } = await madeChange(session, change);
  const old = tagOf(read, before.response);
  const now = tagOf(read, after.response);
  if (isDeepStrictEqual(after.shown, before.shown)) {
    throw new NotPossible(`${operation.operationId} changed nothing that a read shows`);
  }
  if ([old, now].some((tag) => WEAK.test(tag))) {
    // It may stay where the change does not matter (RFC 9110, 8.8.1).
    throw new NotPossible(`the entity tags of ${read.operationId} are weak`);
  }
  const what = 'A read shows a change, and the entity tag from before it.';
  expectThat(old !== now, what, { expected: `not ${old}`, got: now });
}

/** What a read shows of an item. */
interface View {
  response: HttpResponse;
  /** The part that the contract declares. */
  shown: unknown;
  path: CallInput['path'];
}

/** A change that was made, with a read before and after it. */
interface MadeChange {
  call: CallInput;
  before: View;
  after: View;
}

/** @throws NotPossible if the change is refused, or if the item changes by itself */
async function madeChange(session: Session, { operation, read }: Change): Promise<MadeChange> {
  const { operationId } = operation;
  const call = await validCall(session, operationId);
  const before = await stableView(session, read, call);
  const { status } = await session.call(operationId, call);
  if (status >= 300) {
    throw new NotPossible(`${operationId} was not accepted (${status})`);
  }
  return { call, before, after: await viewOf(session, read, call) };
}

async function viewOf(session: Session, read: Operation, { path }: CallInput): Promise<View> {
  const { implementation } = session;
  const call = withRequired(implementation, read, { path: path ?? {} });
  const response = await session.call(read.operationId, call);
  const { json, text } = response;
  const shown = json === undefined ? text : knownResponse(implementation.contract, read, json);
  return { response, shown, path };
}

/** @throws NotPossible if there is no item, or if two reads of it differ */
async function stableView(session: Session, read: Operation, call: CallInput): Promise<View> {
  const view = await viewOf(session, read, call);
  const { status } = view.response;
  if (status >= 300) {
    throw new NotPossible(`${read.operationId} does not show what would change (${status})`);
  }
  const again = await viewOf(session, read, call);
  if (!isDeepStrictEqual(again.shown, view.shown)) {
    throw new NotPossible(`what ${read.operationId} shows changes by itself`);
  }
  return view;
}

// A change for another state.

const FAILED = 412;

function otherTagLaws({ operation, read }: Change): Requirement[] {
  const { operationId, origin, parameters, responses, method } = operation;
  const documented = responses[FAILED];
  if (documented === undefined || !parameters.some(isEntityTag)) {
    return [];
  }
  const { pointer } = documented;
  const change: Change = { operation, read };
  const properties = [once('another tag', (session: Session) => tryOtherTag(session, change))];
  if (method !== 'DELETE') {
    const check = (session: Session) => tryOldTag(session, change);
    properties.push(once('the tag from before a change', check));
  }
  return [
    basedRequirement(operation, '412', {
      stated: { origin, pointer },
      sentence: `${operationId} for another entity tag is refused with 412, and changes nothing.`,
      properties: () => properties,
    }),
  ];
}

async function tryOtherTag(session: Session, { operation, read }: Change): Promise<void> {
  const call = await validCall(session, operation.operationId);
  const before = await stableView(session, read, call);
  const tag = otherTag(tagOf(read, before.response));
  const refused: Refused = { status: FAILED, why: OTHER_TAG, input: withField(call, MATCH, tag) };
  await expectRefused(session, { operation, read }, { ...refused, call });
  await expectUnchanged(session, read, before, FAILED);
}

const OTHER_TAG = 'The item has another entity tag.';

async function tryOldTag(session: Session, change: Change): Promise<void> {
  const { read } = change;
  const { call, before, after } = await madeChange(session, change);
  const old = tagOf(read, before.response);
  const now = tagOf(read, after.response);
  if (old === now) {
    // Whether it may stay is the matter of another law.
    return;
  }
  const input = withField(call, MATCH, old);
  await expectRefused(session, change, { status: FAILED, why: OTHER_TAG, input, call });
  await expectUnchanged(session, read, after, FAILED);
}

/** A request that is refused because of its condition. */
interface Refused {
  status: number;
  why: string;
  input: CallInput;
  /** The same without what it is refused for; it has not been sent. */
  call?: CallInput;
}

/** @throws NotPossible if the request is refused for another reason, too */
async function expectRefused(
  session: Session,
  { operation }: Change,
  { status, why, input, call }: Refused,
): Promise<void> {
  const { operationId } = operation;
  const response = await session.call(operationId, input);
  const isForm = response.status === 400 || response.status === 422;
  if (isForm && status === FAILED) {
    throw new NotPossible(`${operationId} takes no such entity tag (${response.status})`);
  }
  if (call && response.status >= 400 && response.status !== status) {
    const accepted = await session.call(operationId, call);
    if (accepted.status >= 300) {
      throw new NotPossible(`${operationId} refuses the same change with its entity tag, too`);
    }
  }
  expectRefusal(session.implementation, operation, response, { statuses: [status], why, input });
}

async function expectUnchanged(
  session: Session,
  read: Operation,
  { shown, path }: View,
  status: number,
): Promise<void> {
  const after = await viewOf(session, read, { path: path ?? {} });
  const what = `A request that is refused with ${status} changed something`;
  expectThat(after.response.status < 300, `${what}.`, {
    expected: `a success of ${read.operationId}`,
    got: after.response.status,
  });
  expectSame(what, after.shown, shown);
}

// A change without a condition.

const REQUIRED = 428;

/** Words of a field that is due. */
const IS_DUE = /\b(missing|without|required?|must|omitted|absent|lacks|no)\b|not (sent|given|set)/i;

const NAMES_FIELD = /if-match/i;

/** Where the contract requires the field, a request without it has a requirement already. */
function missingTagLaws(contract: Contract, { operation, read }: Change): Requirement[] {
  const { operationId, origin, parameters, responses } = operation;
  const documented = responses[REQUIRED];
  const field = parameters.find(isEntityTag);
  if (documented === undefined || field?.required === true) {
    return [];
  }
  const ofStatus = wordsAt(contract, documented.pointer);
  const ofField = field === undefined ? '' : wordsAt(contract, field.pointer);
  const isOfTag = field !== undefined || NAMES_FIELD.test(ofStatus);
  if (!isOfTag || !IS_DUE.test(`${ofStatus}\n${ofField}`)) {
    return [];
  }
  const { pointer } = documented;
  const change: Change = { operation, read };
  return [
    basedRequirement(operation, '428', {
      stated: { origin, pointer },
      sentence: `${operationId} without \`If-Match\` is refused with 428, and changes nothing.`,
      properties: () => [once('no entity tag', (session) => tryMissingTag(session, change))],
    }),
  ];
}

async function tryMissingTag(session: Session, { operation, read }: Change): Promise<void> {
  const call = await validCall(session, operation.operationId);
  const before = await stableView(session, read, call);
  const tag = tagOf(read, before.response);
  await expectRefused(
    session,
    { operation, read },
    {
      status: REQUIRED,
      why: '`If-Match` is missing.',
      input: withField(call, MATCH, ''),
      call: withField(call, MATCH, tag),
    },
  );
  await expectUnchanged(session, read, before, REQUIRED);
}
