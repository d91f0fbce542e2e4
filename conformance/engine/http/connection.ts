/** A connection to the service: bytes go out, and the response to them comes back; one request at a time. */
import type { Socket } from 'node:net';
import { connectTo, type Network } from './network.ts';
import { entry } from '../contract/load.ts';
import { joined, NoResponse, type RawResponse } from './response.ts';

interface Waiting {
  reader: ResponseReader;
  since: number;
  done(outcome: RawResponse | NoResponse): void;
  /** How many parts of its time are left. */
  left: number;
}

export class Connection {
  /** Undefined while a proxy makes the connection. */
  #socket: Socket | undefined;
  readonly #ready: Promise<void> | undefined;
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
      this.#ready = way.then((socket) => this.#use(socket));
    } else {
      this.#use(way);
    }
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    if (this.#isClosed) {
      socket.destroy();
    }
    socket.on('data', (bytes: Buffer) => this.#settle((reader) => reader.read(bytes)));
    // The bytes before it may be a whole response: a service may respond and close before it has read everything.
    socket.on('error', (error) => this.#settle((reader) => reader.end() ?? noResponseFor(error)));
    for (const event of ['end', 'close']) {
      socket.on(event, () => this.#settle((reader) => reader.end() ?? closed()));
    }
  }

  get isIdle(): boolean {
    return this.#socket?.destroyed === false && performance.now() < this.#until;
  }

  /** The response to `bytes`. @throws NoResponse */
  exchange(bytes: Buffer, method: string): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const done = (outcome: RawResponse | NoResponse) => {
        if (outcome instanceof NoResponse) {
          reject(outcome);
        } else {
          resolve(outcome);
        }
      };
      this.#waiting = {
        reader: new ResponseReader(method),
        since: performance.now(),
        done,
        left: PARTS,
      };
      this.#timer =
        this.#timer?.refresh() ?? setInterval(() => this.#tick(), this.#timeoutMs / PARTS).unref();
      if (this.#ready === undefined) {
        return void this.#socket!.write(bytes);
      }
      const failed = (error: Error) => this.#settle(() => noResponseFor(error));
      this.#ready.then(() => this.#socket!.write(bytes)).catch(failed);
    });
  }

  /** A part of the time is over. */
  #tick(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || --waiting.left > 0) {
      return;
    }
    const late = (reader: ResponseReader) =>
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

  /** Ends the exchange where there is an outcome. */
  #settle(outcomeOf: (reader: ResponseReader) => RawResponse | NoResponse | undefined): void {
    const waiting = this.#waiting;
    // The service sends without a request.
    if (waiting === undefined) {
      return this.close();
    }
    let outcome: RawResponse | NoResponse | undefined;
    try {
      outcome = outcomeOf(waiting.reader);
    } catch (error) {
      outcome = error as NoResponse;
    }
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

/** However long the suite itself is busy at a stretch, that is one of these parts of a timeout: no service is to blame. */
const PARTS = 10;

/** As long as the service says, and a second less: what is sent as it closes is lost. It counts from the request. */
function idleMs({ headers }: RawResponse): number {
  const [, seconds] = /\btimeout=(\d+)/i.exec(headers['keep-alive'] ?? '') ?? [];
  return seconds === undefined ? Infinity : (Number(seconds) - 1) * 1000;
}

const closed = (cause?: Error) =>
  new NoResponse('closed', 'the connection was closed without a response', { cause });

function noResponseFor(error: Error & { code?: string }): NoResponse {
  const { code = '', message } = error;
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return closed(error);
  }
  if (code === 'ECONNREFUSED') {
    return new NoResponse('refused', 'the connection was refused', { cause: error });
  }
  const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return new NoResponse('refused', isUnknown ? 'the host is unknown' : message.split('\n', 1)[0]!, {
    cause: error,
  });
}

/** Far more than any response in a contract needs: of a longer one, the beginning is kept. */
const MAX_BODY_BYTES = 8 * 2 ** 20;

