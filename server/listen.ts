/** Puts an application on a port, and takes it off again without cutting what is in flight. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  /** Where it can be reached, without a slash at its end. */
  url: string;
  /**
   * Takes no more connections, answers what is in flight and resolves when the last connection is closed. Connections
   * that are still busy after `graceMs` are cut.
   */
  close(graceMs: number): Promise<void>;
}

/** @throws Error with a `code` such as EADDRINUSE, EACCES or EADDRNOTAVAIL */
export async function listen(app: RequestListener, port: number, host: string, classes: ServerOptions = {}): Promise<Listening> {
  let closing = false;
  const server = createServer(classes, (request, response) => {
    // A connection that is kept alive would hold up the end.
    if (closing) response.setHeader('Connection', 'close');
    app(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: async (graceMs) => {
      closing = true;
      await drain(server, graceMs);
    },
  };
}

async function drain(server: Server, graceMs: number): Promise<void> {
  // Connections fall idle one by one, as their last answers go out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}
