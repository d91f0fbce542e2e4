/**
 * A well-behaved client that works on, in a separate thread: the attacks keep theirs busy. Posts
 * each `Turn`.
 */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { send, type Sending } from '../send.ts';

export interface Turn {
  path: string;
  waitedMs: number;
  /** The status, or the code of the error. */
  result: number | string | undefined;
}

const { url, requests } = workerData as { url: string; requests: Sending[] };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
for (let turn = 0; ; turn++) {
  const request = requests[turn % requests.length]!;
  const start = Date.now();
  const broken = ({ code }: NodeJS.ErrnoException) => ({ status: code });
  const { status: result } = await send(url, { ...request, agent }).catch(broken);
  const done: Turn = { path: request.path, waitedMs: Date.now() - start, result };
  parentPort!.postMessage(done, []);
  await pause(10);
}