/** Media types of responses that go on for as long as the client listens. */
const ENDLESS_TYPE = /^(text\/event-stream|multipart\/x-mixed-replace)\b/i;
/** Of these media types, the beginning alone is of no use. */
const WHOLE_TYPE = /[/+]json\b/i;

const MAX_HEAD_BYTES = 16 * 2 ** 10;

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const FIELD = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

interface Head extends Omit<RawResponse, 'body'> {
  /** HTTP/1.1, and not 1.0. */
  isNewer: boolean;
}

type Field = readonly [name: string, value: string];

/** By their text: most heads of one second are the same, and most lines of all. */
const heads = new Map<string, Head>();
const fields = new Map<string, Field>();

/** @throws NoResponse for what is not HTTP */
function headOf(text: string): Head {
  for (const known of [heads, fields]) {
    if (known.size >= 1000) {
      known.clear();
    }
  }
  return entry(heads, text, () => {
    const [first = '', ...lines] = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
    const [, minor, code] = STATUS_LINE.exec(first) ?? [];
    if (code === undefined) {
      throw notHttp();
    }
    const headers = joined(lines.map((line) => entry(fields, line, () => fieldOf(line))));
    return { status: Number(code), headers, isNewer: minor === '1' };
  });
}

function fieldOf(line: string): Field {
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw notHttp();
  }
  return [name, value.trimEnd()];
}

/** How the end of the body is known; `none`: there must not be a body. */
type Framing = 'length' | 'chunks' | 'connection' | 'none';

/** Reads the response to a request as its bytes come (RFC 9112). Interim ones, such as 100, are passed over. */
export class ResponseReader {
  /** Whether the connection may be used again once the response is whole. */
  keepsAlive = false;
  readonly #method: string;
  #unread: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  #framing: Framing = 'connection';
  /** Bytes of the body, or of the chunk that is being read. */
  #missing = 0;
  /** Which line comes next where the body is in chunks. */
  #next: 'size' | 'end of chunk' | 'trailer' = 'size';
  #body: Buffer[] = [];
  #size = 0;

  constructor(method: string) {
    this.#method = method;
  }

  /** The response as soon as it is whole. @throws NoResponse for what is not an HTTP response */
  read(bytes: Buffer): RawResponse | undefined {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    while (this.#head === undefined) {
      if (!this.#readHead()) {
        return undefined;
      }
    }
    if (ENDLESS_TYPE.test(this.#head?.headers['content-type'] ?? '')) {
      return this.#beginning();
    }
    const outcome = this.#readBody();
    if (this.#size <= MAX_BODY_BYTES) {
      return outcome;
    }
    if (this.#head?.headers['content-type'] === undefined) {
      throw new NoResponse('endless', `the response does not end after ${MAX_BODY_BYTES} bytes`);
    }
    return this.#beginning();
  }

  /** The response so far, once its head is there, if its beginning is of use; undefined if it is not. */
  begun(): RawResponse | undefined {
    const type = this.#head?.headers['content-type'];
    const isOfUse = type !== undefined && !WHOLE_TYPE.test(type);
    return isOfUse ? this.#beginning() : undefined;
  }

  #readBody(): RawResponse | undefined {
    if (this.#framing === 'chunks') {
      return this.#readChunks();
    }
    this.#take(this.#framing === 'length' ? this.#missing : Infinity);
    // A body that must not be there shows by the end of the connection, if that is announced.
    if (this.#framing === 'none') {
      return this.keepsAlive ? this.#whole() : undefined;
    }
    if (this.#framing === 'length' && this.#missing === 0) {
      return this.#whole();
    }
    return undefined;
  }

  /** The response that the end of the connection completes. @throws NoResponse for what is no HTTP response so far */
  end(): RawResponse | undefined {
    const isWhole = this.#framing === 'connection' || this.#framing === 'none';
    if (this.#head !== undefined) {
      return isWhole ? this.#whole() : undefined;
    }
    if (this.#unread.length > 0) {
      throw notHttp();
    }
    return undefined;
  }

