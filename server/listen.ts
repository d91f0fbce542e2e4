/** Listens on a port with an application, and stops without interrupting requests in flight. */
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
import { Addresses } from './http/socket/addresses.ts';
import { readRest } from './http/socket/body-chunks.ts';
import { Connection } from './http/socket/connection.ts';
import {
  CONNECT,
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
  /**
   * Further connections get 503 and are closed; if undefined or omitted, any number may come from
   * one address.
   */
  connectionsPerAddress?: number | undefined;
  /** Classes of requests and responses; if omitted: Node's own. */
  classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

export interface Listening {
  /** The URL of the application, without a slash at its end. */
  url: string;
  /**
   * Accepts no more connections, completes requests in flight, and closes what is still busy after
   * `graceMs`.
   */
  close: (graceMs: number) => Promise<void>;
}

/** @throws Error with a `code` such as EADDRINUSE, EACCES or EADDRNOTAVAIL */
export async function listen(
  app: RequestListener,
  port: number,
  host: string,
  options: ListenOptions = {},
): Promise<Listening> {
  const listener = new Listener(app, options);
  const actualPort = await listener.start(port, host);
  const urlHost = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${urlHost}:${actualPort}`,
    close: (graceMs) => listener.stop(graceMs),
  };
}

/**
 * How long requests may take to arrive that were sent before anybody could know that the server is
 * about to end.
 */
const ARRIVAL_MS = 200;

/** Connections become idle one by one, as their last responses go out. */
const IDLE_CHECK_MS = 50;

class Listener {
  readonly #app: RequestListener;
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #connections = new Map<Socket, Connection>();
  readonly #addresses = new Addresses();
  #stopping = false;

  constructor(app: RequestListener, options: ListenOptions) {
    this.#app = app;
    this.#options = options;
    this.#server = createServer({ ...HTTP_LIMITS, ...options.classes } as ServerOptions);
    this.#setLimits();
    this.#addListeners();
  }

  #setLimits(): void {
    // Without limits: Node would drop further headers silently, and respond to further requests
    // with a 503 that is not a problem document.
    this.#server.maxHeadersCount = 0;
    this.#server.maxRequestsPerSocket = 0;
    this.#server.maxConnections = maxConnections();
    this.#server.timeout = SOCKET_TIMEOUT_MS;
  }

  #addListeners(): void {
    this.#server.on('connection', (socket) => this.#accept(socket));
    this.#server.on('request', (request, response) => this.#serve(request, response));
    // An unknown expectation may be ignored (RFC 9110, 10.1.1). Node would return 417, without a
    // problem document.
    this.#server.on('checkExpectation', (request, response) => this.#serve(request, response));
    this.#server.on('checkContinue', (request, response) => {
      // A client does not send a body that is refused anyway.
      if (Number(request.headers['content-length'] ?? 0) <= MAX_BODY_BYTES) {
        response.writeContinue();
      }
      this.#serve(request, response);
    });
    // Without a listener, Node closes the connection.
    this.#server.on('connect', (_request, stream) => {
      const socket = stream as Socket;
      // Node has taken its own listener off.
      socket.on('error', () => socket.destroy());
      this.#refuse(CONNECT, socket);
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      this.#refuse(error.code ?? '', socket as Socket);
    });
  }

  #accept(socket: Socket): void {
    this.#connections.set(socket, new Connection(socket));
    socket.once('close', () => this.#connections.delete(socket));
    const ofAddress = this.#addresses.enter(socket);
    if (ofAddress > (this.#options.connectionsPerAddress ?? Infinity)) {
      refuse(TOO_MANY_CONNECTIONS, socket, undefined, this.#options);
    }
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#stopping) {
      closeAfter(response);
    }
    // Before Node's own listener, which would read the whole rest, of any length.
    response.prependListener('finish', () => readRest(request));
    this.#connections.get(request.socket)?.serve(request, response, this.#app);
  }

  #refuse(code: string, socket: Socket): void {
    refuse(code, socket, this.#connections.get(socket), this.#options);
  }

  /**
   * Node waits forever for the first byte of a request, and skips line ends before it, however
   * many.
   */
  #refuseStrayBytes(): void {
    for (const [socket, connection] of this.#connections) {
      if (connection.strayBytes() > MOST_STRAY_BYTES) {
        this.#refuse(STRAY_BYTES, socket);
      }
    }
  }

  /** @returns the port, also if 0 was asked for */
  async start(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      // Later errors are of connections that could not be accepted: the server goes on.
      this.#server.on('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const check = setInterval(() => this.#refuseStrayBytes(), STRAY_BYTES_CHECK_MS).unref();
    this.#server.once('close', () => clearInterval(check));
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    for (const { lastResponse } of this.#connections.values()) {
      if (lastResponse !== undefined) {
        closeAfter(lastResponse);
      }
    }
    // Node takes a connection for idle until it has read a request, and would close those with
    // requests on their way.
    await pause(Math.min(ARRIVAL_MS, graceMs));
    // Timers come first: what arrived while the process was busy is read in between.
    await nextTurn();
    const idle = setInterval(() => this.#server.closeIdleConnections(), IDLE_CHECK_MS);
    const cut = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    clearInterval(idle);
    clearTimeout(cut);
  }
}

/** A connection that is kept alive would delay the end. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader('Connection', 'close');
  }
}
