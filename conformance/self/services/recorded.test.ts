import { expect, test } from 'vitest';
import type { Service } from '../service.ts';
import { recording } from './recorded.ts';

const answering: Service = async () => ({ status: 200, headers: {}, body: '{"id":"e1","routes":[{"id": "r1"}]}' });

async function guesses(...targets: string[]): Promise<string[]> {
  const { service, guessed } = recording(answering);
  await service({ method: 'POST', target: '/edges/https', headers: {}, body: Buffer.from('') });
  for (const target of targets) await service({ method: 'GET', target, headers: {}, body: Buffer.from('') });
  return guessed;
}

test('what the service has shown, what is random and what no id can be is not guessed', async () => {
  expect(
    await guesses(
      '/edges/https/e1',
      '/edges/https/e1/routes/r1',
      '/edges/https/%651?x=0',
      '/edges/https/conformance_q3v9x',
      '/edges/https/A-_0b8ee9de-2c75-4c8a-9a4c-3c86d9d4a1c7',
      '/edges/https/%20',
      '/edges/https/%',
      `/event_subscriptions/self-1234567890ab/sources/a.v0`,
      '/edges',
    ),
  ).toEqual([]);
});

test('anything else is', async () => {
  const targets = [
    '/edges/https/0',
    '/edges/https/e1/routes/0',
    '/edges/https/edge-https-number-1',
    '/edges/https/_/routes',
    '/event_subscriptions/x/sources',
  ];
  expect(await guesses(...targets)).toEqual(targets.map((target) => `GET ${target}`));
});
