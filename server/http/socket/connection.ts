/**
 * One open connection, with the pipelined requests on it: one begins when the response to the one
 * before is out.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MOST_WAITING_REQUESTS } from '../../limits.ts';

export class Connection {
  readonly #socket: Socket;
  /** Requests without a complete response. */
  #waiting = 0;
  /**
   * The response to the last request, unless it is out; the body of the request may be incomplete.
   */
  #lastResponse: ServerResponse | undefined;
  /** The response before the last one, unless it is out. */
  #responseBefore: ServerResponse | undefined;
  /** Its body may continue after its response is out. */
  #lastRequest: IncomingMessage | undefined;
  /** The number of bytes read at a moment when all of them belonged to requests. */
  #bytesOfRequests = 0;
  /** Whether the rest of a body was still to come when its response was out. */
  #restOfBody = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node resumes a socket after each request that it has read, also a paused one.
    socket.on('resume', () => {
      if (this.#waiting > MOST_WAITING_REQUESTS) {
        socket.pause();
      }
    });
  }

  /**
   * Passes a request to the application when it is its turn. Node would begin all requests at once,
   * and keep responses that nobody reads.
   */
  serve(request: IncomingMessage, response: ServerResponse, app: RequestListener): void {
    const before = this.#lastResponse;
    this.#responseBefore = before;
    this.#lastResponse = response;
    this.#lastRequest = request;
    this.#waiting += 1;
    if (this.#waiting > MOST_WAITING_REQUESTS) {
      this.#socket.pause();
    }
    response.on('close', () => this.#completed(response));
    if (before === undefined) {
      app(request, response);
    } else {
      before.once('close', () => this.#serveNext(request, response, app));
    }
  }

  /** Other connections get their turns before. */
  #serveNext(request: IncomingMessage, response: ServerResponse, app: RequestListener): void {
    setImmediate(() => {
      if (!this.#socket.destroyed) {
        app(request, response);
      }
    });
  }

  #completed(response: ServerResponse): void {
    this.#waiting -= 1;
    if (this.#waiting === MOST_WAITING_REQUESTS) {
      this.#socket.resume();
    }
    if (this.#responseBefore === response) {
      this.#responseBefore = undefined;
    }
    if (this.#lastResponse === response) {
      this.#lastResponse = undefined;
    }
    this.#bytesOfRequests = this.#socket.bytesRead;
    this.#restOfBody = this.#lastRequest?.complete === false;
  }

  /** The response to the last request, unless it is out. */
  get lastResponse(): ServerResponse | undefined {
    return this.#lastResponse;
  }

  /** The response to the last complete request, unless it is out. */
  get lastOfComplete(): ServerResponse | undefined {
    if (this.#lastResponse?.req.complete) {
      return this.#lastResponse;
    }
    return this.#responseBefore;
  }

  /** The response to a request whose body is not complete, unless it is out. */
  get lastOfIncomplete(): ServerResponse | undefined {
    if (this.#lastResponse?.req.complete === false) {
      return this.#lastResponse;
    }
    return undefined;
  }

  /** Bytes since the last request that belong to no request. To be called regularly. */
  strayBytes(): number {
    const isBusy = this.#waiting > 0 || this.#lastRequest?.complete === false;
    // The rest of a body after its response has an unknown size: what comes in that time does not
    // count.
    if (isBusy || this.#restOfBody) {
      this.#bytesOfRequests = this.#socket.bytesRead;
    }
    this.#restOfBody = isBusy;
    return this.#socket.bytesRead - this.#bytesOfRequests;
  }
}
