/**
 * The chunks of a body: other connections get their turn between many of them, and a rest is read
 * within limits.
 */
import type { IncomingMessage } from 'node:http';
import { MOST_UNREAD_BYTES, UNREAD_TIMEOUT_MS } from '../../limits.ts';

const CHUNKS_A_TURN = 1000;

/**
 * Passes chunks on, and pauses the socket for a turn after many of them. Node reads 2 MiB of a
 * socket at once, and as chunks of one byte those took seconds.
 */
export function inTurns(
  { socket }: IncomingMessage,
  take: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  let chunks = 0;
  return (chunk) => {
    take(chunk);
    chunks += 1;
    if (chunks === CHUNKS_A_TURN) {
      socket.pause();
      setImmediate(() => {
        chunks = 0;
        socket.resume();
      });
    }
  };
}

/**
 * Reads a limited part of a body that the application has not read, so that a client which writes
 * first can read the response. To be called when the response is out.
 */
export function readRest(request: IncomingMessage): void {
  // All of it is in memory already.
  if (request.complete) {
    request.resume();
    return;
  }
  const { socket } = request;
  let unread = 0;
  const count = inTurns(request, (chunk) => {
    unread += chunk.length;
    if (unread > MOST_UNREAD_BYTES) {
      socket.destroy();
    }
  });
  const late = setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS);
  const stop = () => {
    clearTimeout(late);
    request.off('data', count);
  };
  request.once('end', stop).once('close', stop);
  request.on('data', count).resume();
  // This reads nothing, and marks the body as being read (Node's guide to streams): otherwise Node
  // discards the rest, of any length.
  request.read(0);
}
