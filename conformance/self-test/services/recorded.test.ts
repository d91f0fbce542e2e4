/**
 * The ids that are guessed. `correct.e2e.test.ts` shows that the other requests of a run are not
 * recorded.
 */
import { expect, it } from 'vitest';
import { recording } from './recorded.ts';

it('any id that the service has not shown is a guess', async () => {
  const { service, guessed } = recording(async () => ({
    status: 200,
    headers: {},
    body: '{"id":"e1"}',
  }));
  const send = (method: string, target: string) =>
    service({ method, target, headers: {}, body: Buffer.from('') });
  await send('POST', '/edges/https');
  const targets = [
    '/edges/https/0',
    '/edges/https/e1/routes/0',
    '/edges/https/edge-https-number-1',
    '/edges/https/_/routes',
    '/event_subscriptions/x/sources',
  ];
  for (const target of ['/edges/https/e1', ...targets]) {
    await send('GET', target);
  }
  expect(guessed).toEqual(targets.map((target) => `GET ${target}`));
});
