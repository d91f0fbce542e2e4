/**
 * Has the code of requests run before anybody waits for it: what runs for the first time is compiled first, and the first
 * caller would wait some twenty times as long as later ones. It is the application itself that is asked, since V8 keeps
 * what it has learnt of the objects of one application and not of those of another, with nothing behind it but memory.
 */
import { Agent, request } from 'node:http';
import type { Express } from 'express';
import { pino } from 'pino';
import { expressClasses } from './http/express-classes.ts';
import { createTokens } from './http/tokens.ts';
import { listen } from './listen.ts';
import { createMemoryStore } from './store/memory.ts';

/** With half as many, the first request takes over three times as long as later ones. All take a fifth of the start. */
const ROUNDS = 30;

const EDGE = JSON.stringify({
  description: 'warm-up',
  hostports: ['warm-up.example.com:443'],
  mutual_tls: { certificate_authority_ids: ['warm-up'] },
  tls_termination: { terminate_at: 'edge' },
});

/** What stands in for the options of an application meanwhile, so that nothing is kept, logged or counted. */
export function rehearsal(token: string) {
  return {
    store: createMemoryStore(),
    log: pino({ level: 'info' }, { write: () => undefined }),
    tokens: createTokens([{ text: token, readOnly: false }]),
    rateLimit: undefined,
  };
}

/**
 * @param app with the options of a rehearsal
 * @throws Error only where the machine has no port left to listen on
 */
export async function warmUp(app: Express, token: string): Promise<void> {
  const { url, close } = await listen(app, 0, '127.0.0.1', { classes: expressClasses(app) });
  // Each on a connection of its own: the first caller needs one, too.
  const agent = new Agent({ keepAlive: false, maxSockets: 1 });
  const ask = (method: string, path: string, body?: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise<void>((resolve) => {
      request(url + path, { method, agent, headers }, (res) => res.resume().once('close', resolve))
        .once('error', () => resolve())
        .end(body);
    });
  };
  for (let round = 0; round < ROUNDS; round++) {
    await ask('POST', '/edges/https', EDGE);
    await ask('GET', '/edges/https?limit=1');
  }
  agent.destroy();
  await close(0);
}
