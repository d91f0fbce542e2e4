/**
 * Reads around calls, which show values that a cache keeps for too long: the resource of a change,
 * before it to fill caches and again after it; and a GET without header fields, before and after
 * the same one with them. A call is chosen by the seed of its case. Only resources that nobody else
 * changes are compared.
 */
import { memberOf } from '../contract/by-name.ts';
import { scalarText } from '../contract/json-numbers.ts';
import { isDeepStrictEqual } from 'node:util';
import { isJson } from '../contract/media-types.ts';
import { type Operation, successOf } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type CallInput, requestOf, requestTargetOf, type Sending } from './call.ts';
import { withoutCredentials } from './given-credentials.ts';
import { type Implementation, isOffered } from './implementation.ts';
import { knownResponse } from './known-members.ts';
import { expectThat } from './nonconformity.ts';
import type { HttpResponse } from './response.ts';

type Json = Record<string, unknown>;
type Send = (sending: Sending) => Promise<HttpResponse>;
/** An operation that reads, and where. */
interface Read {
  operation: Operation;
  target: string;
}

/** What a read showed, without the members that the contract does not know. */
interface Seen extends Read {
  json: unknown;
}

/**
 * Reads again after a call, and compares with the responses from before it.
 * @throws Nonconformity, NoResponse, BrokenOff
 */
export type CheckAfter = (response: HttpResponse) => Promise<void>;

/**
 * Reads are made around one in this number of changes, and around one in this number of reads with
 * header fields.
 */
const CHANGES = 5;
const HEADERS = 2;
/** One in this number of changes is read around with the token that may only read. */
const READ_ONLY = 2;

export class ReadsAround {
  readonly #implementation: Implementation;
  readonly #send: Send;
  /** The state of the random numbers that choose. */
  #state: number;

  /** @param send sends a request within the case */
  constructor(implementation: Implementation, seed: number, send: Send) {
    this.#implementation = implementation;
    this.#state = seed;
    this.#send = send;
  }

  /**
   * Reads the responses that are compared after the call; undefined if nothing is compared.
   * @throws NoResponse, BrokenOff
   */
  async before(operation: Operation, input: CallInput): Promise<CheckAfter | undefined> {
    if (operation.method === 'GET') {
      const names = Object.keys(input.headers ?? {});
      const isOther = names.includes('authorization');
      if (isOther || (names.length > 0 && this.#isOne(HEADERS))) {
        return this.#beforeRead(operation, input);
      }
    } else if (this.#isOne(CHANGES)) {
      return this.#beforeChange(operation, input);
    }
    return undefined;
  }

  #isOne(oneIn: number): boolean {
    const mixed = this.#state ^ (this.#state >>> 15);
    this.#state = Math.imul(mixed, 0x2c1b3c6d) + 0x9e3779b9;
    return (this.#state >>> 8) % oneIn === 0;
  }

  /** The status of a GET without header fields stays the same: GET is safe (RFC 9110, 9.2.1). */
  async #beforeRead(operation: Operation, input: CallInput): Promise<CheckAfter> {
    const sending = requestOf(operation, { ...input, headers: {} });
    const { status } = await this.#send(sending);
    return async () => {
      const again = await this.#send(sending);
      const isSafe = status >= 300 || again.status === status;
      const details = { expected: status, got: again.status };
      expectThat(isSafe, 'A GET has changed the response to the next one.', details);
    };
  }

  async #beforeChange(operation: Operation, input: CallInput): Promise<CheckAfter> {
    const headers = this.#isOne(READ_ONLY) ? readOnlyFields(this.#implementation) : {};
    const read = (target: string) => this.#send({ method: 'GET', target, headers });
    const implementation = this.#implementation;
    const before: Seen[] = [];
    for (const one of readableAbove(implementation, operation, input)) {
      const { json } = await read(one.target);
      before.push({ ...one, json: knownResponse(implementation.contract, one.operation, json) });
    }
    const change: Change = { implementation, operation, input, before };
    return (response) => expectNothingOld(change, response, read);
  }
}

interface Change {
  implementation: Implementation;
  operation: Operation;
  input: CallInput;
  /** What was read before the change. */
  before: readonly Seen[];
}

async function expectNothingOld(
  change: Change,
  response: HttpResponse,
  read: (target: string) => Promise<HttpResponse>,
): Promise<void> {
  const { implementation, operation, input, before } = change;
  const isOld = oldIn(change, response);
  if (!isOld) {
    return;
  }
  const item = requestTargetOf(operation, { path: input.path ?? {} });
  for (const { target, operation: reading, json: was } of before) {
    const { status, json } = await read(target);
    if (operation.method === 'DELETE' && target === item) {
      // Laws of the resource check whether a removed item is gone; if it is still there, nothing is
      // promised about it.
      if (status < 300) {
        return;
      }
      continue;
    }
    const shown = knownResponse(implementation.contract, reading, json);
    const isStale = status < 300 && isOld(shown) && isOld(was);
    const details = { expected: `what ${operation.operationId} has left`, got: json };
    expectThat(!isStale, `A read shows what was there before ${operation.method}.`, details);
  }
}

