/**
 * Requirements of the operations that write: each status that refuses them leaves everything
 * unchanged.
 */
import { memberOf } from '../contract/by-name.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import type { Operation } from '../contract/operations.ts';
import type { CallInput } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame } from '../http/nonconformity.ts';
import {
  type Requirement,
  withoutReadOnlyToken,
  withoutToken,
} from '../requirements/requirement.ts';
import { type LawProperty, once, propertiesOn } from './law.ts';
import { required } from './required.ts';
import {
  bodyOf,
  type Item,
  type Json,
  levelOf,
  type Place,
  type Resource,
  type ResourceCall,
} from './resource.ts';
import type { Steps } from './steps.ts';
import { tryTaken, tryTwice } from './unique.ts';
import { removeParentOf } from './unknown.ts';

/** The beginning of the sentence of the contract that these requirements test. */
export const UNCHANGED = 'A refused request changes nothing';

const CHANGED = 'A refused request changed something';
const OTHER_EFFECT = 'The next valid request has another effect';

type WritingCall = 'create' | 'update' | 'delete';

const WRITING_CALLS: readonly WritingCall[] = ['create', 'update', 'delete'];

/** The largest body that the contract lets a service refuse, in bytes. */
const TOO_LARGE = 1_048_576;

/** Makes a valid request one that must be refused. */
type Spoil = (input: CallInput, implementation: Implementation) => CallInput;

/** By the status of the refusal. */
const SPOILT: Record<number, Spoil> = {
  400: (input) => ({ ...input, query: { conformance_unknown: '1' } }),
  401: (input) => ({ ...input, headers: { authorization: '' } }),
  403: (input, { readOnlyToken }) => {
    return { ...input, headers: { authorization: `Bearer ${readOnlyToken}` } };
  },
  406: (input) => ({ ...input, headers: { accept: 'text/html' } }),
  413: ({ json, ...input }) => {
    return { ...input, body: stringifyJson(json) + ' '.repeat(TOO_LARGE) };
  },
  415: (input) => ({ ...input, headers: { 'content-type': 'text/plain' } }),
};

const SKIPPED: Record<number, Requirement['skip']> = {
  401: withoutToken,
  403: withoutReadOnlyToken,
};

/** Statuses about the content of a request or of its response. */
const OF_CONTENT: readonly number[] = [406, 413, 415];

type Check = (steps: Steps) => Promise<void>;

/**
 * A requirement for each operation that writes and for each status that it documents, as far as it
 * can be provoked.
 */
export function unchangedRequirements(
  resource: Resource,
  operations: readonly Operation[],
): Requirement[] {
  return WRITING_CALLS.flatMap((call) => {
    const operation = operations.find((one) => one.operationId === resource.calls[call]);
    const { responses } = required(operation, `the contract has no ${resource.calls[call]}`);
    const statuses = Object.keys(responses).map(Number);
    return statuses.flatMap((status) => {
      const check = provoke(resource, call, status);
      if (!check) {
        return [];
      }
      return [unchangedRequirement(resource, operations, { call, status, check })];
    });
  });
}

/** A refusal, and the check that provokes it. */
interface Provoked {
  call: WritingCall;
  status: number;
  check: Check;
}

function unchangedRequirement(
  resource: Resource,
  operations: readonly Operation[],
  { call, status, check }: Provoked,
): Requirement {
  const operationId = resource.calls[call];
  // A creation is seen by reading and by listing.
  const seenBy: ResourceCall[] = call === 'create' ? [call, 'read', 'list'] : [call];
  const levels = seenBy.map((one) => levelOf(resource, operations, one));
  const requirement: Requirement = {
    id: `${operationId}.${status}.unchanged`,
    level: levels.includes('extended') ? 'extended' : 'core',
    origin: 'D29',
    clause: '/info/description',
    words: UNCHANGED,
    sentence:
      `${operationId} that is refused with ${status} has changed nothing, ` +
      'and the next good request works.',
    properties: () => propertiesOn(resource, once('a change that would show', check)),
  };
  const skip = SKIPPED[status];
  if (skip) {
    requirement.skip = skip;
  }
  return requirement;
}

/** Properties of these calls, which are refused with the status. */
export function refusedCalls(
  resource: Resource,
  calls: readonly WritingCall[],
  status: number,
): LawProperty[] {
  return calls.map((call) => {
    const check = required(provoke(resource, call, status), `nothing provokes ${status}`);
    return once(`${call} ${resource.one}`, check);
  });
}

