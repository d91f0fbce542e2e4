/**
 * An implementation of this API: its test data, the resources that it lends to cases, and the way
 * in which requests are sent to it.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Hints } from '../engine/contract/hints.ts';
import { entry, perContract } from '../engine/contract/load.ts';
import type { Operation } from '../engine/contract/operations.ts';
import { type CallInput, requestTargetOf } from '../engine/http/call.ts';
import { succeed } from '../engine/http/expect-response.ts';
import {
  type HttpApi,
  type Implementation,
  implementationOf,
  isOffered,
  type ImplementationOptions,
} from '../engine/http/implementation.ts';
import { expectSame } from '../engine/http/nonconformity.ts';
import type { Session } from '../engine/http/session.ts';
import { expectShown } from '../engine/laws/expect-items.ts';
import type { Place } from '../engine/laws/resource.ts';
import { Steps } from '../engine/laws/steps.ts';
import type { Api } from '../engine/requirements/api.ts';
import { validCall } from '../engine/requirements/calls.ts';
import { CLAUSE, eachText, type Property } from '../engine/requirements/requirement.ts';
import { type Json, MODULE_NAMES } from './modules.ts';
import { expectAgreement } from './agreement.ts';
import { expectCode, expectProblem } from './errors/problem.ts';
import { expectReported } from './errors/reported-errors.ts';
import { requestErrors } from './errors/request-errors.ts';
import { required } from './required.ts';
import { edgesOf } from './resources/edges.ts';
import { routesOf } from './resources/routes.ts';
import { hasRoom, sourcesOf } from './resources/sources.ts';
import { type TestData, WEBHOOK_PROVIDERS } from './test-data.ts';
import {
  type EdgeImplementation,
  edgeImplementation,
  LostEdges,
  SubscriptionPool,
  trackerOf,
} from './tracker.ts';
import { acceptable, BARE, distinctNames, EDGE_CREATE } from './values/bodies.ts';
import { REALISTIC } from './values/realistic.ts';

const places = new WeakMap<Session, Promise<Place>>();

/** The subscription of a case, which takes all that it needs in one step. */
function placeOf(session: Session, { method }: Pick<Operation, 'method'>): Promise<Place> {
  // A list needs no room for more.
  const needsRoom = method !== 'GET' || hasRoom(session.implementation);
  const wanted = { items: 1, atLeast: needsRoom ? 1 : 0 };
  return entry(places, session, () =>
    new Steps(session, sourcesOf(session.implementation.contract)).place(wanted),
  );
}

const EDGE_HTTP: HttpApi = {
  track: trackerOf,
  /**
   * Test data that the links of the contract do not give: subscriptions, which no operation makes,
   * and small bodies.
   */
  callData: {
    source: 'the test data of this API',
    takesOthers: true,
    parameters: {
      subscription_id: async (session, operation) =>
        (await placeOf(session, operation)).path['subscription_id']!,
    },
    areFew: (implementation) => edgeImplementation(implementation).subscriptions.shared,
    bodies: {
      createEdge: ({ implementation }) => acceptable(implementation, {}),
      updateEdge: () => ({}),
      createRoute: () => BARE,
      updateRoute: () => ({}),
      createEventSource: async (session) => (await placeOf(session, { method: 'POST' })).bodies[0],
      updateEventSource: () => ({}),
    },
  },
  // As JSON Schema says (D31).
  hasIntegersWithExponents: true,
  sendable({ implementation }, { operationId }, call, json) {
    if (operationId === 'createEdge') {
      return acceptable(implementation, json as Json);
    }
    if (operationId.endsWith('Route')) {
      return distinctNames(json as Json);
    }
    // On a shared subscription, a generated type may be a source of somebody else already: then
    // another type is taken.
    const { type } = (json ?? {}) as { type: string };
    const { subscriptions } = edgeImplementation(implementation);
    if (!subscriptions.foreignIn(call.path?.['subscription_id'] ?? '').has(type)) {
      return json;
    }
    return {
      ...(json as object),
      type: call.path?.['type'] ?? (call.json as { type: string }).type,
    };
  },
  expectError(implementation, response, { operation, documented, input, codes }) {
    expectProblem(implementation, response, documented);
    if (codes) {
      expectCode(response, codes);
    }
    // If the error may be in the encoding, a body that cannot be read has no field errors.
    const isUnread =
      codes !== undefined && (response.json as { code: string }).code === 'malformed_request';
    if (input && operation && response.status === 400 && !isUnread) {
      expectReported(response, requestErrors(implementation.contract, operation, input));
    }
  },
  expectAgreement(implementation, operation, input, response) {
    if (implementation.origin === 'all') {
      const { contract } = implementation;
      expectAgreement({ contract, operation, input, response });
    }
  },
  variableFor: (segment, implementation) => {
    if (edgeImplementation(implementation).subscriptions.made(segment)) {
      return 'SUBSCRIPTION';
    }
    return undefined;
  },
};

