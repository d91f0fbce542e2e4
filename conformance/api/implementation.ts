/** An implementation of this API: what the user says that it knows, and the subscriptions to try things on. */
import fc from 'fast-check';
import type { Hints } from '../engine/contract/hints.ts';
import { type Implementation, implementationOf, type ImplementationOptions } from '../engine/http/implementation.ts';
import { ForeignSources } from './foreign-sources.ts';
import { EDGE_HTTP } from './http.ts';
import { LostEdges } from './lost-edges.ts';
import { SubscriptionPool } from './subscriptions.ts';
import { REALISTIC } from './values/realistic.ts';

export interface TestData {
  /** Subscriptions that exist, where any id will not do; else empty. */
  subscriptionIds: string[];
  /** Event types that the service knows, where it knows only some; else empty. */
  eventTypes: string[];
  /** The domain that hostports must be in, where not any will do. */
  hostportDomain: string | undefined;
  /** Certificate authorities that exist, where any id will not do; else empty. */
  certificateAuthorityIds: string[];
}

declare module '../engine/http/implementation.ts' {
  interface Implementation {
    testData: TestData;
    subscriptions: SubscriptionPool;
    /** What existing subscriptions hold that the suite did not put there. */
    foreign: ForeignSources;
    /** Whether the service deletes edges although its level does not ask for it; undefined until it was tried. */
    deletesEdges?: boolean;
    lostEdges: LostEdges;
  }
}

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
