/** One subject under one scenario: what its process spent, and how long its callers waited. */
import type { Connection } from './connection.ts';
import type { Scenario } from './scenarios.ts';
import type { Subject } from './subject.ts';

export interface Sample {
  /** CPU time of the server process, user and system, for one request. */
  cpuMicros: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export const CONNECTIONS = 8;

/**
 * `count` requests, over several connections at once.
 * @throws Error when an answer is not a good one
 */
export async function measure(subject: Subject, scenario: Scenario, count: number): Promise<Sample> {
  // New ones each time: servers close those that were idle while others were asked.
  const connections: Connection[] = [];
  while (connections.length < CONNECTIONS) connections.push(await subject.connect());
  try {
    return await measureOn(connections, subject, scenario, count);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function measureOn(
  connections: readonly Connection[],
  subject: Subject,
  scenario: Scenario,
  count: number,
): Promise<Sample> {
  const requestOf = await scenario.prepare(connections, count);
  const times: number[] = [];
  let next = 0;
  const before = await subject.usage();
  const start = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      while (next < count) {
        const request = requestOf(next++);
        const sent = performance.now();
        const { status, text } = await connection.send(request);
        times.push(performance.now() - sent);
        if (!scenario.statuses.includes(status))
          throw new Error(`${subject.kind.name} answered ${scenario.name} with ${text.slice(0, 500)}`);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const after = await subject.usage();
  return {
    cpuMicros: (after.cpuMicros - before.cpuMicros) / count,
    perSecond: count / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** @param values at least one */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
