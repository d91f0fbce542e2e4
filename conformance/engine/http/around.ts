/**
 * The same URL again around a request: what a change is about is read before it, so that the checks of the case meet
 * what a cache kept, and again after it; and a GET with headers of its own is sent without them before and after it.
 * Only what nobody else changes is compared.
 */
import { isDeepStrictEqual } from 'node:util';
import { isJson, type Operation, successOf } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type CallInput, requestOf, requestTargetOf, type Sending } from './call.ts';
import { type Implementation, withoutCredentials } from './implementation.ts';
import { expectThat } from './nonconformity.ts';
import type { HttpResponse } from './response.ts';

type Json = Record<string, unknown>;
/** Sends a request of the case. */
type Send = (sending: Sending) => Promise<HttpResponse>;
/** By target. */
type Responses = Map<string, HttpResponse>;
type Check = (response: HttpResponse) => Promise<void>;

/** One in so many is chosen; of the changes, one in so many is looked at with the token that may only read. */
const CHANGES = 5;
const HEADERS = 2;
const READ_ONLY = 2;

/**
 * Makes what reads before each call, and gives what is to be checked after it; undefined where nothing is.
 * @param seed says which calls are chosen
 */
export function around(implementation: Implementation, seed: number, send: Send) {
  let state = seed;
  const isOne = (oneIn: number): boolean => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state >>> 8) % oneIn === 0;
  };
  return async (operation: Operation, input: CallInput): Promise<Check | undefined> => {
    const names = Object.keys(input.headers ?? {});
    if (operation.method === 'GET') {
      const isChosen = names.includes('authorization') || (names.length > 0 && isOne(HEADERS));
      return isChosen ? withoutHeaders(send, operation, input) : undefined;
    }
    if (!isOne(CHANGES)) return undefined;
    const headers = isOne(READ_ONLY) ? readOnly(implementation) : {};
    const read = (target: string) => send({ method: 'GET', target, headers });
    const before: Responses = new Map();
    for (const target of above(implementation, operation, input)) before.set(target, await read(target));
    return async (response) => {
      const isOld = oldIn(operation, input, before, response);
      if (!isOld) return;
      for (const [target, was] of before) {
        const { status, json } = await read(target);
        // Where the removed item is still there by itself, laws of the resource say so, or nothing is promised.
        if (operation.method === 'DELETE' && target === requestTargetOf(operation, { path: input.path! }))
          if (status < 300) return;
          else continue;
        const isStale = status < 300 && isOld(was.json) && isOld(json);
        const expected = `what ${operation.operationId} has left`;
        expectThat(!isStale, `${target} shows what was there before ${operation.method}.`, { expected, got: json });
      }
    };
  };
}

/** The status is the same before and after: GET is safe (RFC 9110, 9.2.1). */
async function withoutHeaders(send: Send, operation: Operation, input: CallInput): Promise<Check> {
  const sending = requestOf(operation, { ...input, headers: {} });
  const { status } = await send(sending);
  return async () => {
    const again = await send(sending);
    const details = { expected: status, got: again.status };
    expectThat(status >= 300 || again.status === status, 'A GET has changed what the next one gets.', details);
  };
}

/** The paths that can be read and are that of the call, or begin it: the item, its list, its parent. */
function above(implementation: Implementation, { path }: Operation, { path: values = {} }: CallInput): string[] {
  const { operations, level } = implementation;
  return [...operations.values()]
    .filter((one) => one.method === 'GET' && (one.level === 'core' || level === 'extended'))
    .filter((one) => one.path === path || path.startsWith(`${one.path}/`))
    .filter((one) => one.unsupported === undefined && withoutCredentials(implementation, one) === undefined)
    .filter(({ parameters }) => parameters.every((one) => (one.in === 'path' ? one.name in values : !one.required)))
    .filter((one) => Object.keys(successOf(one).content).some(isJson))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map((one) => requestTargetOf(one, { path: values }));
}

function readOnly({ readOnlyToken, client }: Implementation): Record<string, string> {
  const isBearer = client.headers['authorization']?.startsWith('Bearer ') === true;
  return readOnlyToken !== undefined && isBearer ? { authorization: `Bearer ${readOnlyToken}` } : {};
}

/**
 * Whether a response shows the item as it was before a call that changed or removed it, and not as it is now: an object
 * with its id, in which nothing differs. Undefined where the call says nothing of the kind.
 */
function oldIn(operation: Operation, input: CallInput, before: Responses, { status, json }: HttpResponse) {
  const [, parameter] = /\{([^{}]+)\}$/.exec(operation.path) ?? [];
  const was = before.get(requestTargetOf(operation, { path: input.path ?? {} }))?.json;
  if (parameter === undefined || !isObject(was) || (status !== 200 && status !== 204)) return undefined;
  const ids = Object.keys(was).filter((name) => String(was[name]) === input.path![parameter]);
  const isRemoved = operation.method === 'DELETE';
  const now = Object(json) as Json;
  // A value that the response does not show may have another form there.
  const isNew = (name: string) => name in was && name in now && !isDeepStrictEqual(now[name], was[name]);
  const changed = Object.keys(Object(input.json) as Json).filter(isNew);
  if (ids.length === 0 || (!isRemoved && changed.length === 0)) return undefined;
  const agrees = (shown: Json, due: Json, names: readonly string[]) =>
    names.every((name) => !(name in shown) || isDeepStrictEqual(shown[name], due[name]));
  return (value: unknown): boolean => {
    const items = objectsIn(value)
      .filter((shown) => ids.some((name) => shown[name] === was[name]))
      .filter((shown) => isRemoved || changed.some((name) => name in shown));
    const isShown = !isRemoved && items.some((shown) => agrees(shown, now, changed));
    return !isShown && items.some((shown) => agrees(shown, was, Object.keys(was)));
  };
}

/** All objects in a value, itself among them. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Json, ...inner];
}
