/** Calls of this API that must succeed: what they need is made first. */
import { randomBytes } from 'node:crypto';
import { entry } from '../engine/contract/load.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import type { Session } from '../engine/http/session.ts';
import { requestTargetOf } from '../engine/http/call.ts';
import type { Place } from '../engine/laws/resource.ts';
import { Steps } from '../engine/laws/steps.ts';
import { validCall } from '../engine/requirements/calls.ts';
import type { CallData } from '../engine/requirements/api.ts';
import { eachText, type Property } from '../engine/requirements/requirement.ts';
import { sources } from './resources/sources.ts';
import { acceptable } from './values/edges.ts';
import { BARE } from './values/routes.ts';
import { succeed } from '../engine/http/expect-response.ts';

/** Parts of calls that the links of the contract do not give: subscriptions, which no operation makes, and small bodies. */
export const CALL_DATA: CallData = {
  parameters: {
    // A list needs no room for more; a case takes all that it needs in one step.
    subscription_id: async (session, { method }) =>
      (await placeOf(session, method === 'GET' ? 0 : 1)).path['subscription_id']!,
  },
  bodies: {
    createEdge: ({ implementation }) => acceptable(implementation, {}),
    updateEdge: () => ({}),
    createRoute: () => BARE,
    updateRoute: () => ({}),
    createEventSource: async (session) => (await placeOf(session, 1)).bodies[0],
    updateEventSource: () => ({}),
  },
};

const places = new WeakMap<Session, Promise<Place>>();

function placeOf(session: Session, items: number): Promise<Place> {
  return entry(places, session, () => new Steps(session, sources).place({ items }));
}

/** The target of a valid call, for another method: nothing else of the call counts. */
export async function targetFor(session: Session, operationId: string): Promise<string> {
  return requestTargetOf(session.operation(operationId), await validCall(session, operationId));
}

export function offers({ operations, level }: Implementation, operationId: string): boolean {
  const operation = operations.get(operationId);
  return operation !== undefined && (operation.level === 'core' || level === 'extended');
}

/** One case for each operation of the level. */
export function eachOffered(implementation: Implementation, check: Property<string>['check']): Property[] {
  const offered = [...implementation.operations.keys()].filter((operationId) => offers(implementation, operationId));
  return eachText(offered, check);
}

/** A valid call with these headers, which must succeed. */
export async function succeedWith(
  session: Session,
  operationId: string,
  headers: Record<string, string>,
  why: string,
): Promise<void> {
  await succeed(session, operationId, { ...(await validCall(session, operationId)), headers }, why);
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * An id that no resource has: 26 random letters and digits behind a word that says where they come from. A short one may
 * exist on a service that counts, and be somebody else's.
 */
export function unknownId(): string {
  return `conformance_${Array.from(randomBytes(26), (byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}

/** A value that a path parameter can have, of a resource that does not exist. */
export function unknownValue(parameter: string): string {
  return parameter === 'type' ? `${unknownId()}.v0` : unknownId();
}
