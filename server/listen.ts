/** Puts an application on a port, and takes it off again without cutting what is in flight. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Connection } from './http/socket/connections.ts';
import { malformedRequest, respondToMalformed, STRAY_BYTES } from './http/socket/malformed-request.ts';
import { readRest } from './http/socket/rest-of-body.ts';
import {
  HTTP_LIMITS,
  MAX_HEADERS_COUNT,
  MAX_REQUESTS_PER_SOCKET,
  maxConnections,
  MOST_STRAY_BYTES,
  SOCKET_TIMEOUT_MS,
  STRAY_BYTES_CHECK_MS,
  STRAY_BYTES_TIMEOUT_MS,
  UNREAD_TIMEOUT_MS,
} from './limits.ts';

export interface Listening {
  /** Where it can be reached, without a slash at its end. */
  url: string;
  /**
   * Answers what is in flight, takes no more connections and resolves when the last one is closed. Connections that are
   * still busy after `graceMs` are cut.
   */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  /** Of requests and responses; if omitted: Node's own. */
  classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  newRequestId?: () => string;
  /** Called for each connection that was closed because no request could be read from it. `reason` is a code of Node. */
  onUnreadable?: (line: { request_id: string; status: number; reason: string }) => void;
}

/** @throws Error with a `code` such as EADDRINUSE, EACCES or EADDRNOTAVAIL */
export async function listen(
  app: RequestListener,
  port: number,
  host: string,
  options: ListenOptions = {},
): Promise<Listening> {
  let closing = false;
  const connections = new Map<Socket, Connection>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (closing) closeAfter(response);
    // Before Node's own listener, which would read all of the rest, however much it is.
    response.prependListener('finish', () => readRest(request));
    connections.get(request.socket)!.serve(request, response, app);
  };
  const server = createServer({ ...HTTP_LIMITS, ...options.classes } as ServerOptions, handle);
  server.on('connection', (socket) => {
    connections.set(socket, new Connection(socket));
    socket.once('close', () => connections.delete(socket));
  });
  server.maxHeadersCount = MAX_HEADERS_COUNT;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.maxConnections = maxConnections();
  server.timeout = SOCKET_TIMEOUT_MS;
  // RFC 9110, 10.1.1: an expectation that is not known may be ignored. Node would return 417, without a problem.
  server.on('checkExpectation', handle);
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    refuse(code, socket, connections.get(socket), options);
  });
  const sweep = setInterval(() => closeStrays(connections, options), STRAY_BYTES_CHECK_MS).unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: async (graceMs) => {
      closing = true;
      for (const { last } of connections.values()) if (last) closeAfter(last);
      await arrivals(Math.min(ARRIVAL_MS, graceMs));
      await drain(server, graceMs);
      clearInterval(sweep);
    },
  };
}

/** Requests that came whole are answered first: else the problem would be taken for the response to one of them. */
function refuse(code: string, socket: Socket, connection: Connection | undefined, options: ListenOptions): void {
  const malformed = malformedRequest(code);
  const before = connection?.lastWhole;
  const unfinished = connection?.last?.req.complete === false ? connection.last : undefined;
  if (!malformed || !socket.writable || unfinished?.headersSent) {
    socket.destroy();
  } else if (before) {
    before.once('close', () => refuse(code, socket, connection, options));
  } else {
    const requestId = options.newRequestId?.() ?? 'unknown';
    options.onUnreadable?.({ request_id: requestId, status: malformed.status, reason: code });
    respondToMalformed(socket, malformed, requestId);
    socket.pause();
    // Who goes on sending holds it no longer than it takes to read the response.
    setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS).unref();
  }
}

/** Node waits without end for the first byte of a request, and skips line ends before it. */
function closeStrays(connections: ReadonlyMap<Socket, Connection>, options: ListenOptions): void {
  const now = performance.now();
  for (const [socket, connection] of connections) {
    const { bytes, forMs } = connection.strayBytes(now);
    if (bytes > MOST_STRAY_BYTES || forMs > STRAY_BYTES_TIMEOUT_MS) refuse(STRAY_BYTES, socket, connection, options);
  }
}

/** A connection that is kept alive would hold up the end. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** How long requests may take to arrive that were sent before anybody could know that the server is about to end. */
const ARRIVAL_MS = 200;

/** To Node, a connection is idle until it has read a request: at once, it would cut those that are on their way. */
async function arrivals(ms: number): Promise<void> {
  await pause(ms);
  // Timers go first: what came while the process was busy is read in between.
  await nextTurn();
}

async function drain(server: Server, graceMs: number): Promise<void> {
  // Connections fall idle one by one, as their last responses go out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}
