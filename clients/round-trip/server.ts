/** The reference server as a user starts it: a process of its own, with a port, a token and data of its own. */
import { startReferenceServer } from '../../tools/reference-server.ts';

export interface Server {
  url: string;
  token: string;
}

/** Serves while `use` runs. @throws {CommandError} when the server ends before it listens. */
export async function withServer<Result>(use: (server: Server) => Promise<Result>): Promise<Result> {
  const token = 'round-trip-token';
  const server = await startReferenceServer(token);
  try {
    return await use({ url: server.url, token });
  } finally {
    // No "await using", which Node 20 does not know: tests alone are transpiled for it.
    await server[Symbol.asyncDispose]();
  }
}
