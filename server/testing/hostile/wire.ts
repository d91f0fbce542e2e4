/** Raw connections to the server: nothing between the bytes of a case and the socket. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The server cuts everything well before: see `server/limits.ts`. */
const PATIENCE_MS = 45_000;
/** How long to wait for the first byte. */
const NO_RESPONSE_MS = 4_000;

export interface Reply {
  /** The status of each response, in order; without 100. */
  statuses: number[];
  /** Whether the server ended the connection; also true if this process closed it. */
  closed: boolean;
  /** Bytes that the server took. */
  sent: number;
}

export class Wire {
  readonly socket: Socket;
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
  #text = '';
  #ended = false;
  #lastMs = 0;

  private constructor(port: number) {
    this.socket = connect({
      port,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    }).setEncoding('latin1');
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.socket.on('data', (text: string) => {
      this.#lastMs = Date.now();
      this.#text += text;
    });
    // These cases write into connections that the server has cut.
    this.socket.on('error', () => {
      this.#ended = true;
    });
    this.socket.once('end', () => {
      this.#ended = true;
      this.socket.end();
    });
  }

  static async open(port: number, bytes = ''): Promise<Wire> {
    const wire = new Wire(port);
    await Promise.race([once(wire.socket, 'connect').catch(() => undefined), wire.closed]);
    wire.socket.write(bytes);
    return wire;
  }

  /** Sends `piece` again and again until the server ends the connection or `most` bytes are out. */
  async flood(piece: string, most: number): Promise<Reply> {
    for (let sent = 0; sent < most && !this.socket.destroyed; sent += piece.length) {
      if (this.socket.write(piece)) {
        continue;
      }
      await Promise.race([once(this.socket, 'drain').catch(() => undefined), this.closed]);
    }
    return this.finish(250);
  }

  /**
   * Waits until no response has come for `quietMs`, ends this side, and waits for the server to
   * end.
   */
  async finish(quietMs: number): Promise<Reply> {
    const start = Date.now();
    const waits = () => {
      if (this.#lastMs > 0) {
        return Date.now() - this.#lastMs < quietMs;
      }
      return Date.now() - start < NO_RESPONSE_MS;
    };
    while (!this.socket.closed && waits()) {
      await Promise.race([pause(25), this.closed]);
    }
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

  /** The reply to a client who leaves: that the server works on is all that can be seen. */
  cut(): Reply {
    this.socket.destroy();
    return { ...this.#reply(), closed: true };
  }

  #reply(): Reply {
    const statuses = [...this.#text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
      Number(status),
    );
    const sent = this.socket.bytesWritten - this.socket.writableLength;
    return { statuses: statuses.filter((status) => status !== 100), closed: this.#ended, sent };
  }
}
