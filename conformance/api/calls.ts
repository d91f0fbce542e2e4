/**
 * Calls of this API that must succeed: what they need is made first. And its additions to clauses of bodies: valid bodies,
 * how they are sent, what comes back, how often each is tried.
 */
import { randomBytes } from 'node:crypto';
import { entry } from '../engine/contract/load.ts';
import { type CallInput, requestTargetOf } from '../engine/http/call.ts';
import { succeed } from '../engine/http/expect-response.ts';
import type { HttpApi, Implementation } from '../engine/http/implementation.ts';
import { expectSame } from '../engine/http/nonconformity.ts';
import type { Session } from '../engine/http/session.ts';
import type { Place } from '../engine/laws/resource.ts';
import { expectShown, Steps } from '../engine/laws/steps.ts';
import type { Api, CallData } from '../engine/requirements/api.ts';
import { validCall } from '../engine/requirements/calls.ts';
import { eachText, type Property } from '../engine/requirements/requirement.ts';
import { type Json, MODULE_NAMES } from './modules.ts';
import { edges } from './resources/edges.ts';
import { routes } from './resources/routes.ts';
import { sources } from './resources/sources.ts';
import { acceptable, BARE, distinctNames, EDGE_CREATE } from './values/bodies.ts';

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

/** A valid call with these headers or the like, which must succeed. */
export async function succeedWith(session: Session, operationId: string, more: CallInput, why: string) {
  await succeed(session, operationId, { ...(await validCall(session, operationId)), ...more }, why);
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

export const RESOURCES = [edges, routes, sources];

export const BODIES: Pick<Api, 'bodies' | 'expectEcho' | 'weight'> = {
  /** Undefined where bodies hold little but a name, which the laws vary. */
  bodies({ operationId }, implementation) {
    for (const { calls, values } of RESOURCES) {
      if (calls.create === operationId) return values.bodies?.(implementation);
      if (calls.update === operationId) return values.patches?.(implementation);
    }
    return undefined;
  },
  /** A route has hundreds of clauses, most of them twice (to create and to change): each is tried less often than others. */
  weight({ method, requestBody }, { path: [name = ''] }) {
    const inModule = requestBody?.pointer !== EDGE_CREATE && (MODULE_NAMES as string[]).includes(name);
    if (!inModule) return 1;
    return method === 'POST' ? 0.4 : 0.2;
  },
  /** A change shows what it sent: the resource that is changed was bare before. */
  expectEcho({ operationId }, sent, { json }) {
    const what = 'The response is not what was sent';
    const body = sent as Json;
    for (const resource of RESOURCES) {
      if (resource.calls.update === operationId) expectShown(resource, what, json as Json, resource.changed({}, body));
      else if (resource.calls.create === operationId && resource !== edges)
        expectShown(resource, what, json as Json, resource.shown(body));
    }
    if (operationId !== 'createEdge') return;
    // Checked by the source alone, the form of modules counts for nothing.
    const { description, metadata, hostports } = edges.shown(body);
    expectSame(what, json, { description, metadata, hostports });
  },
};

export const sendable: NonNullable<HttpApi['sendable']> = ({ implementation }, { operationId }, call, json) => {
  if (operationId === 'createEdge') return acceptable(implementation, json as Json);
  if (operationId.endsWith('Route')) return distinctNames(json as Json);
  // On a shared subscription, a generated type may be a source of somebody else already: then one that is not.
  const { type } = (json ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || !implementation.foreign.of(call.path?.['subscription_id'] ?? '').has(type))
    return json;
  return { ...(json as object), type: call.path?.['type'] ?? (call.json as { type: string }).type };
};
