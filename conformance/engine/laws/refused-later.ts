/**
 * Refused requests have no effect later either: a service may put a write into a queue, and ask
 * only then whether it is allowed.
 */
import type { Operation } from '../contract/operations.ts';
import type { CallInput } from '../http/call.ts';
import { expectThat } from '../http/nonconformity.ts';
import { readOnlyFields } from '../http/read-around.ts';
import { withoutOwnCredentials } from '../requirements/statuses.ts';
import { elementAt } from './required.ts';
import {
  bodyOf,
  changeBodyFor,
  isShared,
  type Item,
  operationIdOf,
  type ResourceCall,
} from './resource.ts';
import type { Steps } from './steps.ts';

/** Longer than most queues take. */
const LATER_MS = 500;

const CHANGED = 'A refused request changed something a moment later';

type Write = 'create' | 'update' | 'delete';
type Reason = 'no credentials' | 'only to read' | 'another media type' | 'an invalid member';

const WRITES: readonly Write[] = ['update', 'delete', 'create'];
const REASONS: readonly Reason[] = [
  'no credentials',
  'only to read',
  'another media type',
  'an invalid member',
];

/** A write, and the reason why it is refused. */
interface Refusal {
  call: Write;
  reason: Reason;
}

/**
 * Sends writes that are refused, and looks a moment later. What was accepted is for other laws: its
 * item is not looked at. Media types, which services tend to ignore, have an item of their own.
 */
export async function tryLater(
  steps: Steps,
  offered: (call: ResourceCall) => boolean,
): Promise<void> {
  const { resource } = steps;
  const place = await steps.place({ items: 3, atLeast: 2 });
  const bodies = place.bodies.slice(0, -1).map((body) => ({ ...steps.full(), ...body }));
  const items = await steps.createAll(place, bodies);
  // What others create in a shared list cannot be told apart.
  const calls = WRITES.filter((call) => call !== 'create' || !isShared(resource)).filter(offered);
  const accepted = new Set<Item>();
  for (const reason of REASONS) {
    const item = elementAt(items, reason === 'another media type' ? -1 : 0);
    for (const call of calls) {
      if (await isAccepted(steps, item, { call, reason })) {
        accepted.add(item);
        break;
      }
    }
  }
  await steps.pause(LATER_MS);
  for (const item of items.filter((one) => !accepted.has(one))) {
    await expectThere(steps, item);
  }
  if (accepted.size === 0 && !isShared(resource)) {
    await steps.expectItems(place, items, CHANGED);
  }
}

async function expectThere(steps: Steps, item: Item): Promise<void> {
  const read = operationIdOf(steps.resource, 'read');
  const { status } = await steps.session.call(read, { path: item.path });
  const details = { expected: 'the item', got: `the status ${status}` };
  expectThat(status < 400, `${CHANGED}: the item is gone.`, details);
  await steps.expectRead(item, CHANGED);
}

async function isAccepted(steps: Steps, item: Item, refusal: Refusal): Promise<boolean> {
  const operationId = operationIdOf(steps.resource, refusal.call);
  const operation = steps.session.operation(operationId);
  const input = spoilt(steps, item, refusal, operation);
  if (input === undefined) {
    return false;
  }
  const { status } = await steps.session.call(operationId, input);
  return status < 400;
}

/** A valid write with what it is refused for; undefined if nothing can be refused. */
function spoilt(
  steps: Steps,
  item: Item,
  { call, reason }: Refusal,
  operation: Operation,
): CallInput | undefined {
  const { implementation } = steps;
  const valid = validWrite(steps, item, call);
  switch (reason) {
    case 'no credentials':
      return withoutOwnCredentials(implementation, operation, valid);
    case 'only to read':
      return withFields(valid, readOnlyFields(implementation));
    case 'another media type':
      return withFields(valid, call === 'delete' ? {} : { 'content-type': 'text/plain' });
    case 'an invalid member':
      return withInvalidMember(steps, valid, call);
  }
}

/** Undefined without fields: the write is valid then. */
function withFields(valid: CallInput, headers: Record<string, string>): CallInput | undefined {
  if (Object.keys(headers).length === 0) {
    return undefined;
  }
  return { ...valid, headers };
}

function validWrite(steps: Steps, item: Item, call: Write): CallInput {
  const { place, path } = item;
  switch (call) {
    case 'create':
      return { path: place.path, json: bodyOf(place, -1) };
    case 'update':
      return { path, json: changeBodyFor(steps.resource, item, steps.otherOf(place)) };
    case 'delete':
      return { path };
  }
}

function withInvalidMember(
  { resource }: Steps,
  { json, ...rest }: CallInput,
  call: Write,
): CallInput | undefined {
  if (call === 'delete') {
    return undefined;
  }
  const [bad] = resource.values.invalid[call];
  if (bad === undefined) {
    return undefined;
  }
  return { ...rest, json: { ...(json as object), ...bad } };
}
