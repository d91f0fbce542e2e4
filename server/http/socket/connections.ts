/** The open connections, and the pipelined requests on each: one begins when the response to the one before is out. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import { MOST_UNREAD_BYTES, MOST_WAITING_REQUESTS, UNREAD_TIMEOUT_MS } from '../../limits.ts';

export class Connection {
  readonly #socket: Socket;
  /** Requests without a complete response. */
  #waiting = 0;
  /** The response to the last request, unless it is out; the body of the request may be incomplete. */
  last: ServerResponse | undefined;
  /** The one before the last, unless it is out. */
  #lastButOne: ServerResponse | undefined;
  /** The last one; its body may continue when its response is out. */
  #request: IncomingMessage | undefined;
  /** The number of bytes read at a moment when all of them belonged to requests. */
  #bytesOfRequests = 0;
  /** Whether the rest of a body was still to come when its response was out. */
  #unfinished = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node resumes a socket after each request that it has read, also a paused one.
    socket.on('resume', () => this.#waiting > MOST_WAITING_REQUESTS && socket.pause());
  }

  /** Passes a request to the application in its turn: Node would begin all, and hold responses that nobody reads. */
  serve(request: IncomingMessage, response: ServerResponse, app: RequestListener): void {
    const before = this.last;
    this.#lastButOne = before;
    this.last = response;
    this.#request = request;
    this.#waiting++;
    if (this.#waiting > MOST_WAITING_REQUESTS) {
      this.#socket.pause();
    }
    response.on('close', () => this.#answered(response));
    if (before === undefined) {
      app(request, response);
    }
    // Other connections get their turns in between.
    else {
      before.once('close', () =>
        setImmediate(() => this.#socket.destroyed || app(request, response)),
      );
    }
  }

  #answered(response: ServerResponse): void {
    this.#waiting--;
    if (this.#waiting === MOST_WAITING_REQUESTS) {
      this.#socket.resume();
    }
    if (this.#lastButOne === response) {
      this.#lastButOne = undefined;
    }
    if (this.last === response) {
      this.last = undefined;
    }
    this.#bytesOfRequests = this.#socket.bytesRead;
    this.#unfinished = this.#request?.complete === false;
  }

  /** The response to the last complete request, unless it is out. */
  get lastWhole(): ServerResponse | undefined {
    return this.last?.req.complete ? this.last : this.#lastButOne;
  }

  /** Bytes since the last request that belong to none; to be called regularly. */
  strayBytes(): number {
    const busy = this.#waiting > 0 || this.#request?.complete === false;
    // The rest of a body after its response has an unknown size: what comes in that time does not count.
    if (busy || this.#unfinished) {
      this.#bytesOfRequests = this.#socket.bytesRead;
    }
    this.#unfinished = busy;
    return this.#socket.bytesRead - this.#bytesOfRequests;
  }
}

/** Counts the open connections of each address. A client with many IPv6 addresses has them in one network (/56). */
export class Addresses {
  readonly #open = new Map<string, number>();

  /** @returns how many connections the address has, with this one */
  enter(socket: Socket): number {
    const address = ipKeyGenerator(socket.remoteAddress ?? '');
    const count = (this.#open.get(address) ?? 0) + 1;
    this.#open.set(address, count);
    socket.once('close', () => {
      const left = this.#open.get(address)! - 1;
      if (left > 0) {
        this.#open.set(address, left);
      } else {
        this.#open.delete(address);
      }
    });
    return count;
  }
}

const CHUNKS_A_TURN = 1000;

/**
 * Passes the chunks of a body on, and gives other connections their turn after many of them: Node reads 2 MiB of a
 * socket at once, and those took seconds as chunks of one byte.
 */
export function inTurns(
  { socket }: IncomingMessage,
  take: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  let chunks = 0;
  return (chunk) => {
    take(chunk);
    if (++chunks !== CHUNKS_A_TURN) {
      return;
    }
    socket.pause();
    setImmediate(() => {
      chunks = 0;
      socket.resume();
    });
  };
}

/** Reads a limited part of a body that the application has not read, so that the client can read the response. To be called when that is out. */
export function readRest(request: IncomingMessage): void {
  // All of it is in memory already.
  if (request.complete) {
    return void request.resume();
  }
  const { socket } = request;
  let unread = 0;
  const count = inTurns(request, (chunk) => {
    unread += chunk.length;
    if (unread > MOST_UNREAD_BYTES) {
      socket.destroy();
    }
  });
  const late = setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS);
  const stop = () => {
    clearTimeout(late);
    request.off('data', count);
  };
  request.once('end', stop).once('close', stop).on('data', count).resume();
  // Reads nothing, and begins to read (Node's guide to streams): otherwise Node discards the rest, of any length.
  request.read(0);
}
