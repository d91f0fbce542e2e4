/** Reads the bytes of HTTP/1.x responses (RFC 9112). */
import { joined, NoResponse, type RawResponse } from './response.ts';

/** Far more than any response in a contract needs: of a longer one, the beginning is kept. */
const MAX_BODY_BYTES = 8 * 2 ** 20;

/** Media types of responses that go on for as long as the client listens. */
const ENDLESS_TYPE = /^(text\/event-stream|multipart\/x-mixed-replace)\b/i;
/** The beginning of a response alone is of no use for these media types. */
const WHOLE_TYPE = /[/+]json\b/i;

const MAX_HEAD_BYTES = 16 * 2 ** 10;

/**
 * Stands for the method of bytes that need not be a request: a connection that ends is a response
 * to them, also after bytes without a status line, as HTTP/0.9 has them.
 */
export const NO_METHOD = '';

const START = 'HTTP/1.';
const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const FIELD = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;
/** A line that continues the one before it. */
const FOLD = /\r\n[ \t]+/g;
/** The size of a chunk, in hexadecimal digits, before an extension or the end of the line. */
const CHUNK_SIZE = /^[0-9a-f]+(?=[ \t]*(?:;|$))/i;

interface Head extends Omit<RawResponse, 'body'> {
  /** HTTP/1.1, and not 1.0. */
  isNewer: boolean;
}

type Field = readonly [name: string, value: string];

/** @throws NoResponse for what is not HTTP */
function headOf(text: string): Head {
  const [first = '', ...lines] = text.replaceAll(FOLD, ' ').split('\r\n');
  const [, minor, code] = STATUS_LINE.exec(first) ?? [];
  if (code === undefined) {
    throw notHttp();
  }
  const headers = joined(lines.map(fieldOf));
  return { status: Number(code), headers, isNewer: minor === '1' };
}

function fieldOf(line: string): Field {
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw notHttp();
  }
  return [name, value.trimEnd()];
}

const notHttp = (): NoResponse => new NoResponse('garbled', 'the response is not HTTP');

/** The sign of the end of the body; `none`: there must not be a body. */
type Framing = 'length' | 'chunks' | 'connection' | 'none';

/**
 * Reads the response to a request as its bytes come. Interim ones, such as 100, are passed over.
 */
export class ResponseReader {
  /** Whether the connection may be used again once the response is whole. */
  keepsAlive = false;
  readonly #method: string;
  #unread: Buffer = Buffer.alloc(0);
  /** Undefined until it is complete. */
  #head: Head | undefined;
  #framing: Framing = 'connection';
  /** Bytes of the body, or of the chunk that is being read. */
  #missing = 0;
  /** The kind of the next line if the body is in chunks. */
  #next: 'size' | 'end of chunk' | 'trailer' = 'size';
  #body: Buffer[] = [];
  #size = 0;

  constructor(method: string) {
    this.#method = method;
  }

  /** The response as soon as it is whole. @throws NoResponse for what is not an HTTP response */
  read(bytes: Buffer): RawResponse | undefined {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    if (this.#hasNoStatus()) {
      return undefined;
    }
    const head = this.#readHead();
    if (head === undefined) {
      return undefined;
    }
    const type = head.headers['content-type'];
    if (type !== undefined && ENDLESS_TYPE.test(type)) {
      return this.#beginning(head);
    }
    const outcome = this.#readBody(head);
    if (this.#size <= MAX_BODY_BYTES) {
      return outcome;
    }
    if (type === undefined) {
      throw new NoResponse('endless', `the response does not end after ${MAX_BODY_BYTES} bytes`);
    }
    return this.#beginning(head);
  }

  /**
   * The response so far, once its head is there, if its beginning is of use; undefined if it is
   * not.
   */
  begun(): RawResponse | undefined {
    const type = this.#head?.headers['content-type'];
    if (this.#head === undefined || type === undefined || WHOLE_TYPE.test(type)) {
      return undefined;
    }
    return this.#beginning(this.#head);
  }

  /**
   * The response that the end of the connection completes.
   * @throws NoResponse if the bytes so far are not HTTP
   */
  end(): RawResponse | undefined {
    if (this.#head === undefined) {
      if (this.#unread.length > 0 && !this.#hasNoStatus()) {
        throw notHttp();
      }
      return undefined;
    }
    if (this.#framing === 'connection' || this.#framing === 'none') {
      return this.#whole(this.#head);
    }
    return undefined;
  }

