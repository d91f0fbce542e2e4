/** Raw connections to the server: nothing between the bytes of a case and the socket. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from '../send.ts';

/** The server cuts everything well before: see `server/limits.ts`. */
const PATIENCE_MS = 45_000;
/** How long to wait for more after the last byte, and how long for the first one. */
const QUIET_MS = 250;
const NO_RESPONSE_MS = 4_000;

/** The responses on one connection. */
export interface Reply {
  /** The status of each response, in order. */
  statuses: number[];
  /** The errors of the responses themselves. */
  problems: string[];
  /** True if the server ended the connection, false if this process did. */
  closed: boolean;
  /** Bytes that the server took. */
  sent: number;
}

export class Wire {
  readonly socket: Socket;
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
  readonly #chunks: Buffer[] = [];
  #ended = false;
  #lastMs = 0;

  private constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    // Each character of a case is one byte.
    this.socket.setDefaultEncoding('latin1');
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.socket.on('data', (chunk: Buffer) => {
      this.#lastMs = Date.now();
      this.#chunks.push(chunk);
    });
    // These cases write into connections that the server has cut.
    this.socket.on('error', () => (this.#ended = true));
    this.socket.once('end', () => {
      this.#ended = true;
      this.socket.end();
    });
  }

  static async open(port: number, bytes: string | Buffer = ''): Promise<Wire> {
    const wire = new Wire(port);
    await Promise.race([once(wire.socket, 'connect').catch(() => undefined), wire.closed]);
    wire.socket.write(bytes);
    return wire;
  }

  /** Waits until no response has come for `quietMs`, ends this side, and waits for the server to end. */
  async finish(quietMs = QUIET_MS): Promise<Reply> {
    const start = Date.now();
    const waits = () => (this.#lastMs > 0 ? Date.now() - this.#lastMs < quietMs : Date.now() - start < NO_RESPONSE_MS);
    while (!this.socket.closed && waits()) await Promise.race([pause(25), this.closed]);
    // Node takes this for the end of the client, and sends nothing more.
    this.socket.end();
    return this.outlast();
  }

  async outlast(): Promise<Reply> {
    const late = setTimeout(() => this.socket.destroy(), PATIENCE_MS);
    await this.closed;
    clearTimeout(late);
    return this.#reply();
  }

  cut(): Reply {
    const seen = this.#reply();
    this.socket.destroy();
    return seen;
  }

  #reply(): Reply {
    const sent = this.socket.bytesWritten - this.socket.writableLength;
    return { ...readResponses(Buffer.concat(this.#chunks)), closed: this.#ended, sent };
  }
}

export async function exchange(port: number, bytes: string | Buffer): Promise<Reply> {
  return (await Wire.open(port, bytes)).finish();
}

/** Sends `piece` again and again until the server ends the connection or `most` bytes are out. */
export async function flood(port: number, head: string, piece: Buffer, most: number): Promise<Reply> {
  const wire = await Wire.open(port, head);
  for (let sent = 0; sent < most && !wire.socket.destroyed; sent += piece.length) {
    if (!wire.socket.write(piece)) await Promise.race([once(wire.socket, 'drain').catch(() => undefined), wire.closed]);
  }
  return wire.finish();
}

export function readResponses(bytes: Buffer): { statuses: number[]; problems: string[] } {
  const statuses: number[] = [];
  const problems: string[] = [];
  let rest = bytes;
  // The client may have cut the connection in the middle of a response.
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const head = rest.subarray(0, end).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (!status) return { statuses, problems: [...problems, `no HTTP response: ${JSON.stringify(head.slice(0, 60))}`] };
    const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    if (status === 100) continue;
    statuses.push(status);
    // HTTP has 501 and 505 for what it does not know.
    if (status >= 500 && status !== 501 && status !== 505) problems.push(`response ${status}`);
    if (status >= 400 && body.length === length && length > 0 && !isProblem(status, head, body))
      problems.push(`${status} without a problem document`);
  }
  return { statuses, problems };
}

function isProblem(expected: number, head: string, body: Buffer): boolean {
  const { status, code, request_id: id } = parse(body.toString()) ?? {};
  const rightType = /^content-type: application\/problem\+json/im.test(head);
  return rightType && status === expected && typeof code === 'string' && typeof id === 'string';
}

/**
 * The outcome of a case, by the responses on all connections.
 * @param mayBeServed true if a response without an error is right
 */
export function classify(replies: readonly Reply[], mayBeServed = false) {
  const statuses = replies.flatMap((reply) => reply.statuses);
  const worst = Math.max(0, ...statuses);
  const verdict = worst >= 400 ? 'refused' : statuses.length > 0 ? 'served' : 'closed';
  const problems = new Set(replies.flatMap((reply) => reply.problems));
  if (replies.some(({ closed }) => !closed)) problems.add('the server did not end the connection');
  if (verdict === 'served' && !mayBeServed) problems.add(`served with ${worst}`);
  return { verdict, problems: [...problems] } as const;
}
