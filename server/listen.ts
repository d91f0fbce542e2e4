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
import { answerUnreadable, unreadable } from './http/unreadable.ts';
import {
  HTTP_LIMITS,
  MAX_HEADERS_COUNT,
  MAX_REQUESTS_PER_SOCKET,
  maxConnections,
  MOST_UNREAD_BYTES,
  SOCKET_TIMEOUT_MS,
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
  /** Of requests and responses; left out: Node's own. */
  classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  newRequestId?: () => string;
  /** Told of each connection that was closed because no request could be read from it. `reason` is a code of Node. */
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
  const pending = new Map<Socket, Set<ServerResponse>>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (closing) closeAfter(response);
    const { socket } = request;
    const responses = pending.get(socket) ?? new Set();
    const before = responses.size === 0 ? undefined : [...responses].at(-1);
    responses.add(response);
    response.on('close', () => responses.delete(response));
    // Before Node's own listener, which would read all of the rest, however much it is.
    response.prependListener('finish', () => readRest(request));
    if (before === undefined) app(request, response);
    // Of requests that a client sends without waiting, each has its turn when the one before is answered, and other
    // connections theirs in between. Node would begin all at once, and hold the answers that nobody reads.
    else before.once('close', () => setImmediate(() => socket.destroyed || app(request, response)));
  };
  const server = createServer({ ...HTTP_LIMITS, ...options.classes } as ServerOptions, handle);
  server.on('connection', (socket) => {
    pending.set(socket, new Set());
    socket.once('close', () => pending.delete(socket));
  });
  server.maxHeadersCount = MAX_HEADERS_COUNT;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.maxConnections = maxConnections();
  server.timeout = SOCKET_TIMEOUT_MS;
  // RFC 9110, 10.1.1: an expectation that is not known may be ignored. Node would answer 417, without a problem.
  server.on('checkExpectation', handle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuse(error, socket, pending.get(socket) ?? new Set(), options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: async (graceMs) => {
      closing = true;
      for (const responses of pending.values()) closeAfter([...responses].at(-1));
      await arrivals(Math.min(ARRIVAL_MS, graceMs));
      await drain(server, graceMs);
    },
  };
}

/**
 * @param pending responses of the connection that are not out yet. Those to whole requests go first: else the refusal would
 *   be taken for the answer to one of them. The last one may be of the request that broke off in its body.
 */
function refuse(
  error: NodeJS.ErrnoException,
  socket: Socket,
  pending: Set<ServerResponse>,
  options: ListenOptions,
): void {
  const found = unreadable(error);
  const before = [...pending].findLast((response) => response.req.complete);
  if (!found || !socket.writable || [...pending].some((response) => !response.req.complete && response.headersSent)) {
    socket.destroy();
  } else if (before) {
    before.once('close', () => refuse(error, socket, pending, options));
  } else {
    const requestId = options.newRequestId?.() ?? 'unknown';
    options.onUnreadable?.({ request_id: requestId, status: found.status, reason: error.code ?? '' });
    answerUnreadable(socket, found, requestId);
    // Who goes on sending holds it no longer than it takes to read the answer.
    setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS).unref();
  }
}

/** Of a request that is answered before its body was read whole: reads a part of the rest, or cuts the connection. */
function readRest(request: IncomingMessage): void {
  if (request.readableEnded) return;
  if (request.complete) {
    // What is left is in memory already.
    request.resume();
    return;
  }
  const { socket } = request;
  let unread = 0;
  const count = (chunk: Buffer) => {
    unread += chunk.length;
    if (unread > MOST_UNREAD_BYTES) socket.destroy();
  };
  const late = setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS);
  const stop = () => {
    clearTimeout(late);
    request.off('data', count);
  };
  request.once('end', stop).once('close', stop).on('data', count).resume();
  // Node now takes it for read by us.
  request.read(0);
}

/** A connection that is kept alive would hold up the end. */
function closeAfter(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.setHeader('Connection', 'close');
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
  // Connections fall idle one by one, as their last answers go out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}