  /**
   * Whether bytes that need no method have come that begin with no status line.
   * @throws NoResponse if they do not end
   */
  #hasNoStatus(): boolean {
    if (this.#method !== NO_METHOD || this.#head !== undefined || startsLikeHead(this.#unread)) {
      return false;
    }
    if (this.#unread.length > MAX_BODY_BYTES) {
      throw new NoResponse('endless', `what came does not end after ${MAX_BODY_BYTES} bytes`);
    }
    return true;
  }

  /** The head of the response, once it is complete. */
  #readHead(): Head | undefined {
    while (this.#head === undefined) {
      const head = this.#nextHead();
      if (head === undefined) {
        return undefined;
      }
      if (head.status >= 200) {
        this.#head = head;
        this.#frame(head);
      }
    }
    return this.#head;
  }

  /**
   * The head of an interim response or of the response; undefined as long as it is not complete.
   */
  #nextHead(): Head | undefined {
    const bytes = this.#unread;
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 || end > MAX_HEAD_BYTES) {
      expectHeadIn(bytes);
      return undefined;
    }
    const head = headOf(bytes.toString('latin1', 0, end));
    if (head.status === 101) {
      throw new NoResponse('garbled', 'the response switches to another protocol');
    }
    this.#unread = bytes.subarray(end + 4);
    return head;
  }

  /** RFC 9112, section 6.3. */
  #frame({ status, headers, isNewer }: Head): void {
    const { connection = '', 'content-length': length, 'transfer-encoding': coding } = headers;
    this.keepsAlive = isNewer ? !/\bclose\b/i.test(connection) : /\bkeep-alive\b/i.test(connection);
    if (this.#method === 'HEAD' || status === 204 || status === 304) {
      this.#framing = 'none';
    } else if (coding !== undefined) {
      // Section 6.2: a sender must not say both.
      if (length !== undefined) {
        throw notHttp();
      }
      this.#framing = /\bchunked$/i.test(coding) ? 'chunks' : 'connection';
    } else if (length !== undefined) {
      if (!/^\d+$/.test(length)) {
        throw notHttp();
      }
      this.#framing = 'length';
      this.#missing = Number(length);
    }
  }

  #readBody(head: Head): RawResponse | undefined {
    if (this.#framing === 'chunks') {
      return this.#readChunks(head);
    }
    this.#take(this.#framing === 'length' ? this.#missing : Infinity);
    // A body that must not be there shows by the end of the connection, if that is announced.
    const isEmpty = this.#framing === 'none' && this.keepsAlive;
    const hasLength = this.#framing === 'length' && this.#missing === 0;
    if (isEmpty || hasLength) {
      return this.#whole(head);
    }
    return undefined;
  }

  #readChunks(head: Head): RawResponse | undefined {
    for (;;) {
      this.#take(this.#missing);
      if (this.#missing > 0) {
        return undefined;
      }
      const line = this.#readLine();
      if (line === undefined) {
        return undefined;
      }
      if (this.#next === 'trailer' && line === '') {
        return this.#whole(head);
      }
      this.#readChunkLine(line);
    }
  }

  /** The next line of a body in chunks; undefined as long as it is not complete. */
  #readLine(): string | undefined {
    const end = this.#unread.indexOf('\r\n');
    if (end < 0) {
      if (this.#unread.length > MAX_HEAD_BYTES) {
        throw notHttp();
      }
      return undefined;
    }
    const line = this.#unread.toString('latin1', 0, end);
    this.#unread = this.#unread.subarray(end + 2);
    return line;
  }

  #readChunkLine(line: string): void {
    if (this.#next === 'size') {
      const [size] = CHUNK_SIZE.exec(line) ?? [];
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
  #beginning(head: Head): RawResponse {
    this.keepsAlive = false;
    return { ...this.#whole(head), isPartial: true };
  }

  #whole({ status, headers }: Head): RawResponse {
    // Bytes that follow the response belong to no request.
    const hasMore = this.#unread.length > 0 || (this.#framing === 'none' && this.#size > 0);
    if (this.#framing === 'connection' || hasMore) {
      this.keepsAlive = false;
    }
    const [only, ...others] = this.#body;
    const isOne = only !== undefined && others.length === 0;
    return { status, headers, body: isOne ? only : Buffer.concat(this.#body) };
  }
}

/** @throws NoResponse unless the bytes can be the beginning of a head */
function expectHeadIn(bytes: Buffer): void {
  if (!startsLikeHead(bytes)) {
    throw notHttp();
  }
  if (bytes.length > MAX_HEAD_BYTES) {
    throw new NoResponse('endless', 'the headers do not end');
  }
}

function startsLikeHead(bytes: Buffer): boolean {
  return START.startsWith(bytes.toString('latin1', 0, START.length));
}
