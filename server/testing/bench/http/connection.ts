/** One kept-alive connection that sends ready-made requests one after another: as little work as the measuring side can do. */
import { connect, type Socket } from 'node:net';

export interface Reply {
  status: number;
  /** The whole answer as it came, head and body; ISO 8859-1, so that one character is one byte. */
  text: string;
}

const END_OF_HEAD = '\r\n\r\n';

export class Connection {
  readonly #socket: Socket;
  #text = '';
  #settle: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (more: string) => this.#take(more));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the connection was closed')));
  }

  /** @throws Error with a `code` such as ECONNREFUSED */
  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new Connection(socket);
  }

  /** @throws Error where the connection is, or gets, closed */
  send(request: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(new Error('the connection was closed'));
        return;
      }
      this.#text = '';
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(more: string): void {
    this.#text += more;
    if (!isWhole(this.#text)) return;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({ status: Number(this.#text.slice(9, 12)), text: this.#text });
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf(END_OF_HEAD);
  if (end < 0) return false;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return text.length >= end + END_OF_HEAD.length + Number(length);
  return !/\r\ntransfer-encoding: *chunked/i.test(head) || text.endsWith('0\r\n\r\n');
}
