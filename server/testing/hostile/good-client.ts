/** A well-behaved client that works on while the server is attacked. All that it asks for must succeed. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../send.ts';
import { type Subject, TOKEN } from './subject.ts';

export interface GoodClient {
  served: number;
  /** Milliseconds of the slowest answer since it was last set. */
  slowest: number;
  faults: string[];
  stop(): Promise<void>;
}

/** @param subject its steady edge is read, and written to without a change */
export function startGoodClient({ server, edge }: Subject): GoodClient {
  const client: GoodClient = { served: 0, slowest: 0, faults: [], stop: async () => undefined };
  const headers = { authorization: `Bearer ${TOKEN}` };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const requests = [
    { path: edge.path, headers },
    { path: '/edges/https?limit=10', headers },
    { path: '/event_subscriptions/steady/sources', headers },
    { path: edge.path, method: 'PATCH', headers, body: { description: 'steady' } },
    { path: '/readyz' },
  ];
  const stopping = new AbortController();
  const work = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const request = requests[turn % requests.length]!;
      const start = Date.now();
      try {
        const { status } = await send(server.url, { ...request, agent });
        if (status === 200) client.served++;
        else client.faults.push(`a good client got ${status} for ${request.path}`);
      } catch (error) {
        client.faults.push(`a good client got ${(error as NodeJS.ErrnoException).code} for ${request.path}`);
      }
      client.slowest = Math.max(client.slowest, Date.now() - start);
      await pause(10);
    }
  })();
  client.stop = async () => {
    stopping.abort();
    await work;
    agent.destroy();
  };
  return client;
}
