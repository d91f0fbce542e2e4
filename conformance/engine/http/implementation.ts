/** The service under test: how to reach it, what it is known to have, and by what it is judged. */
import fc from 'fast-check';
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import type { Hints } from '../generate/valid.ts';
import type { Level } from '../report/report.ts';
import type { Client } from './client.ts';
import { ForeignSources } from '../../api/foreign-sources.ts';
import { SubscriptionPool } from '../../api/subscriptions.ts';

export interface TestData {
  /** Subscriptions that exist, where any id will not do; else empty. */
  subscriptionIds: string[];
  /** Event types that the target knows, where it knows only some; else empty. */
  eventTypes: string[];
  /** The domain that hostports must be in, where not any will do. */
  hostportDomain: string | undefined;
  /** Certificate authorities that exist, where any id will not do; else empty. */
  certificateAuthorityIds: string[];
}

export interface Implementation {
  contract: Contract;
  client: Client;
  operations: Map<string, Operation>;
  level: Level;
  /** `source`: judged by what the source document states, and nothing that was decided beyond it. */
  origin: 'source' | 'all';
  token: string | undefined;
  /** Permits no change; only beside `token`. */
  readOnlyToken: string | undefined;
  testData: TestData;
  subscriptions: SubscriptionPool;
  /** What existing subscriptions hold that the suite did not put there. */
  foreign: ForeignSources;
  /** What generated values must be made of, given the testData. */
  hints: Hints;
  /** Made and not removed; and how many more edges may have been made, since no response said whether. */
  leftBehind: { edges: number; sources: number; possible_edges: number };
  /** Whether the service deletes edges although its level does not ask for it; undefined until it was tried. */
  deletesEdges?: boolean;
  /** Set once nothing more is to be sent, but to clean up: why. */
  halted?: string | undefined;
}

export function createImplementation(
  options: Pick<Implementation, 'contract' | 'client' | 'level' | 'origin' | 'token' | 'readOnlyToken' | 'testData'> & {
    namespace: string;
  },
): Implementation {
  return {
    ...options,
    operations: new Map(operationsOf(options.contract).map((operation) => [operation.operationId, operation])),
    subscriptions: new SubscriptionPool(options.namespace, options.testData.subscriptionIds),
    foreign: new ForeignSources(),
    hints: hintsFor(options.testData),
    leftBehind: { edges: 0, sources: 0, possible_edges: 0 },
  };
}

/** A hostport that the target accepts. */
export function hostportFor({ hostportDomain = 'example.com' }: Partial<TestData>): string {
  return `conformance.${hostportDomain}:443`;
}

function hintsFor({ eventTypes, certificateAuthorityIds, hostportDomain }: TestData): Hints {
  const hints: Record<string, fc.Arbitrary<unknown>> = {};
  if (eventTypes.length > 0) hints['/components/schemas/EventType'] = fc.constantFrom(...eventTypes);
  if (certificateAuthorityIds.length > 0)
    hints['/components/schemas/ResourceId'] = fc.constantFrom(...certificateAuthorityIds);
  if (hostportDomain !== undefined) {
    hints['/components/schemas/Hostport'] = fc
      .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), fc.integer({ min: 1, max: 65535 }))
      .map(([name, port]) => `${name}.${hostportDomain}:${port}`);
  }
  return hints;
}