/**
 * What can be read at the targets with which that of the call begins: the item, its list, its
 * parent.
 */
function readableAbove(
  implementation: Implementation,
  { path }: Operation,
  { path: values = {} }: CallInput,
): Read[] {
  const isReadable = (one: Operation): boolean => {
    const isAbove = one.path === path || path.startsWith(`${one.path}/`);
    if (one.method !== 'GET' || !isOffered(implementation, one) || !isAbove) {
      return false;
    }
    if (one.unsupported !== undefined || withoutCredentials(implementation, one) !== undefined) {
      return false;
    }
    const isWhole = one.parameters.every((parameter) => {
      if (parameter.in === 'path') {
        return parameter.name in values;
      }
      return !parameter.required;
    });
    return isWhole && Object.keys(successOf(one).content).some(isJson);
  };
  const readable = [...implementation.operations.values()].filter(isReadable);
  const longestFirst = readable.toSorted((one, other) => other.path.length - one.path.length);
  return longestFirst.map((one) => {
    return { operation: one, target: requestTargetOf(one, { path: values }) };
  });
}

/** The fields of a request with the token that may only read; none if there is no such token. */
export function readOnlyFields({ readOnlyToken, client }: Implementation): Record<string, string> {
  const isBearer = client.headers['authorization']?.startsWith('Bearer ') === true;
  if (readOnlyToken !== undefined && isBearer) {
    return { authorization: `Bearer ${readOnlyToken}` };
  }
  return {};
}

/** The last segment of a path template, if it is a parameter. */
const LAST_PARAMETER = /\{([^{}]+)\}$/;

/**
 * Whether a value shows the item as it was before the call; undefined if the call does not decide
 * that.
 */
function oldIn(
  { implementation, operation, input, before }: Change,
  response: HttpResponse,
): ((value: unknown) => boolean) | undefined {
  const isDone = response.status === 200 || response.status === 204;
  const [, parameter] = LAST_PARAMETER.exec(operation.path) ?? [];
  if (parameter === undefined || !isDone) {
    return undefined;
  }
  const path = input.path ?? {};
  const item = requestTargetOf(operation, { path });
  const was = before.find(({ target }) => target === item)?.json;
  if (!isObject(was)) {
    return undefined;
  }
  const ids = Object.keys(was).filter(
    (name) => scalarText(was[name]) === memberOf(path, parameter),
  );
  if (ids.length === 0) {
    return undefined;
  }
  /** The occurrences of the item in a value. */
  const itemsIn = (value: unknown): Json[] =>
    objectsIn(value).filter((shown) => ids.some((name) => memberOf(shown, name) === was[name]));
  const isAsBefore = (shown: Json): boolean => agrees(shown, was, Object.keys(was));
  if (operation.method === 'DELETE') {
    return (value) => itemsIn(value).some(isAsBefore);
  }
  const now = Object(knownResponse(implementation.contract, operation, response.json)) as Json;
  const changed = changedMembers(input.json, was, now);
  if (changed.length === 0) {
    return undefined;
  }
  return (value) => {
    const items = itemsIn(value).filter((shown) =>
      changed.some((name) => Object.hasOwn(shown, name)),
    );
    const isShown = items.some((shown) => agrees(shown, now, changed));
    return !isShown && items.some(isAsBefore);
  };
}

/**
 * The members that were sent, and that the response shows to have changed: others may have another
 * form there.
 */
function changedMembers(sent: unknown, was: Json, now: Json): string[] {
  const isChanged = (name: string): boolean =>
    Object.hasOwn(was, name) &&
    Object.hasOwn(now, name) &&
    !isDeepStrictEqual(now[name], was[name]);
  return Object.keys(Object(sent) as Json).filter(isChanged);
}

/** Whether those of the members that an object shows have the values of another object. */
function agrees(shown: Json, due: Json, names: readonly string[]): boolean {
  const isDue = (name: string) => isDeepStrictEqual(shown[name], memberOf(due, name));
  return names.every((name) => !Object.hasOwn(shown, name) || isDue(name));
}

/** All objects in a value, itself among them. */
function objectsIn(value: unknown, found: Json[] = []): Json[] {
  if (typeof value !== 'object' || value === null) {
    return found;
  }
  if (!Array.isArray(value)) {
    found.push(value as Json);
  }
  for (const one of Object.values(value)) {
    objectsIn(one, found);
  }
  return found;
}
