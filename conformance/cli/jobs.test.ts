/** `main.e2e.test.ts` has runs with several jobs: the program of a thread is JavaScript. */
import { expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { Client } from '../engine/http/client.ts';
import { plainImplementation } from '../engine/http/plain-implementation.ts';
import { addCounts, countsOf } from './jobs.ts';

it('what a thread has counted is added to the counts of the run', () => {
  const client = new Client({
    base: 'http://127.0.0.1:9',
    headers: {},
    timeoutMs: 1,
    connections: 1,
  });
  const implementation = plainImplementation({
    contract: loadContract(),
    client,
    level: 'core',
    origin: 'all',
    token: undefined,
    readOnlyToken: undefined,
  });
  const counts = {
    sent: 3,
    retries: { unavailable: 2 },
    leftBehind: { edges: 1 },
    perhapsMade: { sources: 1 },
    succeeded: { getEdge: 2 },
  };
  addCounts(implementation, counts);
  addCounts(implementation, { ...counts, leftBehind: { edges: 4, sources: 1 } });
  expect(countsOf(implementation)).toEqual({
    sent: 6,
    retries: { rate_limited: 0, unavailable: 4, connection_lost: 0, cases: 0 },
    leftBehind: { edges: 5, sources: 1 },
    perhapsMade: { sources: 2 },
    succeeded: { getEdge: 4 },
  });
  client.close();
});