export function createImplementation({
  testData,
  namespace,
  ...options
}: ImplementationOptions & { testData: TestData; namespace: string }): Implementation {
  const implementation: EdgeImplementation = {
    ...implementationOf(options, EDGE_HTTP, hintsFor(testData)),
    leftBehind: { edges: 0, sources: 0 },
    testData,
    subscriptions: new SubscriptionPool(namespace, testData.subscriptionIds),
    lostEdges: new LostEdges(),
  };
  return implementation;
}

export const HINTS: Hints = { realistic: REALISTIC };

const PROVIDERS = { '/components/schemas/WebhookProvider': fc.constantFrom(...WEBHOOK_PROVIDERS) };

/**
 * The test data of an implementation that knows any value. It is one object, so that what is
 * generated from it is made once.
 */
const COMMON: Hints = { ...HINTS, known: PROVIDERS };

function hintsFor({ eventTypes, certificateAuthorityIds, hostportDomain }: TestData): Hints {
  const known: Record<string, fc.Arbitrary<unknown>> = {};
  if (eventTypes.length > 0) {
    known['/components/schemas/EventType'] = fc.constantFrom(...eventTypes);
  }
  if (certificateAuthorityIds.length > 0) {
    known['/components/schemas/ResourceId'] = fc.constantFrom(...certificateAuthorityIds);
  }
  if (hostportDomain !== undefined) {
    known['/components/schemas/Hostport'] = fc
      .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), fc.integer({ min: 1, max: 65535 }))
      .map(([name, port]) => `${name}.${hostportDomain}:${port}`);
  }
  if (Object.keys(known).length === 0) {
    return COMMON;
  }
  return { ...HINTS, known: { ...PROVIDERS, ...known } };
}

/** The target of a valid call, for another method: the rest of the call is not used. */
export async function targetFor(session: Session, operationId: string): Promise<string> {
  const { implementation } = session;
  const operation = session.operation(operationId);
  const atPath = [...implementation.operations.values()].filter((one) => {
    return one.path === operation.path && offers(implementation, one.operationId);
  });
  // Another one at the path does as well, if the level lacks this one.
  const [offered = operation] = atPath.includes(operation) ? [operation] : atPath;
  return requestTargetOf(offered, await validCall(session, offered.operationId));
}

/** @throws Error if the contract has no such operation */
export function operationOf({ operations }: Implementation, operationId: string): Operation {
  return required(operations.get(operationId), `the contract has no operation ${operationId}`);
}

/** Whether the level of the run has the operation. */
export function offers(implementation: Implementation, operationId: string): boolean {
  const operation = implementation.operations.get(operationId);
  return operation !== undefined && isOffered(implementation, operation);
}

export function eachOffered(
  implementation: Implementation,
  check: Property<string>['check'],
): Property[] {
  const offered = [...implementation.operations.keys()].filter((operationId) =>
    offers(implementation, operationId),
  );
  return eachText(offered, check);
}

/** A valid call with these headers or the like, which must succeed. */
export async function succeedWith(
  session: Session,
  operationId: string,
  more: CallInput,
  why: string,
) {
  await succeed(session, operationId, { ...(await validCall(session, operationId)), ...more }, why);
}

/**
 * An id that no resource has, and that names the suite. A short one may exist on a service that
 * counts.
 */
export const unknownId = (): string => `conformance_${randomUUID().replaceAll('-', '')}`;

/** A value that a path parameter can have, of a resource that does not exist. */
export function unknownValue(parameter: string): string {
  return parameter === 'type' ? `${unknownId()}.v0` : unknownId();
}

/** The resources of a contract of this API. */
export const resourcesOf = perContract((contract) => [
  edgesOf(contract),
  routesOf(contract),
  sourcesOf(contract),
]);

export const BODIES: Pick<Api, 'bodies' | 'expectEcho' | 'weight'> = {
  /** Undefined if bodies hold little but a name, which the laws vary. */
  bodies({ operationId }, implementation) {
    for (const { calls, values } of resourcesOf(implementation.contract)) {
      if (calls.create === operationId) {
        return values.bodies?.(implementation);
      }
      if (calls.update === operationId) {
        return values.patches?.(implementation);
      }
    }
    return undefined;
  },
  /**
   * A route has hundreds of clauses, most of them twice (to create and to change): each is tried
   * less often than others.
   */
  weight({ method, requestBody }, { path: [name = ''] }) {
    const inModule =
      requestBody?.pointer !== EDGE_CREATE && (MODULE_NAMES as string[]).includes(name);
    if (!inModule) {
      return CLAUSE;
    }
    return method === 'POST' ? 0.1 : 0.05;
  },
  /** A change shows what it sent: the resource that is changed was bare before. */
  expectEcho(contract, { operationId }, sent, { json }) {
    const what = 'The response is not what was sent';
    const body = sent as Json;
    const edges = edgesOf(contract);
    for (const resource of resourcesOf(contract)) {
      if (resource.calls.update === operationId) {
        expectShown(resource, what, json as Json, resource.changed({}, body));
      } else if (resource.calls.create === operationId && resource !== edges) {
        expectShown(resource, what, json as Json, resource.shown(body));
      }
    }
    if (operationId !== edges.calls.create) {
      return;
    }
    // By the source alone, the form of modules is not checked.
    const { description, metadata, hostports } = edges.shown(body);
    expectSame(what, json, { description, metadata, hostports });
  },
};
