/** The program of a thread that is a worker: see jobs.ts. An error that is thrown here ends it. */
import { byName } from '../engine/contract/by-name.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { ClaimedNames } from '../engine/http/claimed-names.ts';
import { LimitedOperations } from '../engine/http/limited-operations.ts';
import type { Worker } from '../engine/run/run-options.ts';
import { workerFor } from '../engine/run/worker.ts';
import { apiFor } from './choose-api.ts';
import { clientsFor } from './clients.ts';
import { contractFor } from './contract.ts';
import { type Call, countsOf, type Reply, type ThreadJob } from './jobs.ts';
import type { Options } from './options.ts';
import { implementationFor, settingsFor } from './settings.ts';

if (parentPort === null) {
  throw new Error('this program is for a thread of a run with --jobs');
}

const job = workerData as ThreadJob;
const { options: given, cwd, base, sent, level, number } = job;
const proxy = given.proxy === undefined ? undefined : new URL(given.proxy);
const options: Options = { ...given, proxy };
const contract = await contractFor(options, cwd);
const chosen = await apiFor(contract, options, cwd);
const client = clientsFor(options, contract, chosen, cwd)(base, sent);
const implementation = implementationFor(chosen, options, { contract, client, level, job: number });
implementation.survey = byName(Object.entries(job.survey));
implementation.limited = new LimitedOperations(implementation.operations.keys(), job.limited);
implementation.claimed = new ClaimedNames(job.claimed);
const worker = workerFor(implementation, settingsFor(options, contract, chosen));
const methods = worker as unknown as Record<keyof Worker, (...args: unknown[]) => unknown>;

parentPort.on('message', async ({ method, args, port }: Call) => {
  const result = await methods[method](...args);
  const counts = countsOf(implementation);
  if (method === 'end') {
    counts.serverErrors = implementation.serverErrors.all;
    counts.wrongRetryAfters = implementation.wrongRetryAfters.all;
  }
  const reply: Reply = { result, counts };
  port.postMessage(reply, []);
});
