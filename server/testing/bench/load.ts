/** One measurement: requests for some time over some connections, and what they cost the server's process. */
import autocannon from 'autocannon';
import { HEADERS, type Request } from './scenarios.ts';
import type { Server } from './server.ts';

export interface Sample {
  /** CPU time of the server's process, user and system, for one request. */
  cpuMicros: number;
  perSecond: number;
  p99Ms: number;
}

export type Amount = { connections: number } & ({ seconds: number } | { requests: number });

/** @throws Error when a response is not a good one */
export async function measure(server: Server, { path, ...request }: Request, amount: Amount): Promise<Sample> {
  const before = await server.usage();
  const result = await autocannon({
    url: server.url + path,
    ...request,
    headers: HEADERS,
    connections: amount.connections,
    ...('seconds' in amount ? { duration: amount.seconds } : { amount: amount.requests }),
  });
  const { cpuMicros } = await server.usage();
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0) throw new Error(`${server.name}: ${bad} requests to ${path} failed`);
  const count = result['2xx'];
  return {
    cpuMicros: (cpuMicros - before.cpuMicros) / count,
    perSecond: count / result.duration,
    p99Ms: result.latency.p99,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
