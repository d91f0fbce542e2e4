/** What is done with a body that nobody reads: a part of it is, so that the client can read the response; then it is cut. */
import type { IncomingMessage } from 'node:http';
import { MOST_UNREAD_BYTES, UNREAD_TIMEOUT_MS } from '../../limits.ts';

/** To be called when the response is out. */
export function readRest(request: IncomingMessage): void {
  if (request.readableEnded) return;
  if (request.complete) {
    // What is left is in memory already.
    request.resume();
    return;
  }
  const { socket } = request;
  let unread = 0;
  const count = (chunk: Buffer) => {
    unread += chunk.length;
    if (unread > MOST_UNREAD_BYTES) socket.destroy();
  };
  const late = setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS);
  const stop = () => {
    clearTimeout(late);
    request.off('data', count);
  };
  request.once('end', stop).once('close', stop).on('data', count).resume();
  // Node now takes it for read by us.
  request.read(0);
}
