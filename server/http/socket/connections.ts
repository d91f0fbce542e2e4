/**
 * The open connections of a server, and the requests on each that wait for a response.
 *
 * A client may send requests without waiting for responses (pipelining). Node would begin all of them at once, and hold the
 * responses that nobody reads. Here each has its turn when the one before is answered, and other connections theirs in between;
 * a connection on which many wait is not read from until some are answered. What is done for a request does not depend on how
 * many wait.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MOST_WAITING_REQUESTS } from '../../limits.ts';

export class Connection {
  readonly #socket: Socket;
  /** Those that are not answered, in the order in which they came. */
  #waiting = 0;
  #held = false;
  #last: ServerResponse | undefined;
  /** The one before the last, unless it is out. */
  #lastButOne: ServerResponse | undefined;
  /** The last one; it may go on when its response is out. */
  #request: IncomingMessage | undefined;
  /** Of what had been read then, everything belonged to requests. */
  #bytesOfRequests = 0;
  /** Whether the rest of a body was still to come when its response was out. */
  #unfinished = false;
  #strayBytesSince: number | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Has the application serve a request, when its turn comes. */
  serve(request: IncomingMessage, response: ServerResponse, app: RequestListener): void {
    const before = this.#last;
    this.#lastButOne = before;
    this.#last = response;
    this.#request = request;
    this.#waiting++;
    if (this.#waiting > MOST_WAITING_REQUESTS && !this.#held) this.#hold();
    response.on('close', () => this.#answered(response));
    if (before === undefined) app(request, response);
    else before.once('close', () => setImmediate(() => this.#socket.destroyed || app(request, response)));
  }

  #answered(response: ServerResponse): void {
    this.#waiting--;
    if (this.#waiting <= MOST_WAITING_REQUESTS / 2 && this.#held) this.#release();
    if (this.#lastButOne === response) this.#lastButOne = undefined;
    if (this.#last === response) this.#last = undefined;
    this.#bytesOfRequests = this.#socket.bytesRead;
    this.#unfinished = this.#request?.complete === false;
  }

  /** Node resumes a socket behind each request that it has read, whoever has paused it: here it cannot. */
  #hold(): void {
    this.#held = true;
    this.#socket.pause();
    Object.assign(this.#socket, { resume: () => this.#socket });
  }

  #release(): void {
    this.#held = false;
    Reflect.deleteProperty(this.#socket, 'resume');
    this.#socket.resume();
  }

  /** The response to the request that came last, where it is not out yet: its body may still be on the way. */
  get last(): ServerResponse | undefined {
    return this.#last;
  }

  /** The response to the last request that came whole, where it is not out yet. */
  get lastWhole(): ServerResponse | undefined {
    return this.#last?.req.complete ? this.#last : this.#lastButOne;
  }

  /**
   * What came since the last request, and makes none; to be asked for from time to time. How many bytes the rest of a body
   * had that came when its response was out, nobody knows: what came in that time does not count.
   */
  strayBytes(now: number): { bytes: number; forMs: number } {
    const busy = this.#waiting > 0 || this.#request?.complete === false;
    if (busy || this.#unfinished) this.#bytesOfRequests = this.#socket.bytesRead;
    this.#unfinished = busy;
    const bytes = this.#socket.bytesRead - this.#bytesOfRequests;
    if (bytes === 0) this.#strayBytesSince = undefined;
    else this.#strayBytesSince ??= now;
    return { bytes, forMs: now - (this.#strayBytesSince ?? now) };
  }
}