  /** False where the head is not complete yet. */
  #readHead(): boolean {
    const bytes = this.#unread;
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 || end > MAX_HEAD_BYTES) {
      const start = bytes.toString('latin1', 0, 'HTTP/1.'.length);
      if (!'HTTP/1.'.startsWith(start)) {
        throw notHttp();
      }
      if (bytes.length > MAX_HEAD_BYTES) {
        throw new NoResponse('endless', 'the headers do not end');
      }
      return false;
    }
    const head = headOf(bytes.toString('latin1', 0, end));
    if (head.status === 101) {
      throw new NoResponse('garbled', 'the response switches to another protocol');
    }
    this.#unread = bytes.subarray(end + 4);
    if (head.status < 200) {
      return true;
    }
    this.#head = head;
    this.#frame(head);
    return true;
  }

  /** RFC 9112, section 6.3. */
  #frame({ status, headers, isNewer }: Head): void {
    const { connection = '', 'content-length': length } = headers;
    this.keepsAlive = isNewer ? !/\bclose\b/i.test(connection) : /\bkeep-alive\b/i.test(connection);
    if (this.#method === 'HEAD' || status === 204 || status === 304) {
      this.#framing = 'none';
    } else if (headers['transfer-encoding'] !== undefined) {
      // Section 6.2: a sender must not say both.
      if (length !== undefined) {
        throw notHttp();
      }
      this.#framing = /\bchunked$/i.test(headers['transfer-encoding']) ? 'chunks' : 'connection';
    } else if (length !== undefined) {
      if (!/^\d+$/.test(length)) {
        throw notHttp();
      }
      this.#framing = 'length';
      this.#missing = Number(length);
    }
  }

  #readChunks(): RawResponse | undefined {
    for (;;) {
      this.#take(this.#missing);
      if (this.#missing > 0) {
        return undefined;
      }
      const end = this.#unread.indexOf('\r\n');
      if (end < 0) {
        if (this.#unread.length > MAX_HEAD_BYTES) {
          throw notHttp();
        }
        return undefined;
      }
      const line = this.#unread.toString('latin1', 0, end);
      this.#unread = this.#unread.subarray(end + 2);
      if (this.#next === 'size') {
        const [size] = /^[0-9a-f]+(?=[ \t]*(?:;|$))/i.exec(line) ?? [];
        if (size === undefined) {
          throw notHttp();
        }
        this.#missing = Number.parseInt(size, 16);
        this.#next = this.#missing === 0 ? 'trailer' : 'end of chunk';
      } else if (this.#next === 'end of chunk') {
        if (line !== '') {
          throw notHttp();
        }
        this.#next = 'size';
      } else if (line === '') {
        return this.#whole();
      }
    }
  }

  #take(count: number): void {
    const taken = this.#unread.subarray(0, count);
    if (taken.length === 0) {
      return;
    }
    this.#unread = this.#unread.subarray(taken.length);
    this.#missing -= taken.length;
    this.#size += taken.length;
    this.#body.push(taken);
  }

  /** The head with what has come of the body. The connection is of no further use. */
  #beginning(): RawResponse {
    this.keepsAlive = false;
    return { ...this.#whole(), isPartial: true };
  }

  #whole(): RawResponse {
    // Bytes that follow the response belong to no request.
    const hasMore = this.#unread.length > 0 || (this.#framing === 'none' && this.#size > 0);
    if (this.#framing === 'connection' || hasMore) {
      this.keepsAlive = false;
    }
    const [only, ...others] = this.#body;
    const body = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#body);
    if (this.#head === undefined) {
      throw notHttp();
    }
    const { status, headers } = this.#head;
    return { status, headers, body };
  }
}

const notHttp = (): NoResponse => new NoResponse('garbled', 'the response is not HTTP');
