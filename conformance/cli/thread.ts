/** The program of a thread that is a worker: see jobs.ts. An error that is thrown here ends it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { apiFor } from './choose-api.ts';
import { contractFor } from './command.ts';
import type { Worker } from '../engine/run/run-options.ts';
import { workerFor } from '../engine/run/worker.ts';
import { countsOf, type Job } from './jobs.ts';
import { clientsFor, settingsFor } from './run-and-report.ts';

const { options: given, cwd, base, sent, level, job } = workerData as Required<Job>;
const options = { ...given, proxy: given.proxy && new URL(given.proxy) };
const contract = await contractFor(options, { cwd });
const chosen = await apiFor(contract, options, cwd);
const client = clientsFor(options, contract, chosen, cwd)(base, sent);
const { origin, token, readOnlyToken } = options;
const implementation = chosen.createImplementation({
  contract,
  client,
  level,
  origin,
  token,
  readOnlyToken,
  job,
});
const worker = workerFor(implementation, settingsFor(options, contract, chosen));
const methods = worker as unknown as Record<keyof Worker, (...args: unknown[]) => unknown>;

parentPort!.on(
  'message',
  async (call: { method: keyof Worker; args: unknown[]; port: MessagePort }) => {
    const result = await methods[call.method](...call.args);
    call.port.postMessage({ result, sent: client.sent, counts: countsOf(implementation) }, []);
  },
);
