/** Reaches a library without HTTP: the client calls the service in the same process. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { loadContract } from '../../contract/load.ts';
import type { Sending } from '../../http/call.ts';
import { Client } from '../../http/client.ts';
import type { Implementation } from '../../http/implementation.ts';
import { plainImplementation } from '../../http/plain-implementation.ts';
import type { RawResponse } from '../../http/response.ts';
import { type LibraryService, READ_ONLY_TOKEN, TOKEN } from './library-service.ts';
import { BASE } from './library-state.ts';

const CONTRACT = loadContract(join(import.meta.dirname, 'library.yaml'));

/**
 * Each request takes a turn of the event loop, so that requests of several clients are under way at
 * once.
 */
class InMemoryClient extends Client {
  readonly #service: LibraryService;

  constructor(service: LibraryService) {
    const headers = { authorization: `Bearer ${TOKEN}` };
    super({ base: BASE, headers, timeoutMs: 1_000, connections: 1 });
    this.#service = service;
  }

  override async send(request: Sending): Promise<RawResponse> {
    this.sent++;
    await setImmediate();
    const all = Object.entries({ ...this.headers, ...request.headers });
    // An empty value takes away what is sent by default.
    const headers = Object.fromEntries(all.filter(([, value]) => value !== ''));
    return this.#service.respond({ ...request, headers });
  }
}

export function libraryImplementation(service: LibraryService): Implementation {
  return plainImplementation({
    contract: CONTRACT,
    client: new InMemoryClient(service),
    level: 'extended',
    origin: 'all',
    token: TOKEN,
    readOnlyToken: READ_ONLY_TOKEN,
  });
}
