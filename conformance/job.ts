/** The thread of one job of several. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadContract } from './engine/contract/load.ts';
import type { Job, Message } from './jobs.ts';
import { reportOn } from './run-and-report.ts';

const { options, path, suite, cwd, startedAt } = workerData as Job;
const controller = new AbortController();
parentPort!.on('message', (reason: string) => controller.abort(reason));
const silent = { write: () => undefined };
const io = { stdout: silent, stderr: silent, cwd, signal: controller.signal, startedAt };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
const post = (message: Message) => parentPort!.postMessage(message);
const surroundings = { contract: loadContract(path), suite, env: {}, io };
post({ report: await reportOn(options, surroundings, { finished: (finished) => post({ finished }) }) });
parentPort!.close();
