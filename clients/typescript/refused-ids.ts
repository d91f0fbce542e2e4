/**
 * Values of a path parameter that are refused before anything is sent. Every language prints the
 * same: clients/round-trip/refused-ids.txt.
 */
import { createClient } from '@edge-contract/client';

const api = createClient({ baseUrl: process.env['EDGE_URL'] ?? 'http://127.0.0.1:4010' });

for (const value of ['', '.', '..', 'a/b', '%2e%2e', '../..', 'a\n']) {
  console.log(`'${value.replace('\n', '\\n')}' refused: ${await outcomes(value)}`);
}
// As in JavaScript, which has no types.
console.log(`missing refused: ${await outcomes(undefined as unknown as string)}`);
const done = api.deleteRoute({ edge_id: 'e1', route_id: 'r1' });
console.log(`route r1: ${await outcome('route_id', done)}`);

async function outcomes(value: string): Promise<string> {
  const calls = [
    outcome('edge_id', api.deleteEdge({ edge_id: value })),
    outcome('edge_id', api.deleteRoute({ edge_id: value, route_id: 'r1' })),
    outcome('route_id', api.deleteRoute({ edge_id: 'e1', route_id: value })),
    outcome('subscription_id', api.deleteEventSource({ subscription_id: value, type: 'a.v0' })),
    outcome('type', api.deleteEventSource({ subscription_id: 's1', type: value })),
  ];
  const names = await Promise.all(calls);
  return names.join(' ');
}

async function outcome(name: string, call: Promise<void>): Promise<string> {
  try {
    await call;
    return 'sent';
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith(`path parameter ${name} must`)) {
      return name;
    }
    throw error;
  }
}
