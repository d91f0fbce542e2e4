/** A change or a removal that is refused for another reason than its members changes nothing. */
import { documentedFor, type Operation } from '../contract/operations.ts';
import type { CallInput } from '../http/call.ts';
import { isEntityTag } from '../http/preconditions.ts';
import { NotPossible } from '../http/nonconformity.ts';
import { withoutOwnCredentials } from '../requirements/statuses.ts';
import { type Law, once } from './law.ts';
import { changeBodyFor, type Item, upper } from './resource.ts';
import type { Steps } from './steps.ts';

type Reason = 'no credentials' | 'another media type' | 'another entity tag';

/** The status by which a contract documents the reason. */
const STATUS: Readonly<Record<Reason, number>> = {
  'no credentials': 401,
  'another media type': 415,
  'another entity tag': 412,
};

/** A write, and the reason why it is refused; `put` beside a PATCH. */
interface Refusal {
  call: 'update' | 'put' | 'delete';
  reason: Reason;
}

const REFUSALS: readonly Refusal[] = [
  { call: 'update', reason: 'no credentials' },
  { call: 'update', reason: 'another media type' },
  { call: 'update', reason: 'another entity tag' },
  { call: 'put', reason: 'no credentials' },
  { call: 'put', reason: 'another media type' },
  { call: 'put', reason: 'another entity tag' },
  { call: 'delete', reason: 'no credentials' },
  { call: 'delete', reason: 'another entity tag' },
];

export const refusedReasonLaws = {
  refusedReasons: {
    applies: ({ update, put, removal }) =>
      [update, put, removal].some((one) => one !== undefined && isRefusedFor(one.responses)),
    sentence: ({ one }) =>
      `${upper(one)} stays as it is if a valid change or its removal is refused: without ` +
      'credentials, in another media type, for another entity tag.',
    properties: once('each reason', tryRefusals),
  },
} satisfies Record<string, Law>;

function isRefusedFor(responses: object): boolean {
  return Object.values(STATUS).some((status) => String(status) in responses);
}

async function tryRefusals(steps: Steps): Promise<void> {
  let isRefused = false;
  for (const refusal of REFUSALS) {
    const operation = operationOf(steps, refusal.call);
    if (operation && documentedFor(operation, STATUS[refusal.reason])) {
      isRefused = (await tryRefusal(refusal, operation, steps)) || isRefused;
    }
  }
  if (!isRefused) {
    throw new NotPossible('no write was refused for another reason than its members');
  }
}

function operationOf({ session, resource }: Steps, call: Refusal['call']): Operation | undefined {
  if (call === 'put') {
    const { put, update } = resource.facts ?? {};
    if (put === update) {
      return undefined;
    }
    return put;
  }
  const operationId = resource.calls[call];
  if (operationId === '') {
    return undefined;
  }
  return session.operation(operationId);
}

/**
 * Whether the contract names the condition: a write for another entity tag is not made then (RFC
 * 9110, 13.1.1), though it may be a success if there is nothing to do any more.
 */
function isCondition({ reason }: Refusal, { parameters }: Operation): boolean {
  return reason === 'another entity tag' && parameters.some(isEntityTag);
}

/** @returns whether it was refused */
async function tryRefusal(refusal: Refusal, operation: Operation, steps: Steps): Promise<boolean> {
  const place = await steps.place({ items: 2 });
  const item = await steps.create(place, { ...steps.full(), ...steps.bodyIn(place, {}) });
  const shown = await steps.read(item);
  const input = spoilt(steps, item, refusal, operation);
  if (input === undefined) {
    return false;
  }
  const { status } = await steps.session.call(operation.operationId, input);
  const isRefused = status >= 400;
  if (!isRefused && !isCondition(refusal, operation)) {
    return false;
  }
  const what = isRefused
    ? `A request that is refused with ${status} changed something`
    : `A ${operation.method} for another entity tag was made`;
  await steps.expectRead({ ...item, shown }, what);
  return isRefused;
}

/** A valid write with what it is refused for; undefined if nothing can be refused. */
function spoilt(
  steps: Steps,
  item: Item,
  { call, reason }: Refusal,
  operation: Operation,
): CallInput | undefined {
  const { implementation, resource } = steps;
  const input: CallInput = { path: item.path };
  if (call !== 'delete') {
    const other = steps.otherOf(item.place, resource.values.members);
    const whole = { ...steps.full(), ...steps.bodyIn(item.place, other) };
    input.json = call === 'put' ? whole : changeBodyFor(resource, item, other);
  }
  if (reason === 'another media type') {
    return { ...input, headers: { 'content-type': 'text/plain' } };
  }
  if (reason === 'another entity tag') {
    return { ...input, headers: { 'if-match': '"conformance-unknown"' } };
  }
  return withoutOwnCredentials(implementation, operation, input);
}
