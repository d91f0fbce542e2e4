/** Listens on a port with an application, and stops without interrupting requests in flight. */
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { Addresses, Connection, readRest } from './http/socket/connections.ts';
import {
  refuse,
  type RefusalEvents,
  STRAY_BYTES,
  TOO_MANY_CONNECTIONS,
} from './http/socket/malformed-request.ts';
import {
  HTTP_LIMITS,
  MAX_BODY_BYTES,
  maxConnections,
  MOST_STRAY_BYTES,
  SOCKET_TIMEOUT_MS,
  STRAY_BYTES_CHECK_MS,
} from './limits.ts';

export interface ListenOptions extends RefusalEvents {
  /** Further connections get 503 and are closed; if undefined or omitted, any number may come from one address. */
  connectionsPerAddress?: number | undefined;
  /** Classes of requests and responses; if omitted: Node's own. */
  classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/** @throws Error with a `code` such as EADDRINUSE, EACCES or EADDRNOTAVAIL */
export async function listen(
  app: RequestListener,
  port: number,
  host: string,
  options: ListenOptions = {},
) {
  const { connectionsPerAddress = Infinity } = options;
  let closing = false;
  const addresses = new Addresses();
  const connections = new Map<Socket, Connection>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (closing) {
      closeAfter(response);
    }
    // Before Node's own listener, which would read the whole rest, of any length.
    response.prependListener('finish', () => readRest(request));
    connections.get(request.socket)!.serve(request, response, app);
  };
  const server = createServer({ ...HTTP_LIMITS, ...options.classes } as ServerOptions, handle);
  server.on('connection', (socket) => {
    connections.set(socket, new Connection(socket));
    const ofAddress = addresses.enter(socket);
    socket.once('close', () => connections.delete(socket));
    if (ofAddress > connectionsPerAddress) {
      refuse(TOO_MANY_CONNECTIONS, socket, undefined, options);
    }
  });
  // No limits: further headers would be dropped silently, and further requests get a 503 that is not a problem document.
  server.maxHeadersCount = 0;
  server.maxRequestsPerSocket = 0;
  server.maxConnections = maxConnections();
  server.timeout = SOCKET_TIMEOUT_MS;
  // RFC 9110, 10.1.1: an unknown expectation may be ignored. Node would return 417, without a problem document.
  server.on('checkExpectation', handle);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // The client does not send a body that is refused anyway.
    if (Number(request.headers['content-length'] ?? 0) <= MAX_BODY_BYTES) {
      response.writeContinue();
    }
    handle(request, response);
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    refuse(code, socket, connections.get(socket), options);
  });
  // Node waits forever for the first byte of a request, and skips line ends before it, however many.
  const sweep = setInterval(() => {
    for (const [socket, connection] of connections) {
      if (connection.strayBytes() > MOST_STRAY_BYTES) {
        refuse(STRAY_BYTES, socket, connection, options);
      }
    }
  }, STRAY_BYTES_CHECK_MS).unref();
  await new Promise<void>((resolve, reject) => {
    // Later ones are of connections that could not be accepted: the server goes on.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    /** Where it can be reached, without a slash at its end. */
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    /** Accepts no more connections, completes requests in flight, and closes what is still busy after `graceMs`. */
    close: async (graceMs: number) => {
      closing = true;
      for (const { last } of connections.values()) {
        if (last) {
          closeAfter(last);
        }
      }
      // Node takes a connection for idle until it has read a request, and would close those with requests on their way.
      await pause(Math.min(ARRIVAL_MS, graceMs));
      // Timers come first: what arrived while the process was busy is read in between.
      await nextTurn();
      // Connections become idle one by one, as their last responses go out.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      for (const timer of [idle, cut, sweep]) {
        clearInterval(timer);
      }
    },
  };
}

/** A connection that is kept alive would delay the end. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader('Connection', 'close');
  }
}

/** How long requests may take to arrive that were sent before anybody could know that the server is about to end. */
const ARRIVAL_MS = 200;

/** Classes with prototypes of Express ("Overriding the Express API" in its guide). Once, before the first request. */
export function expressClasses(app: Express): ServerOptions {
  // Express sets them on each, and the engine discards its optimizations for their shape: on Node 20, a read takes
  // 171 µs of CPU, and 67 with these (docs/maintainers/speed.md).
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } as ServerOptions;
}