/** A check that provokes the status; undefined if nothing provokes it. */
function provoke(resource: Resource, call: WritingCall, status: number): Check | undefined {
  const { unique, values, removeParent } = resource;
  // A deletion has no body in either direction: a service need not look at its `Accept` and
  // `Content-Type`.
  if (call === 'delete' && OF_CONTENT.includes(status)) {
    return undefined;
  }
  const spoil = SPOILT[status];
  if (spoil) {
    return (steps) => trySpoilt(steps, call, status, spoil);
  }
  if (status === 404 && call !== 'create') {
    return (steps) => tryRemoved(steps, call);
  }
  if (status === 404 && removeParent) {
    return tryRemovedParent;
  }
  if (status === 409 && unique) {
    return (steps) => (call === 'create' ? tryTwice({}, steps) : tryTaken({}, steps));
  }
  if (status === 409 && values.conflict) {
    return tryContradiction;
  }
  return undefined;
}

/** A request is refused and changes nothing. The same request without its error works. */
async function trySpoilt(
  steps: Steps,
  call: WritingCall,
  status: number,
  spoil: Spoil,
): Promise<void> {
  const place = await steps.place({ items: 3, atLeast: 2 });
  const item = await steps.create(place, { ...steps.full(), ...bodyOf(place) });
  const json = call === 'create' ? bodyOf(place, 1) : steps.otherOf(place);
  const input: CallInput = { path: call === 'create' ? place.path : item.path };
  if (call !== 'delete') {
    input.json = json;
  }
  const why = `The request must be refused with ${status}.`;
  await steps.refuse(call, spoil(input, steps.implementation), { statuses: [status], why });
  await steps.expectItems(place, [item], CHANGED);
  if (call === 'create') {
    await expectNotCreated(steps, item, json);
  }
  await tryValid(steps, item, { call, input, json, status });
}

/** A shared list has no item that only the refused request can have created. */
async function expectNotCreated(steps: Steps, item: Item, json: Json): Promise<void> {
  const { list } = steps.resource;
  if (list.kind !== 'paged' || !list.shared) {
    return;
  }
  const { items } = await steps.list(item.place, [item]);
  const isSent = (shown: Json) =>
    Object.entries(json).every(([name, value]) => memberOf(shown, name) === value);
  expectSame(CHANGED, items.filter(isSent), []);
}

/** A valid request, after one that was refused with this status. */
interface ValidRequest {
  call: WritingCall;
  input: CallInput;
  json: Json;
  status: number;
}

/** The valid request works. @param item the only one of its place */
async function tryValid(
  steps: Steps,
  item: Item,
  { call, input, json, status }: ValidRequest,
): Promise<void> {
  const { session, resource } = steps;
  const { place } = item;
  const operationId = resource.calls[call];
  const response = await session.call(operationId, input);
  const isDocumented = String(response.status) in session.operation(operationId).responses;
  if (response.status >= 300 || !isDocumented) {
    const what = `After a refusal with ${status}, the next valid request does not work`;
    expectSame(what, response.status, 'a success');
    return;
  }
  if (call === 'delete') {
    await steps.expectGone(item, 'The item was removed.');
    return;
  }
  const now = steps.itemIn(place, response);
  if (call === 'create') {
    await steps.expectItems(place, [item, now], OTHER_EFFECT);
  } else {
    steps.expectShown(OTHER_EFFECT, now.shown, resource.changed({}, json));
  }
}

/** A creation under a parent that was removed is refused. */
async function tryRemovedParent(steps: Steps): Promise<void> {
  const { place, kept } = await placeWithOne(steps);
  const gone = await steps.place();
  await removeParentOf(gone, steps);
  const input = { path: gone.path, json: gone.bodies[0] };
  await steps.refuse('create', input, { statuses: [404], why: 'The parent was removed.' });
  await steps.expectItems(place, [kept], CHANGED);
}

/** A change or a removal of an item that was removed is refused, and does not bring it back. */
async function tryRemoved(steps: Steps, call: 'update' | 'delete'): Promise<void> {
  const { place, kept } = await placeWithOne(steps);
  const body = bodyOf(place, 1);
  const gone = await steps.create(place, body);
  await steps.remove(gone);
  const input: CallInput = { path: gone.path };
  const json = { ...steps.full(), ...body };
  if (call === 'update') {
    input.json = json;
  }
  await steps.refuse(call, input, { statuses: [404], why: 'The item was removed.' });
  await steps.expectGone(gone, 'A refused request brought the item back.');
  await steps.expectItems(place, [kept], CHANGED);
}

/** A place with two bodies and one item. */
async function placeWithOne(steps: Steps): Promise<{ place: Place; kept: Item }> {
  const place = await steps.place({ items: 2 });
  return { place, kept: await steps.create(place, bodyOf(place)) };
}

/** A change that contradicts other members of the item is refused. */
async function tryContradiction(steps: Steps): Promise<void> {
  const { conflict } = steps.resource.values;
  const { body, patch } = required(conflict, 'no change contradicts other members');
  const item = await steps.createOne(body);
  const input = { path: item.path, json: patch };
  const why = 'The change contradicts other members of the item.';
  await steps.refuse('update', input, { statuses: [409], why });
  await steps.expectRead(item, CHANGED);
}
