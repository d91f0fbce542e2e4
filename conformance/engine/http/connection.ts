/** A connection to the service: bytes go out, and the response to them comes back; one request at a time. */
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { NoResponse, type RawResponse } from './response.ts';
import { ResponseReader } from './response-reader.ts';

export class Connection {
  readonly #socket: Socket;
  #waiting: { reader: ResponseReader; done(outcome: RawResponse | NoResponse): void } | undefined;
  /** By when the service may close it, in milliseconds of `performance.now()`. */
  #until = 0;

  constructor(base: URL) {
    const host = base.hostname.replace(/^\[|\]$/g, '');
    const secure = base.protocol === 'https:';
    const port = Number(base.port) || (secure ? 443 : 80);
    this.#socket = secure
      ? connectTls({ host, port, servername: isIP(host) ? '' : host })
      : connect({ host, port, noDelay: true });
    this.#socket.on('data', (bytes: Buffer) => this.#settle((reader) => reader.read(bytes)));
    // The bytes before it may be a whole response: a service may respond and close before it has read everything.
    this.#socket.on('error', (error) => this.#settle((reader) => reader.end() ?? noResponseFor(error)));
    for (const event of ['end', 'close'])
      this.#socket.on(event, () => this.#settle((reader) => reader.end() ?? closed()));
  }

  /** Whether another request may go out. */
  get isIdle(): boolean {
    return !this.#socket.destroyed && performance.now() < this.#until;
  }

  /** The response to `bytes`. @throws NoResponse */
  exchange(bytes: Buffer, method: string, timeoutMs: number): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      // Bytes that have come by now are still read: the suite itself may have been busy.
      const late = () =>
        setImmediate(() => this.#settle(() => new NoResponse('late', `no response within ${timeoutMs} ms`)));
      const timer = setTimeout(late, timeoutMs);
      const done = (outcome: RawResponse | NoResponse) => {
        clearTimeout(timer);
        if (outcome instanceof NoResponse) reject(outcome);
        else resolve(outcome);
      };
      this.#waiting = { reader: new ResponseReader(method), done };
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Ends the exchange where there is an outcome. */
  #settle(outcomeOf: (reader: ResponseReader) => RawResponse | NoResponse | undefined): void {
    const waiting = this.#waiting;
    // The service sends without a request.
    if (waiting === undefined) return this.close();
    let outcome: RawResponse | NoResponse | undefined;
    try {
      outcome = outcomeOf(waiting.reader);
    } catch (error) {
      outcome = error as NoResponse;
    }
    if (outcome === undefined) return;
    this.#waiting = undefined;
    const isUsable = waiting.reader.keepsAlive && this.#socket.writableLength === 0;
    if (outcome instanceof NoResponse || !isUsable) this.close();
    else this.#until = performance.now() + idleMs(outcome);
    waiting.done(outcome);
  }
}

/** As long as the service says, and a second less: what is sent as it closes is lost. */
function idleMs({ headers }: RawResponse): number {
  const [, seconds] = /\btimeout=(\d+)/i.exec(headers['keep-alive'] ?? '') ?? [];
  return seconds === undefined ? Infinity : (Number(seconds) - 1) * 1000;
}

function closed(cause?: Error): NoResponse {
  return new NoResponse('closed', 'the connection was closed without a response', { cause });
}

function noResponseFor(error: Error & { code?: string }): NoResponse {
  const { code = '', message } = error;
  if (code === 'ECONNRESET' || code === 'EPIPE') return closed(error);
  if (code === 'ECONNREFUSED') return new NoResponse('refused', 'the connection was refused', { cause: error });
  const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return new NoResponse('refused', isUnknown ? 'the host is unknown' : message.split('\n', 1)[0]!, { cause: error });
}
