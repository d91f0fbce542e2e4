/**
 * Has the code of requests run before anybody waits for it: what runs for the first time is compiled first, and the first
 * caller would wait some twenty times as long as later ones. It is an application of its own that is asked, with nothing
 * behind it but memory.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { pino } from 'pino';
import { createApp } from './app.ts';
import type { Contract } from './contract.ts';
import { expressClasses } from './http/express-classes.ts';
import { createTokens } from './http/tokens.ts';
import { createIds } from './ids.ts';
import { listen } from './listen.ts';
import { createMemoryStore } from './store/memory.ts';

/** Later ones gain little. Together they take less than a tenth of the start. */
const ROUNDS = 15;

const EDGE = JSON.stringify({
  description: 'warm-up',
  hostports: ['warm-up.example.com:443'],
  mutual_tls: { certificate_authority_ids: ['warm-up'] },
  tls_termination: { terminate_at: 'edge' },
});

/** @throws Error only where the machine has no port left to listen on */
export async function warmUp(contract: Contract): Promise<void> {
  const token = randomUUID();
  const app = await createApp({
    contract,
    store: createMemoryStore(),
    log: pino({ level: 'info' }, { write: () => undefined }),
    tokens: createTokens([{ text: token, readOnly: false }]),
    clock: () => new Date(),
    newId: createIds(),
    createSigningKey: () => Promise.reject(new Error('a warm-up makes no keys')),
    publicUrl: undefined,
    docsFile: '',
    validateResponses: false,
  });
  const { url, close } = await listen(app, 0, '127.0.0.1', { classes: expressClasses(app) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) };
    return new Promise<void>((resolve) => {
      request(url + path, { method, agent, headers }, (res) => res.resume().once('close', resolve)).once('error', () => resolve()).end(body);
    });
  };
  for (let round = 0; round < ROUNDS; round++) {
    await ask('POST', '/edges/https', EDGE);
    await ask('GET', '/edges/https?limit=1');
  }
  agent.destroy();
  await close(0);
}
