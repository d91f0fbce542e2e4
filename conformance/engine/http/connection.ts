/**
 * A connection to the service: bytes go out, and the response to them comes back; one request at a
 * time.
 */
import type { Socket } from 'node:net';
import { connectTo, type Network } from './network.ts';
import { ResponseReader } from './response-reader.ts';
import { NoResponse, type RawResponse } from './response.ts';

/** A request whose response is not whole yet. */
interface Waiting {
  reader: ResponseReader;
  since: number;
  done(outcome: RawResponse | NoResponse): void;
  /** How many parts of its time are left. */
  left: number;
}

/** An outcome of what has been read; undefined as long as there is none. @throws NoResponse */
type OutcomeOf = (reader: ResponseReader) => RawResponse | NoResponse | undefined;

/**
 * However long the suite itself is busy at a stretch, that is one of these parts of a timeout: no
 * service is to blame.
 */
const PARTS = 10;

export class Connection {
  /** Undefined while a proxy makes the connection. */
  #socket: Socket | undefined;
  /** The socket that a proxy makes; undefined without a proxy. */
  readonly #made: Promise<Socket> | undefined;
  #waiting: Waiting | undefined;
  readonly #timeoutMs: number;
  /** One for all exchanges: to make one for each takes longer than to start it again. */
  #timer: NodeJS.Timeout | undefined;
  /** By when the service may close it, in milliseconds of `performance.now()`. */
  #until = 0;
  #isClosed = false;

  /** @param timeoutMs for each response, until it is whole */
  constructor(base: URL, timeoutMs: number, network: Network = {}) {
    this.#timeoutMs = timeoutMs;
    const way = connectTo(base, network);
    if (way instanceof Promise) {
      this.#made = way.then((socket) => this.#use(socket));
    } else {
      this.#use(way);
    }
  }

  #use(socket: Socket): Socket {
    this.#socket = socket;
    if (this.#isClosed) {
      socket.destroy();
    }
    socket.on('data', (bytes: Buffer) => this.#settle((reader) => reader.read(bytes)));
    socket.on('error', (error) => this.#end(() => noResponseFor(error)));
    socket.on('end', () => this.#end(() => closed()));
    socket.on('close', () => this.#end(() => closed()));
    return socket;
  }

  get isIdle(): boolean {
    return this.#socket?.destroyed === false && performance.now() < this.#until;
  }

  /** The response to `bytes`. @throws NoResponse */
  exchange(bytes: Buffer, method: string): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const done = (outcome: RawResponse | NoResponse): void => {
        if (outcome instanceof NoResponse) {
          reject(outcome);
        } else {
          resolve(outcome);
        }
      };
      const reader = new ResponseReader(method);
      this.#waiting = { reader, since: performance.now(), done, left: PARTS };
      this.#startTimer();
      this.#write(bytes);
    });
  }

  #startTimer(): void {
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tick(), this.#timeoutMs / PARTS);
      this.#timer.unref();
    } else {
      this.#timer.refresh();
    }
  }

  #write(bytes: Buffer): void {
    if (this.#made === undefined) {
      this.#socket?.write(bytes);
      return;
    }
    const failed = (error: Error): void => this.#settle(() => noResponseFor(error));
    this.#made.then((socket) => socket.write(bytes)).catch(failed);
  }

  /** A part of the time is over. */
  #tick(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) {
      return;
    }
    waiting.left--;
    if (waiting.left > 0) {
      return;
    }
    const late: OutcomeOf = (reader) =>
      reader.begun() ?? new NoResponse('late', `no response within ${this.#timeoutMs} ms`);
    // Bytes that have come by now are still read.
    setImmediate(() => {
      if (this.#waiting === waiting) {
        this.#settle(late);
      }
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#socket?.destroy();
  }

  /**
   * The bytes before the end may be a whole response: a service may respond and close before it has
   * read everything.
   */
  #end(otherwise: () => NoResponse): void {
    this.#settle((reader) => reader.end() ?? otherwise());
  }

  /** Ends the exchange if there is an outcome. */
  #settle(outcomeOf: OutcomeOf): void {
    const waiting = this.#waiting;
    if (waiting === undefined) {
      // The service sends without a request.
      this.close();
      return;
    }
    const outcome = outcomeIn(waiting.reader, outcomeOf);
    if (outcome === undefined) {
      return;
    }
    this.#waiting = undefined;
    const isUsable = waiting.reader.keepsAlive && this.#socket?.writableLength === 0;
    if (outcome instanceof NoResponse || !isUsable) {
      this.close();
    } else {
      this.#until = waiting.since + idleMs(outcome);
    }
    waiting.done(outcome);
  }
}

function outcomeIn(
  reader: ResponseReader,
  outcomeOf: OutcomeOf,
): RawResponse | NoResponse | undefined {
  try {
    return outcomeOf(reader);
  } catch (error) {
    return error as NoResponse;
  }
}

const TIMEOUT = /\btimeout=(\d+)/i;

/**
 * How much sooner than the service a connection is given up, in milliseconds: a request that is
 * sent as the service closes is lost.
 */
const MARGIN_MS = 1000;

/**
 * As long as the service says, less a margin of at most half of that time. The time counts from the
 * request.
 */
function idleMs({ headers }: RawResponse): number {
  const [, seconds] = TIMEOUT.exec(headers['keep-alive'] ?? '') ?? [];
  if (seconds === undefined) {
    return Infinity;
  }
  const saidMs = Number(seconds) * 1000;
  return saidMs - Math.min(MARGIN_MS, saidMs / 2);
}

const closed = (cause?: Error): NoResponse =>
  new NoResponse('closed', 'the connection was closed without a response', { cause });

/** The code of a system error in words, as the end of a sentence. */
const REFUSALS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host is unknown',
};

function noResponseFor(error: Error & { code?: string }): NoResponse {
  const { code = '', message } = error;
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return closed(error);
  }
  const [firstLine = ''] = message.split('\n', 1);
  return new NoResponse('refused', REFUSALS[code] ?? firstLine, { cause: error });
}
