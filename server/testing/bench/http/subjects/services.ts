/** What every subject with our handlers works with: the same domain, on a store in memory. */
import { createIds } from '../../../../ids.ts';
import type { Services } from '../../../../operations/handler.ts';
import { createMemoryStore } from '../../../../store/memory.ts';

/** The port that the measuring process chose. */
export const PORT = Number(process.env['PORT']);

/** A made-up one for all routes: making an RSA key takes thousands of times as long as all else, and says nothing of the server. */
const signingKey = {
  certificate_pem: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
};

/** Any handler: which call goes to which is decided by the paths of a subject. */
export type Handle = (call: never) => Promise<{ status: number; body?: unknown; location?: string }>;

export function benchServices(): Services {
  return {
    store: createMemoryStore(),
    clock: () => new Date(),
    newId: createIds(),
    createSigningKey: async () => signingKey,
  };
}
