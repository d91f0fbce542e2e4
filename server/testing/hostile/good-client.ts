/** A well-behaved client that works on while the server is attacked. All that it asks for must succeed. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../send.ts';
import { type AttackedServer, TOKEN } from './server.ts';

/** So many requests show how long it waits in calm. */
const CALM = 100;

export interface GoodClient {
  served: number;
  /** Milliseconds of the slowest response since it was last set. */
  slowest: number;
  /** The longest that it may wait: twenty times what it waited before the first attack, and two seconds at least. */
  patienceMs: number;
  problems: string[];
  stop(): Promise<void>;
}

/** @param attacked its steady edge is read, and written to without a change */
export async function startGoodClient({ server, edge }: AttackedServer): Promise<GoodClient> {
  const client: GoodClient = { served: 0, slowest: 0, patienceMs: 0, problems: [], stop: async () => undefined };
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
        else client.problems.push(`a good client got ${status} for ${request.path}`);
      } catch (error) {
        client.problems.push(`a good client got ${(error as NodeJS.ErrnoException).code} for ${request.path}`);
      }
      client.slowest = Math.max(client.slowest, Date.now() - start);
      await pause(10);
    }
  })();
  while (client.served < CALM && client.problems.length === 0) await pause(20);
  client.patienceMs = Math.max(2000, 20 * client.slowest);
  client.stop = async () => {
    stopping.abort();
    await work;
    agent.destroy();
  };
  return client;
}
