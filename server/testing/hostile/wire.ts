/** Raw connections to the server: nothing between the bytes of a case and the socket. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import type { Reply } from './case.ts';
import { readResponses } from './responses.ts';

/** The server cuts everything well before: see `server/limits.ts`. */
const PATIENCE_MS = 45_000;
/** What comes later than this after other bytes is not waited for; before the first byte there is more time. */
const QUIET_MS = 250;
const NO_RESPONSE_MS = 4_000;

export interface Wire {
  socket: Socket;
  /** Resolves when the connection is closed, by whomever. */
  closed: Promise<void>;
  /** Waits for responses, ends our side when none has come for `quietMs` (250 when omitted), and waits for the other to end. */
  finish(quietMs?: number): Promise<Reply>;
  /** The same, and leaves it to the server to end: a request that is not whole. */
  outlast(): Promise<Reply>;
  /** What came so far; the connection is cut. */
  cut(): Reply;
}

export async function open(port: number): Promise<Wire> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let reset = false;
  let last = 0;
  socket.on('data', (chunk: Buffer) => {
    last = Date.now();
    chunks.push(chunk);
  });
  // Sending into a connection that the server has cut is what these cases do.
  socket.on('error', () => (reset = true));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let ended = false;
  socket.once('end', () => {
    ended = true;
    socket.end();
  });
  await Promise.race([once(socket, 'connect'), closed]);
  const reply = (): Reply => ({
    ...readResponses(Buffer.concat(chunks)),
    closed: ended || reset,
    sent: socket.bytesWritten - socket.writableLength,
  });
  const outlast = async () => {
    const late = setTimeout(() => socket.destroy(), PATIENCE_MS);
    await closed;
    clearTimeout(late);
    return reply();
  };
  return {
    socket,
    closed,
    outlast,
    finish: async (quietMs = QUIET_MS) => {
      const start = Date.now();
      const waits = () => (last > 0 ? Date.now() - last < quietMs : Date.now() - start < NO_RESPONSE_MS);
      while (!socket.closed && waits()) await Promise.race([pause(25), closed]);
      // Node takes this for the client's farewell, and sends nothing more.
      socket.end();
      return outlast();
    },
    cut: () => {
      const seen = reply();
      socket.destroy();
      return seen;
    },
  };
}

/** Sends the pieces, each in a packet of its own where the network allows, and waits for the end. */
export async function exchange(port: number, pieces: readonly (string | Buffer)[]): Promise<Reply> {
  const wire = await open(port);
  wire.socket.setNoDelay(true);
  for (const piece of pieces) {
    if (wire.socket.destroyed) break;
    // Latin-1, so that each character of a case is one byte.
    wire.socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    if (pieces.length > 1) await pause(2);
  }
  return wire.finish();
}

/** Sends without end until the server is through with it, or `most` bytes are out. */
export async function flood(port: number, head: string, piece: Buffer, most: number): Promise<Reply> {
  const wire = await open(port);
  const { socket } = wire;
  socket.write(head);
  for (let sent = 0; sent < most && !socket.destroyed; sent += piece.length) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), wire.closed]);
  }
  return wire.finish();
}
