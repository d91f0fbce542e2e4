/** An implementation of this API: what is known of it, what it lends to cases, and how requests are sent to it. */
import fc from 'fast-check';
import type { Hints } from '../engine/contract/hints.ts';
import { type HttpApi, type Implementation, implementationOf } from '../engine/http/implementation.ts';
import type { ImplementationOptions } from '../engine/http/implementation.ts';
import { CALL_DATA, sendable } from './calls.ts';
import { LostEdges } from './lookups.ts';
import { expectCode, expectReported, requestErrors } from './protocol/field-errors.ts';
import { expectProblem } from './protocol/problem.ts';
import { ForeignSources, SubscriptionPool } from './subscriptions.ts';
import type { TestData } from './test-data.ts';
import { trackerOf } from './tracker.ts';
import { REALISTIC } from './values/realistic.ts';

declare module '../engine/http/implementation.ts' {
  interface Implementation {
    testData: TestData;
    subscriptions: SubscriptionPool;
    /** The sources in existing subscriptions that the suite did not put there. */
    foreign: ForeignSources;
    /** Whether the service deletes edges although its level does not ask for it; undefined until it was tried. */
    deletesEdges?: boolean;
    lostEdges: LostEdges;
  }
}

const EDGE_HTTP: HttpApi = {
  track: trackerOf,
  callData: CALL_DATA,
  sendable,
  expectError(implementation, response, { operation, documented, input, codes }) {
    expectProblem(implementation, response, documented);
    if (codes) expectCode(response, codes);
    // Where it may be one, a body that cannot be read has no errors of its own.
    const isUnread = codes !== undefined && (response.json as { code: string }).code === 'malformed_request';
    if (input && operation && response.status === 400 && !isUnread)
      expectReported(response, requestErrors(implementation, operation, input));
  },
  variableFor: (segment, { subscriptions }) => (subscriptions.made(segment) ? 'SUBSCRIPTION' : undefined),
};

export function createImplementation({
  testData,
  namespace,
  ...options
}: ImplementationOptions & { testData: TestData; namespace: string }): Implementation {
  return {
    ...implementationOf(options, EDGE_HTTP, hintsFor(testData)),
    leftBehind: { edges: 0, sources: 0 },
    testData,
    subscriptions: new SubscriptionPool(namespace, testData.subscriptionIds),
    foreign: new ForeignSources(),
    lostEdges: new LostEdges(),
  };
}

/** Where an implementation knows any value. One object, so that what is generated from it is made once. */
export const HINTS: Hints = { realistic: REALISTIC };

function hintsFor({ eventTypes, certificateAuthorityIds, hostportDomain }: TestData): Hints {
  const known: Record<string, fc.Arbitrary<unknown>> = {};
  if (eventTypes.length > 0) known['/components/schemas/EventType'] = fc.constantFrom(...eventTypes);
  if (certificateAuthorityIds.length > 0)
    known['/components/schemas/ResourceId'] = fc.constantFrom(...certificateAuthorityIds);
  if (hostportDomain !== undefined) {
    known['/components/schemas/Hostport'] = fc
      .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), fc.integer({ min: 1, max: 65535 }))
      .map(([name, port]) => `${name}.${hostportDomain}:${port}`);
  }
  return Object.keys(known).length === 0 ? HINTS : { ...HINTS, known };
}
